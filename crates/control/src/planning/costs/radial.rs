//! Costs that fall with the distance from a point: linear (SWARM equation 12) and quadratic (13). A negative height attracts.

use super::super::vector::Number;
use super::FromDistance;
use serde::{Deserialize, Serialize};

/// a (1 - d/r) up to the distance r, then nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    height: f32,
    reach: f32,
    /// How fast it falls.
    slope: f32,
}

impl Linear {
    /// The cost `height` (a) at the point and none from the distance `reach` (r) on. [m]
    pub fn new(height: f32, reach: f32) -> Linear {
        Linear { height, reach, slope: height / reach }
    }
}

/// a (1 - d²/r²) up to the distance r, then nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quadratic {
    height: f32,
    reach: f32,
    /// r². [m²]
    square: f32,
    /// How fast it falls.
    slope: f32,
}

impl Quadratic {
    /// The cost `height` (a) at the point and none from the distance `reach` (r) on. [m]
    pub fn new(height: f32, reach: f32) -> Quadratic {
        let square = reach * reach;
        Quadratic { height, reach, square, slope: height / square }
    }
}

impl FromDistance for Linear {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        square.like(self.height) - square.root().lower(square.like(self.reach)) * self.slope
    }

    fn reach(&self) -> f32 {
        self.reach
    }
}

impl FromDistance for Quadratic {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        square.like(self.height) - square.lower(square.like(self.square)) * self.slope
    }

    fn reach(&self) -> f32 {
        self.reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SWARM figure 5.
    #[test]
    fn the_published_quadratic_cost() {
        let cost = Quadratic::new(25.0, 10.0);
        for (distance, value) in [(0.0_f32, 25.0), (5.0, 18.75), (8.0, 9.0), (10.0, 0.0), (11.0, 0.0)] {
            assert!((cost.at(distance * distance) - value).abs() < 1e-5, "{distance}");
        }
    }

    #[test]
    fn the_linear_cost_falls_evenly() {
        let cost = Linear::new(25.0, 10.0);
        for (distance, value) in [(0.0_f32, 25.0), (2.0, 20.0), (8.0, 5.0), (10.0, 0.0), (1e6, 0.0)] {
            assert!((cost.at(distance * distance) - value).abs() < 1e-5, "{distance}");
        }
        assert!(Linear::new(-25.0, 10.0).at(4.0) == -20.0, "an attractor");
    }
}
