//! A sector: a radial cost in some directions only, as of a tower's antenna.

use super::super::vector::Number;
use super::radial::Quadratic;
use super::{FromDistance, Region};
use serde::{Deserialize, Serialize};

/// A quadratic cost around a point within an angle to both sides of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sector {
    centre: [f32; 2],
    direction: [f32; 2],
    /// Cosine of half the angle of the sector.
    cosine: f32,
    cost: Quadratic,
}

impl Sector {
    /// A sector around `centre` [m] in the direction `heading`, `half` to each side [rad], with the cost `height` at its centre and none from
    /// the distance `reach` on. [m]
    pub fn new(centre: [f32; 2], heading: f32, half: f32, height: f32, reach: f32) -> Sector {
        let (sine, cosine) = libm::sincos(f64::from(heading));
        Sector {
            centre,
            direction: [cosine as f32, sine as f32],
            cosine: libm::cos(f64::from(half).clamp(0.0, std::f64::consts::PI)) as f32,
            cost: Quadratic::new(height, reach),
        }
    }
}

impl Region for Sector {
    #[inline(always)]
    fn at<N: Number>(&self, x: N, y: N) -> N {
        let (dx, dy) = (x - self.centre[0], y - self.centre[1]);
        let square = dx * dx + dy * dy;
        let along = dx * self.direction[0] + dy * self.direction[1];
        (square.root() * self.cosine).at_most(along).pick(self.cost.at(square), square.like(0.0))
    }

    fn extent(&self) -> ([f32; 2], f32) {
        (self.centre, self.cost.reach())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    #[test]
    fn it_acts_within_its_angle_only() {
        let sector = Sector::new([1.0, 1.0], FRAC_PI_2, 0.5, 25.0, 10.0);
        assert_eq!(sector.at(1.0, 6.0), 18.75);
        assert!(sector.at(1.0 + 5.0 * 0.47, 1.0 + 5.0 * 0.882) > 18.0, "28 degrees to the side");
        assert_eq!(sector.at(1.0 + 5.0 * 0.5, 1.0 + 5.0 * 0.866), 0.0, "30 degrees");
        assert_eq!((sector.at(1.0, -4.0), sector.at(1.0, 12.0)), (0.0, 0.0));
        assert_eq!(sector.at(1.0, 1.0), 25.0);
        assert_eq!(Sector::new([0.0, 0.0], 0.0, PI, 25.0, 10.0).at(-5.0, 0.0), 18.75, "all around");
    }
}
