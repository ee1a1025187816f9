//! The odometry's motion model: a turn, a way and a second turn, each with zero-mean normal noise (B.3.1).

use super::gaussian::Symmetric;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

/// Below this way its direction says nothing, and all turning counts as the second turn. [m]
const STANDING: f64 = 0.01;

/// A motion between two poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// The turn towards the destination. [rad]
    pub rot1: f64,
    /// The way; negative backwards. [m]
    pub trans: f64,
    /// The turn at the destination. [rad]
    pub rot2: f64,
}

impl Motion {
    /// The motion from one pose to another.
    pub fn between(from: &Pose, to: &Pose) -> Motion {
        let way = to.position - from.position;
        let turn = wrap(to.heading - from.heading);
        let trans = way.length();
        if trans < STANDING {
            return Motion { rot1: 0.0, trans: way.dot(Vec2::unit(from.heading)), rot2: turn };
        }
        let ahead = wrap(way.angle() - from.heading);
        let (rot1, trans) =
            if ahead.abs() <= FRAC_PI_2 { (ahead, trans) } else { (wrap(ahead + PI), -trans) };
        Motion { rot1, trans, rot2: wrap(turn - rot1) }
    }

    /// The pose after this motion.
    pub fn from(&self, pose: &Pose) -> Pose {
        let heading = pose.heading + self.rot1;
        Pose {
            position: pose.position + Vec2::unit(heading) * self.trans,
            heading: wrap(heading + self.rot2),
        }
    }
}

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
    use proptest::prelude::*;

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
