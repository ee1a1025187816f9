//! A coloured marker on a robot's back, by which cameras find it. It does nothing.

use super::{Effector, Grasp};
use crate::aspect::Aspect;
use crate::quality::Quality;
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a marker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Marker {
    /// Its colour: the name of an aspect that a camera knows.
    pub colour: String,
    /// How wide it looks from all sides.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub width: f64,
}

impl Default for Marker {
    fn default() -> Self {
        Marker { colour: "pink".into(), width: 0.1 }
    }
}

impl Effector for Marker {
    const SUMMARY: &'static str = "shows a colour (`colour`: pink) to cameras";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn aspects(&self) -> Vec<Aspect> {
        vec![Aspect::fixed(&self.colour, self.width)]
    }

    fn colour(&self) -> &str {
        &self.colour
    }

    fn perform(&self, _action: Action, _grasp: &mut Grasp) {}
}
