//! A gripper or another effector dies.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An effector does nothing any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Effector {
    /// Whose.
    pub robot: Target,
    /// Its name on the robot.
    pub effector: String,
}

impl Disturb for Effector {
    const SUMMARY: &'static str = "a gripper or another effector stops working";
    const EXAMPLE: &'static str = "{at: 2 min, effector: {robot: gold, effector: gripper}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        if self.effector == "drive" {
            return Err(Complaint::new("effector", "the drive has a disturbance of its own: `drive`"));
        }
        inventory.effector("effector", &self.effector, &self.robot)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let model = scene.model;
        let dead = |robot: usize| {
            let effectors = model.team[robot].identity.datasheet.effectors.iter().enumerate();
            let meant = effectors.filter(|(_, sheet)| sheet.name == self.effector);
            meant.map(|(place, _)| Fault::Effector(place)).collect()
        };
        scene.break_on(&robots, |names| format!("{names}'s {} is dead", self.effector), dead)
    }
}
