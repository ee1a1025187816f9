//! Rate limit for the commands of a viewer.

use std::time::Duration;
use tokio::time::Instant;

/// Sustained rate. [commands/s]
const RATE: f64 = 200.0;
/// Largest burst.
const BURST: f64 = 400.0;
/// Number of refusals after which the server stops reading for a while, so that a flood is throttled at its source.
const PATIENCE: u32 = 50;
/// Duration of that pause.
const PAUSE: Duration = Duration::from_millis(10);

/// Counts one viewer's commands.
pub(super) struct Pace {
    left: f64,
    at: Instant,
    refused: u32,
    /// The end of the pause.
    pub resume: Instant,
}

impl Pace {
    pub fn new(now: Instant) -> Pace {
        Pace { left: BURST, at: now, refused: 0, resume: now }
    }

    /// True if a command may come now.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * RATE).min(BURST);
        self.at = now;
        if self.left >= 1.0 {
            self.left -= 1.0;
            return true;
        }
        self.refused += 1;
        if self.refused.is_multiple_of(PATIENCE) {
            self.resume = now + PAUSE;
        }
        false
    }

    /// The error message for viewers over the limit.
    pub fn complaint() -> String {
        format!(
            "too many commands: at most {RATE} per second are accepted from one viewer; this one was ignored"
        )
    }
}
