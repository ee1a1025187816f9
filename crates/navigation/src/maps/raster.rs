//! A map as a rectangle of cells, as files hold it.

use super::{CellState, Evidence, OccupancyGrid};
use crate::Place;
use crewlab_onboard::geometry::Vec2;

/// More cells than this are not accepted from a file.
pub const MOST_CELLS: usize = 16_000_000;

/// A rectangle of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from bottom to top.
    pub rows: usize,
    /// Side of a cell. [m]
    pub resolution: f64,
    /// The lower left corner. [m]
    pub origin: Vec2,
    /// Row by row, the lowest row first. The probability that a cell is occupied; `None` if it is unknown.
    pub cells: Vec<Option<f64>>,
}

/// Refuses sizes that no memory should be spent on.
pub fn check_size(columns: usize, rows: usize) -> Result<(), String> {
    if columns == 0 || rows == 0 {
        return Err(format!("the map has {columns} x {rows} cells; it needs at least one"));
    }
    if columns.saturating_mul(rows) > MOST_CELLS {
        return Err(format!(
            "the map has {columns} x {rows} cells; at most {MOST_CELLS} are accepted: make it coarser"
        ));
    }
    Ok(())
}

impl Raster {
    /// The observed part of a grid; a single unknown cell if nothing was observed.
    pub fn of(grid: &OccupancyGrid) -> Raster {
        let (low, high) = grid.bounds().unwrap_or_default();
        let (columns, rows) = ((high.0 - low.0 + 1) as usize, (high.1 - low.1 + 1) as usize);
        let cell =
            |index: usize| -> Place { (low.0 + (index % columns) as i32, low.1 + (index / columns) as i32) };
        let known = |cell: Place| grid.log_odds(cell).map(|_| grid.probability(cell));
        let corner = grid.point(low);
        let half = grid.resolution() / 2.0;
        Raster {
            columns,
            rows,
            resolution: grid.resolution(),
            origin: Vec2 { x: corner.x - half, y: corner.y - half },
            cells: (0..columns * rows).map(|index| known(cell(index))).collect(),
        }
    }

    /// The state of a cell, counted from the lower left one; unknown outside.
    pub fn state(&self, column: usize, row: usize) -> CellState {
        let inside = column < self.columns && row < self.rows;
        match self.cells.get(row * self.columns + column).copied().flatten().filter(|_| inside) {
            Some(probability) if probability > 0.5 => CellState::Occupied,
            Some(probability) if probability < 0.5 => CellState::Free,
            _ => CellState::Unknown,
        }
    }

    /// The same as a grid that can grow.
    pub fn grid(&self) -> OccupancyGrid {
        let mut grid = OccupancyGrid::with_origin(self.resolution, self.origin);
        for (index, cell) in self.cells.iter().enumerate() {
            let place = ((index % self.columns) as i32, (index / self.columns) as i32);
            if let Some(probability) = cell {
                let sure = probability.clamp(1e-6, 1.0 - 1e-6);
                grid.set(place, Evidence::of(libm::log(sure / (1.0 - sure))));
            }
        }
        grid
    }
}
