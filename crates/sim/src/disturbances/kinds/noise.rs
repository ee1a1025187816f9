//! There is more noise on the air.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crate::airwaves::Trouble;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The noise rises everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Noise {
    /// By how much.
    #[schemars(range(min = 0.0, max = 150.0), extend("x-unit" = "dB"))]
    pub rise: f64,
}

impl Disturb for Noise {
    const SUMMARY: &'static str = "the radio noise rises everywhere";
    const EXAMPLE: &'static str = "{at: 2 min, for: 1 min, noise: {rise: 10 dB}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.physical_radio()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        scene.spoil(format!("the noise rises by {} dB", self.rise), [Trouble::Noise(self.rise)])
    }
}
