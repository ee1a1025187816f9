//! What a test of a hypothesis says.

use serde::{Deserialize, Serialize};

/// A test's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// What the test measures; what that is, the test says.
    pub statistic: f64,
    /// How probable a statistic at least as extreme would be if there were no difference. Two-sided.
    pub p: f64,
}
