//! From here to there.

use serde::{Deserialize, Serialize};

/// All numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a number lies inside; both ends do.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// From one end to the other.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}
