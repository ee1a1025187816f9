//! A positioning system.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A positioning system has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Position {}

impl Sensor for Position {
    const SUMMARY: &'static str = "x and y of the robot's centre";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(f64::MAX, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let at = view.body().pose.position;
        *reading = Reading::Point(vec2(view.quality.noisy(at.x, random), view.quality.noisy(at.y, random)));
    }
}
