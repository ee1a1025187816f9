//! What goes wrong on purpose: each kind is one file here, listed below and in the scenario's `disturbances`.

mod trap;

pub use trap::Trap;

use crate::model::Model;
use crewlab_onboard::{Event, Time};
use crewlab_world::World;
use serde::{Deserialize, Serialize};

/// What a disturbance did.
pub enum Outcome {
    /// It happened.
    Done(Event),
    /// It cannot happen now, and why; it is tried again in the next tick.
    NotYet(Event),
}

/// What has become of a disturbance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// Its time has not come.
    #[default]
    Ahead,
    /// Its time has come, but something is in the way.
    Delayed,
    /// It happened.
    Done,
}

/// A kind of disturbance.
pub trait Disturb {
    /// What it does, in one line.
    const SUMMARY: &'static str;

    /// Does it.
    fn apply(&self, model: &Model, world: &mut World) -> Outcome;
}

/// A disturbance as `crewlab list` shows it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// An example.
    pub example: &'static str,
}

/// All kinds of disturbances.
pub const KINDS: &[Kind] =
    &[Kind { name: "trap", summary: Trap::SUMMARY, example: "{at: 40 s, trap: blue}" }];

/// Any disturbance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AnyDisturbance {
    /// Walls around a robot.
    Trap(Trap),
}

/// Something that goes wrong at a set time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// When.
    pub at: Time,
    /// What.
    pub what: AnyDisturbance,
}

impl Disturbance {
    /// Does it.
    pub(crate) fn apply(&self, model: &Model, world: &mut World) -> Outcome {
        match &self.what {
            AnyDisturbance::Trap(trap) => trap.apply(model, world),
        }
    }
}
