//! Legs on which a robot stands up and lies down again. Walking is the drive's.

use super::{Effector, Grasp};
use crate::aspect::Aspect;
use crate::body::Body;
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// The aspect of a body that tells how far it has stood up: 0 while it lies, 1 when it stands.
pub const STANCE: &str = "stance";

impl Body {
    /// How far it has stood up; a body without legs always stands.
    pub fn stance(&self) -> f64 {
        self.aspect(STANCE).unwrap_or(1.0)
    }
}

/// Parameters of legs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Legs {
    /// How long it takes to stand up, or to lie down.
    #[schemars(range(min = 0.01), extend("x-unit" = "s"))]
    pub rise_time: f64,
}

impl Default for Legs {
    fn default() -> Self {
        Legs { rise_time: 3.0 }
    }
}

impl Effector for Legs {
    const SUMMARY: &'static str =
        "stands up while it works and lies down when it is released; reports how far it stands, from 0 to 1";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn aspects(&self) -> Vec<Aspect> {
        vec![Aspect { min: 0.0, max: 1.0, ..Aspect::fixed(STANCE, 0.0) }]
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        let up = match action {
            Action::Work => 1.0,
            Action::Release => -1.0,
            _ => return,
        };
        let step = grasp.quality.noisy_share(grasp.dt / self.rise_time, grasp.random).max(0.0);
        if let Some(stance) = grasp.world.bodies[grasp.me].aspect_mut(STANCE) {
            *stance = (*stance + up * step).clamp(0.0, 1.0);
        }
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        world.bodies[me].stance()
    }
}
