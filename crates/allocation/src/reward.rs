//! The value of a coalition as a function of its members' subtask rewards: the function f of the thesis (3.21, 4.23).

use crate::Error;
use crate::instance::LARGEST;
use serde::{Deserialize, Serialize};

/// A reward function over the subtask rewards. Every one is monotone: a larger subtask reward never lowers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reward {
    /// The sum.
    Sum,
    /// The mean (3.21).
    #[default]
    Mean,
    /// The smallest: the slowest member decides (4.23).
    Min,
    /// The largest: one member that does it well is enough.
    Max,
    /// The product, e.g. of probabilities of success. Subtask rewards must not be negative.
    Product,
    /// The harmonic mean; 0 as soon as one subtask reward is 0. Subtask rewards must not be negative.
    Harmonic,
    /// `λ·min + mean`, with λ ≥ 0.
    MinPlusMean(f64),
    /// The sum of the `j` smallest, j ≥ 1; the sum of all if there are fewer.
    Worst(usize),
}

impl Reward {
    /// The value of a coalition whose members get these rewards. [unit of the rewards; its k-th power for the product]
    pub fn value(&self, rewards: &[f64]) -> f64 {
        let count = rewards.len().max(1) as f64;
        let sum = || rewards.iter().sum::<f64>();
        let min = || rewards.iter().copied().fold(f64::INFINITY, f64::min);
        match self {
            Reward::Sum => sum(),
            Reward::Mean => sum() / count,
            Reward::Min => min(),
            Reward::Max => rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Reward::Product => rewards.iter().product(),
            Reward::Harmonic if rewards.contains(&0.0) => 0.0,
            Reward::Harmonic => count / rewards.iter().map(|reward| 1.0 / reward).sum::<f64>(),
            Reward::MinPlusMean(lambda) => lambda * min() + sum() / count,
            Reward::Worst(number) => {
                let mut sorted = rewards.to_vec();
                sorted.sort_by(f64::total_cmp);
                sorted.iter().take(*number).sum()
            }
        }
    }

    /// The summand of one subtask, if maximising f is maximising a sum of such summands over positive rewards.
    pub(crate) fn summand(&self) -> Option<fn(f64) -> f64> {
        match self {
            Reward::Sum | Reward::Mean => Some(|reward| reward),
            Reward::Product => Some(libm::log),
            Reward::Harmonic => Some(|reward| -1.0 / reward),
            _ => None,
        }
    }

    /// The factor before each subtask reward if f is linear in a plan of `size` subtasks.
    pub(crate) fn linear(&self, size: usize) -> Option<f64> {
        match self {
            Reward::Sum => Some(1.0),
            Reward::Mean => Some(1.0 / size.max(1) as f64),
            // All functions agree on one subtask, up to a factor.
            Reward::MinPlusMean(lambda) if size == 1 => Some(1.0 + lambda),
            Reward::Worst(number) if *number >= size => Some(1.0),
            _ if size == 1 => Some(1.0),
            _ => None,
        }
    }

    /// True if subtask rewards below 0 have no meaning.
    pub(crate) fn needs_positive(&self) -> bool {
        matches!(self, Reward::Product | Reward::Harmonic)
    }

    /// Refuses parameters outside their ranges.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            Reward::MinPlusMean(lambda) if !(0.0..=LARGEST).contains(lambda) => Err(Error::new(
                "reward.min-plus-mean",
                lambda,
                format!("a number from 0 to {LARGEST:e}, the weight of the smallest reward"),
            )),
            Reward::Worst(0) => Err(Error::new(
                "reward.worst",
                0,
                "a number of at least 1, the number of smallest rewards to add",
            )),
            _ => Ok(()),
        }
    }
}
