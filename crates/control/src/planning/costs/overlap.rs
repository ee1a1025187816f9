//! The overlap of two sensor discs, as a share of a disc: robots that see the same places see less together.

use super::super::maths::acos;
use super::super::vector::Number;
use super::FromDistance;
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;

/// A/πr² with A = 2r² acos(d/2r) - (d/2) √(4r² - d²) for d < 2r, times a.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// a, the cost of the same place.
    pub height: f32,
    /// r, the radius of both discs. [m]
    pub radius: f32,
}

impl FromDistance for Overlap {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        // In units of 2r: A/πr² = (2 acos h - 2 h √(1 - h²)) / π.
        let half = (square.root() * (0.5 / self.radius)).lower(square.like(1.0));
        (acos(half) - half * (half.like(1.0) - half * half).root()) * (self.height * (2.0 / PI))
    }

    fn reach(&self) -> f32 {
        2.0 * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_that_of_the_formula() {
        let cost = Overlap { height: PI * 900.0, radius: 30.0 };
        for distance in [0.0_f64, 1.0, 10.0, 30.0, 45.0, 59.9, 60.0, 100.0] {
            let d = distance.min(60.0);
            let area = 1800.0 * libm::acos(d / 60.0) - d / 2.0 * (3600.0 - d * d).sqrt();
            let cost = f64::from(cost.at((distance * distance) as f32));
            // Of an area of 2827 m².
            assert!((cost - area).abs() < 0.2, "{distance} m: {cost}, not {area}");
        }
    }
}
