//! Location and spread of one metric in one cell.

use crewlab_statistics::{Bootstrap, Interval, bootstrap, mean, median, quantile, standard_deviation};
use serde::Serialize;

/// One metric over the runs of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Runs in which it is defined.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The mean's 95 % bootstrap interval; only for analysed metrics.
    pub interval: Option<Interval>,
    /// The standard deviation; `None` for a single run.
    pub deviation: Option<f64>,
    /// The median.
    pub median: f64,
    /// The lower quartile.
    pub lower_quartile: f64,
    /// The upper quartile.
    pub upper_quartile: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of these values, with an interval if requested; `None` if there are no values.
    pub fn of(values: &[f64], interval: bool) -> Option<Spread> {
        let ask = || bootstrap(values, |values| mean(values).unwrap_or(f64::NAN), &Bootstrap::default());
        Some(Spread {
            count: values.len(),
            mean: mean(values)?,
            interval: if interval && values.len() > 1 { ask() } else { None },
            deviation: standard_deviation(values),
            median: median(values)?,
            lower_quartile: quantile(values, 0.25)?,
            upper_quartile: quantile(values, 0.75)?,
            min: values.iter().copied().reduce(f64::min)?,
            max: values.iter().copied().reduce(f64::max)?,
        })
    }
}
