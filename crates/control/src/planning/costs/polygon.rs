//! A polygon: full cost inside, falling with the distance from its edges outside.

use super::super::vector::Number;
use super::radial::Quadratic;
use super::wall::square_to_segment;
use super::{FromDistance, Region};
use serde::{Deserialize, Serialize};

/// A simple polygon, convex or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    /// Start and direction of each edge, and 1 over its length squared.
    edges: Vec<([f32; 2], [f32; 2], f32)>,
    cost: Quadratic,
    extent: ([f32; 2], f32),
}

impl Polygon {
    /// A polygon with these corners [m], the cost `height` inside and none from the distance `reach` on. [m]
    pub fn new(corners: &[[f32; 2]], height: f32, reach: f32) -> Polygon {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(from, to)| {
            let along = [to[0] - from[0], to[1] - from[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            (*from, along, if square > 0.0 { 1.0 / square } else { 0.0 })
        });
        let count = corners.len().max(1) as f32;
        let middle = corners
            .iter()
            .fold([0.0; 2], |sum: [f32; 2], at| [sum[0] + at[0] / count, sum[1] + at[1] / count]);
        let far = corners.iter().map(|at| {
            let (dx, dy) = (at[0] - middle[0], at[1] - middle[1]);
            (dx * dx + dy * dy).sqrt()
        });
        let extent = (middle, far.fold(0.0, f32::max) * 1.001 + reach);
        Polygon { edges: edges.collect(), cost: Quadratic::new(height, reach), extent }
    }
}

impl Polygon {
    /// The cost at a place. [m]
    #[inline(always)]
    fn single(&self, x: f32, y: f32) -> f32 {
        let (mut square, mut inside) = (f32::INFINITY, false);
        for (from, along, per_square) in &self.edges {
            let distance = square_to_segment([x, y], *from, *along, *per_square);
            square = if distance < square { distance } else { square };
            // A ray towards +x crosses the edge.
            let end = from[1] + along[1];
            let crosses = (from[1] > y) != (end > y);
            let side = (x - from[0]) * along[1] - (y - from[1]) * along[0];
            inside ^= crosses & ((side < 0.0) == (along[1] > 0.0));
        }
        self.cost.at(if inside { 0.0 } else { square })
    }
}

impl Region for Polygon {
    #[inline(always)]
    fn at<N: Number>(&self, x: N, y: N) -> N {
        x.zip(y, |x, y| self.single(x, y))
    }

    fn extent(&self) -> ([f32; 2], f32) {
        self.extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L: its notch is outside.
    #[test]
    fn a_polygon_with_a_notch() {
        let corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [10.0, 10.0], [10.0, 20.0], [0.0, 20.0]];
        for corners in [corners.to_vec(), corners.into_iter().rev().collect()] {
            let polygon = Polygon::new(&corners, 25.0, 4.0);
            for (x, y) in [(5.0, 5.0), (15.0, 5.0), (5.0, 15.0), (9.9, 9.9)] {
                assert_eq!(polygon.at(x, y), 25.0, "{x} {y}");
            }
            assert_eq!(
                (polygon.at(16.0, 16.0), polygon.at(-5.0, 5.0), polygon.at(5.0, 25.0)),
                (0.0, 0.0, 0.0)
            );
            assert_eq!(polygon.at(12.0, 16.0), 18.75);
            assert_eq!(polygon.at(-2.0, 5.0), 18.75);
        }
    }

    #[test]
    fn nothing_encloses_nothing() {
        assert_eq!(Polygon::new(&[], 25.0, 4.0).at(0.0, 0.0), 0.0);
    }
}
