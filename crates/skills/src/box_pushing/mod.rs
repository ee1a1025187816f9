//! Box pushing on board: two robots push a long box, one at each end. Each pushes its end ahead a little and lets the other end
//! catch up. If the other robot fails, its end stays behind until somebody takes over: then one robot pushes both ends in turn.

mod carton;
mod end;
mod idle;
mod knowledge;
mod push_end;
mod skills;

pub use carton::Carton;
pub use end::End;
pub use knowledge::Knowledge;
pub use skills::{PushingSkills, sets};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, TaskId, Vec2};
use serde::{Deserialize, Serialize};

/// The task of pushing the left end, as seen in the direction of the push.
pub const PUSH_LEFT: TaskId = TaskId(0);
/// The task of pushing the right end.
pub const PUSH_RIGHT: TaskId = TaskId(1);

/// The robots' briefing. The box is pushed to the right, along the x axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PushingBriefing {
    /// The name of the box.
    pub name: String,
    /// Its size along the push. [m]
    pub depth: f64,
    /// Its size across the push, from end to end. [m]
    pub length: f64,
    /// Its front relative to its heading. [rad]
    pub front: f64,
    /// Where the goal line is, along x. [m]
    pub goal: f64,
    /// Where the middle of the box should be, along y. [m]
    pub lane: f64,
    /// Lower left and upper right corner of the room. [m]
    pub room: [Vec2; 2],
    /// How far a robot pushes its end ahead of the other. [m]
    pub lead: f64,
    /// Speed of a push. [m/s]
    pub pace: f64,
}

impl Briefing for PushingBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<PushingSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<PushingSkills> {
        Box::new(PushingSkills::new(self, me, controller))
    }
}
