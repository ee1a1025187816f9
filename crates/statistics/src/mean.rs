//! Means with confidence intervals.

use serde::Serialize;

use crate::location::{plain_mean, squares};
use crate::{Interval, distribution, finite, is_confidence, usable};

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; 0 for a single value.
    pub half_width: f64,
    /// Number of values.
    pub count: usize,
}

impl Mean {
    /// The mean of these values; `None` if there are none, or if one is not finite.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let mean = crate::mean(values)?;
        let half_width = match values.len() {
            1 => 0.0,
            _ => half_width(values, 0.95)?,
        };
        Some(Mean { mean, half_width, count: values.len() })
    }

    /// The lower end of the interval.
    pub fn low(&self) -> f64 {
        self.mean - self.half_width
    }

    /// The upper end of the interval.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width
    }

    /// The interval.
    pub fn interval(&self) -> Interval {
        Interval { low: self.low(), high: self.high() }
    }
}

/// The confidence interval of the mean by Student's t; needs two values. Exact for normally distributed values, and nearly so for
/// means of many others.
pub fn student_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    if values.len() < 2 || !usable(values) || !is_confidence(confidence) {
        return None;
    }
    let (mean, half_width) = (plain_mean(values), half_width(values, confidence)?);
    Some(Interval { low: finite(mean - half_width)?, high: finite(mean + half_width)? })
}

/// Student's t times the standard error of the mean.
fn half_width(values: &[f64], confidence: f64) -> Option<f64> {
    let count = values.len() as f64;
    let t = distribution::student_critical(confidence, count - 1.0)?;
    finite(t * (squares(values) / (count - 1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_follows_student() {
        // Mean 4, standard deviation 2, three values: with two degrees of freedom t = 0.95 · √(2 / (1 - 0.95²)).
        let mean = Mean::of(&[2.0, 4.0, 6.0]).unwrap();
        let t = 0.95 * (2.0 / (1.0 - 0.95 * 0.95f64)).sqrt();
        assert_eq!((mean.mean, mean.count), (4.0, 3));
        assert!((mean.half_width - t * 2.0 / 3f64.sqrt()).abs() < 1e-12);
        assert!((mean.low() + mean.high() - 8.0).abs() < 1e-12);
        assert_eq!(student_interval(&[2.0, 4.0, 6.0], 0.95), Some(mean.interval()));
    }

    #[test]
    fn no_value_gives_none_and_one_value_width_zero() {
        assert_eq!(Mean::of(&[]), None);
        assert_eq!(Mean::of(&[7.0]), Some(Mean { mean: 7.0, half_width: 0.0, count: 1 }));
        assert_eq!(Mean::of(&[7.0, f64::INFINITY]), None);
        assert_eq!(student_interval(&[7.0], 0.95), None);
        assert_eq!(student_interval(&[7.0, 7.0], 0.95), Some(Interval { low: 7.0, high: 7.0 }));
    }
}
