//! A pyroelectric sensor: warmth from the objects in front.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// A heat sensor has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Heat {}

impl Sensor for Heat {
    const SUMMARY: &'static str =
        "heat of the objects in the field of view, decreasing with the square of the distance";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(5.0, FRAC_PI_2)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let warm = view.world.active_objects().filter(|o| o.heat != 0.0);
        let felt = warm.filter_map(|object| {
            let (_, distance) = view.sight(object.pose.position)?;
            Some(object.heat * view.fading(distance))
        });
        *reading = Reading::Level(view.quality.noisy(felt.sum(), random));
    }
}
