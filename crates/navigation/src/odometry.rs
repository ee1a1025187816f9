//! Dead reckoning, corrected by noisy readings of position and heading.

use crewlab_onboard::Speeds;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use serde::{Deserialize, Serialize};

/// How much a new reading counts against what was expected, per second.
const TRUST: f64 = 3.0;
/// A robot that is farther than this from where it should be was put somewhere else. [m]
const CARRIED: f64 = 0.5;

/// Where a robot thinks it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odometry {
    pose: Option<Pose>,
    /// What was last asked of the drive.
    asked: Speeds,
}

impl Odometry {
    /// The latest estimate; nothing before the first reading.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// Notes what is asked of the drive.
    pub fn ask(&mut self, speeds: Speeds) {
        self.asked = speeds;
    }

    /// Averages a reading with what the drive should have done in `dt` seconds. Without a reading the estimate stays.
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
        // A robot that was moved has nothing to average.
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
    fn noise_is_averaged_and_the_drive_is_believed() {
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
    fn a_robot_that_was_carried_away_starts_anew() {
        let mut odometry = Odometry::default();
        odometry.update(Some(Pose::new(0.0, 0.0, 0.0)), 0.1);
        odometry.update(Some(Pose::new(3.0, 4.0, 0.0)), 0.1);
        assert_eq!(odometry.pose().map(|pose| pose.position), Some(Pose::new(3.0, 4.0, 0.0).position));
        odometry.update(None, 0.1);
        assert!(odometry.pose().is_some(), "a missing reading changes nothing");
    }
}
