//! The bounded rational cost (SWARM equation 16): it acts at any distance, for example as a goal that attracts.

use super::super::vector::Number;
use super::FromDistance;
use serde::{Deserialize, Serialize};

/// b/d, capped at a. Both have the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rational {
    /// b, the cost at a distance of one metre. [m]
    pub factor: f32,
    /// a, the cost at the point.
    pub cap: f32,
}

impl FromDistance for Rational {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        let cost = square.like(self.factor) / square.root();
        // Also at the point itself, where the quotient is infinite or not a number.
        let cap = square.like(self.cap);
        cost.size().at_most(cap.size()).pick(cost, cap)
    }

    fn reach(&self) -> f32 {
        f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_bounded_and_vanishes_far_away() {
        for sign in [1.0, -1.0] {
            let cost = Rational { factor: 10.0 * sign, cap: 20.0 * sign };
            for (distance, value) in [(0.0_f32, 20.0), (0.25, 20.0), (0.5, 20.0), (1.0, 10.0), (100.0, 0.1)] {
                assert!((cost.at(distance * distance) - sign * value).abs() < 1e-5, "{distance}");
            }
        }
        assert_eq!(Rational { factor: 0.0, cap: 20.0 }.at(0.0), 20.0, "0/0 is the cap");
    }
}
