//! A robot's emergency stop is pressed.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Presses robots' emergency stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct EmergencyStop(pub Target);

impl Disturb for EmergencyStop {
    const SUMMARY: &'static str = "a robot's emergency stop is pressed: drive and tools stop and it keeps what it holds, but it senses, thinks and talks";
    const EXAMPLE: &'static str = "{at: 2 min, for: 1 min, emergency-stop: random}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        scene.break_on(
            &robots,
            |names| format!("the emergency stop of {names} is pressed"),
            |_| vec![Fault::Emergency],
        )
    }
}
