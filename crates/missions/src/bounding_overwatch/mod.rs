//! Bounding overwatch, as in section 5.3 of ALLIANCE: robots of two types divide themselves into two teams, each gets a
//! leader, and the teams take turns: one bounds to its next waypoint while the other stands and watches.
//!
//! The room is a rectangle. Robots start at the left; the teams gather side by side and go to the destination at the
//! right, each along its own lane. Everybody knows the waypoints beforehand.

use crate::{
    Air, Better, Leftover, MeasureSpec, Mission, OWN_ROOM, Remains, RoomKind, Scaling, Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{BehaviourSpec, RobotId, Stream, TaskSpec};
use crewlab_skills::bounding_overwatch::{
    self, EMERGE_LEADER, Group, JOIN_GROUP, LEAD_TO_WAYPOINT, OverwatchBriefing, Room, Route,
};
use crewlab_world::{Area, Body, Outline, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "bounding-overwatch",
        summary: "eight robots of two types cross a field in two teams that take turns (ALLIANCE 5.3)",
        text: include_str!("scenarios/bounding-overwatch.yaml"),
    },
    Shipped {
        name: "bounding-overwatch-leader-fails",
        summary: "the leader r4 fails and r3 becomes the new leader (ALLIANCE figure 12)",
        text: include_str!("scenarios/bounding-overwatch-leader-fails.yaml"),
    },
    Shipped {
        name: "bounding-overwatch-leader-lost",
        summary: "a leader is lost at a random time; another robot of its team becomes leader",
        text: include_str!("scenarios/bounding-overwatch-leader-lost.yaml"),
    },
    Shipped {
        name: "bounding-overwatch-blocked-waypoints",
        summary: "boulders lie on some of the waypoints; scouts find other places to stop (ALLIANCE 5.3)",
        text: include_str!("scenarios/bounding-overwatch-blocked-waypoints.yaml"),
    },
];

/// Columns in which the robots start.
const COLUMNS: usize = 4;
/// The name and the kind of the area where robots have to get.
const DESTINATION: &str = "destination";
/// The stock of the destination that says for how many robots it has room.
const PLACES: &str = "places";
/// Radius of the circles that mark gathering points and waypoints. [m]
const MARK: f64 = 0.9;

/// Parameters of the bounding overwatch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BoundingOverwatch {
    /// Number of bounds of each team on its way to the destination.
    #[schemars(range(min = 1, max = 100))]
    pub bounds: u32,
    /// Longest random wait before a robot chooses a team.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub longest_wait: f64,
    /// Interval at which a robot reports its identity, its position and the progress of the mission.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub report_period: f64,
    /// A robot that was not heard for this long counts as lost.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub silence: f64,
    /// How long a leader waits for members of its team that are not with it.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub patience: f64,
    /// Speed of a leader, so that its team can keep up.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m/s"))]
    pub pace: f64,
    /// Roles besides those of the paper's figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Role>,
}

/// A further role in a team (ALLIANCE 5.3 names some that it does not describe).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A scout that goes ahead and finds another waypoint if something stands at the planned one.
    FindWaypoint,
}

impl Default for BoundingOverwatch {
    fn default() -> Self {
        BoundingOverwatch {
            bounds: 4,
            longest_wait: 6.0,
            report_period: 1.0,
            silence: 5.0,
            patience: 20.0,
            pace: 0.35,
            roles: Vec::new(),
        }
    }
}

impl BoundingOverwatch {
    /// The route of so many robots through this world.
    fn route(&self, world: &World, robots: usize) -> Route {
        let room = Room { low: world.bounds.min, high: world.bounds.max };
        Route::new(room, self.bounds, robots)
    }

    /// The number of robots for which the destination was made: those of the start, whoever joins or leaves later.
    fn team(world: &World) -> usize {
        let destination = world.areas.iter().find(|area| &*area.kind == DESTINATION);
        destination.map_or(world.bodies.len(), |area| area.properties.amount(PLACES) as usize)
    }

    /// True if no way leads from a robot to the destination: what stands around it was put there while it worked.
    fn walled_in(robot: RobotId, world: &World, finish: f64) -> bool {
        !world.reaches(robot, |place| place.x >= finish)
    }
}

impl Mission for BoundingOverwatch {
    const SUMMARY: &'static str = "two teams cross a field in turns: one bounds while the other overwatches";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const LEADERS: bool = true;
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "robots_arrived",
            title: "robots arrived",
            unit: "",
            summary: "robots at the destination",
            better: Better::More,
        },
        MeasureSpec {
            name: "distance_to_go_m",
            title: "distance to go",
            unit: "m",
            summary: "mean distance of the robots to the destination, along the route",
            better: Better::Less,
        },
        MeasureSpec {
            name: "team_length_m",
            title: "length of the team",
            unit: "m",
            summary: "distance between the first and the last robot, along the route",
            better: Better::Neither,
        },
        MeasureSpec {
            name: "robots_walled_in",
            title: "robots walled in",
            unit: "",
            summary: "robots that work but have no way to the destination, because something stands around them",
            better: Better::Less,
        },
    ];
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: scout",
        others: &["type: guard", "type: scout"],
        robots: (2, 40),
        rooms: &[
            // Forty robots that see badly need more than the usual 20 min.
            RoomKind { name: OWN_ROOM.name, sets: &["run.until=1 h"] },
            RoomKind { name: "wide", sets: &["world.size=[30 m, 14 m]", "run.until=1 h"] },
            RoomKind { name: "long", sets: &["world.size=[45 m, 10 m]", "run.until=1 h"] },
        ],
    });
    type Briefing = OverwatchBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let join = "choose a team so that both get equal numbers of each type, and go where it gathers";
        let emerge = "become the leader of a team that has none";
        let lead = "take the team to its next waypoint when the other team has finished its bound";
        let follow = "keep one's place behind the leader";
        let overwatch = "stand and watch while the other team bounds";
        let find = "go ahead and find a place near the next waypoint where the team has room";
        let mut tasks = vec![
            TaskSpec::new("join-group", join).shared(),
            TaskSpec::new("emerge-leader", emerge).after(JOIN_GROUP),
            TaskSpec::new("lead-to-waypoint", lead).after(EMERGE_LEADER),
            TaskSpec::new("follow-leader", follow).shared().after(EMERGE_LEADER),
            TaskSpec::new("overwatch", overwatch).shared().after(EMERGE_LEADER).during(LEAD_TO_WAYPOINT),
        ];
        if self.roles.contains(&Role::FindWaypoint) {
            tasks.push(TaskSpec::new("find-waypoint", find).after(EMERGE_LEADER));
        }
        tasks
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        let mut sets = bounding_overwatch::sets();
        if self.roles.contains(&Role::FindWaypoint) {
            sets.push(bounding_overwatch::find_waypoint());
        }
        sets
    }

    fn furnish(
        &self,
        world: &mut World,
        team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let route = self.route(world, team);
        let (low, high) = (vec2(route.finish(), world.bounds.min.y), world.bounds.max);
        let corners = vec![low, vec2(high.x, low.y), high, vec2(low.x, high.y)];
        let mut destination = Area::new(DESTINATION, DESTINATION, Outline::Polygon(corners));
        destination.properties.stocks.replace(PLACES, team as f64);
        world.areas.push(destination);
        for group in Group::BOTH {
            for own in 0..=self.bounds {
                let kind = if own == 0 { "gathering-point" } else { "way-point" };
                let name = format!("{}{own}", if group == Group::First { "A" } else { "B" });
                let outline = Outline::Circle { center: route.stop(group, own), radius: MARK };
                world.areas.push(Area::new(&name, kind, outline));
            }
        }
    }

    fn brief(&self, world: &World) -> OverwatchBriefing {
        OverwatchBriefing {
            route: self.route(world, BoundingOverwatch::team(world)),
            longest_wait: self.longest_wait,
            report_period: self.report_period,
            silence: self.silence,
            patience: self.patience,
            pace: self.pace,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, team: usize, radius: f64) -> Option<Pose> {
        // Columns of four at the left, half-way up; higher ones for a large team, so that nobody starts ahead of the gathering points.
        let (size, spacing) = (world.bounds.size(), 6.0 * radius);
        let high = team.div_ceil(COLUMNS).max(4);
        let step = spacing.min((size.y - 4.0 * radius) / (high - 1) as f64);
        let (column, row) = ((robot.index() / high) as f64, (robot.index() % high) as f64);
        let top = size.y / 2.0 + 0.5 * (high - 1) as f64 * step;
        let first = world.bounds.min + vec2(size.x / 30.0 + radius, top);
        Some(Pose { position: first + vec2(column * spacing, -row * step), heading: 0.0 })
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let count = BoundingOverwatch::team(world);
        let crowded = format!(
            "{count} robots do not have room in formation behind the gathering points or before the destination: \
             make the world larger or the team smaller"
        );
        if self.route(world, count).fits() { Vec::new() } else { vec![crowded] }
    }

    fn judge(&self, world: &World, _open: &[bool]) -> Verdict {
        let route = self.route(world, BoundingOverwatch::team(world));
        let alive = || world.bodies.iter().filter(|body| !body.down());
        let there = |body: &Body| body.pose.position.x >= route.finish();
        let count = alive().count();
        if count == 0 {
            return Verdict::default();
        }
        // Whoever is alive and cannot get away does not keep the others from having arrived.
        let excused = |robot| BoundingOverwatch::walled_in(robot, world, route.finish());
        let mut team = RobotId::enumerate(&world.bodies).filter(|(_, body)| !body.down());
        let completed = alive().any(there) && team.all(|(robot, body)| there(body) || excused(robot));
        if completed {
            return Verdict { progress: 1.0, completed };
        }
        let passed = |body: &Body| {
            let x = body.pose.position.x;
            let share = route.lines().filter(|line| x >= line - MARK).count() as f64
                / route.lines().count().max(1) as f64;
            if there(body) { 1.0 } else { share.min(0.99) }
        };
        let progress = alive().map(passed).sum::<f64>() / count as f64;
        Verdict { progress, completed }
    }

    fn left(&self, world: &World, _open: &[bool]) -> Option<Vec<Leftover>> {
        let finish = self.route(world, BoundingOverwatch::team(world)).finish();
        let goal = world.areas.iter().position(|area| &*area.kind == DESTINATION).map(|area| area as u32);
        let left = RobotId::enumerate(&world.bodies).filter(|(_, body)| !body.down());
        let left = left.filter(|(_, body)| body.pose.position.x < finish).map(|(robot, body)| Leftover {
            what: Remains::Robot(robot),
            place: body.pose.position,
            goal,
            tasks: Vec::new(),
        });
        Some(left.collect())
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let finish = self.route(world, BoundingOverwatch::team(world)).finish();
        let alive = || world.bodies.iter().filter(|body| !body.down()).map(|body| body.pose.position.x);
        let stranded = RobotId::enumerate(&world.bodies).filter(|(robot, body)| {
            let on_the_way = !body.down() && body.pose.position.x < finish;
            on_the_way && BoundingOverwatch::walled_in(*robot, world, finish)
        });
        let count = alive().count();
        let arrived = alive().filter(|x| *x >= finish).count();
        let to_go: f64 = alive().map(|x| (finish - x).max(0.0)).sum();
        let (last, first) =
            alive().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let some = |value: f64| (count > 0).then_some(value);
        vec![
            Some(arrived as f64),
            some(to_go / count as f64),
            some(first - last),
            Some(stranded.count() as f64),
        ]
    }
}
