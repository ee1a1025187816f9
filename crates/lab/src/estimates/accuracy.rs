//! How good estimates were.

use super::EstimateRow;
use serde::Serialize;

/// Estimates compared with rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    decisions: u64,
    kept: u64,
    errors: f64,
    rewards: f64,
    squares: f64,
}

impl Accuracy {
    /// Takes in one estimate and the reward.
    pub fn add(&mut self, estimate: f64, reward: f64) {
        self.decisions += 1;
        self.kept += u64::from(estimate <= reward);
        self.errors += (estimate - reward) * (estimate - reward);
        self.rewards += reward;
        self.squares += reward * reward;
    }

    /// Number of estimates.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Share of estimates that were not above the reward; `None` if there are none.
    pub fn reliability(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.kept as f64 / self.decisions as f64)
    }

    /// Mean squared error of the estimates, relative to the variance of the rewards; `None` if they do not vary.
    pub fn relative_error(&self) -> Option<f64> {
        let count = self.decisions as f64;
        let variance = self.squares / count - (self.rewards / count) * (self.rewards / count);
        (self.decisions > 1 && variance > 1e-12).then(|| self.errors / count / variance)
    }
}

/// How good an estimator was at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimatorSummary {
    /// Its name.
    pub estimator: String,
    /// The share of outcomes that should not be worse; `None` for a mean.
    pub sigma: Option<f64>,
    /// Decisions with a known outcome.
    pub decisions: u64,
    /// Share of its estimates that were not above the reward.
    pub reliability: f64,
    /// Mean squared error relative to the variance of the rewards; `None` if they do not vary.
    pub relative_error: Option<f64>,
}

impl EstimatorSummary {
    /// All estimators at all levels, of what was taken and is over.
    pub(super) fn all(rows: &[EstimateRow]) -> Vec<EstimatorSummary> {
        let mut found: Vec<(&str, Option<f64>, Accuracy)> = Vec::new();
        for row in rows.iter().filter(|row| row.chosen) {
            let Some((estimate, reward)) = row.estimate.zip(row.reward) else { continue };
            let same = |(name, sigma, _): &(&str, Option<f64>, Accuracy)| {
                (*name, *sigma) == (&*row.estimator, row.sigma)
            };
            let place = found.iter().position(same).unwrap_or_else(|| {
                found.push((&row.estimator, row.sigma, Accuracy::default()));
                found.len() - 1
            });
            found[place].2.add(estimate, reward);
        }
        let summary = |(name, sigma, accuracy): (&str, Option<f64>, Accuracy)| EstimatorSummary {
            estimator: name.to_string(),
            sigma,
            decisions: accuracy.decisions(),
            reliability: accuracy.reliability().unwrap_or_default(),
            relative_error: accuracy.relative_error(),
        };
        found.into_iter().map(summary).collect()
    }
}
