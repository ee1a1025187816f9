//! How fast the ground is, where a robot has seen that it is not even.

use crate::Place;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Side of a cell. [m]
const SIDE: f64 = 0.2;
/// More cells than this are not remembered.
const MOST: usize = 20_000;
/// A first reading this far from 1 is remembered, if noise does not explain it ...
const NOTABLE: f64 = 0.1;
/// ... until the mean is this near to 1 again.
const EVEN: f64 = 0.05;
/// Share of a new reading in the mean of a cell.
const GAIN: f64 = 0.3;
/// Ground that is slower than this stops a robot, as objects of this penetrability do.
const IMPASSABLE: f64 = 0.1;

/// A piece of ground that is not even.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Patch {
    cell: Place,
    /// Mean factor on speed.
    factor: f64,
}

/// A map of speed factors; where nothing is known, the ground is even.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ground(Vec<Patch>);

fn cell(point: Vec2) -> Place {
    ((point.x / SIDE).floor() as i32, (point.y / SIDE).floor() as i32)
}

impl Ground {
    /// The pace of even ground.
    pub(crate) const UNIT: u32 = 4;
    /// The highest pace.
    pub(crate) const SLOWEST: u32 = (Ground::UNIT as f64 / IMPASSABLE) as u32;

    /// Learns from a reading of the speed factor at a point. `noise` is its standard deviation.
    pub fn learn(&mut self, at: Vec2, factor: f64, noise: f64) {
        let cell = cell(at);
        match self.0.binary_search_by_key(&cell, |patch| patch.cell) {
            Ok(place) => {
                let mean = &mut self.0[place].factor;
                *mean += GAIN * (factor - *mean);
                if (*mean - 1.0).abs() < EVEN + noise / 2.0 {
                    self.0.remove(place);
                }
            }
            Err(place) if (factor - 1.0).abs() > NOTABLE + noise && self.0.len() < MOST => {
                self.0.insert(place, Patch { cell, factor });
            }
            Err(_) => {}
        }
    }

    /// True if nothing but even ground is known.
    pub fn is_even(&self) -> bool {
        self.0.is_empty()
    }

    /// The speed factor at a point.
    pub fn factor(&self, at: Vec2) -> f64 {
        let found = self.0.binary_search_by_key(&cell(at), |patch| patch.cell);
        found.map_or(1.0, |place| self.0[place].factor)
    }

    /// How many metres of even ground take as long as the straight line between two points. [m]
    pub fn effort(&self, from: Vec2, to: Vec2) -> f64 {
        let way = to - from;
        let length = way.length();
        if self.is_even() {
            return length;
        }
        let steps = (length / (0.5 * SIDE)).ceil().clamp(1.0, 1e4) as u32;
        let share = |n: u32| (f64::from(n) + 0.5) / f64::from(steps);
        let slowness = (0..steps).map(|n| 1.0 / self.factor(from + way * share(n)).max(0.1 * IMPASSABLE));
        length * slowness.sum::<f64>() / f64::from(steps)
    }

    /// Time per metre in whole numbers, 4 on even ground; `None` if a robot cannot drive there.
    pub(crate) fn pace(&self, at: Vec2) -> Option<u32> {
        let factor = self.factor(at);
        let pace = (f64::from(Ground::UNIT) / factor.max(IMPASSABLE)).round();
        (factor >= IMPASSABLE).then_some((pace as u32).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;
    use crewlab_onboard::{Stream, StreamKind};

    #[test]
    fn slow_ground_takes_longer_and_is_forgotten_when_it_has_dried() {
        let mut ground = Ground::default();
        assert_eq!(ground.effort(vec2(0.0, 0.0), vec2(3.0, 4.0)), 5.0);
        let puddle = vec2(1.05, 0.15);
        ground.learn(puddle, 0.25, 0.0);
        assert_eq!((ground.factor(puddle), ground.pace(puddle)), (0.25, Some(16)));
        assert_eq!((ground.factor(vec2(1.35, 0.15)), ground.pace(vec2(1.35, 0.15))), (1.0, Some(4)));
        // 0.2 m of 3 m take four times as long.
        let effort = ground.effort(vec2(0.0, 0.15), vec2(3.0, 0.15));
        assert!((effort - 3.6).abs() < 1e-9, "{effort}");
        for _ in 0..20 {
            ground.learn(puddle, 1.0, 0.0);
        }
        assert!(ground.is_even());
    }

    #[test]
    fn noise_is_averaged_and_makes_no_lasting_patches() {
        let (mut ground, mut random) = (Ground::default(), Stream::new(1, StreamKind::Sensors, 0, 0));
        let (noise, slow) = (0.2, vec2(-1.0, -1.0));
        for _ in 0..200 {
            for n in 0..100 {
                let even = vec2(0.3 * f64::from(n % 10) + 0.1, 0.3 * f64::from(n / 10) + 0.1);
                ground.learn(even, 1.0 + noise * random.normal(), noise);
            }
            ground.learn(slow, 0.4 * (1.0 + noise * random.normal()), noise);
        }
        assert!((ground.factor(slow) - 0.4).abs() < 0.15, "{}", ground.factor(slow));
        assert!(ground.0.len() < 40, "{} of 100 cells seem uneven", ground.0.len() - 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut ground = Ground::default();
        for n in 0..200 {
            for m in 0..200 {
                ground.learn(vec2(f64::from(n), f64::from(m)), 0.5, 0.0);
            }
        }
        assert_eq!(ground.0.len(), MOST);
    }
}
