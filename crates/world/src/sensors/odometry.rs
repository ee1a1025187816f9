//! Odometry: where the robot is according to its wheels.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// The noise of turns and ways. Each value is the standard deviation after one metre or radian; it grows with the root of both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Odometry {
    /// Error of the heading after a turn of one radian.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad"))]
    pub turn_per_turn: f64,
    /// Error of the heading after one metre.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad"))]
    pub turn_per_way: f64,
    /// Error of the way after one metre.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub way_per_way: f64,
    /// Error of the way after a turn of one radian.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub way_per_turn: f64,
}

impl Default for Odometry {
    fn default() -> Self {
        Odometry { turn_per_turn: 0.05, turn_per_way: 0.03, way_per_way: 0.03, way_per_turn: 0.01 }
    }
}

impl Sensor for Odometry {
    const SUMMARY: &'static str = "pose by counting wheels from where the robot was put; errors add up";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(f64::MAX, TAU)
    }

    fn measure(&self, view: &View, _random: &mut Stream, reading: &mut Reading) {
        *reading = view.odometer.map_or(Reading::Missing, |odometer| Reading::Pose(odometer.pose()));
    }
}
