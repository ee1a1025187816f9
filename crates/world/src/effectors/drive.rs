//! The drive: wheels that turn on the spot, or legs that can also step sideways.

use super::{Effector, Grasp};
use crate::body::Drive;
use crate::quality::Quality;
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Limits of a drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriveUnit {
    /// Highest forward speed.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub max_speed: f64,
    /// Highest speed backwards.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub max_reverse: f64,
    /// Highest speed to either side: 0 for wheels, more for legs.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub max_side: f64,
    /// Highest turning speed.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad/s"))]
    pub max_turn: f64,
    /// Greatest force with which it pushes things. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "N"))]
    pub max_push: Option<f64>,
}

impl Default for DriveUnit {
    fn default() -> Self {
        DriveUnit { max_speed: 0.5, max_reverse: 0.25, max_side: 0.0, max_turn: PI, max_push: None }
    }
}

impl DriveUnit {
    /// The limits as the body keeps them.
    pub fn limits(&self) -> Drive {
        let DriveUnit { max_speed, max_reverse, max_side, max_turn, max_push } = *self;
        Drive { max_speed, max_reverse, max_side, max_turn, max_push }
    }
}

impl Effector for DriveUnit {
    const SUMMARY: &'static str = "drives forward, turns on the spot and steps sideways if it can (`max-side`: 0); absolute noise and bias act on the forward speed, relative noise on all";
    const UNIT: &'static str = "m/s";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn perform(&self, _action: Action, _grasp: &mut Grasp) {}
}
