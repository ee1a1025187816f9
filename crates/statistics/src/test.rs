//! The result of a hypothesis test.

use serde::{Deserialize, Serialize};

/// The result of a hypothesis test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The test statistic; see the test for which one.
    pub statistic: f64,
    /// The two-sided p value: the probability of a statistic at least as extreme if there is no difference.
    pub p: f64,
}
