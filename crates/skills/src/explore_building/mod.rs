//! Exploring a building on board: a team maps a building that none of them knows and tells a base what it has found.
//!
//! Every robot draws its own map from its scanner and its position. Robots make their maps the same by radio. Pieces of the border to the
//! unknown are the subjects of one task, so that a coordinator divides them. Who holds much that the base cannot hear brings it home.

mod desk;
mod exchange;
mod explorer;
mod ledger;
mod mates;
mod prospects;
mod report;
mod sketch;
mod talk;
mod trip;

pub use explorer::Explorer;
pub use sketch::LAYERS;

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{BehaviourSpec, Constraint, Identity, TaskId};
use serde::{Deserialize, Serialize};

/// Robots of this type are bases: they stay where they are and collect what the others find.
pub const BASE: &str = "base";

/// The task of exploring, one subject per piece of a frontier.
pub const EXPLORE: TaskId = TaskId(0);
/// The task of bringing the map to the base.
pub const REPORT_MAP: TaskId = TaskId(1);

/// What robots are told before the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExploreBriefing {
    /// Side of the cells of their maps. [m]
    pub cell: f64,
    /// Unknown area that is worth a metre of the way: γ. [m²/m]
    pub gamma: f64,
    /// A robot that holds more than this, and does not reach the base by radio, goes home. [m²]
    pub report_at: f64,
    /// How much each robot may send about its map. [bytes/s]
    pub map_rate: f64,
}

impl Briefing for ExploreBriefing {
    type Skills = Box<Explorer>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<Explorer> {
        Box::new(Explorer::new(self, me, controller))
    }
}

/// The behaviour sets that robots can have.
pub fn sets() -> Vec<BehaviourSpec> {
    let go = || Constraint::all(&["drive", "position", "compass", "range-scanner"]);
    vec![
        BehaviourSpec::new("explore", EXPLORE).action("explore", go()),
        BehaviourSpec::new("report-map", REPORT_MAP).action("go-home", go()),
    ]
}
