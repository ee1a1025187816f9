//! A compass.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::geometry::wrap;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A compass has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Compass {}

impl Sensor for Compass {
    const SUMMARY: &'static str = "the robot's heading, counter-clockwise from the x axis";
    const UNIT: &'static str = "rad";

    fn quality() -> Quality {
        Quality::perfect(f64::MAX, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        *reading = Reading::Angle(wrap(view.quality.noisy(view.body().pose.heading, random)));
    }
}
