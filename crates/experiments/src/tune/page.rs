//! The page of a tuning.

use super::summary::Summary;
use super::tuner::Tuned;
use super::tuning::Tuning;

/// The page as HTML.
pub(super) fn text(_tuning: &Tuning, _tuned: &Tuned, summary: &Summary) -> String {
    summary.sentence.clone()
}
