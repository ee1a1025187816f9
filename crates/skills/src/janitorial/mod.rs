//! The janitorial service on board: empty the garbage, dust the furniture and clean the floor of an office that the
//! robots do not know (ALLIANCE 5.2).
//!
//! Cans sound with one of a few frequencies until they are emptied; robots follow the sound. Low furniture is seen by
//! the low ring of proximity sensors and not by the high one; robots know how many pieces there are, not where. The
//! floor is cleaned by quadrants after the perimeter of the room was circled.

mod clean_floor;
mod dust_furniture;
mod ears;
mod empty_garbage;
mod furniture;
mod idle;
mod knowledge;
mod quadrant;
mod room;
mod skills;
mod talk;
#[cfg(test)]
mod testing;

pub use knowledge::Knowledge;
pub use skills::{JanitorSkills, sets};
pub use talk::{Talk, Word};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, TaskId};
use serde::{Deserialize, Serialize};

/// The task of emptying all cans.
pub const EMPTY_GARBAGE: TaskId = TaskId(0);
/// The task of dusting all furniture.
pub const DUST_FURNITURE: TaskId = TaskId(1);
/// The task of cleaning the floor.
pub const CLEAN_FLOOR: TaskId = TaskId(2);

/// The janitors' briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JanitorBriefing {
    /// How many pieces of furniture must be dusted.
    pub dustable_objects: u32,
    /// Places nearer to each other than this are the same piece of furniture. [m]
    pub furniture_size: f64,
    /// How long a piece of furniture is left to a team-mate that says it dusts it. [s]
    pub dusting_patience: f64,
    /// Level of a can's sound at 1 m, from which robots estimate its distance.
    pub loudness: f64,
    /// Levels up to this are inaudible.
    pub noise_floor: f64,
    /// Side of the cells on which robots clean the floor. [m]
    pub cell: f64,
    /// A team that is done, hears nobody at work and is not switched off for this long checks everything again. [s]
    pub doubt_after: f64,
}

impl Briefing for JanitorBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<JanitorSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<JanitorSkills> {
        Box::new(JanitorSkills::new(self, me, controller))
    }
}
