//! The drive breaks.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::{DriveFault, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a drive breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// It does not move.
    Dead,
    /// It loses a share of its speed: `severity`, from 0 to 1.
    Slower,
    /// It turns to the left while driving, by a share of its highest turning speed: `severity`; below 0 to the right.
    Pulls,
    /// It goes on with what it was doing.
    Stuck,
}

/// The drive breaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Drive {
    /// Whose.
    pub robot: Target,
    /// How.
    pub fault: Break,
    /// How badly, from -1 to 1.
    #[serde(default = "super::half")]
    #[schemars(range(min = -1.0, max = 1.0), extend("x-unit" = "1"))]
    pub severity: f64,
}

impl Disturb for Drive {
    const SUMMARY: &'static str = "the drive is dead, slower, pulls to one side or is stuck";
    const EXAMPLE: &'static str =
        "{every: 5 min, for: 60 s, drive: {robot: random, fault: slower, severity: 50 %}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        if self.fault == Break::Slower && self.severity < 0.0 {
            return Err(Complaint::new("severity", "a share of speed that is lost is from 0 to 1"));
        }
        self.robot.check("robot", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let (fault, words) = match self.fault {
            Break::Dead => (DriveFault::Dead, "is dead"),
            Break::Slower => (DriveFault::Slower(self.severity), "is slower"),
            Break::Pulls if self.severity < 0.0 => (DriveFault::Pulls(self.severity), "pulls to the right"),
            Break::Pulls => (DriveFault::Pulls(self.severity), "pulls to the left"),
            Break::Stuck => (DriveFault::Stuck, "is stuck"),
        };
        scene.break_on(&robots, |names| format!("{names}'s drive {words}"), |_| vec![Fault::Drive(fault)])
    }
}
