//! A motion as odometry measures it: a turn, a way and a second turn (B.3.1).

use crate::geometry::{Pose, Vec2, wrap};
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
