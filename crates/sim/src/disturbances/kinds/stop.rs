//! A robot stops: it stands still, says nothing and lets go of what it holds.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stops robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Stop(pub Target);

impl Disturb for Stop {
    const SUMMARY: &'static str =
        "a robot dies: it stops, falls silent and drops what it holds; if undone, it continues as before";
    const EXAMPLE: &'static str = "{between: [60 s, 600 s], stop: random}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        let verb = if robots.len() == 1 { "stops" } else { "stop" };
        scene.break_on(&robots, |names| format!("{names} {verb}"), |_| vec![Fault::Stop])
    }
}
