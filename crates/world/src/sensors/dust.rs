//! A dust sensor: how dusty the dustiest object within reach is.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A dust sensor has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dust {}

impl Sensor for Dust {
    const SUMMARY: &'static str = "dust on the dustiest object within reach";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.5, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let body = view.body();
        let mut level = 0.0_f64;
        for place in view.world.object_places_within(body.pose.position, body.radius + view.quality.range) {
            let object = &view.world.objects()[place];
            let nearest = object.outline.nearest(body.pose.position);
            if body.pose.bearing(nearest).abs() <= view.quality.fov / 2.0 {
                level = level.max(object.dust);
            }
        }
        *reading = Reading::Level(view.quality.noisy(level, random).max(0.0));
    }
}
