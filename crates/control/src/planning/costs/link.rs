//! The cost of the distance to a partner in a mobile ad-hoc network (SWARM algorithm 1): as far away as the link allows.

use super::super::maths::ln;
use super::super::vector::Number;
use super::FromDistance;
use serde::{Deserialize, Serialize};

/// Distances at which the quality of a link is known.
const SAMPLES: usize = 32;
/// The least of these distances; they grow by the same factor. [m]
const NEAREST: f32 = 1.0;
/// The largest. [m]
const FARTHEST: f32 = 4096.0;

/// How a greater distance counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stretch {
    /// By itself.
    Linear,
    /// By ln(1 + d/d0), so that many equal distances are better than a large one. [m]
    Logarithmic(f32),
}

/// The quality of a link at sampled distances, from 0 (nothing arrives) to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reach([f32; SAMPLES]);

impl Reach {
    /// Asks for the quality at each distance. [m]
    pub fn of(quality: impl Fn(f64) -> f64) -> Reach {
        Reach(std::array::from_fn(|n| {
            let distance = f64::from(NEAREST) * libm::exp(n as f64 * f64::from(PER_SAMPLE));
            let quality = quality(distance) as f32;
            if quality > 0.0 { quality.min(1.0) } else { 0.0 }
        }))
    }

    /// The quality at a place between the samples.
    #[inline(always)]
    fn between(&self, place: f32) -> f32 {
        let sample = (place as usize).min(SAMPLES - 2);
        let (near, far) = (self.0[sample], self.0[sample + 1]);
        near + (far - near) * (place - sample as f32)
    }
}

/// -(q I + f s(d)) while the link carries something, else +f d; q is the predicted rate as a share of the highest one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// I, the importance of quality.
    pub importance: f32,
    /// f, the factor of distance. [1/m] or [1]
    pub factor: f32,
    /// s.
    pub stretch: Stretch,
    /// q.
    pub reach: Reach,
}

/// ln(FARTHEST / NEAREST) per sample.
const PER_SAMPLE: f32 = 8.317_766 / (SAMPLES - 1) as f32;

impl FromDistance for Link {
    #[inline(always)]
    fn at<N: Number>(&self, square: N) -> N {
        let square = square.lower(square.like(FARTHEST * FARTHEST));
        let distance = square.root();
        let place = ln(square.higher(square.like(NEAREST))) * (0.5 / PER_SAMPLE);
        let quality = place.map(|place| self.reach.between(place));
        let stretched = match self.stretch {
            Stretch::Linear => distance,
            Stretch::Logarithmic(unit) => ln(distance * (1.0 / unit) + 1.0),
        };
        let linked = (quality * self.importance + stretched * self.factor) * -1.0;
        quality.at_most(quality.like(0.0)).pick(distance * self.factor, linked)
    }

    fn reach(&self) -> f32 {
        f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A link that gets worse from 100 m on and is lost at 200 m.
    fn link(stretch: Stretch) -> Link {
        let reach = Reach::of(|distance| (2.0 - distance / 100.0).clamp(0.0, 1.0));
        Link { importance: 50.0, factor: 0.2, stretch, reach }
    }

    #[test]
    fn farther_is_better_until_the_link_gets_worse() {
        let link = link(Stretch::Linear);
        let at = |distance: f32| link.at(distance * distance);
        assert!(at(60.0) < at(20.0) && at(90.0) < at(60.0), "the same quality");
        assert!(at(150.0) > at(90.0), "half of the quality is worth 25, 60 m are worth 12");
        assert!((at(20.0) + 54.0).abs() < 0.1, "{}", at(20.0));
    }

    #[test]
    fn a_lost_link_draws_robots_together() {
        for stretch in [Stretch::Linear, Stretch::Logarithmic(10.0)] {
            let link = link(stretch);
            let at = |distance: f32| link.at(distance * distance);
            assert!(at(300.0) > 0.0 && at(400.0) > at(300.0));
            assert!(at(f32::MAX).is_finite() && at(0.0).is_finite() && at(1e-6) < 0.0);
        }
    }

    #[test]
    fn a_logarithm_prefers_equal_distances() {
        let link = link(Stretch::Logarithmic(10.0));
        let pair = |a: f32, b: f32| link.at(a * a) + link.at(b * b);
        assert!(pair(50.0, 50.0) < pair(10.0, 90.0));
    }

    #[test]
    fn a_quality_that_is_no_number_is_none() {
        let link = Link { reach: Reach::of(|_| f64::NAN), ..link(Stretch::Linear) };
        assert_eq!(link.at(100.0), 2.0);
    }
}
