//! City: a robot without map or position must reach a place far away. It asks passers-by, who point the way, drives along pavements and
//! follows people across streets, as the robot ACE did (appendix B).

mod crowd;
mod network;
mod plan;

use crate::{
    Air, Better, Hindrance, IndicatorSpec, Leftover, MeasureSpec, Mission, Mistake, Remains, RunningRobot,
    Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, LayerSpec, RobotId, Stream, TaskId, TaskSpec};
use crewlab_skills::city::{self, CROSSING, CROSSROADS, CityBriefing, GOAL};
use crewlab_world::effectors::ask_way::{ANSWERED_AT, LONGEST_UNAIDED, QUESTIONS};
use crewlab_world::{Area, Aspect, Body, Bounds, Object, Outline, World};
use network::{LegKind, Network};
use plan::CityPlan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "city",
        summary: "a robot finds its way through a city by asking passers-by, and follows people across streets",
        text: include_str!("scenarios/city.yaml"),
    },
    Shipped {
        name: "city-sidewalk",
        summary: "a narrow pavement with few people, for comparison with city-zone",
        text: include_str!("scenarios/city-sidewalk.yaml"),
    },
    Shipped {
        name: "city-zone",
        summary: "a street without cars, full of people, for comparison with city-sidewalk",
        text: include_str!("scenarios/city-zone.yaml"),
    },
];

/// The aspect of areas that is the direction of the way to the goal. [rad]
const WAY: &str = "way";
/// Radius of the goal. [m]
const GOAL_RADIUS: f64 = 1.5;
/// Distance of the start and of the goal from the ends of the city. [m]
const MARGIN: f64 = 6.0;
/// Nobody is where robots start. [m]
const START_ROOM: f64 = 1.5;

/// Parameters of the city. Its size is that of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct City {
    /// Columns and rows of blocks of houses, at least two rows. Streets are between them.
    #[schemars(extend("items" = {"type": "integer", "minimum": 1, "maximum": 12}))]
    pub blocks: [usize; 2],
    /// Width of the pavements.
    #[schemars(range(min = 1.5, max = 20.0), extend("x-unit" = "m"))]
    pub pavement: f64,
    /// Width of the carriageways.
    #[schemars(range(min = 2.0, max = 30.0), extend("x-unit" = "m"))]
    pub road: f64,
    /// Streets from south to north that have neither cars nor kerbs, counted from 0 in the west.
    pub pedestrian: Vec<usize>,
    /// Number of people who walk along the pavements and cross streets.
    #[schemars(range(max = 2000))]
    pub walkers: usize,
    /// Number of people who stroll in each piece of a street without cars.
    #[schemars(range(max = 500))]
    pub strollers: usize,
    /// Where the goal is. Default: at the eastern end of the northernmost street.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub goal: Option<[f64; 2]>,
    /// Where the robots start. Default: at the western end of the southernmost street.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub start: Option<[f64; 2]>,
    /// How long a robot waits for somebody to ask or to follow before it does something else.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub patience: f64,
}

impl Default for City {
    fn default() -> Self {
        City {
            blocks: [4, 3],
            pavement: 3.0,
            road: 7.0,
            pedestrian: vec![1],
            walkers: 60,
            strollers: 12,
            goal: None,
            start: None,
            patience: 30.0,
        }
    }
}

impl City {
    fn plan(&self, bounds: Bounds) -> CityPlan {
        CityPlan {
            bounds,
            blocks: self.blocks.map(|count| count.max(1)),
            pavement: self.pavement,
            road: self.road,
            pedestrian: self.pedestrian.clone(),
        }
    }

    fn goal(&self, plan: &CityPlan) -> Vec2 {
        let street = plan.streets(1).saturating_sub(1);
        let north = plan.span(1, street + 1).0 + self.pavement / 2.0;
        self.goal.map_or(vec2(plan.bounds.max.x - MARGIN, north), |[x, y]| vec2(x, y))
    }

    fn start(&self, plan: &CityPlan) -> Vec2 {
        let south = plan.span(1, 0).1 - self.pavement / 2.0;
        self.start.map_or(vec2(plan.bounds.min.x + MARGIN, south), |[x, y]| vec2(x, y))
    }

    /// Where people walk, as they know the city: what stood in the way at the start is known, what came later is not.
    fn network(&self, world: &World, plan: &CityPlan) -> Network {
        let solid = |object: &&Object| object.impassable() && object.script.is_none() && object.height > 0.5;
        let free = |at: Vec2, radius: f64| {
            world.objects().iter().filter(solid).all(|object| object.outline.distance(at) > radius)
        };
        Network::new(plan, &free)
    }

    fn goal_area(world: &World) -> Option<(usize, &Area)> {
        world.areas.iter().enumerate().find(|(_, area)| area.present && &*area.kind == GOAL)
    }

    fn alive(world: &World) -> impl Iterator<Item = (RobotId, &Body)> {
        RobotId::enumerate(&world.bodies).filter(|(_, body)| body.present && !body.down())
    }

    /// Length of the way that is left for a robot, as the crow flies. [m]
    fn to_go(body: &Body, goal: &Area) -> f64 {
        goal.outline.distance(body.pose.position)
    }
}

fn area(kind: &str, outline: Outline, way: Option<f64>) -> Area {
    let mut area = Area::new("", kind, outline);
    area.properties.aspects.extend(way.map(|way| Aspect::fixed(WAY, way)));
    area
}

impl Mission for City {
    const SUMMARY: &'static str =
        "a robot without map or position reaches a place far away by asking passers-by for the way";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "questions",
            title: "questions",
            unit: "",
            summary: "how often robots have asked a person the way",
            better: Better::Less,
        },
        MeasureSpec {
            name: "longest_unaided_m",
            title: "longest way without help",
            unit: "m",
            summary: "longest distance that a robot has driven between two answers",
            better: Better::More,
        },
        MeasureSpec {
            name: "driven_m",
            title: "distance driven",
            unit: "m",
            summary: "mean distance that the robots have driven",
            better: Better::Less,
        },
        MeasureSpec {
            name: "distance_to_go_m",
            title: "distance to go",
            unit: "m",
            summary: "mean distance of the robots to the goal, as the crow flies",
            better: Better::Less,
        },
        MeasureSpec {
            name: "contacts",
            title: "contacts",
            unit: "",
            summary: "how often robots have touched something, kerbs included",
            better: Better::Less,
        },
    ];
    const LAYERS: &'static [LayerSpec] = city::LAYERS;
    const INDICATORS: &'static [IndicatorSpec] = city::INDICATORS;
    type Briefing = CityBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        vec![
            TaskSpec::new("find-way", "reach the goal by asking people for the way; every robot for itself")
                .shared(),
        ]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        city::sets()
    }

    fn check(&self, _team: &[&str]) -> Vec<Mistake> {
        let mistake = |key: &str, message: String| Mistake { key: key.into(), message };
        let [columns, rows] = self.blocks;
        let few = (columns < 1 || rows < 2).then(|| {
            mistake("blocks", format!("[{columns}, {rows}] leaves no street from west to east: use at least one column and two rows"))
        });
        let streets = columns.saturating_sub(1);
        let unknown = self.pedestrian.iter().filter(|street| **street >= streets).map(|street| {
            let known = match streets {
                0 => "there is none with one column of blocks".to_string(),
                _ => format!("they are counted from 0 to {}", streets - 1),
            };
            mistake("pedestrian", format!("there is no street {street} from south to north: {known}"))
        });
        few.into_iter().chain(unknown).collect()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        random: &mut Stream,
    ) {
        let plan = self.plan(world.bounds);
        if !plan.fits() || plan.streets(1) == 0 {
            return;
        }
        plan.houses().into_iter().chain(plan.kerbs()).for_each(|object| {
            world.add_object(object);
        });
        let network = self.network(world, &plan);
        let goal = self.goal(&plan);
        let ways = network.ways_to(goal);
        for (kind, (rect, way)) in ways.signposts() {
            let kind = match kind {
                LegKind::Pavement => "pavement",
                LegKind::Crossing => CROSSING,
                LegKind::Zone => "pedestrian-zone",
            };
            world.areas.push(area(kind, rect.outline(), way));
        }
        for (number, corner) in network.corners.iter().enumerate() {
            let circle = Outline::Circle { center: corner.rect.middle(), radius: self.pavement / 2.0 };
            let outline = if corner.mouth { corner.rect.outline() } else { circle };
            world.areas.push(area(CROSSROADS, outline, ways.at_corner(number)));
        }
        let outline = Outline::Circle { center: goal, radius: GOAL_RADIUS };
        world.areas.push(Area::new(GOAL, GOAL, outline));
        let start = self.start(&plan);
        let people = crowd::people(&plan, &network, self.walkers, self.strollers, random);
        let away = |person: &Object| person.pose.position.distance(start) > START_ROOM;
        people.unwrap_or_default().into_iter().filter(away).for_each(|person| {
            world.add_object(person);
        });
    }

    fn brief(&self, _world: &World) -> CityBriefing {
        CityBriefing { patience: self.patience }
    }

    fn berth(&self, world: &World, robot: RobotId, _team: usize, radius: f64) -> Option<Pose> {
        let start = self.start(&self.plan(world.bounds));
        let position = start + vec2(robot.index() as f64 * 4.0 * radius, 0.0);
        Some(Pose { position, heading: 0.0 })
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let plan = self.plan(world.bounds);
        if !plan.fits() {
            return vec![format!(
                "the world is too small for {} x {} blocks with these streets: it stays empty; make `world.size` larger or `parameters.blocks` fewer",
                self.blocks[0], self.blocks[1]
            )];
        }
        let lost = City::goal_area(world).is_none()
            || !world.areas.iter().any(|area| area.properties.value(WAY).is_some());
        let lost = lost.then(|| {
            "no pavement leads to the goal, so nobody can point the way: check `parameters.goal`".to_string()
        });
        lost.into_iter().collect()
    }

    fn judge(&self, world: &World, _open: &[bool]) -> Verdict {
        let Some((_, goal)) = City::goal_area(world) else { return Verdict::default() };
        let whole = self.start(&self.plan(world.bounds)).distance(goal.outline.bounding_circle().0).max(1e-9);
        let team: Vec<f64> = City::alive(world).map(|(_, body)| City::to_go(body, goal)).collect();
        if team.is_empty() {
            return Verdict::default();
        }
        if team.iter().all(|to_go| *to_go == 0.0) {
            return Verdict { progress: 1.0, completed: true };
        }
        let share = |to_go: &f64| (1.0 - to_go / whole).clamp(0.0, 0.99);
        let mean = team.iter().map(share).sum::<f64>() / team.len() as f64;
        // In whole per cent, so that not every step is an event.
        Verdict { progress: (mean * 100.0).floor() / 100.0, completed: false }
    }

    fn left(&self, world: &World, _open: &[bool]) -> Option<Vec<Leftover>> {
        let (number, goal) = City::goal_area(world)?;
        let away = City::alive(world).filter(|(_, body)| City::to_go(body, goal) > 0.0);
        let left = away.map(|(robot, body)| Leftover {
            what: Remains::Robot(robot),
            place: body.pose.position,
            goal: Some(number as u32),
            tasks: vec![TaskId(0)],
        });
        Some(left.collect())
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let bodies = || world.bodies.iter().filter(|body| body.present);
        let count = bodies().count().max(1) as f64;
        let unaided = |body: &Body| {
            (body.travelled - body.load.amount(ANSWERED_AT)).max(body.load.amount(LONGEST_UNAIDED))
        };
        let goal = City::goal_area(world).map(|(_, goal)| goal);
        vec![
            Some(bodies().map(|body| body.load.amount(QUESTIONS)).sum()),
            Some(bodies().map(unaided).fold(0.0, f64::max)),
            Some(bodies().map(|body| body.travelled).sum::<f64>() / count),
            goal.map(|goal| bodies().map(|body| City::to_go(body, goal)).sum::<f64>() / count),
            Some(world.collisions() as f64),
        ]
    }

    fn hindrances(&self, world: &World, _team: &[RunningRobot]) -> Vec<Hindrance> {
        let goal = City::goal_area(world).map(|(_, goal)| goal);
        let (words, why) = if goal.is_none() {
            ("there is no goal any more", "there is no goal")
        } else if !world.objects().iter().any(Object::is_person) {
            ("the goal is found by asking, and there is nobody to ask", "there is nobody to ask")
        } else if !world.areas.iter().any(|area| area.properties.value(WAY).is_some()) {
            ("the goal is found by asking, and nobody knows a way to it", "nobody knows the way")
        } else {
            return Vec::new();
        };
        let away =
            City::alive(world).filter(|(_, body)| goal.is_none_or(|goal| City::to_go(body, goal) > 0.0));
        away.map(|(_, body)| Hindrance { place: body.pose.position, words: words.into(), why }).collect()
    }
}
