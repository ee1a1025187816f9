//! A plane of cells in square tiles. It grows where something is written. Clones share tiles until one of them writes.

use crate::Place;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Side of a tile. [cells]
pub const TILE: i32 = 16;
/// Cells of a tile.
pub(crate) const AREA: usize = (TILE * TILE) as usize;
/// The directory grows by at least this many tiles, so that a robot that drives on does not enlarge it at every step.
const MARGIN: i64 = 4;
/// The largest directory. With cells of 0.15 m this is a box of 0.75 km²: what lies outside it comes from broken positions.
const MOST_TILES: i64 = 1 << 17;

/// The cells of a tile, row by row from its lower left corner.
pub(crate) type Tile<T> = Arc<[T]>;

/// An unbounded plane of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tiles<T> {
    /// The lower left tile of the directory.
    pub(crate) low: Place,
    pub(crate) columns: i32,
    pub(crate) rows: i32,
    /// Row by row from the lower left tile.
    pub(crate) tiles: Vec<Option<Tile<T>>>,
}

impl<T> Default for Tiles<T> {
    fn default() -> Self {
        Tiles { low: (0, 0), columns: 0, rows: 0, tiles: Vec::new() }
    }
}

/// The tile of a cell.
#[inline]
pub(crate) fn tile_of(cell: Place) -> Place {
    (cell.0.div_euclid(TILE), cell.1.div_euclid(TILE))
}

/// Where a cell is in its tile.
#[inline]
pub(crate) fn index_in_tile(cell: Place) -> usize {
    (cell.1.rem_euclid(TILE) * TILE + cell.0.rem_euclid(TILE)) as usize
}

impl<T: Copy + Default> Tiles<T> {
    /// The content of a cell; the default where nothing was written.
    #[inline]
    pub fn get(&self, cell: Place) -> T {
        let tile = self.tile(tile_of(cell));
        tile.and_then(|cells| cells.get(index_in_tile(cell)).copied()).unwrap_or_default()
    }

    /// A cell to write to; `None` if the plane would become absurdly large.
    pub fn get_mut(&mut self, cell: Place) -> Option<&mut T> {
        self.tile_mut(tile_of(cell))?.get_mut(index_in_tile(cell))
    }

    /// The cells of a tile, row by row; `None` where nothing was written.
    #[inline]
    pub fn tile(&self, tile: Place) -> Option<&[T]> {
        self.tiles.get(self.index(tile)?)?.as_deref()
    }

    /// The cells of a tile to write to; `None` if the plane would become absurdly large.
    pub fn tile_mut(&mut self, tile: Place) -> Option<&mut [T]> {
        if self.index(tile).is_none() {
            self.grow(tile)?;
        }
        let index = self.index(tile)?;
        let slot = self.tiles.get_mut(index)?;
        Some(Arc::make_mut(slot.get_or_insert_with(|| Arc::new([T::default(); AREA]))))
    }

    /// The tiles that were written to, row by row from the lower left one.
    pub fn iter(&self) -> impl Iterator<Item = (Place, &[T])> {
        let columns = self.columns.max(1) as usize;
        let place = move |index: usize| {
            (self.low.0 + (index % columns) as i32, self.low.1 + (index / columns) as i32)
        };
        let written = self.tiles.iter().enumerate();
        written.filter_map(move |(index, tile)| Some((place(index), &**tile.as_ref()?)))
    }

    #[inline]
    fn index(&self, tile: Place) -> Option<usize> {
        let (column, row) = (tile.0.wrapping_sub(self.low.0), tile.1.wrapping_sub(self.low.1));
        let inside = (column as u32) < self.columns as u32 && (row as u32) < self.rows as u32;
        inside.then(|| row as usize * self.columns as usize + column as usize)
    }

    /// Extends the directory to contain a tile.
    fn grow(&mut self, tile: Place) -> Option<()> {
        let (left, columns) = span(self.low.0, self.columns, tile.0);
        let (bottom, rows) = span(self.low.1, self.rows, tile.1);
        if columns * rows > MOST_TILES {
            return None;
        }
        let mut grown = Tiles {
            low: (left as i32, bottom as i32),
            columns: columns as i32,
            rows: rows as i32,
            tiles: vec![None; (columns * rows) as usize],
        };
        for row in 0..self.rows {
            let from = (row * self.columns) as usize;
            let to = grown.index((self.low.0, self.low.1 + row))?;
            let old = self.tiles.get_mut(from..from + self.columns as usize)?;
            grown.tiles.get_mut(to..to + old.len())?.swap_with_slice(old);
        }
        *self = grown;
        Some(())
    }
}

/// The first tile and the number of tiles of a directory's side that is extended to contain `at`.
fn span(low: i32, count: i32, at: i32) -> (i64, i64) {
    let (low, count, at) = (i64::from(low), i64::from(count), i64::from(at));
    if count == 0 {
        return (at - MARGIN / 2, MARGIN + 1);
    }
    let first = if at < low { at.min(low - MARGIN) } else { low };
    let end = low + count;
    let end = if at >= end { (at + 1).max(end + MARGIN) } else { end };
    (first, end - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_plane_keeps_what_was_written(writes in prop::collection::vec(((-300..300, -300..300), 1..100i16), 0..60)) {
            let mut plane = Tiles::default();
            let mut expected = BTreeMap::new();
            for (cell, value) in writes {
                *plane.get_mut(cell).expect("a small plane") = value;
                expected.insert(cell, value);
            }
            for (cell, value) in &expected {
                prop_assert_eq!(plane.get(*cell), *value);
            }
            let written: usize = plane.iter().map(|(_, cells)| cells.iter().filter(|cell| **cell != 0).count()).sum();
            prop_assert_eq!(written, expected.len());
        }
    }

    #[test]
    fn clones_share_tiles_until_one_of_them_writes() {
        let mut first = Tiles::<i16>::default();
        for tile in 0..10 {
            *first.get_mut((tile * TILE, 0)).expect("near") = 1;
        }
        let mut second = first.clone();
        *second.get_mut((0, 0)).expect("near") = 2;
        let shared = first.tiles.iter().zip(&second.tiles);
        let shared = shared.filter(|(a, b)| matches!((a, b), (Some(a), Some(b)) if Arc::ptr_eq(a, b)));
        assert_eq!((shared.count(), first.get((0, 0)), second.get((0, 0))), (9, 1, 2));
    }

    #[test]
    fn a_position_far_away_does_not_fill_the_memory() {
        let mut plane = Tiles::<i16>::default();
        *plane.get_mut((0, 0)).expect("near") = 1;
        for far in [(i32::MAX, i32::MAX), (i32::MIN, 5), (0, i32::MIN)] {
            assert!(plane.get_mut(far).is_none());
            assert_eq!(plane.get(far), 0);
        }
        assert_eq!(plane.get((0, 0)), 1);
    }
}
