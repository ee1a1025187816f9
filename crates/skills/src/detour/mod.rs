//! The detour on board: a robot that takes the short or the long way around an obstacle, past objects that do not wait for it, and
//! learns which one pays.

pub mod course;
mod driver;
mod estimator;
pub mod model;
mod outcome;
mod policy;
mod trip;

pub use course::{COURSES, Course, Ratio, Way};
pub use driver::Driver;
pub use estimator::{ESTIMATORS, Estimator};
pub use policy::Policy;

use crate::{Briefing, Navigator};
use crewlab_control::AnyController;
use crewlab_driving::mobile;
use crewlab_learn::Model;
use crewlab_onboard::{BehaviourSpec, Constraint, Identity, LayerSpec, Pose, TaskId, Vec2, sketch};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The behaviour set that leaves a map without another trial.
pub const SKIP: &str = "skip";

/// What the robot is told about one map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Venue {
    /// Its number in the table, from 1.
    pub number: u8,
    /// Where the robot is put.
    pub start: Pose,
    /// Where it has to go. [m]
    pub goal: Vec2,
    /// The waypoints of the short and of the long way. [m]
    pub ways: [Vec<Vec2>; 2],
    /// The numbers of objects, in the overview condition.
    pub ratio: Option<Ratio>,
}

/// The briefing: all maps in their order, and the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetourBriefing {
    /// The maps.
    pub venues: Arc<[Venue]>,
    /// How often a map is tried.
    pub trials: u8,
    /// How long a trial may take. [s]
    pub limit: f64,
    /// How near to the goal it is reached. [m]
    pub near: f64,
    /// What reaching the goal is worth; a second costs 1.
    pub utility: f64,
    /// How the robot chooses.
    pub policy: Policy,
    /// Whose estimates count if it chooses by inference.
    pub estimator: Estimator,
    /// The share of outcomes that should not be worse than estimated; `None` for the mean.
    pub sigma: Option<f64>,
    /// True if the robot leaves a map when it expects less than nothing of another trial.
    pub stops: bool,
    /// What was learned about trials, if anything.
    pub model: Option<Arc<Model>>,
}

impl Briefing for DetourBriefing {
    type Skills = Box<Driver>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<Driver> {
        Box::new(Driver::new(Arc::new(self.clone()), me, Navigator::new(controller, me)))
    }
}

/// The behaviour sets: the two ways, and to leave a map.
pub fn sets() -> Vec<BehaviourSpec> {
    let needs = || mobile().and(Constraint::Has("bumper".into()));
    let way = |name: &str| BehaviourSpec::new(name, TaskId(0)).action("drive", needs());
    vec![way(Way::Short.name()), way(Way::Long.name()), way(SKIP)]
}

/// The layer of waypoints.
pub const LAYERS: &[LayerSpec] = &[LayerSpec {
    name: "ways",
    title: "ways",
    summary: "the short and the long way to the goal, the one that the robot takes more strongly",
    about: sketch::About::Robot,
    shown: true,
}];
