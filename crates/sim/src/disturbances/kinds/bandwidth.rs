//! There is less bandwidth.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crate::airwaves::Trouble;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Only a share of the bandwidth can be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Bandwidth {
    /// The share that is left.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "1"))]
    pub share: f64,
}

impl Disturb for Bandwidth {
    const SUMMARY: &'static str = "only a share of the radio's bandwidth is usable";
    const EXAMPLE: &'static str = "{at: 2 min, for: 1 min, bandwidth: {share: 50 %}}";

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.physical_radio()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let what = format!("{} % of the bandwidth is left", self.share * 100.0);
        scene.spoil(what, [Trouble::Bandwidth(self.share)])
    }
}
