//! The check of the next waypoint (figure B.6): does it lie where the robot is asked to go, or where the last ones lay?

use crewlab_onboard::geometry::{Vec2, wrap};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Number of waypoints that are remembered: n.
const REMEMBERED: usize = 6;
/// Smallest and largest deviation from a direction that was asked for: Δφ. [rad]
const DEVIATION: (f64, f64) = (PI / 6.0, PI / 2.0);
/// Smallest and largest number of standard deviations from the mean of the last waypoints: α.
const SPREAD: (f64, f64) = (2.0, 4.0);
/// Smallest standard deviation of the last waypoints: σ. [rad]
const LEAST_SPREAD: f64 = PI / 36.0;

/// The directions of the last waypoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Consistency {
    last: Vec<f64>,
}

/// What lies between two bounds: the first at full accuracy, the second at the lowest.
fn widened((strict, lenient): (f64, f64), accuracy: f64, lowest: f64) -> f64 {
    let share = ((1.0 - accuracy) / (1.0 - lowest).max(1e-9)).clamp(0.0, 1.0);
    strict + (lenient - strict) * share
}

impl Consistency {
    /// Forgets the last waypoints.
    pub fn clear(&mut self) {
        self.last.clear();
    }

    /// True if a waypoint in this direction is accepted, at an accuracy from `lowest` to 1. `asked` is the direction that the robot
    /// is asked to go in, if there is one. Every waypoint is remembered, accepted or not: a new direction that lasts becomes the
    /// usual one. [rad]
    pub fn accepts(&mut self, direction: f64, asked: Option<f64>, accuracy: f64, lowest: f64) -> bool {
        let accepted = match asked {
            Some(asked) => wrap(direction - asked).abs() <= widened(DEVIATION, accuracy, lowest) + 1e-9,
            None => self.is_usual(direction, widened(SPREAD, accuracy, lowest)),
        };
        if self.last.len() == REMEMBERED {
            self.last.remove(0);
        }
        self.last.push(direction);
        accepted
    }

    /// |φ - µ| < α σ of the last directions; anything is usual before there are two.
    fn is_usual(&self, direction: f64, factor: f64) -> bool {
        if self.last.len() < 2 {
            return true;
        }
        let sum = self.last.iter().fold(Vec2::ZERO, |sum, angle| sum + Vec2::unit(*angle));
        let mean = sum.angle();
        let squares = self.last.iter().map(|angle| wrap(angle - mean) * wrap(angle - mean)).sum::<f64>();
        let deviation = (squares / self.last.len() as f64).sqrt().max(LEAST_SPREAD);
        wrap(direction - mean).abs() < factor * deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEGREE: f64 = PI / 180.0;

    fn accepts(asked: Option<f64>, direction: f64, accuracy: f64) -> bool {
        Consistency::default().accepts(direction * DEGREE, asked.map(|asked| asked * DEGREE), accuracy, 0.25)
    }

    /// The left half of figure B.6.
    #[test]
    fn a_direction_is_kept_within_30_degrees_and_within_90_at_the_lowest_accuracy() {
        assert!(accepts(Some(0.0), 30.0, 1.0) && !accepts(Some(0.0), 31.0, 1.0));
        assert!(accepts(Some(0.0), 50.0, 0.75) && !accepts(Some(0.0), 51.0, 0.75));
        assert!(accepts(Some(0.0), -90.0, 0.25) && !accepts(Some(0.0), 91.0, 0.25));
        assert!(accepts(Some(170.0), -170.0, 1.0), "the shorter way round counts");
    }

    /// The right half.
    #[test]
    fn other_behaviours_keep_near_the_last_waypoints() {
        let steady = || {
            let mut consistency = Consistency::default();
            (0..6).for_each(|_| assert!(consistency.accepts(0.1, None, 1.0, 0.25)));
            consistency
        };
        assert!(steady().accepts(0.1 + 9.9 * DEGREE, None, 1.0, 0.25), "within two of at least 5 degrees");
        assert!(!steady().accepts(0.1 + 10.1 * DEGREE, None, 1.0, 0.25));
        assert!(
            steady().accepts(0.1 + 19.9 * DEGREE, None, 0.25, 0.25),
            "within four at the lowest accuracy"
        );
        assert!(!steady().accepts(0.1 + 20.1 * DEGREE, None, 0.25, 0.25));
    }

    /// A robot that comes to a corner turns by a right angle: one or two waypoints are doubted, then the new direction is accepted.
    #[test]
    fn a_new_direction_that_lasts_is_accepted() {
        let mut consistency = Consistency::default();
        (0..6).for_each(|_| assert!(consistency.accepts(0.0, None, 1.0, 0.25)));
        let doubted = (0..6).take_while(|_| !consistency.accepts(90.0 * DEGREE, None, 1.0, 0.25)).count();
        assert!((1..=3).contains(&doubted), "{doubted}");
    }
}
