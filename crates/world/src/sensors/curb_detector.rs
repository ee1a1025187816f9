//! A scanner that looks down at the ground ahead: finds steps that wheels cannot take, such as kerbs and stairs.

use super::{Sensor, View, ranges_of};
use crate::object::Object;
use crate::quality::Quality;
use crate::scan::Fan;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Parameters of a curb detector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CurbDetector {
    /// Number of rays, spread evenly over the field of view.
    #[schemars(range(min = 1, max = 10000))]
    pub rays: u32,
    /// Lower steps are not noticed.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub lowest: f64,
    /// Higher things are no steps; they hide what is behind them.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub highest: f64,
    #[serde(skip)]
    fan: Option<Fan>,
}

impl Default for CurbDetector {
    fn default() -> Self {
        CurbDetector { rays: 91, lowest: 0.02, highest: 0.2, fan: None }
    }
}

impl CurbDetector {
    fn notices(&self, object: &Object) -> bool {
        object.height >= self.lowest && (object.impassable() || object.height <= self.highest)
    }
}

impl Sensor for CurbDetector {
    const SUMMARY: &'static str = "distances to steps in the ground ahead (kerbs, also lowered ones) along evenly spaced rays, measured from the rim; \
         a ray that meets none, or something higher first, reads the range";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(5.0, PI)
    }

    fn prepare(&mut self, quality: &Quality) {
        self.fan = Some(Fan::even(self.rays as usize, quality.fov));
    }

    fn angles(&self) -> Vec<f64> {
        self.fan.as_ref().map_or_else(Vec::new, |fan| fan.angles().to_vec())
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let Some(fan) = &self.fan else { return };
        let (body, range) = (view.body(), view.quality.range);
        let (origin, reach) = (body.pose.position, body.radius + range);
        let places = view.world.object_places_within(origin, reach);
        let around = places.into_iter().map(|place| &view.world.objects()[place]);
        let seen: Vec<&Object> = around.filter(|object| self.notices(object)).collect();
        let ranges = ranges_of(reading);
        ranges.clear();
        ranges.extend(fan.angles().iter().map(|angle| {
            let direction = crewlab_onboard::Vec2::unit(*angle).rotated(body.facing);
            let meet =
                |object: &&Object| Some((object.outline.ray(origin, direction, reach)?, object.height));
            let first = seen.iter().filter_map(meet).min_by(|one, two| one.0.total_cmp(&two.0));
            let step = first.filter(|(_, height)| *height <= self.highest);
            let reading = step.map(|(distance, _)| view.quality.noisy(distance - body.radius, random));
            reading.map_or(range, |reading| reading.clamp(0.0, range))
        }));
    }
}
