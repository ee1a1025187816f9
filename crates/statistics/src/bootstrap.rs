//! Bootstrap confidence intervals.

use rand_philox::{Philox, splitmix64};

use crate::location::quantile_of_sorted;
use crate::{Interval, distribution, is_confidence, usable};

/// Parameters of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples. Default 4,000.
    pub resamples: usize,
    /// Confidence level. Default 0.95.
    pub confidence: f64,
    /// Seed of the resampling: the same seed gives the same interval. Default 1.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 4000, confidence: 0.95, seed: 1 }
    }
}

/// The bias-corrected and accelerated (BCa) interval of any statistic (Efron and Tibshirani, 1993, chapter 14); needs two values.
///
/// Where BCa is undefined (no resample on one side of the estimate, or a statistic that no single value changes) the result is
/// the percentile interval. Values that are all equal give an interval of width 0. `None` also if the statistic is not finite
/// on some resample. Nothing is allocated per resample, so the statistic alone determines the run time.
pub fn bootstrap(values: &[f64], statistic: impl Fn(&[f64]) -> f64, how: &Bootstrap) -> Option<Interval> {
    if values.len() < 2 || !usable(values) || how.resamples == 0 || !is_confidence(how.confidence) {
        return None;
    }
    let estimate = crate::finite(statistic(values))?;
    let mut drawn = resampled(values, &statistic, how);
    if !usable(&drawn) {
        return None;
    }
    drawn.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - how.confidence) / 2.0;
    let corrected = bias(&drawn, estimate)
        .zip(acceleration(values, &statistic))
        .and_then(|(bias, acceleration)| shifted(tail, bias, acceleration));
    let (low, high) = corrected.unwrap_or((tail, 1.0 - tail));
    Some(Interval { low: quantile_of_sorted(&drawn, low)?, high: quantile_of_sorted(&drawn, high)? })
}

/// The statistic of every resample.
fn resampled(values: &[f64], statistic: &impl Fn(&[f64]) -> f64, how: &Bootstrap) -> Vec<f64> {
    let key = splitmix64(how.seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut chance = Philox::new([key as u32, (key >> 32) as u32], 0);
    let mut words = vec![0u32; values.len()];
    let mut sample = values.to_vec();
    (0..how.resamples)
        .map(|_| {
            chance.fill_u32(&mut words);
            for (slot, word) in sample.iter_mut().zip(&words) {
                // Multiply-shift; its bias is the number of values over 2³².
                let index = (u64::from(*word) * values.len() as u64) >> 32;
                *slot = values[index as usize];
            }
            statistic(&sample)
        })
        .collect()
}

/// The bias of the estimate against the median of the resamples, in standard deviations of a normal distribution. Resamples
/// that equal the estimate count half.
fn bias(drawn: &[f64], estimate: f64) -> Option<f64> {
    let below = drawn.partition_point(|value| *value < estimate);
    let up_to = drawn.partition_point(|value| *value <= estimate);
    distribution::normal_quantile((below + up_to) as f64 / (2 * drawn.len()) as f64)
}

/// The acceleration: a sixth of the skewness of the jackknife values.
fn acceleration(values: &[f64], statistic: &impl Fn(&[f64]) -> f64) -> Option<f64> {
    // Leaves out each value in turn by overwriting it with the last one, which the slice excludes.
    let mut others = values.to_vec();
    let last = values.len() - 1;
    let left_out: Vec<f64> = (0..values.len())
        .map(|index| {
            others[index] = values[last];
            let without = statistic(&others[..last]);
            others[index] = values[index];
            without
        })
        .collect();
    let centre = crate::mean(&left_out)?;
    let (squares, cubes) = left_out.iter().fold((0.0, 0.0), |(squares, cubes), value| {
        let distance = centre - value;
        (squares + distance * distance, cubes + distance * distance * distance)
    });
    crate::finite(cubes / (6.0 * squares * squares.sqrt()))
}

/// The shares of resamples below the two ends of the interval.
fn shifted(tail: f64, bias: f64, acceleration: f64) -> Option<(f64, f64)> {
    let low = distribution::normal_quantile(tail)?;
    let share = |z: f64| {
        let moved = bias + z;
        let stretch = 1.0 - acceleration * moved;
        (stretch > 0.0).then(|| distribution::normal_below(bias + moved / stretch))
    };
    Some((share(low)?, share(-low)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_seed_determines_the_interval() {
        let values: Vec<f64> = (0..30).map(|step| f64::from(step * step % 17)).collect();
        let of = |seed| bootstrap(&values, mean, &Bootstrap { seed, ..Bootstrap::default() }).unwrap();
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert!(of(1).contains(mean(&values)));
    }

    #[test]
    fn equal_values_give_width_zero_and_one_value_gives_none() {
        let of = |values: &[f64]| bootstrap(values, mean, &Bootstrap::default());
        assert_eq!(of(&[3.0; 5]), Some(Interval { low: 3.0, high: 3.0 }));
        assert_eq!(of(&[3.0]), None);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn a_statistic_without_a_value_has_no_interval() {
        assert_eq!(bootstrap(&[1.0, 2.0], |_| f64::NAN, &Bootstrap::default()), None);
        let spoilt = |values: &[f64]| if values[0] == values[1] { f64::NAN } else { 1.0 };
        assert_eq!(bootstrap(&[1.0, 2.0], spoilt, &Bootstrap::default()), None);
    }

    #[test]
    fn percentiles_replace_an_undefined_bca() {
        // No resample has a larger maximum than the sample, and most have the same one: the bias is still finite. With a constant
        // statistic it is not.
        let constant = bootstrap(&[1.0, 2.0, 3.0], |_| 5.0, &Bootstrap::default());
        assert_eq!(constant, Some(Interval { low: 5.0, high: 5.0 }));
    }
}
