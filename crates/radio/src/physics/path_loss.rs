//! How a signal weakens with distance.

use super::decibel::{LIGHT, db, ratio};
use crate::PhysicalParams;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// How a signal weakens with distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PathLoss {
    /// As in free space: with the square of the distance.
    Friis,
    /// With the distance to the power of `exponent`, counted from 1 m.
    LogDistance,
    /// As in free space up to the distance where the ground reflection cancels the signal, and with the fourth power of the
    /// distance beyond.
    #[default]
    TwoRay,
}

impl PathLoss {
    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            PathLoss::Friis => "friis",
            PathLoss::LogDistance => "log-distance",
            PathLoss::TwoRay => "two-ray",
        }
    }
}

/// Published tables of log-distance models use this speed of light for the loss at 1 m. [m/s]
///
/// It makes a difference of 0.006 dB: with n = 2.7 at 2.4 GHz, 20 dBm arrive as -74.046 dBm over 100 m.
const ROUNDED_LIGHT: f64 = 3e8;

/// Path loss with all distance-independent terms precomputed.
#[derive(Clone, Debug, PartialEq)]
pub struct Propagation {
    model: PathLoss,
    /// Gain at 1 m: (λ / 4π)².
    at_one: f64,
    /// Exponent of log-distance.
    exponent: f64,
    /// Square of the distance from which on two-ray differs from Friis. [m²]
    crossover: f64,
    /// Fourth power of the antennas' height. [m⁴]
    height4: f64,
}

impl Propagation {
    /// The path loss that the parameters describe.
    pub fn new(params: &PhysicalParams) -> Propagation {
        let light = if params.path_loss == PathLoss::LogDistance { ROUNDED_LIGHT } else { LIGHT };
        let wavelength = light / params.frequency;
        let height2 = params.height * params.height;
        let crossover = 4.0 * PI * height2 / wavelength;
        Propagation {
            model: params.path_loss,
            at_one: (wavelength / (4.0 * PI)) * (wavelength / (4.0 * PI)),
            exponent: params.exponent,
            crossover: crossover * crossover,
            height4: height2 * height2,
        }
    }

    /// Loss over a distance [m], never below 0. [dB]
    pub fn loss(&self, distance: f64) -> f64 {
        let from_one = -db(self.at_one);
        let loss = match self.model {
            PathLoss::LogDistance => from_one + 10.0 * self.exponent * libm::log10(distance.max(1.0)),
            PathLoss::TwoRay if distance * distance > self.crossover => {
                40.0 * libm::log10(distance) - db(self.height4)
            }
            PathLoss::Friis | PathLoss::TwoRay => from_one + 20.0 * libm::log10(distance),
        };
        loss.max(0.0)
    }

    /// Share of the power that arrives over a distance, given by its square [m²]: the same as [`Propagation::loss`],
    /// but faster.
    #[inline]
    pub fn gain(&self, squared_distance: f64) -> f64 {
        let gain = match self.model {
            // Half the time of `pow`, and accurate enough.
            PathLoss::LogDistance => {
                self.at_one * libm::exp(-0.5 * self.exponent * libm::log(squared_distance.max(1.0)))
            }
            PathLoss::TwoRay if squared_distance > self.crossover => {
                self.height4 / (squared_distance * squared_distance)
            }
            PathLoss::Friis | PathLoss::TwoRay => self.at_one / squared_distance,
        };
        gain.min(1.0)
    }

    /// Largest distance at which the loss is at most this [dB]; 0 if it is always greater. [m]
    pub fn reach(&self, loss: f64) -> f64 {
        if loss < 0.0 {
            return 0.0;
        }
        let gain = ratio(-loss);
        match self.model {
            PathLoss::LogDistance if loss < -db(self.at_one) => 0.0,
            PathLoss::LogDistance => libm::pow(self.at_one / gain, 1.0 / self.exponent).max(1.0),
            PathLoss::TwoRay if self.at_one / gain > self.crossover => (self.height4 / gain).sqrt().sqrt(),
            PathLoss::Friis | PathLoss::TwoRay => (self.at_one / gain).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model(path_loss: PathLoss, frequency: f64, exponent: f64) -> Propagation {
        Propagation::new(&PhysicalParams { path_loss, frequency, exponent, ..PhysicalParams::default() })
    }

    #[test]
    fn received_power_is_as_published() {
        let check = |path_loss, frequency, distance: f64, expected: f64| {
            let received = 20.0 - model(path_loss, frequency, 2.7).loss(distance);
            assert!(
                (received - expected).abs() < 5e-4,
                "{path_loss:?} {distance} m: {received}, not {expected}"
            );
        };
        check(PathLoss::Friis, 2.4e9, 10.0, -40.052);
        check(PathLoss::Friis, 2.4e9, 100.0, -60.052);
        check(PathLoss::Friis, 2.4e9, 500.0, -74.031);
        check(PathLoss::Friis, 5e9, 100.0, -66.427);
        check(PathLoss::LogDistance, 2.4e9, 100.0, -74.046);
        check(PathLoss::TwoRay, 2.4e9, 100.0, -60.052);
        check(PathLoss::TwoRay, 2.4e9, 200.0, -72.041);
        check(PathLoss::TwoRay, 2.4e9, 500.0, -87.959);
    }

    #[test]
    fn there_is_no_gain_at_close_range() {
        for path_loss in [PathLoss::Friis, PathLoss::LogDistance, PathLoss::TwoRay] {
            let model = model(path_loss, 2.4e9, 3.0);
            for distance in [0.0, 1e-300, 1e-3, f64::NAN] {
                assert!(model.loss(distance) >= 0.0 && model.gain(distance * distance) <= 1.0);
            }
            assert_eq!(model.reach(-1.0), 0.0);
            assert_eq!(model.reach(f64::INFINITY), f64::INFINITY);
            assert_eq!(model.gain(f64::INFINITY), 0.0);
        }
    }

    fn any_model() -> impl Strategy<Value = Propagation> {
        let models = prop::sample::select(vec![PathLoss::Friis, PathLoss::LogDistance, PathLoss::TwoRay]);
        (models, 1e8..6e9f64, 1.5..5.0f64, 0.05..30.0f64).prop_map(
            |(path_loss, frequency, exponent, height)| {
                let params =
                    PhysicalParams { path_loss, frequency, exponent, height, ..PhysicalParams::default() };
                Propagation::new(&params)
            },
        )
    }

    proptest! {
        #[test]
        fn loss_rises_with_distance(model in any_model(), near in 0.0..5000.0f64, more in 0.0..5000.0f64) {
            prop_assert!(model.loss(near) <= model.loss(near + more) + 1e-9);
        }

        #[test]
        fn gain_is_the_same_as_loss(model in any_model(), distance in 0.001..1e5f64) {
            let loss = -db(model.gain(distance * distance));
            prop_assert!((loss - model.loss(distance)).abs() < 1e-9, "{loss} {}", model.loss(distance));
        }

        #[test]
        fn reach_is_the_largest_distance(model in any_model(), loss in 0.0..200.0f64) {
            let reach = model.reach(loss);
            prop_assert!(reach == 0.0 || model.loss(reach) <= loss + 1e-9);
            prop_assert!(model.loss(reach * 1.001 + 1e-6) > loss);
        }
    }
}
