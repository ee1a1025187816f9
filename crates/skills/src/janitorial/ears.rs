//! A robot's hearing of one frequency: level and direction.
//!
//! Each of the two microphones hears the sound by the angle between its ear and the source, so the difference over the sum of the
//! levels is the component of the direction to the source along the line between the ears. As the robot turns, that line turns
//! with it, and the direction emerges from its components.

use crewlab_onboard::geometry::{Pose, Vec2};
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// A sound that has been below the noise floor for this long has stopped. [s]
const SILENT: f64 = 0.5;
/// How long levels are averaged. [s]
const LEVEL_TIME: f64 = 0.5;
/// How long directions are averaged. [s]
const DIRECTION_TIME: f64 = 0.7;

/// One frequency as a robot hears it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ear {
    /// The frequency. [Hz]
    pub frequency: u32,
    /// Level of both ears together, averaged; 0 while nothing is heard.
    pub level: f64,
    /// Direction to the source in the frame of the compass. Shorter than 1 while it is not yet certain.
    pub towards: Vec2,
    /// How long nothing was heard. [s]
    silent: f64,
}

impl Ear {
    /// An ear that has heard nothing yet.
    pub fn new(frequency: f64) -> Ear {
        Ear { frequency: frequency as u32, level: 0.0, towards: Vec2::ZERO, silent: 0.0 }
    }

    /// Processes one reading of the left and the right microphone.
    pub fn hear(&mut self, left: f64, right: f64, pose: &Pose, floor: f64, dt: f64) {
        let sum = left + right;
        if !sum.is_finite() || sum <= floor {
            self.silent += dt;
            // Half a tick for rounding.
            if self.silent >= SILENT - dt / 2.0 {
                *self = Ear { silent: SILENT, ..Ear::new(f64::from(self.frequency)) };
            }
            return;
        }
        self.silent = 0.0;
        let share = |time: f64| (dt / time).min(1.0);
        self.level =
            if self.level == 0.0 { sum } else { self.level + share(LEVEL_TIME) * (sum - self.level) };
        let between_ears = Vec2::unit(pose.heading + FRAC_PI_2);
        let error = (left - right) / sum - between_ears.dot(self.towards);
        self.towards += between_ears * (share(DIRECTION_TIME) * error);
    }

    /// True if the sound is heard.
    pub fn hears(&self) -> bool {
        self.level > 0.0
    }

    /// How far away a source of this loudness at 1 m would be. [m]
    pub fn distance(&self, loudness: f64) -> f64 {
        (loudness / self.level.max(1e-9)).sqrt()
    }

    /// True if the direction is known well enough to go there.
    pub fn certain(&self) -> bool {
        self.towards.length() > 0.7
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::{vec2, wrap};
    use crewlab_onboard::{Stream, StreamKind};

    /// What two microphones hear of a source at `source`, with 20 % noise.
    fn levels(pose: &Pose, source: Vec2, random: &mut Stream) -> (f64, f64) {
        let way = source - pose.position;
        let distance = way.length();
        let level = |side: f64| {
            let ear = Vec2::unit(pose.heading + side * FRAC_PI_2);
            0.5 * (1.0 + way.dot(ear) / distance) / (distance * distance)
        };
        let mut noisy = |value: f64| (value * (1.0 + 0.2 * random.normal())).max(0.0);
        (noisy(level(1.0)), noisy(level(-1.0)))
    }

    #[test]
    fn a_turn_on_the_spot_tells_the_direction_even_from_behind() {
        let mut random = Stream::new(1, StreamKind::Sensors, 0, 0);
        for n in 0..16 {
            let angle = f64::from(n) * 0.4;
            let source = Vec2::unit(angle) * 4.0;
            let mut ear = Ear::new(4000.0);
            for tick in 0..60 {
                let pose = Pose { position: Vec2::ZERO, heading: wrap(f64::from(tick) * 0.12) };
                let (left, right) = levels(&pose, source, &mut random);
                ear.hear(left, right, &pose, 0.002, 0.1);
            }
            assert!(ear.certain());
            let error = wrap(ear.towards.angle() - angle).abs();
            assert!(error < 0.5, "from {angle}: off by {error}");
            assert!((ear.distance(1.0) - 4.0).abs() < 1.0);
        }
    }

    #[test]
    fn following_the_gradient_leads_to_the_source() {
        let mut random = Stream::new(2, StreamKind::Sensors, 0, 0);
        let source = vec2(5.0, -3.0);
        let mut pose = Pose::new(0.0, 0.0, 2.0);
        let mut ear = Ear::new(4000.0);
        for _ in 0..400 {
            let (left, right) = levels(&pose, source, &mut random);
            ear.hear(left, right, &pose, 0.002, 0.1);
            let bearing = wrap(ear.towards.angle() - pose.heading);
            pose.heading = wrap(pose.heading + (2.0 * bearing).clamp(-2.0, 2.0) * 0.1);
            if bearing.abs() < 0.7 {
                pose.position += Vec2::unit(pose.heading) * 0.03;
            }
            if pose.position.distance(source) < 0.4 {
                return;
            }
        }
        panic!("still {} m away", pose.position.distance(source));
    }

    #[test]
    fn a_sound_that_stops_is_soon_forgotten() {
        let mut ear = Ear::new(4000.0);
        ear.hear(3.0, 3.0, &Pose::default(), 0.002, 0.1);
        assert!(ear.hears());
        for dt in [0.02, 0.1, 0.5] {
            ear.hear(3.0, 3.0, &Pose::default(), 0.002, dt);
            let mut silence = 0.0;
            while ear.hears() {
                ear.hear(0.0, 0.0, &Pose::default(), 0.002, dt);
                silence += dt;
            }
            assert!((silence - SILENT).abs() < dt, "after {silence} s with a tick of {dt} s");
        }
        assert_eq!(ear.frequency, 4000);
    }
}
