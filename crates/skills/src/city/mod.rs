//! The city on board: a robot without map or position asks passers-by for the way (appendix B). It goes along the pavement in the
//! direction that they point in until a crossroads, asks again, and follows people across streets.
//!
//! Where to go next is decided by the modules of `navigation::behaviours`; this is the caller that asks them for behaviours.

mod indicators;
mod people;
mod phase;
mod sketch;
mod streets;
mod walker;

pub use indicators::INDICATORS;
pub use people::{People, Person};
pub use phase::Phase;
pub use sketch::LAYERS;
pub use walker::Walker;

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_driving::mobile;
use crewlab_onboard::{BehaviourSpec, Constraint, Identity, TaskId};
use serde::{Deserialize, Serialize};

/// The kind of areas where the way may turn: the robot stops there and asks.
pub const CROSSROADS: &str = "crossroads";
/// The kind of areas where people cross a carriageway.
pub const CROSSING: &str = "crossing";
/// The kind of the area that the robot looks for.
pub const GOAL: &str = "goal";

/// The capabilities of a robot that finds its way, besides getting about.
const NEEDS: &[&str] = &["person-detector", "gesture-detector", "area-detector", "ask-way"];

/// What the robots are told: nothing about the city.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CityBriefing {
    /// How long a robot waits for somebody to ask or to follow. [s]
    pub patience: f64,
}

impl Briefing for CityBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<Walker>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<Walker> {
        Box::new(Walker::new(self, me, controller))
    }
}

/// The one behaviour set.
pub fn sets() -> Vec<BehaviourSpec> {
    vec![BehaviourSpec::new("find-way", TaskId(0)).action("find-way", mobile().and(Constraint::all(NEEDS)))]
}
