//! Notices when a robot cannot move although it wants to: walled in, or without a drive.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// A robot that stays within this distance ... [m]
const MOVED: f64 = 0.35;
/// ... for this long although it is under way cannot move. [s]
const PATIENCE: f64 = 45.0;
/// After this time it tries again; every further time takes twice as long ... [s]
const RETRY: f64 = 60.0;
/// ... but no longer than this. [s]
const MOST_RETRY: f64 = 960.0;

/// Whether a robot can move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mobility {
    /// Where the robot has been under way, without leaving it, since when.
    anchor: Option<(Vec2, Time)>,
    /// Since when it believes that it cannot move.
    stuck: Option<Time>,
    /// How often it has believed so at this place.
    times: u32,
}

impl Mobility {
    /// Notes where the robot is at the end of a tick, and whether it wants to go somewhere.
    pub fn note(&mut self, under_way: bool, position: Vec2, now: Time) {
        let stayed = self.anchor.filter(|(place, _)| place.distance(position) < MOVED);
        match (self.stuck, stayed) {
            (_, None) => (self.anchor, self.stuck, self.times) = (Some((position, now)), None, 0),
            (Some(since), _) if now.within(since, self.pause()) => {}
            (None, Some((_, since))) if under_way && since <= now => {
                if now.since(since) > PATIENCE {
                    (self.stuck, self.times) = (Some(now), self.times.saturating_add(1));
                }
            }
            // It tries again, or it stands because it wants to.
            (_, Some((place, _))) => (self.anchor, self.stuck) = (Some((place, now)), None),
        }
    }

    /// How long it gives up this time. [s]
    fn pause(&self) -> f64 {
        (RETRY * f64::from(1 << self.times.clamp(1, 8)) / 2.0).min(MOST_RETRY)
    }

    /// How long the robot has believed that it cannot move. [s]
    pub fn stuck_for(&self, now: Time) -> f64 {
        self.stuck.map_or(0.0, |since| now.since(since))
    }

    /// True while the robot believes that it cannot move.
    pub fn stuck(&self) -> bool {
        self.stuck.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn a_robot_that_gets_nowhere_is_stuck_until_it_tries_again() {
        let mut mobility = Mobility::default();
        let mut seconds = 0;
        let mut stay = |mobility: &mut Mobility, under_way: bool, span: u32| {
            for _ in 0..span {
                seconds += 1;
                mobility.note(
                    under_way,
                    vec2(0.1 * f64::from(seconds % 2), 0.0),
                    Time::from_seconds(f64::from(seconds)),
                );
            }
        };
        stay(&mut mobility, false, 100);
        assert!(!mobility.stuck(), "it did not want to move");
        stay(&mut mobility, true, 50);
        assert!(mobility.stuck());
        stay(&mut mobility, false, 65);
        assert!(!mobility.stuck(), "it tries again");
        stay(&mut mobility, true, 50);
        assert!(mobility.stuck());
        stay(&mut mobility, false, 65);
        assert!(mobility.stuck(), "but less often every time");
        mobility.note(true, vec2(1.0, 0.0), Time::from_seconds(400.0));
        assert!(!mobility.stuck(), "it moved");
    }
}
