//! A scanner with any number of rays over its field of view.

use super::{Sensor, View, blur, ranges_of};
use crate::quality::Quality;
use crate::scan::{Beam, Fan, Sees};
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a range scanner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RangeScanner {
    /// Number of rays, spread evenly over the field of view.
    #[schemars(range(min = 1, max = 10000))]
    pub rays: u32,
    /// What the rays hit.
    pub sees: Sees,
    /// Height above the floor; lower objects are not seen.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: f64,
    #[serde(skip)]
    fan: Option<Fan>,
}

impl Default for RangeScanner {
    fn default() -> Self {
        RangeScanner { rays: 36, sees: Sees::Everything, height: 0.1, fan: None }
    }
}

impl Sensor for RangeScanner {
    const SUMMARY: &'static str = "distances along evenly spaced rays, measured from the rim";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(3.0, TAU)
    }

    fn prepare(&mut self, quality: &Quality) {
        self.fan = Some(Fan::even(self.rays as usize, quality.fov));
    }

    fn angles(&self) -> Vec<f64> {
        self.fan.as_ref().map_or_else(Vec::new, |fan| fan.angles().to_vec())
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let Some(fan) = &self.fan else { return };
        let ranges = ranges_of(reading);
        let beam = Beam { range: view.quality.range, sees: self.sees, mount: self.height };
        fan.cast(view.world, view.me, beam, ranges);
        blur(ranges, view.quality, random);
    }
}
