//! A pair of microphones per frequency. Sound fades with the square of the distance and goes round corners.

use super::{Sensor, View};
use crate::object::Emission;
use crate::quality::Quality;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Parameters of a microphone pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Microphones {
    /// The frequencies it tells apart; each gives a left and a right level.
    #[schemars(extend("x-unit" = "Hz"))]
    pub frequencies: Vec<f64>,
    /// Width of the band around each frequency.
    #[schemars(range(min = 0.0), extend("x-unit" = "Hz"))]
    pub bandwidth: f64,
}

impl Default for Microphones {
    fn default() -> Self {
        Microphones { frequencies: Vec::new(), bandwidth: 100.0 }
    }
}

impl Microphones {
    /// The level that the ear in the direction `ear` hears around `frequency`.
    fn level(&self, view: &View, frequency: f64, ear: Vec2) -> f64 {
        let at = view.body().pose.position;
        let mut level = 0.0;
        for object in view.world.active_objects() {
            for emission in &object.emissions {
                let Emission::Sound { frequency: sent, level: loudness, stock } = emission else { continue };
                if stock.as_ref().is_some_and(|stock| object.properties.amount(stock) <= 0.0) {
                    continue;
                }
                let way = object.pose.position - at;
                let distance = way.length();
                let in_band = (sent - frequency).abs() <= self.bandwidth / 2.0;
                if !in_band || (distance > 0.0 && view.sight(object.pose.position).is_none()) {
                    continue;
                }
                // Half of the sound reaches an ear from all sides, the rest by the cosine of the angle.
                let towards = if distance > 0.0 { 0.5 * (1.0 + way.dot(ear) / distance) } else { 1.0 };
                level += loudness * towards * view.fading(distance);
            }
        }
        level
    }
}

impl Sensor for Microphones {
    const SUMMARY: &'static str = "sound levels left and right, per frequency";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(20.0, TAU)
    }

    fn bands(&self) -> Vec<f64> {
        self.frequencies.clone()
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let heading = view.body().pose.heading;
        let ears = [Vec2::unit(heading + FRAC_PI_2), Vec2::unit(heading - FRAC_PI_2)];
        let mut levels = Vec::with_capacity(2 * self.frequencies.len());
        for &frequency in &self.frequencies {
            for ear in ears {
                let level = self.level(view, frequency, ear);
                levels.push(view.quality.noisy(level, random).max(0.0));
            }
        }
        *reading = Reading::Levels(levels);
    }
}
