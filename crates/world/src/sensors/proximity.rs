//! Rings of short-range beams at two heights. Objects that only the low ring sees are low furniture.

use super::{Sensor, View, blur, ranges_of};
use crate::quality::Quality;
use crate::scan::{Beam, Fan, Sees};
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

macro_rules! ring {
    ($type:ident, $height:expr, $summary:expr) => {
        /// Parameters of a proximity ring.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
        pub struct $type {
            /// Number of beams, spread evenly over the field of view.
            #[schemars(range(min = 1, max = 10000))]
            pub beams: u32,
            /// Height above the floor; lower objects are not seen.
            #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
            pub height: f64,
            #[serde(skip)]
            fan: Option<Fan>,
        }

        impl Default for $type {
            fn default() -> Self {
                $type { beams: 12, height: $height, fan: None }
            }
        }

        impl Sensor for $type {
            const SUMMARY: &'static str = $summary;
            const UNIT: &'static str = "m";

            fn quality() -> Quality {
                Quality::perfect(0.5, TAU)
            }

            fn prepare(&mut self, quality: &Quality) {
                self.fan = Some(Fan::even(self.beams as usize, quality.fov));
            }

            fn angles(&self) -> Vec<f64> {
                self.fan.as_ref().map_or_else(Vec::new, |fan| fan.angles().to_vec())
            }

            #[inline]
            fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
                let Some(fan) = &self.fan else { return };
                let ranges = ranges_of(reading);
                let beam = Beam { range: view.quality.range, sees: Sees::Everything, mount: self.height };
                fan.cast(view.world, view.me, beam, ranges);
                blur(ranges, view.quality, random);
            }
        }
    };
}

ring!(LowProximity, 0.1, "ring of short beams near the floor: sees low and high things");
ring!(HighProximity, 0.9, "ring of short beams at desk height: sees only higher things");
