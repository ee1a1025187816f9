//! The social cost (SWARM equation 17): it repels at close range and attracts from afar, least at a wanted distance.

use super::super::maths::{exp, ln};
use super::super::vector::Number;
use super::FromDistance;
use serde::{Deserialize, Serialize};

/// min(a, b1/d^γ1 - b2/d^γ2). The publication caps the absolute value, which gives +a inside a well that is deeper than a is high.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Social {
    repulsion: f32,
    attraction: f32,
    steep: f32,
    flat: f32,
    cap: f32,
}

impl Social {
    /// The cost that is `least` (below zero) at the distance `wanted` [m] and never above `most`; `steep` > `flat` > 0 are γ1 and γ2.
    pub fn new(least: f32, most: f32, wanted: f32, steep: f32, flat: f32) -> Social {
        let power = |exponent: f32| libm::pow(f64::from(wanted), f64::from(exponent)) as f32;
        Social {
            repulsion: -least * flat / (steep - flat) * power(steep),
            attraction: -least * steep / (steep - flat) * power(flat),
            steep,
            flat,
            cap: most,
        }
    }
}

impl FromDistance for Social {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        // Closer than 0.1 mm the cap holds anyway.
        let log = ln(square.higher(square.like(1e-8))) * 0.5;
        let cost = exp(log * -self.steep) * self.repulsion - exp(log * -self.flat) * self.attraction;
        cost.lower(square.like(self.cap))
    }

    fn reach(&self) -> f32 {
        f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SWARM figure 6.
    #[test]
    fn the_published_social_cost() {
        let cost = Social::new(-10.0, 20.0, 10.0, 2.0, 1.0);
        assert!((cost.repulsion - 1000.0).abs() < 1e-2 && (cost.attraction - 200.0).abs() < 1e-3);
        let at = |distance: f32| cost.at(distance * distance);
        assert!((at(10.0) + 10.0).abs() < 1e-3, "least at the wanted distance");
        assert!(at(9.5) > at(10.0) && at(10.5) > at(10.0));
        assert!(at(5.0).abs() < 1e-2 && at(4.9) > 0.0 && at(5.1) < 0.0);
        assert!(at(3.65) == 20.0 && at(3.67) < 20.0 && at(0.0) == 20.0);
        assert!((at(1000.0) + 0.199).abs() < 1e-3);
    }

    /// The test as printed would give +5 at the bottom of the well.
    #[test]
    fn a_deep_well_is_not_capped() {
        assert!((Social::new(-10.0, 5.0, 10.0, 2.0, 1.0).at(100.0) + 10.0).abs() < 1e-3);
    }
}
