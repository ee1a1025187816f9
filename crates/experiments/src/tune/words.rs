//! Numbers in words.

use crate::analysis::{amount, chance};
use crate::metrics::Metric;
use crewlab_statistics::Interval;

/// A number with its unit and its interval.
pub(super) fn with_interval(number: Option<f64>, interval: Option<Interval>, metric: &Metric) -> String {
    let of = |number: f64| amount(number, metric);
    match (number, interval) {
        (Some(number), Some(Interval { low, high })) => {
            format!("{} ({} to {})", of(number), of(low), of(high))
        }
        (Some(number), None) => of(number),
        _ => "-".into(),
    }
}

/// A probability.
pub(super) fn probability(p: Option<f64>) -> String {
    p.map_or("p unknown".into(), chance)
}
