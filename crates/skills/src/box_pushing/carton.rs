//! The box as robots see it: where it is and which end is ahead.

use super::end::End;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use serde::{Deserialize, Serialize};

/// How fast the estimate follows what the robot sees. [1/s]
const FOLLOWS: f64 = 4.0;
/// Turn towards the lane per distance from it. [rad/m]
const STEER: f64 = 0.3;
/// Largest turn towards the lane. [rad]
const SWERVE: f64 = 0.15;

/// The box. Its coordinates have their origin in its middle, the first ahead and the second to the left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carton {
    /// Its middle, and the direction in which it is to be pushed.
    pub pose: Pose,
    /// Its size along the push. [m]
    pub depth: f64,
    /// Its size across the push. [m]
    pub length: f64,
}

impl Carton {
    /// Follows a sighting of the box, `dt` seconds after the last one.
    pub fn see(&mut self, seen: Pose, dt: f64) {
        let share = (FOLLOWS * dt).min(1.0);
        self.pose.position += (seen.position - self.pose.position) * share;
        self.pose.heading = wrap(self.pose.heading + share * wrap(seen.heading - self.pose.heading));
    }

    /// A place given in the box's coordinates.
    pub fn place(&self, at: Vec2) -> Vec2 {
        self.pose.position + at.rotated(Vec2::unit(self.pose.heading))
    }

    /// A place in the box's coordinates.
    pub fn seen_from(&self, place: Vec2) -> Vec2 {
        (place - self.pose.position).rotated(Vec2::unit(-self.pose.heading))
    }

    /// The least x of its corners. [m]
    pub fn tail(&self) -> f64 {
        let facing = Vec2::unit(self.pose.heading);
        self.pose.position.x - (self.depth * facing.x.abs() + self.length * facing.y.abs()) / 2.0
    }

    /// How far an end is ahead of the other, measured along the way back to the lane. [m]
    pub fn lead(&self, end: End, lane: f64) -> f64 {
        let aim = (STEER * (lane - self.pose.position.y)).clamp(-SWERVE, SWERVE);
        -end.side() * self.length * Vec2::unit(self.pose.heading - aim).y
    }

    /// Where the middle of a robot is that touches the rear of the box, this far from its middle; beyond its end, a corner. [m]
    pub fn behind(&self, radius: f64, off: f64) -> Vec2 {
        let beyond = (off.abs() - self.length / 2.0).clamp(0.0, radius);
        vec2(-self.depth / 2.0 - (radius * radius - beyond * beyond).sqrt(), off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carton(y: f64, heading: f64) -> Carton {
        Carton { pose: Pose::new(4.0, y, heading), depth: 0.4, length: 3.0 }
    }

    #[test]
    fn the_end_that_is_ahead_leads() {
        // Turned to the left, the right end is ahead.
        let turned = carton(2.0, 0.1);
        assert!((turned.lead(End::Right, 2.0) - 3.0 * Vec2::unit(0.1).y).abs() < 1e-12);
        assert_eq!(turned.lead(End::Left, 2.0), -turned.lead(End::Right, 2.0));
        assert_eq!(carton(2.0, 0.0).lead(End::Left, 2.0), 0.0);
    }

    #[test]
    fn a_box_beside_its_lane_is_turned_towards_it() {
        // The lane is to the left, so the left end counts as ahead while the box is straight: the right one is pushed.
        assert!(carton(1.0, 0.0).lead(End::Left, 2.0) > 0.2);
        assert!(carton(3.0, 0.0).lead(End::Left, 2.0) < -0.2);
        assert!(carton(-50.0, SWERVE).lead(End::Left, 2.0).abs() < 1e-9, "but not more than that");
    }

    #[test]
    fn places_go_there_and_back() {
        let carton = carton(2.0, 0.7);
        let there = vec2(-1.0, 0.4);
        assert!(carton.seen_from(carton.place(there)).distance(there) < 1e-12);
        let corners = [(0.2, 1.5), (0.2, -1.5), (-0.2, 1.5), (-0.2, -1.5)];
        let tail = corners.map(|(x, y)| carton.place(vec2(x, y)).x).into_iter().fold(f64::INFINITY, f64::min);
        assert!((carton.tail() - tail).abs() < 1e-12);
    }
}
