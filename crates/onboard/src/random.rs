//! Random streams that can be opened anywhere: every draw is a function of (seed, stream, robot, tick, count).

use crate::robot_id::RobotId;
use rand_philox::{Philox, splitmix64};

/// The purpose of a stream. Streams never share draws, so that two coordinators on one seed face the same world, the same noise
/// and the same faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StreamKind {
    /// Set-up of the world: where items and robots are placed.
    World = 1,
    /// Noise of a robot's sensors.
    Sensors = 2,
    /// Noise of a robot's effectors.
    Effectors = 3,
    /// Choices of a robot's own software.
    Decisions = 4,
    /// When disturbances happen, and whom they hit.
    Disturbances = 5,
}

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Philox);

impl Stream {
    /// The stream for one purpose, robot and tick.
    #[inline]
    pub fn of_robot(seed: u64, kind: StreamKind, robot: RobotId, tick: u64) -> Stream {
        Stream::new(seed, kind, u32::from(robot.0), tick)
    }

    /// The stream for one purpose, number and tick. The number is that of an object or a disturbance, for example; robots
    /// have [`Stream::of_robot`].
    #[inline]
    pub fn new(seed: u64, kind: StreamKind, number: u32, tick: u64) -> Stream {
        let key = splitmix64(seed ^ 0x9e37_79b9_7f4a_7c15);
        let counter = u128::from(kind as u8) << 120
            | u128::from(number) << 88
            | u128::from(tick & 0x00ff_ffff_ffff_ffff) << 32;
        Stream(Philox::new([key as u32, (key >> 32) as u32], counter))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias of multiply-shift is below 2⁻³² for any bound that fits into memory.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// True with the given probability; draws nothing if the answer is certain.
    pub fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && (probability >= 1.0 || self.unit() < probability)
    }

    /// Waiting time of a Poisson process. [s] for a rate in [1/s]
    pub fn exponential(&mut self, rate: f64) -> f64 {
        -libm::log(1.0 - self.unit()) / rate
    }

    /// Normal with mean 0 and standard deviation 1 (Box-Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_a_function_of_its_key() {
        let draw = |seed, kind, robot, tick| Stream::new(seed, kind, robot, tick).bits();
        let first = draw(1, StreamKind::Sensors, 2, 3);
        assert_eq!(first, draw(1, StreamKind::Sensors, 2, 3));
        for other in [
            draw(2, StreamKind::Sensors, 2, 3),
            draw(1, StreamKind::Decisions, 2, 3),
            draw(1, StreamKind::Sensors, 3, 3),
            draw(1, StreamKind::Sensors, 2, 4),
        ] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn moments_of_the_normal_are_right() {
        let mut stream = Stream::new(7, StreamKind::World, 0, 0);
        let draws: Vec<f64> = (0..40_000).map(|_| stream.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|d| d * d).sum::<f64>() / draws.len() as f64;
        // Standard errors are 0.005 and 0.007: five of them.
        assert!(mean.abs() < 0.025, "{mean}");
        assert!((variance - 1.0).abs() < 0.035, "{variance}");
    }
}
