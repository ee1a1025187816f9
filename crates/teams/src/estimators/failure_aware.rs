//! Failure-aware: the planned time, and repetitions as often as the robot's capabilities have failed before (3.13).

use super::{Estimator, Experience, Prospect, Reckoning};

/// Plans with the risk that a capability fails.
pub struct FailureAware;

impl Estimator for FailureAware {
    const SUMMARY: &'static str =
        "the planned time, and repetitions as often as the robot's capabilities have failed before";

    fn reckon(prospect: &Prospect, _: &Experience) -> Reckoning {
        Reckoning::sure(prospect.with_failures())
    }
}
