//! Ground that is easier or harder to drive on.

use crewlab_onboard::Vec2;
use serde::{Deserialize, Serialize};

/// A grid with a speed factor per cell; 1 outside.
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
}

impl Terrain {
    /// The factor by which the ground at `point` changes speed.
    pub fn factor(&self, point: Vec2) -> f64 {
        let local = (point - self.origin) * (1.0 / self.cell);
        if local.x < 0.0 || local.y < 0.0 {
            return 1.0;
        }
        let (column, row) = (local.x as usize, local.y as usize);
        if column >= self.columns || row >= self.rows {
            return 1.0;
        }
        self.factors.get(row * self.columns + column).copied().unwrap_or(1.0)
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
        };
        for (x, y, factor) in [
            (1.1, 1.1, 0.1),
            (1.6, 1.1, 0.2),
            (1.1, 1.9, 0.3),
            (1.9, 1.9, 0.4),
            (0.9, 1.5, 1.0),
            (2.1, 1.5, 1.0),
        ] {
            assert_eq!(terrain.factor(vec2(x, y)), factor);
        }
    }
}
