//! Fixed: the planned time, as if nothing ever went wrong.

use super::{Estimator, Experience, Prospect, Reckoning};

/// Plans as they are.
pub struct Fixed;

impl Estimator for Fixed {
    const SUMMARY: &'static str = "the planned time, as if nothing ever went wrong";

    fn reckon(prospect: &Prospect, _: &Experience) -> Reckoning {
        Reckoning::sure(prospect.planned())
    }
}
