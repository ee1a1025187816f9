//! The model of motion: a unicycle that can turn on the spot (SWARM equation 1, with the heading from the x axis).

use super::maths::sincos;
use super::walkers::{LANES, Lanes};
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

impl Pose {
    /// The pose after a step. [s]
    pub fn after(self, control: Control, step: f32) -> Pose {
        let (sine, cosine) = sincos(self.heading);
        Pose {
            x: self.x + control.speed * cosine * step,
            y: self.y + control.speed * sine * step,
            heading: self.heading + control.turn * step,
        }
    }
}

/// Moves a block of walkers for one step [s]: x, y and heading. Blocks go by value: the compiler then knows that none of them
/// overlap, and computes all walkers at once.
#[inline(always)]
pub fn advance([mut x, mut y, mut heading]: [Lanes; 3], [speed, turn]: [Lanes; 2], step: f32) -> [Lanes; 3] {
    for i in 0..LANES {
        let (sine, cosine) = sincos(heading[i]);
        x[i] += speed[i] * cosine * step;
        y[i] += speed[i] * sine * step;
        heading[i] += turn[i] * step;
    }
    [x, y, heading]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_moves_as_single_poses_do() {
        let start = |i: usize| Pose { x: i as f32, y: -2.0, heading: i as f32 - 4.0 };
        let (speed, turn) = ([0.7; LANES], [0.3; LANES]);
        let poses: [fn(Pose) -> f32; 3] = [|pose| pose.x, |pose| pose.y, |pose| pose.heading];
        let poses = poses.map(|of| std::array::from_fn(|i| of(start(i))));
        let [x, y, heading] = advance(poses, [speed, turn], 0.5);
        for i in 0..LANES {
            let pose = start(i).after(Control { speed: 0.7, turn: 0.3 }, 0.5);
            assert_eq!((x[i], y[i], heading[i]), (pose.x, pose.y, pose.heading));
        }
    }

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
