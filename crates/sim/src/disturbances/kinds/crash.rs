//! A robot's software crashes and starts again without memory.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Default duration of a restart. [s]
const RESTART: f64 = 10.0;

/// Crashes robots' software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Crash(pub Target);

impl Disturb for Crash {
    const SUMMARY: &'static str =
        "a robot's software crashes and restarts without memory, after 10 s or after `for`";
    const EXAMPLE: &'static str = "{rate: 4 /h, for: 20 s, crash: random}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        let verb = if robots.len() == 1 { "crashes" } else { "crash" };
        scene.break_on(&robots, |names| format!("{names} {verb}"), |_| vec![Fault::Crash])
    }

    fn lasts(&self) -> Option<f64> {
        Some(RESTART)
    }
}
