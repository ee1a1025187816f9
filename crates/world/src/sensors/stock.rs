//! Measures a stock, dust by default: the largest amount on an object or area within reach.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a stock sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StockSensor {
    /// The stock that it measures.
    pub stock: String,
}

impl Default for StockSensor {
    fn default() -> Self {
        StockSensor { stock: "dust".into() }
    }
}

impl Sensor for StockSensor {
    const SUMMARY: &'static str =
        "amount of a stock (`stock`: dust) on the object or area within reach that has the most";
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
                level = level.max(object.properties.amount(&self.stock));
            }
        }
        for area in view.world.present_areas() {
            let at = body.pose.position;
            let near = area.outline.distance(at) <= body.radius + view.quality.range
                && body.pose.bearing(area.outline.nearest(at)).abs() <= view.quality.fov / 2.0;
            if area.outline.contains(at) || near {
                level = level.max(area.properties.amount(&self.stock));
            }
        }
        *reading = Reading::Level(view.quality.noisy(level, random).max(0.0));
    }
}
