//! A head that pans: cameras on it look where it faces.

use super::{Effector, Grasp};
use crate::aspect::Aspect;
use crate::body::Body;
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// The aspect of a body that tells where its head faces, counter-clockwise from its front. [rad]
pub const PAN: &str = "pan";

impl Body {
    /// Where its head faces relative to its front; ahead if it has none. [rad]
    pub fn pan(&self) -> f64 {
        self.aspect(PAN).unwrap_or(0.0)
    }
}

/// Parameters of a head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Head {
    /// How far it turns to either side.
    #[schemars(range(min = 0.0, max = PI), extend("x-unit" = "rad"))]
    pub max_pan: f64,
    /// How fast it turns.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad/s"))]
    pub max_turn: f64,
}

impl Default for Head {
    fn default() -> Self {
        Head { max_pan: PI / 2.0, max_turn: PI }
    }
}

impl Effector for Head {
    const SUMMARY: &'static str =
        "pans towards a direction, with the cameras on it, within `max-pan`: 90 deg; reports where it faces";
    const UNIT: &'static str = "rad";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn aspects(&self) -> Vec<Aspect> {
        vec![Aspect { min: -self.max_pan, max: self.max_pan, ..Aspect::fixed(PAN, 0.0) }]
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        let Action::Face(bearing) = action else { return };
        let step = grasp.quality.noisy_share(self.max_turn * grasp.dt, grasp.random).max(0.0);
        if let Some(pan) = grasp.world.bodies[grasp.me].aspect_mut(PAN) {
            let goal = (f64::from(bearing) / 1e3).clamp(-self.max_pan, self.max_pan);
            *pan += (goal - *pan).clamp(-step, step);
        }
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        world.bodies[me].pan()
    }
}
