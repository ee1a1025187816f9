//! What planning needs to know of a map: a dense grid of cells that are unknown, free or occupied.

use crate::Place;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Largest number of cells of a grid: 4,096 x 4,096.
pub const MOST_CELLS: usize = 1 << 24;

/// What a robot knows about a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Cell {
    /// Nothing.
    #[default]
    Unknown,
    /// Nothing stands there.
    Free,
    /// An obstacle, or ground that wheels cannot pass.
    Occupied,
}

/// Why a grid cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum GridError {
    /// The number of cells differs from columns times rows: found, expected.
    Cells(usize, usize),
    /// More cells than [`MOST_CELLS`]: columns, rows.
    TooLarge(usize, usize),
    /// The side of a cell is not a positive number. [m]
    Resolution(f64),
    /// The origin is not finite. [m]
    Origin(Vec2),
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GridError::Cells(found, expected) => {
                write!(f, "the grid has {found} cells instead of columns times rows, {expected}")
            }
            GridError::TooLarge(columns, rows) => {
                write!(
                    f,
                    "the grid has {columns} x {rows} cells; at most {MOST_CELLS} are accepted: use larger cells"
                )
            }
            GridError::Resolution(side) => {
                write!(f, "the side of a cell is {side} m; it must be a positive number")
            }
            GridError::Origin(at) => write!(f, "the origin is ({}, {}); both must be finite", at.x, at.y),
        }
    }
}

impl std::error::Error for GridError {}

/// A grid of cells. Column 0, row 0 is at the origin, the lower left corner; rows go up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellGrid {
    columns: usize,
    rows: usize,
    resolution: f64,
    origin: Vec2,
    cells: Vec<Cell>,
}

impl CellGrid {
    /// A grid of unknown cells. `resolution` is the side of a cell, `origin` its lower left corner. [m]
    pub fn new(columns: usize, rows: usize, resolution: f64, origin: Vec2) -> Result<CellGrid, GridError> {
        let count = columns.checked_mul(rows).filter(|count| *count <= MOST_CELLS);
        let count = count.ok_or(GridError::TooLarge(columns, rows))?;
        CellGrid::from_cells(columns, rows, resolution, origin, vec![Cell::Unknown; count])
    }

    /// A grid from its cells, row by row from the lowest.
    pub fn from_cells(
        columns: usize,
        rows: usize,
        resolution: f64,
        origin: Vec2,
        cells: Vec<Cell>,
    ) -> Result<CellGrid, GridError> {
        let count = columns.checked_mul(rows).filter(|count| *count <= MOST_CELLS);
        let count = count.ok_or(GridError::TooLarge(columns, rows))?;
        if cells.len() != count {
            return Err(GridError::Cells(cells.len(), count));
        }
        if !(resolution.is_finite() && resolution > 0.0) {
            return Err(GridError::Resolution(resolution));
        }
        if !(origin.x.is_finite() && origin.y.is_finite()) {
            return Err(GridError::Origin(origin));
        }
        Ok(CellGrid { columns, rows, resolution, origin, cells })
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Side of a cell. [m]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The lower left corner. [m]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// All cells, row by row from the lowest.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// A cell; unknown outside of the grid.
    pub fn get(&self, place: Place) -> Cell {
        self.index(place).map_or(Cell::Unknown, |index| self.cells[index])
    }

    /// Changes a cell; nothing happens outside of the grid.
    pub fn set(&mut self, place: Place, cell: Cell) {
        if let Some(index) = self.index(place) {
            self.cells[index] = cell;
        }
    }

    /// The number of a cell in [`CellGrid::cells`].
    pub fn index(&self, (column, row): Place) -> Option<usize> {
        let inside =
            column >= 0 && row >= 0 && (column as usize) < self.columns && (row as usize) < self.rows;
        inside.then(|| row as usize * self.columns + column as usize)
    }

    /// The cell of a point, which may lie outside of the grid.
    pub fn place(&self, point: Vec2) -> Place {
        // A cast saturates and maps NaN to zero, so no point can overflow.
        let cell = |value: f64, low: f64| ((value - low) / self.resolution).floor().clamp(-1e6, 1e6) as i32;
        (cell(point.x, self.origin.x), cell(point.y, self.origin.y))
    }

    /// The centre of a cell. [m]
    pub fn point(&self, (column, row): Place) -> Vec2 {
        let at = |cell: i32| (f64::from(cell) + 0.5) * self.resolution;
        self.origin + vec2(at(column), at(row))
    }

    /// True if cells lie at the same places as in another grid.
    pub fn aligned(&self, other: &CellGrid) -> bool {
        (self.columns, self.rows) == (other.columns, other.rows)
            && self.resolution == other.resolution
            && self.origin == other.origin
    }

    /// Reads a picture, the uppermost row first: `#` is occupied, `?` unknown, anything else free. Shorter lines are filled with
    /// unknown cells.
    pub fn picture(text: &str, resolution: f64) -> Result<CellGrid, GridError> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut grid = CellGrid::new(columns, lines.len(), resolution, Vec2::ZERO)?;
        for (row, line) in lines.iter().rev().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let cell = match letter {
                    '#' => Cell::Occupied,
                    '?' => Cell::Unknown,
                    _ => Cell::Free,
                };
                grid.set((column as i32, row as i32), cell);
            }
        }
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_grids_are_refused_with_a_reason() {
        let make = |columns, rows, side, x| CellGrid::new(columns, rows, side, vec2(x, 0.0));
        assert!(make(0, 0, 0.1, 0.0).is_ok() && make(1, 1, 0.1, 0.0).is_ok());
        assert_eq!(make(1 << 40, 1 << 40, 0.1, 0.0), Err(GridError::TooLarge(1 << 40, 1 << 40)));
        assert_eq!(make(5000, 5000, 0.1, 0.0), Err(GridError::TooLarge(5000, 5000)));
        assert_eq!(make(1, 1, 0.0, 0.0), Err(GridError::Resolution(0.0)));
        assert!(make(1, 1, f64::NAN, 0.0).is_err() && make(1, 1, 0.1, f64::INFINITY).is_err());
        let few = CellGrid::from_cells(2, 2, 0.1, Vec2::ZERO, vec![Cell::Free]);
        assert_eq!(
            few.expect_err("too few").to_string(),
            "the grid has 1 cells instead of columns times rows, 4"
        );
    }

    #[test]
    fn pictures_have_their_lowest_row_at_the_origin() {
        let grid = CellGrid::picture("#.\n?", 0.5).expect("a picture");
        assert_eq!((grid.columns(), grid.rows()), (2, 2));
        assert_eq!(grid.get((0, 1)), Cell::Occupied);
        assert_eq!((grid.get((0, 0)), grid.get((1, 0))), (Cell::Unknown, Cell::Unknown));
        assert_eq!(grid.place(vec2(0.6, 0.2)), (1, 0));
        assert_eq!(grid.point((1, 0)), vec2(0.75, 0.25));
        assert_eq!(grid.index(grid.place(vec2(f64::NAN, 1e300))), None);
    }
}
