//! There is less bandwidth.

use super::super::about::{About, Breaking, Need, Subject};
use super::super::stress::{Ground, Stressor, percent, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crate::airwaves::ChannelFault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Only a share of the bandwidth can be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Bandwidth {
    /// The share that is left.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "1"))]
    pub share: f64,
}

impl Disturb for Bandwidth {
    const ABOUT: About = About {
        needs: &[Need::PhysicalRadio],
        breaking: Breaking::by_name("90 % of the bandwidth is gone"),
        ..About::new(
            Subject::Air,
            "only a `share` of the radio's bandwidth is usable",
            "{at: 2 min, for: 1 min, bandwidth: {share: 50 %}}",
        )
    };

    fn check(&self, _inventory: &Inventory) -> Result<(), Complaint> {
        Ok(())
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let gone = |level: u32| {
            (json!({"share": percent(100 - level.min(99))}), format!("{level} % of the bandwidth is gone"))
        };
        let all = ground.everybody().filter(|_| ground.can_be_drowned());
        all.map(|whom| Stressor::graded("", 1, whom, up_to(90), gone)).into_iter().collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let what = format!("{} % of the bandwidth is left", self.share * 100.0);
        scene.spoil(what, [ChannelFault::Bandwidth(self.share)])
    }
}
