//! The janitorial service of ALLIANCE 5.2: empty the garbage, dust the furniture and clean the floor of an office
//! that the robots do not know.
//!
//! Cans sound with one of a few frequencies until they are emptied; robots follow the sound. Low furniture is seen by
//! the low ring of proximity sensors and not by the high one; robots know how many pieces there are, not where. The
//! floor is cleaned by quadrants after the perimeter of the room was circled.

use crate::{
    Air, Better, Leftover, MeasureSpec, Mission, OWN_ROOM, Remains, RoomKind, SHARE, Scaling, Shipped,
    Verdict,
};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{BehaviourSpec, RobotId, Stream, TaskId, TaskSpec, Vec2};
use crewlab_skills::janitorial::{self, CLEAN_FLOOR, DUST_FURNITURE, EMPTY_GARBAGE, JanitorBriefing};
use crewlab_world::{Floor, Object, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "janitorial",
        summary: "three robots empty cans, dust furniture and clean the floor of an office (ALLIANCE 5.2)",
        text: include_str!("scenarios/janitorial.yaml"),
    },
    Shipped {
        name: "janitorial-failing-can",
        summary: "one robot fails to empty its can; the others become impatient and do it",
        text: include_str!("scenarios/janitorial-failing-can.yaml"),
    },
    Shipped {
        name: "janitorial-cans-added",
        summary: "two more cans appear during the run",
        text: include_str!("scenarios/janitorial-cans-added.yaml"),
    },
    Shipped {
        name: "janitorial-can-emptied",
        summary: "somebody else empties a can; the robots turn to other work",
        text: include_str!("scenarios/janitorial-can-emptied.yaml"),
    },
    Shipped {
        name: "janitorial-furniture-moved",
        summary: "furniture is moved while the robots work",
        text: include_str!("scenarios/janitorial-furniture-moved.yaml"),
    },
    Shipped {
        name: "janitorial-robot-added",
        summary: "a fourth robot joins and helps",
        text: include_str!("scenarios/janitorial-robot-added.yaml"),
    },
    Shipped {
        name: "janitorial-robot-dies",
        summary: "a random robot dies at a random time",
        text: include_str!("scenarios/janitorial-robot-dies.yaml"),
    },
    Shipped {
        name: "janitorial-slam",
        summary: "janitors without positioning system and compass locate themselves with laser scanners",
        text: include_str!("scenarios/janitorial-slam.yaml"),
    },
];

/// The stocks that cans are emptied of, and that furniture and floor are cleaned of.
const GARBAGE: &str = "garbage";
const DUST: &str = "dust";

/// Side of the cells on which the referee measures the floor. [m]
const REFEREE_CELL: f64 = 0.2;

/// Number of steps in which progress is reported.
const STEPS: f64 = 200.0;

/// Parameters of the janitorial service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Janitorial {
    /// How many pieces of furniture must be dusted; the robots are told.
    pub dustable_objects: u32,
    /// Lower objects are furniture to be dusted: the height of the high ring of proximity sensors.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub dustable_height: f64,
    /// Places nearer to each other than this are the same piece of furniture.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub furniture_size: f64,
    /// How long a piece of furniture is left to a team-mate that says it dusts it.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub dusting_patience: f64,
    /// Level of a can's sound at 1 m, from which robots estimate its distance.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub loudness: f64,
    /// Levels up to this are inaudible.
    #[schemars(range(min = 0.0))]
    pub noise_floor: f64,
    /// Side of the cells on which robots clean the floor.
    #[schemars(range(min = 0.1, max = 5.0), extend("x-unit" = "m"))]
    pub cell: f64,
    /// Floor counts where a robot's centre would be at least this far from everything.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub floor_clearance: f64,
    /// A team that is done, hears nobody at work and is not switched off for this long checks everything again.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub doubt_after: f64,
}

impl Default for Janitorial {
    fn default() -> Self {
        Janitorial {
            dustable_objects: 3,
            dustable_height: 0.9,
            furniture_size: 1.0,
            dusting_patience: 120.0,
            loudness: 1.0,
            noise_floor: 0.002,
            cell: 0.4,
            floor_clearance: 0.4,
            doubt_after: 120.0,
        }
    }
}

impl Janitorial {
    /// The share of garbage that was emptied, by cans; `None` if there is no can.
    fn emptied(&self, world: &World) -> Option<f64> {
        let garbage = |object: &Object| object.properties.amount(GARBAGE);
        let at_first = |object: &Object| object.properties.stocks.at_first(GARBAGE);
        let cans = || world.objects().iter().filter(|o| at_first(o) > 0.0 || garbage(o) > 0.0);
        let full = cans().filter(|can| garbage(can) > 0.0).count();
        (cans().count() > 0).then(|| 1.0 - full as f64 / cans().count() as f64)
    }

    /// The share of dust that was wiped off the furniture; `None` if there was none.
    fn dusted(&self, world: &World) -> Option<f64> {
        let low = |o: &&Object| o.impassable() && o.height < self.dustable_height;
        let dusty = || world.objects().iter().filter(low);
        let dust = |object: &Object| object.properties.amount(DUST);
        let total: f64 = dusty().map(|o| o.properties.stocks.at_first(DUST).max(dust(o))).sum();
        let left: f64 = dusty().map(dust).sum();
        (total > 0.0).then(|| if left > 0.0 { (1.0 - left / total).min(1.0 - f64::EPSILON) } else { 1.0 })
    }

    /// True for places that no robot can clean: one that is down or cannot move is a piece of furniture.
    fn excused(&self, world: &World) -> impl Fn(Vec2) -> bool + use<> {
        let fallen: Vec<(Vec2, f64)> = world
            .bodies
            .iter()
            .filter(|body| body.present && (body.down() || body.stranded))
            .map(|body| (body.pose.position, body.radius + self.floor_clearance))
            .collect();
        move |at: Vec2| fallen.iter().any(|(center, reach)| center.distance(at) < *reach)
    }

    /// The share of the floor that was cleaned; `None` if there is none.
    fn swept(&self, world: &World) -> Option<f64> {
        let floor = world.floors.iter().find(|floor| &*floor.stock == DUST)?;
        let (done, dirty) = (floor.done(), floor.left(self.excused(world)).count());
        (done + dirty > 0).then(|| done as f64 / (done + dirty) as f64)
    }
}

impl Mission for Janitorial {
    const SUMMARY: &'static str =
        "empty the garbage, dust the furniture and clean the floor of an unknown office";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "cans_emptied",
            title: "cans emptied",
            unit: "",
            summary: "cans that had garbage and have none left",
            better: Better::More,
        },
        MeasureSpec {
            name: "dust_wiped",
            title: "dust wiped off",
            unit: SHARE,
            summary: "share of the dust that was wiped off the furniture",
            better: Better::More,
        },
        MeasureSpec {
            name: "floor_cleaned_m2",
            title: "floor cleaned",
            unit: "m²",
            summary: "area of the floor that was cleaned",
            better: Better::More,
        },
    ];
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: janitor",
        others: &[
            "type: janitor, vacuum: false",
            "type: janitor, duster-arm: false",
            "type: janitor, dumper: false",
        ],
        robots: (1, 40),
        rooms: &[OWN_ROOM, RoomKind { name: "large", sets: &["world.size=[16 m, 12 m]", "run.until=1 h"] }],
    });
    type Briefing = JanitorBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let empty = "follow the sound of each can and empty it";
        let dust = "find all low furniture and wipe the dust off it";
        let clean = "circle the room, then clean the floor quadrant by quadrant";
        vec![
            TaskSpec::new("empty-garbage", empty),
            TaskSpec::new("dust-furniture", dust).shared(),
            TaskSpec::new("clean-floor", clean),
        ]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        janitorial::sets()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let floor = Floor::new(DUST, &world.bounds, REFEREE_CELL, self.floor_clearance, world.objects());
        world.floors.push(floor);
    }

    fn brief(&self, _world: &World) -> JanitorBriefing {
        JanitorBriefing {
            dustable_objects: self.dustable_objects,
            furniture_size: self.furniture_size,
            dusting_patience: self.dusting_patience,
            loudness: self.loudness,
            noise_floor: self.noise_floor,
            cell: self.cell,
            doubt_after: self.doubt_after,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, _team: usize, radius: f64) -> Option<Pose> {
        // Side by side from the lower left corner, in as many rows as needed.
        let spacing = 3.0 * radius;
        let across = ((world.bounds.size().x / 2.0 / spacing) as usize).max(1);
        let offset =
            vec2((robot.index() % across) as f64 + 0.8, (robot.index() / across) as f64 + 0.8) * spacing;
        Some(Pose { position: world.bounds.min + offset, heading: FRAC_PI_2 })
    }

    fn judge(&self, world: &World, open: &[bool]) -> Verdict {
        let shares = [self.emptied(world), self.dusted(world), self.swept(world)];
        let asked = shares.iter().zip(open).filter(|(_, open)| **open).filter_map(|(share, _)| *share);
        let (sum, count) = asked.clone().fold((0.0, 0), |(sum, count), share| (sum + share, count + 1));
        let completed = asked.into_iter().all(|share| share >= 1.0);
        // In steps, so that not every tick of wiping is an event.
        let progress = if count == 0 { 1.0 } else { sum / f64::from(count) };
        let progress = if completed { 1.0 } else { (progress * STEPS).floor().min(STEPS - 1.0) / STEPS };
        Verdict { progress, completed }
    }

    fn left(&self, world: &World, open: &[bool]) -> Option<Vec<Leftover>> {
        let wanted = |task: TaskId| open.get(usize::from(task.0)).copied().unwrap_or(false);
        let leftover = |what, place, task| Leftover { what, place, goal: None, tasks: vec![task] };
        let mut left = Vec::new();
        for object in world.objects() {
            let (what, place) = (Remains::Object(object.id), object.pose.position);
            let dusty = object.impassable() && object.height < self.dustable_height;
            if wanted(EMPTY_GARBAGE) && object.properties.amount(GARBAGE) > 0.0 {
                left.push(leftover(what, place, EMPTY_GARBAGE));
            } else if wanted(DUST_FURNITURE) && dusty && object.properties.amount(DUST) > 0.0 {
                left.push(leftover(what, place, DUST_FURNITURE));
            }
        }
        for (number, floor) in world.floors.iter().enumerate().filter(|(_, floor)| &*floor.stock == DUST) {
            let dirty = floor.left(self.excused(world)).next().filter(|_| wanted(CLEAN_FLOOR));
            left.extend(dirty.map(|place| leftover(Remains::Floor(number as u32), place, CLEAN_FLOOR)));
        }
        Some(left)
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let garbage = |object: &Object| object.properties.amount(GARBAGE);
        let cans = world.objects().iter().filter(|object| object.properties.stocks.at_first(GARBAGE) > 0.0);
        let emptied = cans.filter(|can| garbage(can) <= 0.0).count();
        let floor = world.floors.iter().find(|floor| &*floor.stock == DUST);
        vec![Some(emptied as f64), self.dusted(world), floor.map(|floor| floor.done_area())]
    }
}
