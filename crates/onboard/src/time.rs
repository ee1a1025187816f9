//! Simulated time in integer nanoseconds.

use serde::{Deserialize, Serialize};

/// A moment, counted in nanoseconds from the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time(pub u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);

    /// The moment `seconds` after the start, rounded to the nanosecond; negative and non-finite values give zero.
    pub fn from_seconds(seconds: f64) -> Time {
        // A float-to-int cast saturates and maps NaN to zero, so no input can overflow.
        Time((seconds * 1e9 + 0.5) as u64)
    }

    /// Seconds since the start. [s]
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Seconds from `earlier` to this moment; zero if `earlier` is later. [s]
    #[inline]
    pub fn since(self, earlier: Time) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / 1e9
    }

    /// True if `earlier` is at most `span` ago. False for a moment in the future, which is from before the clock was set back.
    /// [s]
    pub fn within(self, earlier: Time, span: f64) -> bool {
        earlier <= self && self.since(earlier) <= span
    }

    /// The moment `nanoseconds` later.
    pub fn after(self, nanoseconds: u64) -> Time {
        Time(self.0.saturating_add(nanoseconds))
    }
}
