//! The person that a robot follows: seen ten times per second, a goal once per second.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Interval between goals. [s]
const INTERVAL: f64 = 1.0;
/// A person that was not seen for longer than this is lost. [s]
const LOST: f64 = 3.0;

/// What the tracker has told lately.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PersonTrack {
    /// Sum and number of the positions since the last goal.
    sum: Vec2,
    count: u32,
    goal: Option<(Vec2, Time)>,
    seen: Option<Time>,
}

impl PersonTrack {
    /// The tracker sees the person at a position, in the coordinates of the robot's map. [m]
    pub fn see(&mut self, at: Vec2, now: Time) {
        if !(at.x.is_finite() && at.y.is_finite()) {
            return;
        }
        (self.sum, self.count, self.seen) = (self.sum + at, self.count + 1, Some(now));
        if self.goal.is_none_or(|(_, set)| now.since(set) >= INTERVAL) {
            self.goal = Some((self.sum * (1.0 / f64::from(self.count)), now));
            (self.sum, self.count) = (Vec2::ZERO, 0);
        }
    }

    /// Where to go: the mean position of the last interval; nothing if the person is lost. [m]
    pub fn goal(&self, now: Time) -> Option<Vec2> {
        self.seen.filter(|seen| now.within(*seen, LOST)).and(self.goal).map(|(goal, _)| goal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn goals_change_once_per_second_and_a_lost_person_is_none() {
        let mut track = PersonTrack::default();
        let at = |tick: u32| Time::from_seconds(0.1 * f64::from(tick));
        assert_eq!(track.goal(at(0)), None);
        let goals: Vec<Vec2> = (0..31)
            .map(|tick| {
                track.see(vec2(f64::from(tick), 0.0), at(tick));
                track.goal(at(tick)).expect("the person is seen")
            })
            .collect();
        let mut different = goals.clone();
        different.dedup();
        assert_eq!(different, [0.0, 5.5, 15.5, 25.5].map(|x| vec2(x, 0.0)), "means of a second each");
        assert!(track.goal(Time::from_seconds(5.9)).is_some());
        assert_eq!(track.goal(Time::from_seconds(6.1)), None);
        track.see(vec2(f64::NAN, 0.0), Time::from_seconds(7.0));
        assert_eq!(track.goal(Time::from_seconds(7.0)), None);
    }
}
