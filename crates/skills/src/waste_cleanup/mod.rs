//! Waste cleanup on board: find the spills, move the waste, report progress (chapter 4 of ALLIANCE-SIM).
//!
//! Robots know only the relative positions of the places in the room, so they must first find the walls.

mod approach;
mod delivery;
mod find_locations;
mod holding_out;
mod knowledge;
mod litter;
mod mobility;
mod move_spill;
mod parking;
mod report_progress;
mod sites;
mod skills;
mod sweep;
mod walls;

pub use knowledge::Talk;
pub use sites::Sites;
pub use skills::{WasteSkills, sets};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, TaskId, Time};
use serde::{Deserialize, Serialize};

/// The kind of item to be cleaned up.
pub const WASTE: &str = "waste";
/// The kind of area where waste lies at first.
pub const SPILL: &str = "spill";
/// The kind of area where waste is taken to.
pub const DEPOSIT: &str = "deposit";
/// The kind of area where progress is reported.
pub const REPORT_SITE: &str = "report-site";

/// The task of finding the places.
pub const FIND_LOCATIONS: TaskId = TaskId(0);
/// The tasks of clearing the top and the bottom spill.
pub const MOVE_SPILL: [TaskId; 2] = [TaskId(1), TaskId(2)];
/// The task of reporting.
pub const REPORT_PROGRESS: TaskId = TaskId(3);

/// How long a robot looks around at a place before it believes that nothing is there. [s]
const LOOK_AROUND: f64 = 1.0;

/// True once a robot has been `there` for a while; then it begins again.
fn lasts(since: &mut Option<Time>, there: bool, now: Time) -> bool {
    if !there {
        *since = None;
        return false;
    }
    let sure = now.since(*since.get_or_insert(now)) >= LOOK_AROUND;
    if sure {
        *since = None;
    }
    sure
}

/// The cleaning robots' briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CleanupBriefing {
    /// Radius of the spill areas. [m]
    pub spill_radius: f64,
    /// Radius of the deposit. [m]
    pub deposit_radius: f64,
    /// Duration of the wandering search in each of the four directions. [s]
    pub wander_time: f64,
}

impl Briefing for CleanupBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<WasteSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<WasteSkills> {
        Box::new(WasteSkills::new(self, me, controller))
    }
}
