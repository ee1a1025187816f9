//! Fading: how a signal varies from packet to packet.

use super::decibel::ratio;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How a signal varies from packet to packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fading {
    /// No fading.
    #[default]
    None,
    /// A direct path, and echoes that are weaker by `k-factor`.
    Rician,
    /// Echoes only.
    Rayleigh,
}

impl Fading {
    /// The fading factor on the received power for a random draw; 1 on average. `k_factor` is the power of the direct path over
    /// that of all echoes [dB].
    pub fn gain(self, k_factor: f64, draw: [u32; 4]) -> f64 {
        match self {
            Fading::None => 1.0,
            Fading::Rayleigh => -libm::log(unit(draw[0], draw[1])),
            Fading::Rician => {
                let direct = ratio(k_factor);
                let [across, along] = normal_pair(unit(draw[0], draw[1]), unit(draw[2], draw[3]));
                // The echoes are a complex normal number of power 1.
                let (across, along) = (across * 0.5f64.sqrt(), along * 0.5f64.sqrt() + direct.sqrt());
                (across * across + along * along) / (direct + 1.0)
            }
        }
    }
}

/// A number above 0 and at most 1, from 53 of 64 random bits.
pub(super) fn unit(high: u32, low: u32) -> f64 {
    let bits = (u64::from(high) << 21) | u64::from(low >> 11);
    (bits + 1) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// Two independent standard normal numbers from two in (0, 1] (Box and Muller).
pub(super) fn normal_pair(u: f64, v: f64) -> [f64; 2] {
    let radius = (-2.0 * libm::log(u)).sqrt();
    let (sin, cos) = libm::sincos(TAU * v);
    [radius * cos, radius * sin]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_philox::philox4x32_10;

    /// Mean and variance of the factor over 200,000 draws.
    fn moments(fading: Fading, k_factor: f64) -> (f64, f64) {
        let count = 200_000;
        let gains: Vec<f64> =
            (0..count).map(|i| fading.gain(k_factor, philox4x32_10([i, 0, 0, 0], [7, 9]))).collect();
        let mean = gains.iter().sum::<f64>() / f64::from(count);
        (mean, gains.iter().map(|g| (g - mean) * (g - mean)).sum::<f64>() / f64::from(count))
    }

    #[test]
    fn power_is_kept_on_average() {
        // The factor's variance is at most 1, so the standard error of the mean is at most 0.0023.
        assert_eq!(moments(Fading::None, 8.0), (1.0, 0.0));
        let (mean, variance) = moments(Fading::Rayleigh, 8.0);
        assert!((mean - 1.0).abs() < 0.01 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        for k_factor in [-20.0, 0.0, 8.0, 40.0] {
            let (mean, variance) = moments(Fading::Rician, k_factor);
            let k = ratio(k_factor);
            let expected = (1.0 + 2.0 * k) / ((1.0 + k) * (1.0 + k));
            assert!((mean - 1.0).abs() < 0.01, "{k_factor}: {mean}");
            assert!((variance - expected).abs() < 0.03, "{k_factor}: {variance}, not {expected}");
        }
    }

    #[test]
    fn extreme_draws_give_finite_factors() {
        for draw in [[0; 4], [u32::MAX; 4], [0, 0, u32::MAX, u32::MAX]] {
            for fading in [Fading::Rayleigh, Fading::Rician] {
                let gain = fading.gain(8.0, draw);
                assert!(gain.is_finite() && gain >= 0.0, "{gain}");
            }
        }
    }
}
