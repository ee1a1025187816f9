//! Ground that is easier or harder to drive on: it changes speed and the energy per metre.

use crewlab_onboard::Vec2;
use serde::{Deserialize, Serialize};

/// A grid with a speed factor per cell, and a factor on the energy per metre; both are 1 outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terrain {
    /// Lower left corner. [m]
    pub origin: Vec2,
    /// Side of a cell. [m]
    pub cell: f64,
    /// Cells per row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Factors row by row, from the bottom row up.
    pub factors: Vec<f64>,
    /// Factors on the energy per metre in the same order; none if they are all 1.
    pub energy: Vec<f64>,
}

impl Terrain {
    /// The factor by which the ground at `point` changes speed.
    pub fn factor(&self, point: Vec2) -> f64 {
        self.place(point).and_then(|place| self.factors.get(place)).copied().unwrap_or(1.0)
    }

    /// The factor by which the ground at `point` changes the energy per metre.
    pub fn energy(&self, point: Vec2) -> f64 {
        if self.energy.is_empty() {
            return 1.0;
        }
        self.place(point).and_then(|place| self.energy.get(place)).copied().unwrap_or(1.0)
    }

    /// The place of the cell that a point is in.
    fn place(&self, point: Vec2) -> Option<usize> {
        let local = (point - self.origin) * (1.0 / self.cell);
        if local.x < 0.0 || local.y < 0.0 {
            return None;
        }
        let (column, row) = (local.x as usize, local.y as usize);
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn each_cell_has_its_factor_and_the_outside_has_none() {
        let terrain = Terrain {
            origin: vec2(1.0, 1.0),
            cell: 0.5,
            columns: 2,
            rows: 2,
            factors: vec![0.1, 0.2, 0.3, 0.4],
            energy: vec![2.0, 3.0, 4.0, 5.0],
        };
        for (x, y, factor, energy) in [
            (1.1, 1.1, 0.1, 2.0),
            (1.6, 1.1, 0.2, 3.0),
            (1.1, 1.9, 0.3, 4.0),
            (1.9, 1.9, 0.4, 5.0),
            (0.9, 1.5, 1.0, 1.0),
            (2.1, 1.5, 1.0, 1.0),
        ] {
            assert_eq!((terrain.factor(vec2(x, y)), terrain.energy(vec2(x, y))), (factor, energy));
        }
        let plain = Terrain { energy: Vec::new(), ..terrain };
        assert_eq!(plain.energy(vec2(1.1, 1.1)), 1.0);
    }
}
