//! A battery gauge.

use super::{Sensor, View};
use crate::aspect::ENERGY;
use crate::quality::Quality;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A battery gauge has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Battery {}

impl Sensor for Battery {
    const SUMMARY: &'static str = "remaining share of the robot's energy, from 0 to 1";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let energy = view.body().aspects.iter().find(|a| a.name == ENERGY);
        let left = energy.map_or(1.0, |aspect| aspect.fraction());
        *reading = Reading::Level(view.quality.noisy(left, random).clamp(0.0, 1.0));
    }
}
