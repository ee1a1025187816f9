//! The noise of odometry: zero-mean and normal, per radian and metre (B.3.1).

use super::gaussian::Symmetric;
use crewlab_onboard::geometry::{Pose, Vec2};
pub use crewlab_onboard::motion::Motion;
use serde::{Deserialize, Serialize};

/// Standard deviations of the noise of a motion, per radian and metre. The defaults are those of a poor odometry: a matched scan is
/// far more precise than any odometry, so too much noise costs little, while too little hides the right match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MotionNoise {
    /// Of a turn, per radian turned. [rad/rad] Default: 0.3.
    pub turn_per_turn: f64,
    /// Of each turn, per metre driven. [rad/m] Default: 0.2.
    pub turn_per_way: f64,
    /// Of the way, per metre driven. [m/m] Default: 0.1.
    pub way_per_way: f64,
    /// Of the way, per radian turned. [m/rad] Default: 0.05.
    pub way_per_turn: f64,
    /// Of the place in every direction, also if the robot stands: slip, bumps, delays. [m] Default: 0.02.
    pub slip: f64,
    /// Of the heading, also if the robot stands. [rad] Default: 0.01.
    pub twist: f64,
}

impl Default for MotionNoise {
    fn default() -> Self {
        MotionNoise {
            turn_per_turn: 0.3,
            turn_per_way: 0.2,
            way_per_way: 0.1,
            way_per_turn: 0.05,
            slip: 0.02,
            twist: 0.01,
        }
    }
}

impl MotionNoise {
    /// The covariance of the pose after a motion from a known pose.
    pub fn covariance(&self, motion: &Motion, from: &Pose) -> Symmetric {
        let way = motion.trans.abs();
        let turn = |angle: f64| {
            (self.turn_per_turn * angle).hypot(self.turn_per_way * way / std::f64::consts::SQRT_2)
        };
        let (first, second) = (turn(motion.rot1), turn(motion.rot2));
        let turned = motion.rot1.abs() + motion.rot2.abs();
        let along = self.way_per_way * way + self.way_per_turn * turned;
        let ahead = Vec2::unit(from.heading + motion.rot1);
        let aside = ahead.left() * motion.trans;
        let (first, along, second) = (first * first, along * along, second * second);
        let slip = self.slip * self.slip;
        Symmetric([
            along * ahead.x * ahead.x + first * aside.x * aside.x + slip,
            along * ahead.x * ahead.y + first * aside.x * aside.y,
            first * aside.x,
            along * ahead.y * ahead.y + first * aside.y * aside.y + slip,
            first * aside.y,
            first + second + self.twist * self.twist,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::wrap;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    fn poses() -> impl Strategy<Value = Pose> {
        (-50.0..50.0, -50.0..50.0, -3.1..3.1).prop_map(|(x, y, heading)| Pose::new(x, y, heading))
    }

    proptest! {
        #[test]
        fn a_motion_leads_from_one_pose_to_the_other(from in poses(), to in poses()) {
            let motion = Motion::between(&from, &to);
            let there = motion.from(&from);
            prop_assert!(there.position.distance(to.position) < 1e-9);
            prop_assert!(wrap(there.heading - to.heading).abs() < 1e-9);
            prop_assert!(motion.rot1.abs() <= FRAC_PI_2 + 1e-9, "backwards is no half turn");
            let covariance = MotionNoise::default().covariance(&motion, &from);
            prop_assert!(covariance.root().is_some());
        }
    }
}
