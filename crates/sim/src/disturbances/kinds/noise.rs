//! There is more noise on the air.

use super::super::about::{About, Breaking, Need, Subject};
use super::super::stress::{Ground, Stressor, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crate::airwaves::ChannelFault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The noise rises everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Noise {
    /// By how much.
    #[schemars(range(min = 0.0, max = 150.0), extend("x-unit" = "dB"))]
    pub rise: f64,
}

impl Disturb for Noise {
    const ABOUT: About = About {
        needs: &[Need::PhysicalRadio],
        breaking: Breaking::by_name("40 dB more noise"),
        ..About::new(
            Subject::Air,
            "the noise on the air rises everywhere, by `rise`",
            "{at: 2 min, for: 1 min, noise: {rise: 10 dB}}",
        )
    };

    fn check(&self, _inventory: &Inventory) -> Result<(), Complaint> {
        Ok(())
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let rises = |level| {
            (json!({"rise": format!("{level} dB")}), format!("the noise on the air rises by {level} dB"))
        };
        let all = ground.everybody().filter(|_| ground.can_be_drowned());
        all.map(|whom| Stressor::graded("", 1, whom, up_to(40), rises)).into_iter().collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        scene.spoil(format!("the noise rises by {} dB", self.rise), [ChannelFault::Noise(self.rise)])
    }
}
