//! The quality of a sensor or effector.

use crewlab_onboard::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters that all sensors and effectors share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Quality {
    /// Range, measured from the rim (detectors: from the centre).
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub range: f64,
    /// Field of view, centred on the front.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad"))]
    pub fov: f64,
    /// Time between two measurements or actions; 0 means every tick.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub period: f64,
    /// Standard deviation of the noise as a share of the true value (0.2 or 20 %).
    #[schemars(range(min = 0.0), extend("x-unit" = "1"))]
    pub relative_noise: f64,
    /// Standard deviation of the noise that does not depend on the value.
    #[schemars(range(min = 0.0))]
    pub absolute_noise: f64,
    /// Constant offset.
    pub bias: f64,
    /// Probability that a measurement or action does not happen.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub dropout: f64,
}

impl Quality {
    /// Perfect within a range and field of view. [m], [rad]
    pub const fn perfect(range: f64, fov: f64) -> Quality {
        Quality { range, fov, period: 0.0, relative_noise: 0.0, absolute_noise: 0.0, bias: 0.0, dropout: 0.0 }
    }

    /// A true value as this device reports it.
    #[inline]
    pub fn noisy(&self, value: f64, random: &mut Stream) -> f64 {
        let mut reported = value + self.bias;
        if self.relative_noise > 0.0 {
            reported += value * self.relative_noise * random.normal();
        }
        if self.absolute_noise > 0.0 {
            reported += self.absolute_noise * random.normal();
        }
        reported
    }

    /// A value in another unit than the device's own, to which only the relative noise applies.
    #[inline]
    pub fn noisy_share(&self, value: f64, random: &mut Stream) -> f64 {
        if self.relative_noise > 0.0 { value * (1.0 + self.relative_noise * random.normal()) } else { value }
    }

    /// True if its reports differ from the truth.
    #[inline]
    pub fn is_noisy(&self) -> bool {
        self.relative_noise > 0.0 || self.absolute_noise > 0.0 || self.bias != 0.0
    }

    /// A bearing's noise: the absolute part does not apply, since it is in the unit of the main value. [rad]
    #[inline]
    pub fn noisy_bearing(&self, bearing: f64, random: &mut Stream) -> f64 {
        if self.relative_noise == 0.0 {
            return bearing;
        }
        // A tenth of the relative noise, as an angle: 20 % noise gives about 1.1 degrees.
        crewlab_onboard::geometry::wrap(bearing + 0.1 * self.relative_noise * random.normal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::StreamKind;

    #[test]
    fn noise_has_the_stated_size_and_bias() {
        let quality =
            Quality { relative_noise: 0.2, absolute_noise: 0.5, bias: 1.0, ..Quality::perfect(1.0, 1.0) };
        let mut random = Stream::new(3, StreamKind::Sensors, 0, 0);
        let draws: Vec<f64> = (0..20_000).map(|_| quality.noisy(10.0, &mut random)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let deviation = (draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64).sqrt();
        // √(2² + 0.5²) = 2.06; standard errors are 0.015 and 0.010: five of them.
        assert!((mean - 11.0).abs() < 0.075, "{mean}");
        assert!((deviation - 2.0616).abs() < 0.052, "{deviation}");
    }
}
