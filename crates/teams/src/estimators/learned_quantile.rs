//! Learned quantile: the cost that such work does not exceed in a share ς of cases, ρ̂_ς = u - Q_c(ς | s).

use super::{Estimator, Experience, Prospect, Reckoning};

/// A quantile of a robot's own experience.
pub struct LearnedQuantile;

impl Estimator for LearnedQuantile {
    const SUMMARY: &'static str = "the cost that similar work did not exceed in a share `reliability` of cases, failures included; at first as failure-aware";
    const LEARNS: bool = true;

    fn reckon(prospect: &Prospect, experience: &Experience) -> Reckoning {
        experience.reckon(prospect, Some(prospect.reliability))
    }
}
