//! The answer to a question.

use serde::{Deserialize, Serialize};

/// The distribution of variables given evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// A probability per state, or per combination of states if several variables were asked for.
    pub probabilities: Vec<f64>,
    /// An upper bound on the number of counted rows that agree with the evidence, taken from the tables that the answer depends on.
    /// With zero, such evidence was never seen, and the answer comes from the structure and the prior.
    pub support: u64,
    /// Number of rows of these tables that agree with the evidence and were never seen: they count as uniform.
    pub guessed: usize,
}

impl Posterior {
    /// True if the evidence may have been seen.
    pub fn seen(&self) -> bool {
        self.support > 0
    }

    /// The most probable state; the first one of several.
    pub fn mode(&self) -> usize {
        let better = |best: usize, next: usize| {
            if self.probabilities[next] > self.probabilities[best] { next } else { best }
        };
        (0..self.probabilities.len()).fold(0, better)
    }
}
