//! What wheels count: the pose that follows from all turns and ways since the robot was put somewhere. Errors add up.

use crate::sensors::Odometry;
use crewlab_onboard::Stream;
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::motion::Motion;
use serde::{Deserialize, Serialize};

/// A robot's odometer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Odometer {
    noise: Odometry,
    pose: Pose,
}

impl Odometer {
    /// An odometer with this noise, set to the pose at which its robot is put.
    pub fn new(noise: Odometry, pose: Pose) -> Odometer {
        Odometer { noise, pose }
    }

    /// Where the robot is according to its wheels.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// People put the robot somewhere and set its odometer.
    pub fn set(&mut self, pose: Pose) {
        self.pose = pose;
    }

    /// Counts a motion on wheels. The variance of each part grows with the way and the turn, so errors do not depend on the length
    /// of a tick (B.3.1).
    pub fn roll(&mut self, from: &Pose, to: &Pose, random: &mut Stream) {
        let motion = Motion::between(from, to);
        if motion == Motion::default() {
            return;
        }
        let noise = &self.noise;
        let (way, turned) = (motion.trans.abs(), motion.rot1.abs() + motion.rot2.abs());
        let grown = |per: f64, amount: f64| per * per * amount;
        let turn = |angle: f64| {
            (grown(noise.turn_per_turn, angle.abs()) + 0.5 * grown(noise.turn_per_way, way)).sqrt()
        };
        let along = (grown(noise.way_per_way, way) + grown(noise.way_per_turn, turned)).sqrt();
        let counted = Motion {
            rot1: motion.rot1 + turn(motion.rot1) * random.normal(),
            trans: motion.trans + along * random.normal(),
            rot2: motion.rot2 + turn(motion.rot2) * random.normal(),
        };
        self.pose = counted.from(&self.pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::StreamKind;

    fn after(noise: &Odometry, ticks: u32, seed: u64) -> Pose {
        let mut odometer = Odometer::new(noise.clone(), Pose::default());
        let mut random = Stream::new(seed, StreamKind::Sensors, 0, 0);
        let step = 4.0 / f64::from(ticks);
        for tick in 0..ticks {
            let at = |tick: u32| Pose::new(step * f64::from(tick), 0.0, 0.0);
            odometer.roll(&at(tick), &at(tick + 1), &mut random);
        }
        odometer.pose()
    }

    fn deviation(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<f64> = values.collect();
        (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
    }

    #[test]
    fn errors_accumulate_by_the_root_of_the_way_whatever_the_tick() {
        let noise = Odometry::default();
        for ticks in [4, 400] {
            let ends: Vec<Pose> = (0..2000).map(|seed| after(&noise, ticks, seed)).collect();
            let heading = deviation(ends.iter().map(|end| end.heading));
            let along = deviation(ends.iter().map(|end| end.position.x - 4.0));
            // Four metres: twice the noise of one. The standard error of 2,000 draws is 1.6 %: four of them, and the way that is
            // lost by not driving straight.
            assert!((heading / (2.0 * noise.turn_per_way) - 1.0).abs() < 0.065, "{ticks}: {heading}");
            assert!((along / (2.0 * noise.way_per_way) - 1.0).abs() < 0.1, "{ticks}: {along}");
        }
    }

    #[test]
    fn without_noise_and_at_rest_it_tells_the_truth() {
        let perfect = Odometry { turn_per_turn: 0.0, turn_per_way: 0.0, way_per_way: 0.0, way_per_turn: 0.0 };
        assert!((after(&perfect, 100, 1).position.x - 4.0).abs() < 1e-9);
        let mut odometer = Odometer::new(Odometry::default(), Pose::new(1.0, 2.0, 3.0));
        let mut random = Stream::new(1, StreamKind::Sensors, 0, 0);
        odometer.roll(&Pose::new(5.0, 5.0, 1.0), &Pose::new(5.0, 5.0, 1.0), &mut random);
        assert_eq!(odometer.pose(), Pose::new(1.0, 2.0, 3.0));
    }
}
