//! The parameters of swarms.

use super::cost::CostSpec;
use crewlab_skills::swarm::{Guidance, Strengths, SwarmBriefing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parameters of a swarm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Swarm {
    /// Robots pursue all objectives that are wanted, by the weights of their tasks. If false, each pursues the one that its
    /// coordinator has chosen.
    pub combine: bool,
    /// Radius of a robot's sensor disc: what is in it is seen.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub sensor_radius: f64,
    /// How long what was seen counts as explored, for the referee.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub remembered: f64,
    /// Cost of a place that was just explored; it fades with age.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub explored_cost: f64,
    /// Time between two marks of a trace.
    #[schemars(range(min = 0.1), extend("x-unit" = "s"))]
    pub mark_every: f64,
    /// Number of marks of a trace.
    #[schemars(range(max = 1000))]
    pub marks: u32,
    /// Distance that robots keep from the vehicle that they escort.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub distance: f64,
    /// Cost at that distance; below zero, because it attracts.
    #[schemars(range(min = -10_000.0, max = 0.0))]
    pub escort_cost: f64,
    /// Cost near the vehicle.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub vehicle_cost: f64,
    /// Cost of two sensor discs that cover the same place.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub overlap_cost: f64,
    /// Importance of the quality of links in a network.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub link_importance: f64,
    /// Factor of the distance between the robots of a network.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub link_factor: f64,
    /// Distances of a network count by ln(1 + d/d0) with this d0, which prefers equal distances; 0 for the distance itself.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub link_unit: f64,
    /// Range within which links are assumed to exist if the radio predicts nothing, as an ideal one does.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub link_range: f64,
    /// Cost of the place of a team-mate.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub team_mate_cost: f64,
    /// Distance up to which a team-mate has a cost.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub team_mate_radius: f64,
    /// Cost of an obstacle.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub obstacle_cost: f64,
    /// Distance up to which an obstacle has a cost, its effect radius.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub obstacle_radius: f64,
    /// Cost of driving at 1 m/s on ground with the factor 1, per step of a plan.
    #[schemars(range(min = 0.0, max = 1_000.0))]
    pub driving_cost: f64,
    /// Cost of turning at 1 rad/s on ground with the factor 1, per step of a plan.
    #[schemars(range(min = 0.0, max = 1_000.0))]
    pub turning_cost: f64,
    /// Time between two messages of a robot about its plan.
    #[schemars(range(min = 0.05), extend("x-unit" = "s"))]
    pub tell_every: f64,
    /// Side of the cells in which robots remember obstacles.
    #[schemars(range(min = 0.1), extend("x-unit" = "m"))]
    pub cell: f64,
    /// Where the robots start, if their places are not given; the middle of the field by default.
    #[schemars(extend("x-unit" = "m"))]
    pub start: Option<[f64; 2]>,
    /// What guidance vehicles do, by their names.
    pub guides: BTreeMap<String, Guide>,
    /// Further costs of places, by their names.
    pub costs: BTreeMap<String, CostSpec>,
}

/// What a guidance vehicle does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Guide {
    /// Points that it drives to, one after the other.
    #[schemars(extend("x-unit" = "m"))]
    pub route: Vec<[f64; 2]>,
    /// It starts again with the first point after the last.
    pub repeat: bool,
    /// Its speed.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m/s"))]
    pub pace: f64,
    /// What it tells the robots to do, in the order of the times.
    pub orders: Vec<Order>,
}

/// What a guidance vehicle tells the robots to do: the weights of the objectives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Order {
    /// From when on.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub at: f64,
    /// Weight of exploring.
    #[schemars(range(min = 0.0, max = 1_000.0))]
    pub explore: f64,
    /// Weight of escorting a vehicle.
    #[schemars(range(min = 0.0, max = 1_000.0))]
    pub escort: f64,
    /// Weight of keeping a network.
    #[schemars(range(min = 0.0, max = 1_000.0))]
    pub connect: f64,
}

impl Default for Guide {
    fn default() -> Self {
        Guide { route: Vec::new(), repeat: false, pace: 1.5, orders: Vec::new() }
    }
}

impl Default for Swarm {
    fn default() -> Self {
        Swarm {
            combine: true,
            sensor_radius: 30.0,
            remembered: 180.0,
            explored_cost: 10.0,
            mark_every: 10.0,
            marks: 18,
            distance: 40.0,
            escort_cost: -30.0,
            vehicle_cost: 60.0,
            overlap_cost: 15.0,
            link_importance: 20.0,
            link_factor: 0.1,
            link_unit: 0.0,
            link_range: 150.0,
            team_mate_cost: 50.0,
            team_mate_radius: 6.0,
            obstacle_cost: 50.0,
            obstacle_radius: 8.0,
            driving_cost: 0.005,
            turning_cost: 0.01,
            tell_every: 1.0,
            cell: 4.0,
            start: None,
            guides: BTreeMap::new(),
            costs: BTreeMap::new(),
        }
    }
}

impl Swarm {
    /// The briefing, without what depends on the world.
    pub(super) fn briefing(&self) -> SwarmBriefing {
        let strengths = Strengths {
            explored: self.explored_cost as f32,
            sensor: self.sensor_radius as f32,
            mark_every: self.mark_every,
            marks: self.marks as usize,
            distance: self.distance as f32,
            escort: [self.escort_cost as f32, self.vehicle_cost as f32],
            overlap: self.overlap_cost as f32,
            importance: self.link_importance as f32,
            stretch: self.link_factor as f32,
            logarithm: (self.link_unit > 0.0).then_some(self.link_unit as f32),
            range: self.link_range,
            team_mate: [self.team_mate_cost as f32, self.team_mate_radius as f32],
            obstacle: [self.obstacle_cost as f32, self.obstacle_radius as f32],
            movement: [self.driving_cost as f32, self.turning_cost as f32],
        };
        let guidance = |guide: &Guide| {
            let order =
                |order: &Order| (order.at, [order.explore as f32, order.escort as f32, order.connect as f32]);
            let mut orders: Vec<(f64, [f32; 3])> = guide.orders.iter().map(order).collect();
            orders.sort_by(|a, b| a.0.total_cmp(&b.0));
            Guidance { route: guide.route.clone(), repeat: guide.repeat, pace: guide.pace, orders }
        };
        let guides = self.guides.iter().map(|(name, guide)| (name.clone(), guidance(guide)));
        SwarmBriefing {
            combine: self.combine,
            strengths: Arc::new(strengths),
            tell_every: self.tell_every,
            cell: self.cell,
            field: [[0.0; 2]; 2],
            ground: None,
            guides: Arc::new(guides.collect()),
            // What is wrong was refused before.
            costs: self.costs.iter().filter_map(|(name, cost)| cost.build(name).ok()).collect(),
        }
    }
}
