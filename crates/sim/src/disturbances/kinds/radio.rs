//! A robot's radio fails.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a radio fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// It neither sends nor receives.
    Dead,
    /// It sends, but does not receive.
    Deaf,
    /// It receives, but does not send.
    Mute,
    /// It loses a share of what it sends and receives: `severity`, from 0 to 1.
    Lossy,
}

/// A robot's radio fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Radio {
    /// Whose.
    pub robot: Target,
    /// How.
    pub fault: Break,
    /// The share that a lossy radio loses.
    #[serde(default = "super::half")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub severity: f64,
}

impl Disturb for Radio {
    const SUMMARY: &'static str = "a robot's radio is dead, deaf or mute, or loses a share of its messages";
    const EXAMPLE: &'static str =
        "{at: 3 min, for: 1 min, radio: {robot: all, fault: lossy, severity: 80 %}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let (fault, words) = match self.fault {
            Break::Dead => (Fault::Loss(1.0), "is dead"),
            Break::Deaf => (Fault::Deaf, "is deaf"),
            Break::Mute => (Fault::Mute, "is mute"),
            Break::Lossy => (Fault::Loss(self.severity), "is lossy"),
        };
        scene.break_on(&robots, |names| format!("{names}'s radio {words}"), |_| vec![fault.clone()])
    }
}
