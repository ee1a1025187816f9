//! A robot's clock goes wrong.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A robot's clock goes wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clock {
    /// Whose.
    pub robot: Target,
    /// How much it jumps ahead; below 0 back.
    #[serde(default)]
    #[schemars(range(min = -1e6, max = 1e6), extend("x-unit" = "s"))]
    pub offset: f64,
    /// How much faster it goes from then on, as a share; below 0 slower.
    #[serde(default)]
    #[schemars(range(min = -1.0, max = 100.0), extend("x-unit" = "1"))]
    pub drift: f64,
}

impl Disturb for Clock {
    const SUMMARY: &'static str = "a robot's clock jumps or runs faster or slower";
    const EXAMPLE: &'static str = "{at: 1 min, clock: {robot: green, offset: 30 s, drift: 10 %}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let fault = Fault::Clock { offset: self.offset, drift: self.drift, since: scene.now };
        scene.break_on(&robots, |names| format!("{names}'s clock goes wrong"), |_| vec![fault.clone()])
    }
}
