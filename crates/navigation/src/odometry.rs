//! Dead reckoning, corrected by noisy readings of position and heading.

use crewlab_onboard::Speeds;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use serde::{Deserialize, Serialize};

/// Weight of a new reading against the prediction, per second.
const TRUST: f64 = 3.0;
/// A robot that is farther than this from where it should be was moved. [m]
const CARRIED: f64 = 0.5;

/// A robot's estimate of its pose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odometry {
    pose: Option<Pose>,
    /// The last command to the drive.
    asked: Speeds,
}

impl Odometry {
    /// The latest estimate; `None` before the first reading.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// Records the command to the drive.
    pub fn ask(&mut self, speeds: Speeds) {
        self.asked = speeds;
    }

    /// Averages a reading with the motion expected in `dt` seconds. Without a reading the estimate does not change.
    pub fn update(&mut self, reading: Option<Pose>, dt: f64) {
        let Some(Pose { position, heading }) = reading else { return };
        let Some(before) = self.pose else {
            self.pose = reading;
            return;
        };
        let share = (TRUST * dt).min(1.0);
        let (speed, turn) = (self.asked.0 * dt, self.asked.1 * dt);
        let turned = wrap(before.heading + turn);
        let moved = before.position + Vec2::unit(before.heading + turn / 2.0) * speed;
        // A robot that was moved has nothing to average with.
        let carried = moved.distance(position) > CARRIED;
        self.pose = Some(Pose {
            position: if carried { position } else { moved + (position - moved) * share },
            heading: wrap(turned + share * wrap(heading - turned)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_averaged_with_the_expected_motion() {
        let mut odometry = Odometry::default();
        assert_eq!(odometry.pose(), None);
        odometry.update(Some(Pose::new(0.0, 0.0, 0.0)), 0.1);
        odometry.ask((0.5, 0.0));
        for tick in 1..=100 {
            let noise = if tick % 2 == 0 { 0.1 } else { -0.1 };
            odometry.update(Some(Pose::new(0.05 * f64::from(tick) + noise, noise, noise)), 0.1);
        }
        let pose = odometry.pose().expect("readings");
        assert!((pose.position.x - 5.0).abs() < 0.05 && pose.position.y.abs() < 0.05, "{pose:?}");
        assert!(pose.heading.abs() < 0.05);
    }

    #[test]
    fn a_robot_that_was_moved_starts_again() {
        let mut odometry = Odometry::default();
        odometry.update(Some(Pose::new(0.0, 0.0, 0.0)), 0.1);
        odometry.update(Some(Pose::new(3.0, 4.0, 0.0)), 0.1);
        assert_eq!(odometry.pose().map(|pose| pose.position), Some(Pose::new(3.0, 4.0, 0.0).position));
        odometry.update(None, 0.1);
        assert!(odometry.pose().is_some(), "a missing reading changes nothing");
    }
}
