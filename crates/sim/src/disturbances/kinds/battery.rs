//! A battery drains.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use crewlab_world::aspect::ENERGY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A battery loses energy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Battery {
    /// Whose.
    pub robot: Target,
    /// Share of the capacity that is lost per second.
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub drain: f64,
}

impl Disturb for Battery {
    const SUMMARY: &'static str = "a battery drains; the robot needs the aspect `energy`";
    const EXAMPLE: &'static str = "{at: 5 min, for: 20 s, battery: {robot: blue, drain: 0.02 /s}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        let powered =
            |member: &&crate::model::Member| member.hardware.aspects.iter().any(|a| a.name == ENERGY);
        if inventory.meant(&self.robot).any(|member| powered(&member)) {
            return Ok(());
        }
        let message = "there is no battery to drain: give the robot type `aspects: {energy: {value: 1}}`";
        Err(Complaint::new("robot", message))
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        scene.break_on(
            &robots,
            |names| format!("{names}'s battery drains"),
            |_| vec![Fault::Drain(self.drain)],
        )
    }
}
