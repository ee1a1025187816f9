//! Waste cleanup, as in chapter 4 of ALLIANCE-SIM: find the spills, move the waste, report progress.
//!
//! The room is a rectangle. The report site is at the left, where the robots start facing the left wall; spill areas
//! lie at a third of the width and at one and two thirds of the height; the deposit lies at four fifths of the width,
//! half-way up. Robots know only these relative positions, so they must first find the walls.

mod reach;

use crate::{
    Air, Better, Hindrance, Leftover, MeasureSpec, Mission, OWN_ROOM, Remains, RoomKind, RunningRobot,
    Scaling, Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{BehaviourSpec, RobotId, Stream, TaskSpec, Vec2};
use crewlab_skills::waste_cleanup::{
    self, CleanupBriefing, DEPOSIT, FIND_LOCATIONS, MOVE_SPILL, REPORT_SITE, SPILL, Sites, WASTE,
};
use crewlab_world::{Area, Aspect, Item, Outline, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "waste-cleanup",
        summary: "three robots clean up two spills without interruption (ALLIANCE-SIM 4.3.1)",
        text: include_str!("scenarios/waste-cleanup.yaml"),
    },
    Shipped {
        name: "waste-cleanup-trapped",
        summary: "blue is walled in while it searches; the others take over (ALLIANCE-SIM 4.3.2)",
        text: include_str!("scenarios/waste-cleanup-trapped.yaml"),
    },
    Shipped {
        name: "waste-cleanup-death",
        summary: "a random robot dies at a random time in the first ten minutes",
        text: include_str!("scenarios/waste-cleanup-death.yaml"),
    },
    Shipped {
        name: "waste-cleanup-slam",
        summary: "robots without positioning system and compass locate themselves with laser scanners",
        text: include_str!("scenarios/waste-cleanup-slam.yaml"),
    },
];

/// The aspect of the report site that counts reports.
const REPORTS: &str = "reports";

/// Parameters of the waste cleanup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct WasteCleanup {
    /// Radius of the spill areas.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub spill_radius: f64,
    /// Radius of the deposit.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub deposit_radius: f64,
    /// Time between two progress reports.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub report_period: f64,
    /// Duration of the wandering search in each of the four directions.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub wander_time: f64,
    /// Number of progress reports without which the mission is not completed.
    pub required_reports: u32,
}

impl Default for WasteCleanup {
    fn default() -> Self {
        WasteCleanup {
            spill_radius: 1.0,
            deposit_radius: 1.0,
            report_period: 120.0,
            wander_time: 60.0,
            required_reports: 0,
        }
    }
}

impl WasteCleanup {
    fn add_areas(&self, world: &mut World) {
        let sites = Sites::in_room(world.bounds.min, world.bounds.max);
        let size = world.bounds.size();
        let mut add = |name: &str, kind: &str, outline: Outline| {
            world.areas.push(Area::new(name, kind, outline));
        };
        let disc = |center: Vec2, radius: f64| Outline::Circle { center, radius };
        add("top spill", SPILL, disc(sites.spills[0], self.spill_radius));
        add("bottom spill", SPILL, disc(sites.spills[1], self.spill_radius));
        add("deposit", DEPOSIT, disc(sites.deposit, self.deposit_radius));
        let half = vec2(size.x / 20.0, size.y / 8.0);
        let corner = |x: f64, y: f64| sites.report_site + vec2(x * half.x, y * half.y);
        let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        add("report site", REPORT_SITE, Outline::Polygon(corners));
        if let Some(site) = world.areas.last_mut() {
            site.properties.aspects.push(Aspect::fixed(REPORTS, 0.0));
        }
    }

    /// Number of reports made so far.
    fn reports(world: &World) -> f64 {
        world.areas.iter().filter_map(|area| area.properties.value(REPORTS)).sum()
    }
}

impl Mission for WasteCleanup {
    const SUMMARY: &'static str =
        "find two spills of hazardous waste, move it to the deposit, report progress";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const ITEMS: &'static [&'static str] = &[WASTE];
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "items_deposited",
            title: "items deposited",
            unit: "",
            summary: "items that lie in the deposit",
            better: Better::More,
        },
        MeasureSpec {
            name: "items_left",
            title: "items left",
            unit: "",
            summary: "items that lie elsewhere or are carried",
            better: Better::Less,
        },
        MeasureSpec {
            name: "reports",
            title: "reports",
            unit: "",
            summary: "progress reports made at the report site",
            better: Better::Neither,
        },
    ];
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: cleaner, side-range: true",
        others: &["type: cleaner"],
        robots: (1, 40),
        rooms: &[
            OWN_ROOM,
            RoomKind { name: "small", sets: &["world.size=[8 m, 6 m]"] },
            RoomKind { name: "long", sets: &["world.size=[20 m, 6 m]"] },
            RoomKind { name: "large", sets: &["world.size=[24 m, 16 m]", "run.until=2 h"] },
        ],
    });
    type Briefing = CleanupBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let find = "find the walls, and from them the spills and the deposit";
        let top = "carry the waste of the top spill to the deposit, item by item";
        let bottom = "carry the waste of the bottom spill to the deposit, item by item";
        let report = "go to the report site from time to time and report";
        vec![
            TaskSpec::new("find-locations", find),
            TaskSpec::new("move-spill-top", top).after(FIND_LOCATIONS),
            TaskSpec::new("move-spill-bottom", bottom).after(FIND_LOCATIONS),
            TaskSpec::new("report-progress", report).after(FIND_LOCATIONS).every(self.report_period),
        ]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        waste_cleanup::sets()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        supplies: &BTreeMap<String, u32>,
        random: &mut Stream,
    ) {
        self.add_areas(world);
        let count = supplies.get(WASTE).copied().unwrap_or(0);
        for spill in 0..2 {
            let (center, radius) = world.areas[spill].outline.bounding_circle();
            for _ in 0..count {
                let position = world.spot_in(center, radius, random);
                world.items.push(Item::new(WASTE, position, 0.05));
            }
        }
        world.items_changed();
    }

    fn brief(&self, _world: &World) -> CleanupBriefing {
        CleanupBriefing {
            spill_radius: self.spill_radius,
            deposit_radius: self.deposit_radius,
            wander_time: self.wander_time,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, team: usize, radius: f64) -> Option<Pose> {
        let site = Sites::in_room(world.bounds.min, world.bounds.max).report_site;
        let height = world.bounds.size().y;
        let rows_of = |spacing: f64, height: f64| ((height / spacing) as usize).clamp(1, team.max(1));
        let small = rows_of(3.0 * radius, height / 4.0);
        // A team that does not fit into two columns at the report site stands so far apart that robots can pass.
        let (spacing, rows) = match team <= 2 * small {
            true => (3.0 * radius, small),
            false => (5.0 * radius, rows_of(5.0 * radius, height - 5.0 * radius)),
        };
        let (column, row) = (robot.index() / rows, robot.index() % rows);
        let up = ((rows - 1) as f64 / 2.0 - row as f64) * spacing;
        Some(Pose { position: site + vec2(column as f64 * spacing, up), heading: PI })
    }

    fn judge(&self, world: &World, open: &[bool]) -> Verdict {
        let Some(deposit) = world.present_areas().find(|area| &*area.kind == DEPOSIT) else {
            return Verdict::default();
        };
        // Waste at a spill whose task is not wanted does not count.
        // The two spills of the mission are its first areas, whatever happened to them.
        let spills = || world.areas.iter().zip(MOVE_SPILL);
        let unwanted =
            |at: Vec2| spills().any(|(area, task)| !open[usize::from(task.0)] && area.outline.contains(at));
        let waste = || world.present_items().filter(|item| &*item.kind == WASTE && !unwanted(item.position));
        let deposited =
            waste().filter(|i| i.holder.is_none() && deposit.outline.contains(i.position)).count();
        let total = waste().count();
        let progress = if total == 0 { 1.0 } else { deposited as f64 / total as f64 };
        let reported = WasteCleanup::reports(world) >= f64::from(self.required_reports);
        Verdict { progress, completed: deposited == total && reported }
    }

    fn left(&self, world: &World, open: &[bool]) -> Option<Vec<Leftover>> {
        let deposit = world.areas.iter().position(|area| area.present && &*area.kind == DEPOSIT);
        let inside = |at: Vec2| deposit.is_some_and(|number| world.areas[number].outline.contains(at));
        let mut left = Vec::new();
        for (number, item) in world.items.iter().enumerate() {
            let done = item.holder.is_none() && inside(item.position);
            if done || !item.present || &*item.kind != WASTE {
                continue;
            }
            let spill =
                world.areas.iter().zip(MOVE_SPILL).find(|(area, _)| area.outline.contains(item.position));
            let tasks = spill.map_or(MOVE_SPILL.to_vec(), |(_, task)| vec![task]);
            if tasks.iter().any(|task| open[usize::from(task.0)]) {
                let (what, place) = (Remains::Item(number as u32), item.position);
                left.push(Leftover { what, place, goal: deposit.map(|area| area as u32), tasks });
            }
        }
        Some(left)
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let deposit = world.present_areas().find(|area| &*area.kind == DEPOSIT);
        let waste = || world.present_items().filter(|item| &*item.kind == WASTE);
        let inside = |at: Vec2| deposit.is_some_and(|area| area.outline.contains(at));
        let deposited = waste().filter(|item| item.holder.is_none() && inside(item.position)).count();
        let left = waste().count() - deposited;
        vec![Some(deposited as f64), Some(left as f64), Some(WasteCleanup::reports(world))]
    }

    fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
        let deposit = world.present_areas().find(|area| &*area.kind == DEPOSIT);
        let deposited = |item: &&Item| deposit.is_some_and(|area| area.outline.contains(item.position));
        let waste = world.items.iter().filter(|item| item.lies() && &*item.kind == WASTE);
        let left = waste.filter(|item| !deposited(item));
        left.filter_map(|item| reach::hindrance(item, world, team)).collect()
    }
}
