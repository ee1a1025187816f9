//! Frontiers: connected unknown cells, each beside a free one, with what can be seen from there.

use super::bits::Bits;
use super::regions::Regions;
use super::sight::Spot;
use super::view::view;
use crate::Place;
use std::collections::BTreeMap;

/// A border between the known and the unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// Its unknown cells, row by row.
    pub cells: Vec<Place>,
    /// The cell nearest to it where the robot can be: its nearest point as a goal.
    pub access: Place,
    /// Unknown cells that should be seen from there: its value I(f).
    pub value: usize,
}

/// What frontiers are found in.
pub struct Borderland<'a> {
    /// Free cells.
    pub free: &'a Bits,
    /// Unknown cells.
    pub unknown: &'a Bits,
    /// Free and unknown cells: what one can look through.
    pub transparent: &'a Bits,
    /// Where the robot can be.
    pub passable: &'a Bits,
}

impl Borderland<'_> {
    /// The unknown cells beside free ones.
    pub fn border(&self) -> Bits {
        let mut border = Bits::new(self.unknown.columns(), self.unknown.rows());
        border.remake(|row, words| {
            let (below, here, above) = (self.free.row(row - 1), self.free.row(row), self.free.row(row + 1));
            for (at, word) in words.iter_mut().enumerate() {
                let (right, left) = Bits::beside(here, at);
                let next = |words: &[u64]| words.get(at).copied().unwrap_or(0);
                *word = self.unknown.row(row)[at] & (right | left | next(below) | next(above));
            }
        });
        border
    }

    /// All frontiers that the robot can get near to, with what a sensor of this range sees from there. Frontiers of fewer than
    /// `least` cells, and those farther than `reach` from any place where the robot can be, are left out. [cells]
    pub fn frontiers(&self, least: usize, reach: i32, range: f64) -> Vec<Frontier> {
        let frontier = |cells: Vec<Place>| {
            let access = self.access(&cells, reach)?;
            Some(Frontier { value: self.value(access, range), cells, access })
        };
        self.connected(least).filter_map(frontier).collect()
    }

    /// The same frontiers, cut along the lines of a lattice: at most one piece per square of `side` cells, with the place of the square.
    /// `corner` is the place of cell (0, 0) on the lattice. [cells]
    pub fn pieces(
        &self,
        (side, corner): (i32, Place),
        least: usize,
        reach: i32,
        range: f64,
    ) -> Vec<(Place, Frontier)> {
        let square = |(column, row): Place| {
            let along = |cell: i32, corner: i32| cell.saturating_add(corner).div_euclid(side.max(1));
            (along(column, corner.0), along(row, corner.1))
        };
        let mut squares: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
        for frontier in self.connected(least) {
            for cell in frontier {
                squares.entry(square(cell)).or_default().push(cell);
            }
        }
        let large = squares.into_iter().filter(|(_, cells)| cells.len() >= least);
        let piece = |(square, cells): (Place, Vec<Place>)| {
            let access = self.access(&cells, reach)?;
            Some((square, Frontier { value: self.value(access, range), cells, access }))
        };
        large.filter_map(piece).collect()
    }

    /// The cells of every frontier that has at least so many.
    fn connected(&self, least: usize) -> impl Iterator<Item = Vec<Place>> {
        let regions = Regions::of(&self.border(), true);
        let mut cells = vec![Vec::new(); regions.count()];
        for (run, region) in regions.runs() {
            cells[region].extend((run.first..=run.last).map(|column| (column, run.row)));
        }
        cells.into_iter().filter(move |cells| cells.len() >= least.max(1))
    }

    /// The passable cell nearest to any of some cells; of equal ones the one nearest to their middle.
    fn access(&self, cells: &[Place], reach: i32) -> Option<Place> {
        let count = cells.len() as i64;
        let sum = cells.iter().fold((0, 0), |sum, (x, y)| (sum.0 + i64::from(*x), sum.1 + i64::from(*y)));
        let square = |x: i64, y: i64| x * x + y * y;
        let from_middle = |(x, y): Place| square(i64::from(x) * count - sum.0, i64::from(y) * count - sum.1);
        let mut best: Option<(i64, i64, Place)> = None;
        for (column, row) in cells {
            for y in -reach..=reach {
                for near in self.passable.within(row + y, column - reach, column + reach) {
                    let place = (near, row + y);
                    let distance = square(i64::from(near - column), i64::from(y));
                    if best.is_none_or(|(least, ..)| distance <= least) {
                        let rank = (distance, from_middle(place), place);
                        best = Some(best.map_or(rank, |best| best.min(rank)));
                    }
                }
            }
        }
        best.map(|(.., place)| place)
    }

    /// Unknown cells that are seen from a cell, as if there were no obstacles among them.
    fn value(&self, (column, row): Place, range: f64) -> usize {
        let mut count = 0;
        let reach = range.clamp(0.0, 1e4).ceil() as i32;
        view(self.transparent, Spot::centre((column, row)), reach, |at, first, last| {
            let up = f64::from(at - row);
            let half = range * range - up * up;
            if half >= 0.0 {
                let half = half.sqrt() as i32;
                count += self.unknown.count_within(at, first.max(column - half), last.min(column + half));
            }
        });
        count
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell_grid::{Cell, CellGrid};
    use super::*;

    fn frontiers(text: &str, range: f64) -> Vec<Frontier> {
        let grid = CellGrid::picture(text, 1.0).expect("a picture");
        let bits = |kind| Bits::of(&grid, kind);
        let (free, unknown) = (bits(Cell::Free), bits(Cell::Unknown));
        let mut transparent = Bits::new(grid.columns(), grid.rows());
        free.iter().chain(unknown.iter()).for_each(|cell| transparent.add(cell));
        let land = Borderland { free: &free, unknown: &unknown, transparent: &transparent, passable: &free };
        land.frontiers(1, 2, range)
    }

    #[test]
    fn frontiers_are_unknown_cells_beside_free_ones() {
        let found = frontiers(
            "
            #######
            #..????
            #..#???
            #####??
            ??.....
            ",
            10.0,
        );
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].cells, [(1, 0)]);
        assert_eq!(found[1].cells, [(5, 1), (6, 1)]);
        assert_eq!((found[1].access, found[2].access), ((5, 0), (2, 3)));
        assert_eq!(found[2].cells, [(3, 3)]);
    }

    #[test]
    fn a_long_frontier_is_cut_along_a_lattice_that_does_not_depend_on_the_grid() {
        let grid = CellGrid::picture("????????\n........", 1.0).expect("a picture");
        let (free, unknown) = (Bits::of(&grid, Cell::Free), Bits::of(&grid, Cell::Unknown));
        let land = Borderland { free: &free, unknown: &unknown, transparent: &unknown, passable: &free };
        let pieces = land.pieces((4, (-2, 9)), 1, 2, 3.0);
        let cut: Vec<(Place, usize)> =
            pieces.iter().map(|(square, piece)| (*square, piece.cells.len())).collect();
        assert_eq!(cut, [((-1, 2), 2), ((0, 2), 4), ((1, 2), 2)]);
        assert!(pieces.iter().all(|(_, piece)| piece.access.1 == 0));
        assert!(land.pieces((4, (0, 0)), 9, 2, 3.0).is_empty(), "the whole frontier is too small");
    }

    #[test]
    fn the_value_counts_unknown_cells_that_are_not_behind_walls() {
        let open = "
            ???????
            ???????
            .......
            ";
        let wall = "
            ???????
            ###?###
            .......
            ";
        let value = |text| frontiers(text, 100.0)[0].value;
        assert_eq!(value(open), 14);
        assert!(value(wall) >= 2 && value(wall) <= 4, "{}", value(wall));
        assert!(frontiers(open, 1.0)[0].value < 4, "the sensor sees one cell far");
    }

    #[test]
    fn there_are_no_frontiers_where_nothing_is_known_or_all_is() {
        assert!(frontiers("???\n???", 5.0).is_empty());
        assert!(frontiers("...\n.#.", 5.0).is_empty());
        assert!(frontiers("", 5.0).is_empty());
    }
}
