//! A wall: a segment that is avoided up to an effective radius around it.

use super::super::vector::{Number, clip};
use super::radial::Quadratic;
use super::{FromDistance, Region};
use serde::{Deserialize, Serialize};

/// A segment with a cost that falls with the square of the distance from it. Around its ends it acts as around a point, so a wall acts
/// over its length and twice its radius.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    from: [f32; 2],
    along: [f32; 2],
    /// 1 over its length squared; 0 if it is a point. [1/m²]
    per_square: f32,
    cost: Quadratic,
}

impl Wall {
    /// A wall between two points [m] with the cost `height` on it and none from the distance `reach` on. [m]
    pub fn new(from: [f32; 2], to: [f32; 2], height: f32, reach: f32) -> Wall {
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let per_square = if square > 0.0 { 1.0 / square } else { 0.0 };
        Wall { from, along, per_square, cost: Quadratic::new(height, reach) }
    }
}

/// Squared distance of a point from a segment. [m²]
#[inline(always)]
pub(super) fn square_to_segment<N: Number>(
    [x, y]: [N; 2],
    from: [f32; 2],
    along: [f32; 2],
    per_square: f32,
) -> N {
    let (dx, dy) = (x - from[0], y - from[1]);
    let share = clip((dx * along[0] + dy * along[1]) * per_square, (0.0, 1.0));
    let (dx, dy) = (dx - share * along[0], dy - share * along[1]);
    dx * dx + dy * dy
}

impl Region for Wall {
    #[inline(always)]
    fn at<N: Number>(&self, x: N, y: N) -> N {
        self.cost.at(square_to_segment([x, y], self.from, self.along, self.per_square))
    }

    fn extent(&self) -> ([f32; 2], f32) {
        let [dx, dy] = self.along;
        let half = 0.5 * (dx * dx + dy * dy).sqrt();
        ([self.from[0] + 0.5 * dx, self.from[1] + 0.5 * dy], half + self.cost.reach())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The walls of SWARM's convoy: the effective radius reaches beyond the ends.
    #[test]
    fn a_wall_acts_over_its_length_and_twice_its_radius() {
        let wall = Wall::new([0.0, 0.0], [0.0, 120.0], 25.0, 20.0);
        assert_eq!(wall.at(0.0, 60.0), 25.0);
        assert_eq!(wall.at(10.0, 60.0), 18.75);
        assert_eq!(wall.at(-10.0, 1.0), 18.75);
        assert!((wall.at(0.0, -10.0) - 18.75).abs() < 1e-4 && (wall.at(0.0, 130.0) - 18.75).abs() < 1e-4);
        assert_eq!((wall.at(0.0, -20.1), wall.at(0.0, 140.1), wall.at(20.1, 60.0)), (0.0, 0.0, 0.0));
        assert!(wall.at(0.0, -19.9) > 0.0 && wall.at(0.0, 139.9) > 0.0);
    }

    #[test]
    fn a_wall_without_length_is_a_point() {
        let wall = Wall::new([3.0, 4.0], [3.0, 4.0], 25.0, 10.0);
        assert_eq!(wall.at(0.0, 0.0), 18.75);
    }
}
