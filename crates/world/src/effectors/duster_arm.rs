//! A duster arm that reaches out to the left or to the right and wipes a stock off, dust by default.

use super::{Effector, Grasp, Source};
use crate::quality::Quality;
use crewlab_onboard::{Action, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a duster arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DusterArm {
    /// The stock that it wipes off.
    pub stock: String,
    /// How much it wipes off per second.
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub rate: f64,
}

impl Default for DusterArm {
    fn default() -> Self {
        DusterArm { stock: "dust".into(), rate: 1.0 }
    }
}

impl Effector for DusterArm {
    const SUMMARY: &'static str =
        "wipes a stock (`stock`: dust) off obstacles within reach on the left or on the right";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.3, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        let Action::WorkOn(side) = action else { return };
        let pose = grasp.world.bodies[grasp.me].pose;
        for place in grasp.objects_in_reach() {
            let object = &grasp.world.objects()[place];
            let bearing = pose.bearing(object.outline.nearest(pose.position));
            let on_side = (bearing >= 0.0) == (side == Side::Left);
            if object.impassable() && on_side {
                grasp.take(&self.stock, Source::Object(place), Some(self.rate * grasp.dt));
            }
        }
    }
}
