//! Formation (BITE, chapter 5): three robots stand up, find each other by the colours of their markers, walk in a triangle, line up and
//! cross the room from wall to wall.

mod referee;

use crate::{
    Air, Better, Hindrance, Leftover, MeasureSpec, Minds, Mission, Mistake, Remains, RunningRobot, SHARE,
    Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{BehaviourSpec, Event, RobotId, SignalSpec, Stream, StreamKind, TaskSpec, Time, Vec2};
use crewlab_skills::formation::{self, Colour, FormationBriefing, Phase, Role};
use crewlab_world::World;
use referee::Board;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "formation",
        summary: "three robots walk in a triangle, line up and cross the room (BITE, chapter 5)",
        text: include_str!("scenarios/formation.yaml"),
    },
    Shipped {
        name: "formation-example",
        summary: "a small formation: stand up, search, walk in a triangle, and search again or end (BITE, section 3.3)",
        text: include_str!("scenarios/formation-example.yaml"),
    },
    Shipped {
        name: "formation-swapped",
        summary: "the same with the two followers on each other's side at the start",
        text: include_str!("scenarios/formation-swapped.yaml"),
    },
];

/// The size of the team.
const TEAM: usize = 3;
/// Distance of the starts from the border. [m]
const MARGIN: f64 = 0.3;
/// Least distance between the followers at the start, from side to side. [m]
const APART: f64 = 0.4;

/// Parameters of the formation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Formation {
    /// Speed of the first robot.
    #[schemars(range(min = 0.01, max = 1.0), extend("x-unit" = "m/s"))]
    pub pace: f64,
    /// How far the triangle walks at a time.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "m"))]
    pub stretch: f64,
    /// How far behind the leader the followers walk.
    #[schemars(range(min = 0.1, max = 2.0), extend("x-unit" = "m"))]
    pub back: f64,
    /// How far to its sides they walk.
    #[schemars(range(min = 0.1, max = 2.0), extend("x-unit" = "m"))]
    pub aside: f64,
    /// Distance between the robots of a line.
    #[schemars(range(min = 0.1, max = 2.0), extend("x-unit" = "m"))]
    pub spacing: f64,
    /// How far off its place a robot may be that is in formation.
    #[schemars(range(min = 0.01, max = 2.0), extend("x-unit" = "m"))]
    pub tolerance: f64,
    /// How far the triangle has to be held.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "m"))]
    pub hold: f64,
    /// How often a line has to reach a wall before the robots lie down.
    #[schemars(range(min = 0, max = 1000))]
    pub crossings: u32,
    /// How far to the side of their places the followers start (standard deviation).
    #[schemars(range(min = 0.0, max = 5.0), extend("x-unit" = "m"))]
    pub scatter: f64,
    /// How much the robots are turned at the start (standard deviation).
    #[schemars(range(min = 0.0, max = 3.2), extend("x-unit" = "rad"))]
    pub turned: f64,
}

impl Default for Formation {
    fn default() -> Self {
        Formation {
            pace: 0.15,
            stretch: 1.5,
            back: 0.6,
            aside: 0.45,
            spacing: 0.6,
            tolerance: 0.25,
            hold: 0.75,
            crossings: 1,
            scatter: 0.35,
            turned: 0.5,
        }
    }
}

const fn seconds(name: &'static str, title: &'static str, summary: &'static str) -> MeasureSpec {
    MeasureSpec { name, title, unit: "s", summary, better: Better::Less }
}

const fn metres(
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    better: Better,
) -> MeasureSpec {
    MeasureSpec { name, title, unit: "m", summary, better }
}

impl Formation {
    /// Where the first robot that runs stands: what is left to do is done wherever the team is. [m]
    fn standpoint(world: &World) -> Option<Vec2> {
        world.bodies.iter().find(|body| !body.down()).map(|body| body.pose.position)
    }
}

impl Mission for Formation {
    const SUMMARY: &'static str =
        "three robots follow each other by colour: a triangle, then a line across the room";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const CONTROLLED: bool = false;
    const OFFICIATED: bool = true;
    const LEADERS: bool = true;
    const SIGNALS: &'static [SignalSpec] = formation::SIGNALS;
    const MEASURES: &'static [MeasureSpec] = &[
        metres(
            "formation_error_m",
            "error of the triangle",
            "mean distance of the followers from their places, over the time in which the triangle walks",
            Better::Less,
        ),
        MeasureSpec {
            name: "in_formation",
            title: "in formation",
            unit: SHARE,
            summary: "share of the time in which the triangle walks that both followers are near their places",
            better: Better::More,
        },
        metres(
            "triangle_m",
            "way in formation",
            "how far the leader has walked with both followers near their places",
            Better::More,
        ),
        MeasureSpec {
            name: "mix_ups",
            title: "mix-ups",
            unit: "",
            summary: "how often the triangle has begun to walk with the left follower on the right of the other",
            better: Better::Less,
        },
        MeasureSpec {
            name: "walks",
            title: "walks of the triangle",
            unit: "",
            summary: "how often the triangle has begun to walk",
            better: Better::Neither,
        },
        metres(
            "line_error_m",
            "error of the line",
            "mean distance of the robots of a line from their places behind each other",
            Better::Less,
        ),
        MeasureSpec {
            name: "crossings",
            title: "crossings",
            unit: "",
            summary: "how often the first of a line has reached a wall",
            better: Better::Neither,
        },
        seconds("stand_up_s", "standing up", "time in which robots stand up, per robot"),
        seconds("search_s", "searching", "time in which they search, per robot"),
        seconds(
            "triangle_s",
            "walking in the triangle",
            "time in which they walk in the triangle, per robot",
        ),
        seconds("line_up_s", "lining up", "time in which they line up, per robot"),
        seconds("line_s", "walking in line", "time in which they walk in line, per robot"),
        seconds("waiting_s", "waiting", "time in which they have nothing to do, per robot"),
        seconds("total_s", "total time", "when all robots had lain down at the end"),
    ];
    type Briefing = FormationBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let task = |role: Role| {
            let task = TaskSpec::new(role.name(), role.summary());
            match role {
                Role::StandUp | Role::End | Role::Watch => task.shared(),
                Role::SearchBlue | Role::SearchPink => task.shared().after(Role::StandUp.task()),
                Role::Lead | Role::FollowLeft | Role::FollowRight => {
                    task.after(Role::SearchBlue.task()).after(Role::SearchPink.task())
                }
                _ => task.after(Role::StandUp.task()),
            }
        };
        Role::ALL.map(task).to_vec()
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        formation::sets()
    }

    fn check(&self, team: &[&str]) -> Vec<Mistake> {
        let message = format!("a formation is for {TEAM} robots, and the team has {}", team.len());
        let wrong = team.len() != TEAM;
        wrong.then(|| Mistake { key: String::new(), message }).into_iter().collect()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        world.areas.push(referee::board());
    }

    fn brief(&self, world: &World) -> FormationBriefing {
        let Formation { pace, stretch, back, aside, spacing, .. } = *self;
        let team = world.bodies.iter().filter(|body| body.present).count();
        FormationBriefing { team, pace, stretch, back, aside, spacing }
    }

    fn berth(&self, world: &World, robot: RobotId, _team: usize, _radius: f64) -> Option<Pose> {
        // The first ahead, the second behind it on its left, the third on its right: in the order in which roles go by number.
        let (ahead, side) = match robot.index() {
            0 => (self.back + 0.2, 0.0),
            1 => (0.0, self.aside),
            2 => (0.0, -self.aside),
            _ => return None,
        };
        let start = world.bounds.min + vec2(1.0, world.bounds.size().y / 2.0);
        Some(Pose { position: start + vec2(ahead, side), heading: 0.0 })
    }

    fn open(&self, world: &mut World, seed: u64) {
        let mut random = Stream::new(seed, StreamKind::World, 1, 0);
        let (low, high) = (world.bounds.min.y + MARGIN, world.bounds.max.y - MARGIN);
        // A map may be too narrow for any scatter.
        let within = |y: f64| if low < high { y.clamp(low, high) } else { y };
        for (robot, body) in RobotId::enumerate(&mut world.bodies) {
            let (aside, turn) = (self.scatter * random.normal(), self.turned * random.normal());
            if robot.index() > 0 {
                body.pose.position.y = within(body.pose.position.y + aside);
            }
            body.pose.heading = crewlab_onboard::geometry::wrap(body.pose.heading + turn);
        }
        if let [_, left, right, ..] = &mut world.bodies[..] {
            let gap = left.pose.position.y - right.pose.position.y;
            let beside = (left.pose.position.x - right.pose.position.x).abs() < APART;
            if beside && gap.abs() < APART {
                let more = (APART - gap.abs()) / 2.0 * if gap < 0.0 { -1.0 } else { 1.0 };
                left.pose.position.y = within(left.pose.position.y + more);
                right.pose.position.y = within(right.pose.position.y - more);
            }
        }
        for body in world.bodies.iter_mut() {
            (body.from, body.facing) = (body.pose.position, Vec2::unit(body.pose.heading));
        }
        world.reindex();
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let shown = |colour: Colour| world.bodies.iter().any(|body| body.aspect(colour.name()).is_some());
        let papers = [Colour::Blue, Colour::Yellow];
        let hung = |colour: Colour| {
            world.active_objects().any(|object| object.properties.value(colour.name()).is_some())
        };
        let markers = Colour::TEAM.into_iter().filter(|colour| !shown(*colour));
        let markers = markers.map(|colour| format!("no robot has a {} marker", colour.name()));
        let papers = papers.into_iter().filter(|colour| !hung(*colour));
        let papers = papers.map(|colour| {
            format!("no object has the aspect `{0}`: robots look for the {0} paper on a wall", colour.name())
        });
        markers.chain(papers).collect()
    }

    fn officiate(
        &self,
        world: &mut World,
        minds: &dyn Minds,
        _seed: u64,
        now: Time,
    ) -> Vec<(Option<RobotId>, Event)> {
        referee::officiate(self, world, minds, now);
        Vec::new()
    }

    fn judge(&self, world: &World, _open: &[bool]) -> Verdict {
        let board = Board::of(world);
        let held = if self.hold > 0.0 { (board.triangle / self.hold).min(1.0) } else { 1.0 };
        let needed = f64::from(self.crossings);
        let crossed = if needed > 0.0 { (board.crossings / needed).min(1.0) } else { 1.0 };
        let total = (board.stood.min(1.0) + held + crossed + board.ended.min(1.0)) / 4.0;
        // In per cent: every change of progress is an event.
        Verdict { progress: (100.0 * total).floor() / 100.0, completed: total >= 1.0 }
    }

    fn left(&self, world: &World, _open: &[bool]) -> Option<Vec<Leftover>> {
        let board = Board::of(world);
        let (Some(place), Some(area)) = (Formation::standpoint(world), referee::place(world)) else {
            return Some(Vec::new());
        };
        let parts: [(bool, &[Role]); 4] = [
            (board.stood < 1.0, &[Role::StandUp]),
            (board.triangle < self.hold, &[Role::Lead, Role::FollowLeft, Role::FollowRight]),
            (board.crossings < f64::from(self.crossings), &[Role::LineLead]),
            (board.ended < 1.0, &[Role::End]),
        ];
        let left = parts.into_iter().filter(|(left, _)| *left).map(|(_, roles)| Leftover {
            what: Remains::Area(area),
            place,
            goal: None,
            tasks: roles.iter().map(|role| role.task()).collect(),
        });
        Some(left.collect())
    }

    fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
        let board = Board::of(world);
        let Some(place) = Formation::standpoint(world).filter(|_| board.triangle < self.hold) else {
            return Vec::new();
        };
        let (why, words) = if team.len() < TEAM {
            let words = format!("a triangle takes {TEAM} robots that can move, and there are {}", team.len());
            ("too few robots are left for the triangle", words)
        } else if board.ended > 0.0 {
            let mixed = match board.mix_ups {
                0.0 => String::new(),
                times => format!("; its sides were mixed up in {times} of {} walks", board.walks),
            };
            let Formation { hold, .. } = self;
            let held = board.triangle;
            let words = format!(
                "the robots lie at the end, but held the triangle for {held:.2} m, not {hold} m{mixed}"
            );
            ("the robots went on before the triangle had held for long enough", words)
        } else {
            return Vec::new();
        };
        vec![Hindrance { place, words, why }]
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let board = Board::of(world);
        let mean = |sum: f64, time: f64| (time > 0.0).then(|| sum / time);
        let phase = |phase: Phase| Some(board.phases[phase as usize]);
        vec![
            mean(board.error, board.walking),
            mean(board.in_place, board.walking),
            Some(board.triangle),
            Some(board.mix_ups),
            Some(board.walks),
            mean(board.line_error, board.lining),
            Some(board.crossings),
            phase(Phase::StandUp),
            phase(Phase::Search),
            phase(Phase::Triangle),
            phase(Phase::LineUp),
            phase(Phase::Line),
            Some(board.waiting),
            (board.ended > 0.0).then_some(board.ended_at),
        ]
    }
}
