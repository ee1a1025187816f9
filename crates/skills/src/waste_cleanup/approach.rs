//! Notices when a robot gets no nearer to where it wants to be.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Coming nearer by less than this is no progress: noise, or a turn on the spot. [m]
const NEARER: f64 = 0.1;
/// A goal that moves by less than this is still the same. [m]
const SAME_GOAL: f64 = 0.3;

/// A robot's way to one goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Approach {
    /// The goal, the smallest distance to it so far, and when that was reached.
    best: Option<(Vec2, f64, Time)>,
}

impl Approach {
    /// How long the robot has not come nearer to the goal. Another goal begins at zero. [s]
    pub fn stalled(&mut self, goal: Vec2, distance: f64, now: Time) -> f64 {
        match self.best {
            // A time in the future dates from before the robot's clock was set back.
            Some((same, best, since))
                if same.distance(goal) < SAME_GOAL && distance > best - NEARER && since <= now =>
            {
                now.since(since)
            }
            _ => {
                self.best = Some((goal, distance, now));
                0.0
            }
        }
    }

    /// Begins again at zero.
    pub fn restart(&mut self) {
        self.best = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn only_coming_nearer_is_progress() {
        let mut approach = Approach::default();
        let at = Time::from_seconds;
        let goal = vec2(5.0, 0.0);
        assert_eq!(approach.stalled(goal, 3.0, at(0.0)), 0.0);
        assert_eq!(approach.stalled(goal, 3.5, at(4.0)), 4.0, "away from it");
        assert_eq!(approach.stalled(goal, 2.95, at(6.0)), 6.0, "not noticeably nearer");
        assert_eq!(approach.stalled(goal, 2.8, at(7.0)), 0.0);
        assert_eq!(approach.stalled(vec2(5.1, 0.1), 2.8, at(9.0)), 2.0, "the same goal, seen with noise");
        assert_eq!(approach.stalled(vec2(0.0, 0.0), 2.8, at(9.0)), 0.0, "another goal");
    }
}
