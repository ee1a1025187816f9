//! The model of motion: a unicycle that can turn on the spot (SWARM equation 1, with the heading from the x axis).

use super::maths::sincos;
use super::vector::Number;
use serde::{Deserialize, Serialize};

/// A pose of the robot, in any frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// [m]
    pub x: f32,
    /// [m]
    pub y: f32,
    /// From the x axis, counter-clockwise. [rad]
    pub heading: f32,
}

/// A command to the drive, or something per dimension of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Forward speed. [m/s]
    pub speed: f32,
    /// Turning speed, counter-clockwise. [rad/s]
    pub turn: f32,
}

/// The lowest and the highest commands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lowest.
    pub low: Control,
    /// Highest.
    pub high: Control,
}

impl Bounds {
    /// Lowest and highest speed, lowest and highest turning speed.
    pub(super) fn ranges(&self) -> [(f32, f32); 2] {
        [(self.low.speed, self.high.speed), (self.low.turn, self.high.turn)]
    }
}

impl Pose {
    /// The pose after a step. [s]
    pub fn after(self, control: Control, step: f32) -> Pose {
        let [x, y, heading] = advance([self.x, self.y, self.heading], [control.speed, control.turn], step);
        Pose { x, y, heading }
    }
}

/// The pose after a step [s]: x, y and heading, of one robot or of a block of walkers.
#[inline(always)]
pub fn advance<N: Number>([x, y, heading]: [N; 3], [speed, turn]: [N; 2], step: f32) -> [N; 3] {
    let (sine, cosine) = sincos(heading);
    [x + speed * cosine * step, y + speed * sine * step, heading + turn * step]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_drives_ahead_and_turns_on_the_spot() {
        let pose = Pose { x: 1.0, y: 2.0, heading: std::f32::consts::FRAC_PI_2 };
        let ahead = pose.after(Control { speed: 2.0, turn: 0.0 }, 0.5);
        assert!((ahead.x - 1.0).abs() < 1e-6 && (ahead.y - 3.0).abs() < 1e-6);
        let turned = pose.after(Control { speed: 0.0, turn: -1.0 }, 0.5);
        assert_eq!((turned.x, turned.y), (1.0, 2.0));
        assert!((turned.heading - pose.heading + 0.5).abs() < 1e-6);
    }
}
