//! Explore a building: a team maps a building that none of them knows, and tells a base what it has found. Done when the base knows
//! nearly all of the floor that robots can reach. The referee compares the base's map with the world.

mod findings;

use crate::{
    Air, Better, Hindrance, Leftover, MeasureSpec, Minds, Mission, OWN_ROOM, Remains, RoomKind, RunningRobot,
    SHARE, Scaling, Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, LayerSpec, RobotId, Stream, TaskSpec};
use crewlab_skills::explore_building::{self, BASE, EXPLORE, ExploreBriefing, REPORT_MAP};
use crewlab_world::{Area, Aspect, Floor, Outline, World};
use findings::{BYTES, ERRORS, KNOWN, KNOWN_BY_ANY, OVERLAP};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "explore-building",
        summary: "three robots map a floor with five rooms and tell a base what they find",
        text: include_str!("scenarios/explore-building.yaml"),
    },
    Shipped {
        name: "explore-office",
        summary: "four robots map an office floor with rooms along two corridors",
        text: include_str!("scenarios/explore-office.yaml"),
    },
    Shipped {
        name: "explore-hall",
        summary: "four robots map a corridor around a court and halls with pillars",
        text: include_str!("scenarios/explore-hall.yaml"),
    },
    Shipped {
        name: "explore-warehouse",
        summary: "four robots map a warehouse, a maze of aisles between shelves",
        text: include_str!("scenarios/explore-warehouse.yaml"),
    },
];

/// The stock of the floor: what the base does not know.
const UNKNOWN: &str = "unknown";
/// Side of the cells in which the referee compares maps with the world. [m]
const REFEREE_CELL: f64 = 0.2;
/// Number of steps in which progress is reported.
const STEPS: f64 = 200.0;
/// Radius of the mark around the start. [m]
const MARK: f64 = 0.6;
/// Robots start this many radii apart.
const APART: f64 = 3.5;
/// More than this share that robots know and the base does not means that they do not reach it.
const WITHHELD: f64 = 0.05;

/// Parameters of exploring a building.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ExploreBuilding {
    /// Share of the floor that robots can reach and that the base must know.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub wanted: f64,
    /// Where the base is and the robots start: the free place nearest to this point. By default the lower left corner of the world.
    #[schemars(extend("x-unit" = "m"))]
    pub start: Option<[f64; 2]>,
    /// Side of the cells of the robots' maps.
    #[schemars(range(min = 0.05, max = 1.0), extend("x-unit" = "m"))]
    pub cell: f64,
    /// Unknown area that is worth a metre of the way, as robots compare frontiers [m²/m].
    #[schemars(range(min = 0.0))]
    pub gamma: f64,
    /// A robot that holds more than this many m² of the map, and does not reach the base by radio, goes home.
    #[schemars(range(min = 1.0))]
    pub report_at: f64,
    /// How many bytes per second each robot may send about its map.
    #[schemars(range(min = 100.0))]
    pub map_rate: f64,
    /// Floor counts where a robot's centre would be at least this far from everything.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub floor_clearance: f64,
}

impl Default for ExploreBuilding {
    fn default() -> Self {
        ExploreBuilding {
            wanted: 0.95,
            start: None,
            cell: 0.15,
            gamma: 1.0,
            report_at: 60.0,
            map_rate: 6000.0,
            floor_clearance: 0.35,
        }
    }
}

/// The place where the base is. [m]
fn start(world: &World) -> Vec2 {
    let site = world.areas.iter().find(|area| &*area.kind == BASE);
    site.map_or(world.bounds.min, |site| site.outline.bounding_circle().0)
}

/// The share of the floor that robots know and the base does not.
fn withheld(world: &World) -> f64 {
    findings::figure(world, KNOWN_BY_ANY) - findings::figure(world, KNOWN)
}

impl Mission for ExploreBuilding {
    const SUMMARY: &'static str = "map a building that no robot knows, and tell the base";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "known_share",
            title: "known to the base",
            unit: SHARE,
            summary: "share of the floor that robots can reach and that the base knows to be free",
            better: Better::More,
        },
        MeasureSpec {
            name: "known_by_any_share",
            title: "known to anybody",
            unit: SHARE,
            summary: "the same, known to at least one robot or the base",
            better: Better::More,
        },
        MeasureSpec {
            name: "map_errors_m2",
            title: "errors of the map",
            unit: "m²",
            summary: "area that the base takes for an obstacle although a robot can stand there",
            better: Better::Less,
        },
        MeasureSpec {
            name: "overlap_share",
            title: "seen by several",
            unit: SHARE,
            summary: "share of what robots have seen themselves that more than one of them has seen",
            better: Better::Less,
        },
        MeasureSpec {
            name: "map_bytes",
            title: "map data sent",
            unit: "bytes",
            summary: "bytes that all robots have sent about their maps",
            better: Better::Less,
        },
    ];
    const LAYERS: &'static [LayerSpec] = explore_building::LAYERS;
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: base",
        others: &["type: explorer"],
        robots: (2, 20),
        rooms: &[
            OWN_ROOM,
            RoomKind { name: "empty", sets: &["world.objects=[]"] },
            RoomKind { name: "large", sets: &["world.size=[30 m, 20 m]", "run.until=1 h"] },
        ],
    });
    type Briefing = ExploreBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let explore = "look into a piece of the border between what is known and what is not";
        let report = "bring the map to where the base hears it";
        vec![TaskSpec::new("explore", explore), TaskSpec::new("report-map", report).shared()]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        explore_building::sets()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let floor = Floor::new(UNKNOWN, &world.bounds, REFEREE_CELL, self.floor_clearance, world.objects());
        let wish = self.start.map_or(world.bounds.min, |[x, y]| vec2(x, y));
        let nearest = floor.counted().min_by(|a, b| a.distance(wish).total_cmp(&b.distance(wish)));
        let outline = Outline::Circle { center: nearest.unwrap_or(wish), radius: MARK };
        let mut site = Area::new("start", BASE, outline);
        let aspects = [KNOWN, KNOWN_BY_ANY, ERRORS, OVERLAP, BYTES];
        site.properties.aspects.extend(aspects.map(|name| Aspect::fixed(name, 0.0)));
        world.areas.push(site);
        world.floors.push(floor);
    }

    fn brief(&self, _world: &World) -> ExploreBriefing {
        ExploreBriefing {
            cell: self.cell,
            gamma: self.gamma,
            report_at: self.report_at,
            map_rate: self.map_rate,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, _team: usize, radius: f64) -> Option<Pose> {
        let start = start(world);
        let mut places: Vec<Vec2> = world.floors.first()?.counted().collect();
        places.sort_by(|a, b| a.distance(start).total_cmp(&b.distance(start)));
        let mut chosen: Vec<Vec2> = Vec::new();
        for place in places {
            if chosen.iter().all(|other| other.distance(place) >= APART * radius) {
                if chosen.len() == robot.index() {
                    return Some(Pose { position: place, heading: 0.0 });
                }
                chosen.push(place);
            }
        }
        None
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let base = world.bodies.iter().any(|body| &*body.robot_type == BASE);
        let missing = (!base).then(|| {
            format!("the team has no robot of the type `{BASE}`: nobody collects what the others find, so the mission cannot be completed")
        });
        missing.into_iter().collect()
    }

    fn inspect(&self, world: &mut World, minds: &dyn Minds) {
        findings::inspect(world, minds);
    }

    fn judge(&self, world: &World, open: &[bool]) -> Verdict {
        let known = findings::figure(world, KNOWN);
        let wanted = open.get(usize::from(EXPLORE.0)).is_none_or(|open| *open);
        if !wanted || known >= self.wanted {
            return Verdict { progress: 1.0, completed: true };
        }
        Verdict { progress: (known / self.wanted * STEPS).floor() / STEPS, completed: false }
    }

    fn left(&self, world: &World, open: &[bool]) -> Option<Vec<Leftover>> {
        let wanted = open.get(usize::from(EXPLORE.0)).is_none_or(|open| *open);
        if !wanted || findings::figure(world, KNOWN) >= self.wanted {
            return Some(Vec::new());
        }
        if withheld(world) > WITHHELD {
            // The floor is known; what is left is to tell the base.
            let site = world.areas.iter().position(|area| &*area.kind == BASE).unwrap_or(0);
            let (what, place) = (Remains::Area(site as u32), start(world));
            return Some(vec![Leftover { what, place, goal: None, tasks: vec![REPORT_MAP] }]);
        }
        let leftover = |place| Leftover { what: Remains::Floor(0), place, goal: None, tasks: vec![EXPLORE] };
        Some(world.floors.first().into_iter().flat_map(|floor| floor.left(|_| false)).map(leftover).collect())
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        [KNOWN, KNOWN_BY_ANY, ERRORS, OVERLAP, BYTES].map(|name| Some(findings::figure(world, name))).to_vec()
    }

    fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
        let is_base = |robot: &&RunningRobot| &*world.bodies[robot.id].robot_type == BASE;
        let place = start(world);
        let hindrance = |words: &str, why| vec![Hindrance { place, words: words.into(), why }];
        match team.iter().find(is_base) {
            None => hindrance("no base runs, so nobody can collect what robots find", "there is no base"),
            Some(base) if !base.hears => {
                hindrance("the base's radio does not receive, so nothing reaches it", "the base is deaf")
            }
            Some(_) => {
                let withheld = withheld(world);
                let words = format!(
                    "robots know {:.0} % of the floor that the base does not know: their messages do not reach it",
                    100.0 * withheld
                );
                let silent = withheld > WITHHELD;
                if silent { hindrance(&words, "messages do not reach the base") } else { Vec::new() }
            }
        }
    }
}
