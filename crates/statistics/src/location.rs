//! Location and spread of a list of numbers.

use crate::{finite, usable};

/// The arithmetic mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    usable(values).then(|| plain_mean(values)).and_then(finite)
}

/// The standard deviation of the population that the values are a sample of (n - 1); needs two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 || !usable(values) {
        return None;
    }
    finite((squares(values) / (values.len() - 1) as f64).sqrt())
}

/// The middle value, or the mean of the two middle values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The `p` quantile with linear interpolation (type 7 of Hyndman and Fan, numpy's default); `None` if `p` is not from 0 to 1. The
/// values need no order.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    if !usable(values) || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile_of_sorted(&sorted, p)
}

/// [`quantile`] of values in ascending order.
pub(crate) fn quantile_of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let (low, high) = (sorted[below], sorted[above]);
    let share = place - below as f64;
    // A weighted mean instead of low + share · (high - low): the difference of two huge values may be infinite.
    let between = low * (1.0 - share) + high * share;
    finite(between.clamp(low, high))
}

/// The mean of values that are known to be usable.
pub(crate) fn plain_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of the squared distances to the mean.
pub(crate) fn squares(values: &[f64]) -> f64 {
    let mean = plain_mean(values);
    let (sum, squares) = values.iter().fold((0.0, 0.0), |(sum, squares), value| {
        let distance = value - mean;
        (sum + distance, squares + distance * distance)
    });
    // Except for the rounding of the mean the distances add up to 0 (the corrected two-pass algorithm; Chan, Golub and LeVeque, 1983).
    (squares - sum * (sum / values.len() as f64)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_linearly() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
    }

    #[test]
    fn invalid_lists_give_none() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, f64::NAN]), None);
        assert_eq!(mean(&[f64::MAX, f64::MAX]), None);
        assert_eq!(standard_deviation(&[1.0]), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
        assert_eq!(median(&[-f64::MAX, f64::MAX]), Some(0.0));
    }
}
