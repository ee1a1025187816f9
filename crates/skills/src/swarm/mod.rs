//! The swarm on board (SWARM): robots that plan their trajectories by costs, know their team-mates only from the radio, and explore,
//! escort a guidance vehicle or keep a network together, each alone or all at once with weights.

mod desire;
mod fleet;
mod guide;
mod objective;
mod obstacles;
mod sketch;
mod skills;
mod talk;
mod trace;

pub use desire::purpose;
pub use guide::Guidance;
pub use objective::{ALL, Objective};
pub use sketch::LAYERS;
pub use skills::{SwarmSkills, sets};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_control::planning::costs::Cost;
pub use crewlab_control::planning::costs::Ground;
use crewlab_onboard::Identity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How strong the costs of the swarm are, and how far they act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strengths {
    /// Cost of a place that was just explored; it fades with age.
    pub explored: f32,
    /// Radius of a robot's sensor disc. [m]
    pub sensor: f32,
    /// Time between two marks of a trace. [s]
    pub mark_every: f64,
    /// Marks of a trace.
    pub marks: usize,
    /// Distance that robots keep from the vehicle that they escort. [m]
    pub distance: f32,
    /// Costs at that distance (below zero) and near the vehicle.
    pub escort: [f32; 2],
    /// Cost of two sensor discs that cover the same place.
    pub overlap: f32,
    /// Importance of the quality of a link.
    pub importance: f32,
    /// Factor of the distance between robots of a network. [1/m] or [1]
    pub stretch: f32,
    /// The distance d0 of a logarithmic stretch; `None` for a linear one. [m]
    pub logarithm: Option<f32>,
    /// Range within which links are assumed to exist if the radio predicts nothing. [m]
    pub range: f64,
    /// Cost of the place of a team-mate, and distance up to which it acts. [m]
    pub team_mate: [f32; 2],
    /// Cost of an obstacle, and distance up to which it acts. [m]
    pub obstacle: [f32; 2],
    /// Costs of driving and of turning, per ground factor. [s²/m²], [s²]
    pub movement: [f32; 2],
}

/// What a cost of the scenario is measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    /// A place, which is part of the cost.
    Place,
    /// Every guidance vehicle.
    Vehicles,
    /// Every other robot that is not one.
    TeamMates,
}

/// A cost that the scenario adds to those of the objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioCost {
    /// Its name.
    pub name: String,
    /// Its factor.
    pub weight: f32,
    /// What it is measured from.
    pub anchor: Anchor,
    /// The cost.
    pub cost: Cost,
}

/// The briefing of a swarm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwarmBriefing {
    /// Robots pursue all objectives that are wanted, by their weights; otherwise the one that their coordinator has chosen.
    pub combine: bool,
    /// The costs.
    pub strengths: Arc<Strengths>,
    /// Time between two messages of a robot about its plan. [s]
    pub tell_every: f64,
    /// Side of the cells in which obstacles are remembered. [m]
    pub cell: f64,
    /// The border of the field: its lowest and its highest corner. [m]
    pub field: [[f32; 2]; 2],
    /// The factor of the ground, where a map of it is known.
    pub ground: Option<Ground>,
    /// What guidance vehicles do, by their names.
    pub guides: Arc<BTreeMap<String, Guidance>>,
    /// The costs that the scenario adds.
    pub costs: Arc<[ScenarioCost]>,
}

impl Briefing for SwarmBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<SwarmSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<SwarmSkills> {
        Box::new(SwarmSkills::new(self, me, controller))
    }
}
