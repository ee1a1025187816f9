//! Square tiles of a grid: what is derived from a map is computed tile by tile, and again only where something changed.

use super::bits::Bits;
use super::cell_grid::{Cell, CellGrid};

/// Side of the tiles in which changes are noticed: the cells of one word of [`super::bits::Bits`]. [cells]
pub const SIDE: usize = 64;

/// A rectangle of cells, its upper bounds excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column.
    pub left: i32,
    /// First row.
    pub low: i32,
    /// Column behind the last.
    pub right: i32,
    /// Row above the last.
    pub high: i32,
}

impl Window {
    /// The rectangle with a margin all around, inside of a grid of this size.
    pub fn grown(self, margin: i32, columns: usize, rows: usize) -> Window {
        Window {
            left: (self.left - margin).max(0),
            low: (self.low - margin).max(0),
            right: (self.right + margin).min(columns as i32),
            high: (self.high + margin).min(rows as i32),
        }
    }

    /// Width and height.
    pub fn size(self) -> (usize, usize) {
        ((self.right - self.left).max(0) as usize, (self.high - self.low).max(0) as usize)
    }
}

/// A set of tiles of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiles {
    columns: usize,
    rows: usize,
    side: usize,
    across: usize,
    marked: Vec<bool>,
}

impl Tiles {
    /// Tiles of a grid of this size, all marked or none.
    pub fn new(columns: usize, rows: usize, marked: bool) -> Tiles {
        Tiles::of_side(SIDE, columns, rows, marked)
    }

    fn of_side(side: usize, columns: usize, rows: usize, marked: bool) -> Tiles {
        let across = columns.div_ceil(side);
        Tiles { columns, rows, side, across, marked: vec![marked; across * rows.div_ceil(side)] }
    }

    /// The tiles in which two aligned grids differ.
    pub fn changed(old: &CellGrid, new: &CellGrid) -> Tiles {
        let mut tiles = Tiles::new(new.columns(), new.rows(), false);
        if new.columns() == 0 {
            return tiles;
        }
        let rows = old.cells().chunks(new.columns()).zip(new.cells().chunks(new.columns()));
        for (row, (old, new)) in rows.enumerate() {
            let first = row / SIDE * tiles.across;
            for (column, (old, new)) in old.chunks(SIDE).zip(new.chunks(SIDE)).enumerate() {
                tiles.marked[first + column] |= differ(old, new);
            }
        }
        tiles
    }

    /// The tiles in which two sets of cells of the same grid differ.
    pub fn different(old: &Bits, new: &Bits) -> Tiles {
        let mut tiles = Tiles::new(new.columns(), new.rows(), false);
        for row in 0..new.rows() {
            // A word of a set is as wide as a tile.
            let words = old.row(row as i32).iter().zip(new.row(row as i32)).enumerate();
            let first = row / SIDE * tiles.across;
            words.for_each(|(column, (old, new))| tiles.marked[first + column] |= old != new);
        }
        tiles
    }

    /// Marks also the tiles that are marked in another set of tiles of the same grid and side.
    pub fn join(&mut self, other: &Tiles) {
        self.marked.iter_mut().zip(&other.marked).for_each(|(marked, other)| *marked |= other);
    }

    /// True if no tile is marked.
    pub fn is_empty(&self) -> bool {
        !self.marked.contains(&true)
    }

    /// The tiles within so many cells of a marked one.
    pub fn grown(&self, margin: i32) -> Tiles {
        self.grown_to(margin, self.side)
    }

    /// The same as tiles of another side, a multiple of [`SIDE`]. [cells]
    pub fn grown_to(&self, margin: i32, side: usize) -> Tiles {
        let mut grown = Tiles::of_side(side, self.columns, self.rows, false);
        for window in self.windows() {
            let reach = window.grown(margin, self.columns, self.rows);
            for row in reach.low as usize / side..=(reach.high as usize - 1) / side {
                for column in reach.left as usize / side..=(reach.right as usize - 1) / side {
                    grown.marked[row * grown.across + column] = true;
                }
            }
        }
        grown
    }

    /// True if a marked tile touches a rectangle.
    pub fn touch(&self, window: Window) -> bool {
        let reach = window.grown(0, self.columns, self.rows);
        let (width, height) = reach.size();
        if width == 0 || height == 0 {
            return false;
        }
        (reach.low as usize / self.side..=(reach.high as usize - 1) / self.side).any(|row| {
            let span = reach.left as usize / self.side..=(reach.right as usize - 1) / self.side;
            self.marked[row * self.across..][span].contains(&true)
        })
    }

    /// Marks the tile of a cell.
    pub fn mark(&mut self, (column, row): crate::Place) {
        self.marked[row as usize / self.side * self.across + column as usize / self.side] = true;
    }

    /// The rectangles of the marked tiles.
    pub fn windows(&self) -> impl Iterator<Item = Window> {
        let marked = self.marked.iter().enumerate().filter(|(_, marked)| **marked);
        marked.map(|(tile, _)| {
            let (left, low) =
                ((tile % self.across * self.side) as i32, (tile / self.across * self.side) as i32);
            let (right, high) = (left + self.side as i32, low + self.side as i32);
            Window { left, low, right, high }.grown(0, self.columns, self.rows)
        })
    }
}

/// Without an early exit, so that many cells are compared at once.
fn differ(old: &[Cell], new: &[Cell]) -> bool {
    old.iter().zip(new).fold(0, |all, (old, new)| all | (*old as u8 ^ *new as u8)) != 0
}
