//! Learned mean: what such work has cost this robot on average, ρ̂ = u - E[c | s] (4.17).

use super::{Estimator, Experience, Prospect, Reckoning};

/// The mean of a robot's own experience.
pub struct LearnedMean;

impl Estimator for LearnedMean {
    const SUMMARY: &'static str =
        "what similar work has cost the robot on average, failures included; at first as failure-aware";
    const LEARNS: bool = true;

    fn reckon(prospect: &Prospect, experience: &Experience) -> Reckoning {
        experience.reckon(prospect, None)
    }
}
