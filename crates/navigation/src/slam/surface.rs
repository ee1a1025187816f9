//! What a cell knows about the surface in it: mean and spread of the points that were seen there (normal distributions transform).
//! It locates walls far more precisely than the side of a cell.

use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// From this many points on, older ones count less, so that the map follows changes.
const MEMORY: f32 = 60.0;
/// The number of points that the spread is known for beforehand: that of points all over the cell.
const PRIOR: f64 = 3.0;

/// The points in a cell, relative to its centre. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    count: f32,
    mean: [f32; 2],
    /// Spread in xx, xy and yy. [m²]
    spread: [f32; 3],
}

/// How far a point is from a surface.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// From the mean to the point. [m]
    pub offset: Vec2,
    /// Inverse of the spread in xx, xy and yy. [1/m²]
    pub precision: [f64; 3],
    /// The squared distance in standard deviations.
    pub squared: f64,
}

impl Surface {
    /// True if no point was seen in the cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0.0
    }

    /// The mean of the points, relative to the cell's centre. [m]
    pub fn mean(&self) -> Vec2 {
        vec2(f64::from(self.mean[0]), f64::from(self.mean[1]))
    }

    /// Adds a point, relative to the cell's centre. [m]
    pub fn add(&mut self, point: Vec2) {
        self.count = (self.count + 1.0).min(MEMORY);
        let rate = 1.0 / self.count;
        let (dx, dy) = (point.x as f32 - self.mean[0], point.y as f32 - self.mean[1]);
        self.mean[0] += rate * dx;
        self.mean[1] += rate * dy;
        let kept = 1.0 - rate;
        for (spread, square) in self.spread.iter_mut().zip([dx * dx, dx * dy, dy * dy]) {
            *spread = kept * (*spread + rate * square);
        }
    }

    /// The gap to a point relative to the cell's centre [m], for a cell of this side [m] and points with this variance [m²].
    #[inline]
    pub fn gap(&self, point: Vec2, side: f64, variance: f64) -> Gap {
        let offset = point - self.mean();
        let count = f64::from(self.count);
        let share = 1.0 / (count + PRIOR);
        let known = count * share;
        // Points all over a cell have the variance side²/12 in each direction.
        let added = PRIOR * share * side * side / 12.0 + variance;
        let xx = known * f64::from(self.spread[0]) + added;
        let xy = known * f64::from(self.spread[1]);
        let yy = known * f64::from(self.spread[2]) + added;
        let scale = 1.0 / (xx * yy - xy * xy);
        let precision = [yy * scale, -xy * scale, xx * scale];
        let squared = precision[0] * offset.x * offset.x
            + 2.0 * precision[1] * offset.x * offset.y
            + precision[2] * offset.y * offset.y;
        Gap { offset, precision, squared }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_sharp_across_and_soft_along() {
        let mut surface = Surface::default();
        for step in 0..50 {
            surface.add(vec2(0.03, f64::from(step % 10) * 0.015 - 0.0675));
        }
        let squared = |x, y| surface.gap(vec2(x, y), 0.15, 4e-4).squared;
        // The same 5 cm along the wall and across it.
        let (along, across) = (squared(0.03, 0.05), squared(0.08, 0.0));
        assert!(across > 2.0 * along, "{along} {across}");
        assert!((surface.mean().x - 0.03).abs() < 1e-6);
    }
}
