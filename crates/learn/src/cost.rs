//! Distributions of costs over intervals.

use crate::error::Error;
use crate::variable::Variable;
use serde::{Deserialize, Serialize};

/// How far sums of probabilities may be from one.
const SLACK: f64 = 1e-6;

/// The largest number of intervals.
const MOST_INTERVALS: usize = 1 << 20;

/// A distribution over intervals: uniform within each; an interval without width is a single value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct CostDistribution {
    bounds: Vec<f64>,
    probabilities: Vec<f64>,
}

/// What a quantile within an interval is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// The upper bound of the first interval at which the cumulated probability reaches the level (4.32 as meant).
    #[default]
    Bound,
    /// Linear within that interval.
    Interpolated,
}

impl CostDistribution {
    /// A distribution from the edges of its intervals and their probabilities, one less than edges.
    pub fn new(bounds: Vec<f64>, probabilities: Vec<f64>) -> Result<CostDistribution, Error> {
        let place = "cost distribution";
        if probabilities.is_empty()
            || bounds.len() != probabilities.len() + 1
            || bounds.len() > MOST_INTERVALS
        {
            let found = format!("{} bounds and {} probabilities", bounds.len(), probabilities.len());
            return Err(Error::new(
                place,
                found,
                "one bound more than probabilities, which are 1 to 1048575",
            ));
        }
        // Also their sums and differences have to be numbers.
        if let Some(wrong) = bounds.iter().find(|bound| bound.is_nan() || bound.abs() > f64::MAX / 8.0) {
            return Err(Error::new(place, format!("the bound {wrong}"), "finite bounds"));
        }
        if let Some(pair) = bounds.windows(2).find(|pair| pair[0] > pair[1]) {
            let found = format!("the bound {} after {}", pair[1], pair[0]);
            return Err(Error::new(place, found, "bounds in ascending order"));
        }
        let sum = sum_of_shares(place, &probabilities)?;
        let probabilities = probabilities.iter().map(|one| one / sum).collect();
        Ok(CostDistribution { bounds, probabilities })
    }

    /// A single value.
    pub fn constant(value: f64) -> Result<CostDistribution, Error> {
        CostDistribution::new(vec![value, value], vec![1.0])
    }

    /// The distribution of a discretised variable.
    pub fn of(variable: &Variable, probabilities: &[f64]) -> Result<CostDistribution, Error> {
        let Some(bounds) = &variable.bounds else {
            let place = format!("variable {}", variable.name);
            return Err(Error::new(place, "states without bounds", "a variable that was discretised"));
        };
        CostDistribution::new(bounds.clone(), probabilities.to_vec())
    }

    /// The distribution of samples over given intervals. Samples beyond the first and last bound belong to the outer intervals.
    pub fn from_samples(samples: &[f64], bounds: Vec<f64>) -> Result<CostDistribution, Error> {
        check_samples(samples)?;
        let variable = Variable::intervals("samples", bounds);
        let mut probabilities = vec![0.0; variable.states.len()];
        for state in samples.iter().filter_map(|sample| variable.state_of(*sample)) {
            if let Some(probability) = probabilities.get_mut(state) {
                *probability += 1.0 / samples.len() as f64;
            }
        }
        CostDistribution::new(variable.bounds.unwrap_or_default(), probabilities)
    }

    /// The distribution of samples without any grid: equally likely to fall between two neighbouring samples, and at the single value
    /// of samples that are equal.
    pub fn empirical(samples: &[f64]) -> Result<CostDistribution, Error> {
        check_samples(samples)?;
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        if sorted.len() == 1 {
            return CostDistribution::constant(sorted[0]);
        }
        let count = sorted.len() - 1;
        CostDistribution::new(sorted, vec![1.0 / count as f64; count])
    }

    /// The edges of the intervals.
    pub fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// The probabilities of the intervals.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The intervals: lower bound, upper bound, probability.
    fn intervals(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        self.bounds
            .windows(2)
            .zip(&self.probabilities)
            .map(|(pair, probability)| (pair[0], pair[1], *probability))
    }

    /// The mean, with every interval at its centre (4.31).
    pub fn mean(&self) -> f64 {
        self.intervals().map(|(low, high, probability)| probability * (low / 2.0 + high / 2.0)).sum()
    }

    /// The value that is not exceeded with a probability of `level`, which is limited to 0 to 1.
    pub fn quantile(&self, level: f64, rounding: Rounding) -> f64 {
        let level = if level.is_nan() { 1.0 } else { level.clamp(0.0, 1.0) };
        let (mut below, mut last) = (0.0, self.bounds[0]);
        for (low, high, probability) in self.intervals().filter(|(_, _, probability)| *probability > 0.0) {
            last = high;
            // Sums of thirds must reach two thirds.
            if below + probability >= level - 1e-12 {
                return match rounding {
                    Rounding::Bound => high,
                    Rounding::Interpolated => {
                        low + (high - low) * ((level - below) / probability).clamp(0.0, 1.0)
                    }
                };
            }
            below += probability;
        }
        last
    }

    /// The probability that a value is not exceeded.
    pub fn cumulated(&self, value: f64) -> f64 {
        let share = |(low, high, probability): (f64, f64, f64)| probability * uniform_share(low, high, value);
        self.intervals().map(share).sum::<f64>().clamp(0.0, 1.0)
    }

    /// One of several distributions, each with its probability.
    pub fn mixture(parts: &[(f64, &CostDistribution)]) -> Result<CostDistribution, Error> {
        let weights: Vec<f64> = parts.iter().map(|(weight, _)| *weight).collect();
        let sum = sum_of_shares("mixture", &weights)?;
        let mut edges: Vec<f64> = parts.iter().flat_map(|(_, part)| part.bounds.iter().copied()).collect();
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let (mut bounds, mut probabilities) = (Vec::new(), Vec::new());
        for (at, edge) in edges.iter().enumerate() {
            bounds.push(*edge);
            let single = |(weight, part): &(f64, &CostDistribution)| weight * part.at(*edge);
            let here: f64 = parts.iter().map(single).sum();
            if here > 0.0 {
                bounds.push(*edge);
                probabilities.push(here / sum);
            }
            if let Some(next) = edges.get(at + 1) {
                let inside = |(weight, part): &(f64, &CostDistribution)| weight * part.between(*edge, *next);
                probabilities.push(parts.iter().map(inside).sum::<f64>() / sum);
            }
        }
        CostDistribution::new(bounds, probabilities)
    }

    /// The probability of a single value.
    fn at(&self, value: f64) -> f64 {
        let single = self.intervals().filter(|(low, high, _)| low == high && *low == value);
        single.map(|(_, _, probability)| probability).sum()
    }

    /// The probability of the inside of an interval that contains no edge.
    fn between(&self, low: f64, high: f64) -> f64 {
        let wide = self.intervals().filter(|(from, to, _)| from < to && *from <= low && *to >= high);
        wide.map(|(from, to, probability)| probability * (high - low) / (to - from)).sum()
    }

    /// The distribution of the sum of two independent costs, on so many intervals of equal width. The probability of every interval is
    /// exact.
    pub fn convolution(&self, other: &CostDistribution, intervals: usize) -> Result<CostDistribution, Error> {
        if !(1..=65536).contains(&intervals) {
            return Err(Error::new("convolution", format!("{intervals} intervals"), "1 to 65536 intervals"));
        }
        let low = self.bounds[0] + other.bounds[0];
        let high = self.bounds[self.bounds.len() - 1] + other.bounds[other.bounds.len() - 1];
        if low == high {
            return CostDistribution::constant(low);
        }
        let edge =
            |k: usize| if k == intervals { high } else { low + (high - low) * (k as f64 / intervals as f64) };
        let bounds: Vec<f64> = (0..=intervals).map(edge).collect();
        let mut cumulated = vec![0.0; intervals + 1];
        for (from, to, probability) in self.intervals().filter(|(_, _, probability)| *probability > 0.0) {
            for (start, end, other) in other.intervals().filter(|(_, _, probability)| *probability > 0.0) {
                for (sum, edge) in cumulated.iter_mut().zip(&bounds).skip(1) {
                    *sum += probability * other * sum_share(from, to, start, end, *edge);
                }
            }
        }
        cumulated[intervals] = 1.0;
        let probabilities = cumulated.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).collect();
        CostDistribution::new(bounds, probabilities)
    }
}

/// The sum of probabilities, if none is negative and it is one, give or take rounding.
fn sum_of_shares(place: &str, shares: &[f64]) -> Result<f64, Error> {
    if let Some(wrong) = shares.iter().find(|share| share.is_nan() || **share < 0.0) {
        return Err(Error::new(place, format!("the probability {wrong}"), "numbers from 0 to 1"));
    }
    let sum: f64 = shares.iter().sum();
    if (sum - 1.0).abs() <= SLACK {
        return Ok(sum);
    }
    Err(Error::new(place, format!("probabilities with the sum {sum}"), "probabilities with the sum 1"))
}

/// The share of a uniform interval that is not above a value.
fn uniform_share(low: f64, high: f64, value: f64) -> f64 {
    if value >= high {
        1.0
    } else if value <= low {
        0.0
    } else {
        (value - low) / (high - low)
    }
}

/// The probability that the sum of two uniform values is not above a value.
fn sum_share(from: f64, to: f64, start: f64, end: f64, value: f64) -> f64 {
    let (narrow, wide) = ((to - from).min(end - start), (to - from).max(end - start));
    let above = value - from - start;
    if narrow <= wide * 1e-9 {
        // One of them is a single value, or nearly so.
        return uniform_share(0.0, narrow + wide, above);
    }
    let triangle = |x: f64| if x > 0.0 { (x / narrow) * (x / wide) / 2.0 } else { 0.0 };
    let share =
        triangle(above) - triangle(above - narrow) - triangle(above - wide) + triangle(above - narrow - wide);
    if above >= narrow + wide { 1.0 } else { share.clamp(0.0, 1.0) }
}

fn check_samples(samples: &[f64]) -> Result<(), Error> {
    let wrong = samples.iter().find(|sample| !sample.is_finite());
    match wrong {
        Some(wrong) => Err(Error::new("samples", wrong, "finite numbers")),
        None if samples.is_empty() => Err(Error::new("samples", "none", "at least one sample")),
        None => Ok(()),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    bounds: Vec<f64>,
    probabilities: Vec<f64>,
}

impl TryFrom<Saved> for CostDistribution {
    type Error = Error;

    fn try_from(saved: Saved) -> Result<CostDistribution, Error> {
        CostDistribution::new(saved.bounds, saved.probabilities)
    }
}

impl From<CostDistribution> for Saved {
    fn from(cost: CostDistribution) -> Saved {
        Saved { bounds: cost.bounds, probabilities: cost.probabilities }
    }
}
