//! Single beams at fixed angles, by default to the left and to the right, that see only the border.

use super::{Sensor, View, blur, ranges_of};
use crate::quality::Quality;
use crate::scan::{Beam, Fan, Sees};
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Parameters of side beams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SideRange {
    /// Directions of the beams relative to the front, counter-clockwise.
    #[schemars(extend("x-unit" = "rad"))]
    pub angles: Vec<f64>,
    /// What the beams hit.
    pub sees: Sees,
    #[serde(skip)]
    fan: Option<Fan>,
}

impl Default for SideRange {
    fn default() -> Self {
        SideRange { angles: vec![FRAC_PI_2, -FRAC_PI_2], sees: Sees::Border, fan: None }
    }
}

impl Sensor for SideRange {
    const SUMMARY: &'static str =
        "beams at fixed angles (left and right) that measure the distance to the border";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(2.0, TAU)
    }

    fn prepare(&mut self, _quality: &Quality) {
        self.fan = Some(Fan::new(self.angles.clone()));
    }

    fn angles(&self) -> Vec<f64> {
        self.angles.clone()
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let Some(fan) = &self.fan else { return };
        let ranges = ranges_of(reading);
        let beam = Beam { range: view.quality.range, sees: self.sees, mount: 0.0 };
        fan.cast(view.world, view.me, beam, ranges);
        blur(ranges, view.quality, random);
    }
}
