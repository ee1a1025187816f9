//! Box pushing, Parker's demonstration of ALLIANCE: two robots push a long box over a line, one at each end. One alone only
//! turns the box, unless it pushes both ends in turn: so it does when the other robot fails.
//!
//! The box is the first object of the world that can be pushed. It is pushed to the right.

use crate::{
    Air, Better, Hindrance, Leftover, MeasureSpec, Mission, OWN_ROOM, Remains, RoomKind, RunningRobot,
    Scaling, Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, RobotId, Stream, TaskSpec};
use crewlab_skills::box_pushing::{self, Carton, End, PushingBriefing};
use crewlab_world::{Area, Aspect, Object, Outline, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "box-pushing",
        summary: "two robots push a long box over a line, one at each end (ALLIANCE, section 5)",
        text: include_str!("scenarios/box-pushing.yaml"),
    },
    Shipped {
        name: "box-pushing-failure",
        summary: "one of the two robots fails; the other takes over and pushes both ends in turn",
        text: include_str!("scenarios/box-pushing-failure.yaml"),
    },
];

/// The name and the kind of the area beyond the line.
const GOAL: &str = "goal";
/// The aspect of the goal that tells how far the box was from the line at the start. [m]
const AT_FIRST: &str = "distance-at-first";

/// Distance of the box's ends from the border that lets robots pass. [m]
const ASIDE: f64 = 0.5;

/// Parameters of the box pushing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BoxPushing {
    /// How far the box has to be pushed.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub distance: f64,
    /// How far a robot pushes its end of the box ahead of the other end.
    #[schemars(range(min = 0.05), extend("x-unit" = "m"))]
    pub lead: f64,
    /// Speed of a push.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m/s"))]
    pub pace: f64,
}

impl Default for BoxPushing {
    fn default() -> Self {
        BoxPushing { distance: 4.0, lead: 0.4, pace: 0.15 }
    }
}

impl BoxPushing {
    /// The box, with the direction from its centre in which it is pushed relative to its heading. [rad]
    fn carton(world: &World) -> Option<(&Object, Carton, f64)> {
        let object = world.objects().iter().find(|object| object.pushable.is_some())?;
        let size = object.shape.at(&Pose::new(0.0, 0.0, 0.0)).bounds().size();
        // Robots push against the long side that faces away from the goal.
        let front = if size.y >= size.x { 0.0 } else { -FRAC_PI_2 };
        let (depth, length) = (size.x.min(size.y), size.x.max(size.y));
        let turned =
            |front: f64| Pose { position: object.pose.position, heading: object.pose.heading + front };
        let ahead = |front: &f64| Vec2::unit(turned(*front).heading).x;
        let fronts = [front, front + 2.0 * FRAC_PI_2];
        let front = if ahead(&fronts[0]) >= ahead(&fronts[1]) { fronts[0] } else { fronts[1] };
        Some((object, Carton { pose: turned(front), depth, length }, front))
    }

    /// The goal and its line, along x. [m]
    fn line(world: &World) -> Option<(usize, f64)> {
        let (number, goal) = world.areas.iter().enumerate().find(|(_, area)| &*area.kind == GOAL)?;
        Some((number, goal.outline.bounds().min.x))
    }

    /// The distance of the box from the line, now and at the start; `None` if there is no box.
    fn to_go(world: &World) -> Option<(f64, f64)> {
        let ((number, line), (object, ..)) = (BoxPushing::line(world)?, BoxPushing::carton(world)?);
        let first = world.areas[number].properties.value(AT_FIRST)?;
        Some((line - object.outline.bounds().min.x, first))
    }

    /// The room that is left beyond the line when the box stands straight behind it. [m]
    fn spare(world: &World) -> Option<f64> {
        let ((_, line), (_, carton, _)) = (BoxPushing::line(world)?, BoxPushing::carton(world)?);
        Some(world.bounds.max.x - line - carton.depth)
    }
}

impl Mission for BoxPushing {
    const SUMMARY: &'static str = "robots push a long box over a line, one at each end or both ends in turn";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "box_to_go_m",
            title: "distance of the box to go",
            unit: "m",
            summary: "distance of the box's last corner to the line",
            better: Better::Less,
        },
        MeasureSpec {
            name: "box_skew_m",
            title: "skew of the box",
            unit: "m",
            summary: "how far one end of the box is ahead of the other",
            better: Better::Less,
        },
        MeasureSpec {
            name: "box_turned_deg",
            title: "turning of the box",
            unit: "deg",
            summary: "all turns of the box so far, in either direction",
            better: Better::Less,
        },
        MeasureSpec {
            name: "pushes",
            title: "pushes",
            unit: "",
            summary: "how often a robot has begun to push the box",
            better: Better::Neither,
        },
    ];
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: pusher",
        others: &["type: pusher"],
        robots: (1, 10),
        rooms: &[
            OWN_ROOM,
            RoomKind { name: "wide", sets: &["world.size=[10 m, 10 m]"] },
            RoomKind {
                name: "long",
                sets: &["world.size=[14 m, 6 m]", "parameters.distance=8 m", "run.until=2 h"],
            },
        ],
    });
    type Briefing = PushingBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let left = "push the left end of the box until it is ahead of the right one";
        let right = "push the right end of the box until it is ahead of the left one";
        vec![TaskSpec::new("push-left-end", left), TaskSpec::new("push-right-end", right)]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        box_pushing::sets()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let Some((object, ..)) = BoxPushing::carton(world) else { return };
        let line = object.outline.bounds().min.x + self.distance;
        let (low, high) =
            (vec2(line, world.bounds.min.y), vec2(world.bounds.max.x.max(line), world.bounds.max.y));
        let corners = vec![low, vec2(high.x, low.y), high, vec2(low.x, high.y)];
        let mut goal = Area::new(GOAL, GOAL, Outline::Polygon(corners));
        goal.properties.aspects.push(Aspect::fixed(AT_FIRST, self.distance));
        world.areas.push(goal);
    }

    fn brief(&self, world: &World) -> PushingBriefing {
        let (low, high) = (world.bounds.min, world.bounds.max);
        let found = BoxPushing::carton(world);
        let name = found.as_ref().map_or(String::new(), |(object, ..)| object.name.clone());
        let nothing = Carton { pose: Pose::new(0.0, 0.0, 0.0), depth: 0.0, length: 0.0 };
        let (carton, front) = found.map_or((nothing, 0.0), |(_, carton, front)| (carton, front));
        // The lane is where the box stands, but with room for a robot to get around it if the room is that wide.
        let aside = (carton.length / 2.0 + ASIDE).min((high.y - low.y) / 2.0);
        PushingBriefing {
            name,
            depth: carton.depth,
            length: carton.length,
            front,
            goal: BoxPushing::line(world).map_or(0.0, |(_, line)| line),
            lane: carton.pose.position.y.clamp(low.y + aside, high.y - aside),
            room: [low, high],
            lead: self.lead,
            pace: self.pace,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, team: usize, radius: f64) -> Option<Pose> {
        let size = world.bounds.size();
        let spacing = 5.0 * radius;
        let rows = ((size.y / spacing) as usize).clamp(1, team.max(1));
        let (column, row) = ((robot.index() / rows) as f64, (robot.index() % rows) as f64);
        let up = ((rows - 1) as f64 / 2.0 - row) * size.y / (rows as f64 + 1.0);
        let start = world.bounds.min + vec2(3.0 * radius, size.y / 2.0);
        Some(Pose { position: start + vec2(column * 4.5 * radius, up), heading: 0.0 })
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let Some(spare) = BoxPushing::spare(world) else {
            return vec!["there is nothing to push: give an object of the world `pushable: {}`".into()];
        };
        let full = format!(
            "the box cannot get over the line: {:.2} m are missing behind it; make `distance` shorter or the world longer",
            -spare
        );
        if spare < 0.0 { vec![full] } else { Vec::new() }
    }

    fn judge(&self, world: &World, open: &[bool]) -> Verdict {
        // Without a box, or if neither end is wanted, nothing is left to do.
        let Some((to_go, first)) = BoxPushing::to_go(world).filter(|_| open.contains(&true)) else {
            return Verdict { progress: 1.0, completed: true };
        };
        // In per cent: every change of progress is an event.
        let progress = (1.0 - to_go / first).clamp(0.0, 1.0);
        Verdict { progress: (100.0 * progress).floor() / 100.0, completed: to_go <= 0.0 }
    }

    fn left(&self, world: &World, open: &[bool]) -> Option<Vec<Leftover>> {
        let due = BoxPushing::to_go(world).is_some_and(|(to_go, _)| to_go > 0.0);
        let found = BoxPushing::carton(world).filter(|_| due && open.contains(&true));
        let leftover = found.map(|(object, carton, _)| Leftover {
            what: Remains::Object(object.id),
            place: carton.pose.position,
            goal: BoxPushing::line(world).map(|(number, _)| number as u32),
            tasks: End::BOTH.map(End::task).to_vec(),
        });
        Some(leftover.into_iter().collect())
    }

    fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
        let Some((object, pushable)) =
            BoxPushing::carton(world).and_then(|(object, ..)| Some((object, object.pushable.as_ref()?)))
        else {
            return Vec::new();
        };
        // No push needs less force than one at the longest lever.
        let lever = (object.shape.radius() + pushable.center.length()) / pushable.arm;
        let needed = pushable.friction / (1.0 + lever * lever).sqrt();
        let force: f64 =
            team.iter().map(|robot| world.bodies[robot.id].drive.max_push.unwrap_or(f64::INFINITY)).sum();
        let (why, detail) = if BoxPushing::spare(world).is_some_and(|spare| spare < 0.0) {
            ("there is no room for the box beyond the line", String::new())
        } else if force < needed {
            let detail = format!(": they give {force:.0} N, and even a push at its end needs {needed:.0} N");
            ("the robots that are left are too weak to move the box", detail)
        } else {
            return Vec::new();
        };
        vec![Hindrance { place: object.pose.position, words: format!("{why}{detail}"), why }]
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let found = BoxPushing::carton(world);
        let pushable = found.as_ref().and_then(|(object, ..)| object.pushable.as_ref());
        vec![
            BoxPushing::to_go(world).map(|(to_go, _)| to_go.max(0.0)),
            found.as_ref().map(|(_, carton, _)| carton.lead(End::Left, carton.pose.position.y).abs()),
            pushable.map(|pushable| pushable.turned.to_degrees()),
            pushable.map(|pushable| pushable.pushes as f64),
        ]
    }
}
