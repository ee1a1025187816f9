//! Connected sets of cells: runs of cells in a row, joined with those in the row below that they touch.

use super::bits::Bits;
use crate::Place;

/// Cells side by side in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its row.
    pub row: i32,
    /// Its first column.
    pub first: i32,
    /// Its last column.
    pub last: i32,
}

/// The connected parts of a set of cells, numbered by their lowest, leftmost cell.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    runs: Vec<Run>,
    /// The number of the first run of every row, and the number of runs.
    rows: Vec<u32>,
    /// The region of every run.
    labels: Vec<u32>,
    count: usize,
}

impl Regions {
    /// The regions of a set; cells that touch at a corner are connected if `corners` is set.
    pub fn of(bits: &Bits, corners: bool) -> Regions {
        let mut regions = Regions { rows: vec![0], ..Regions::default() };
        for row in 0..bits.rows() as i32 {
            let mut first = bits.next(row, 0, true);
            while first < bits.columns() as i32 {
                let end = bits.next(row, first, false);
                regions.runs.push(Run { row, first, last: end - 1 });
                first = bits.next(row, end, true);
            }
            regions.rows.push(regions.runs.len() as u32);
        }
        regions.join(i32::from(corners));
        regions
    }

    /// Joins runs that overlap with runs of the row below, or reach `beyond` columns over their ends.
    fn join(&mut self, beyond: i32) {
        let mut parents: Vec<u32> = (0..self.runs.len() as u32).collect();
        for row in 1..self.rows.len().saturating_sub(1) {
            let (mut below, end) = (self.rows[row - 1] as usize, self.rows[row] as usize);
            for number in self.rows[row]..self.rows[row + 1] {
                let run = self.runs[number as usize];
                while below < end && self.runs[below].last + beyond < run.first {
                    below += 1;
                }
                let mut other = below;
                while other < end && self.runs[other].first <= run.last + beyond {
                    let (one, two) = (root(&mut parents, number), root(&mut parents, other as u32));
                    // The lower number is the root, so that regions do not depend on the order of joining.
                    parents[one.max(two) as usize] = one.min(two);
                    other += 1;
                }
            }
        }
        self.labels = vec![0; parents.len()];
        for number in 0..parents.len() {
            let root = root(&mut parents, number as u32) as usize;
            self.labels[number] = if root == number { self.count as u32 } else { self.labels[root] };
            self.count += usize::from(root == number);
        }
    }

    /// Number of regions.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The runs with the number of their region, row by row.
    pub fn runs(&self) -> impl Iterator<Item = (Run, usize)> {
        self.runs.iter().zip(&self.labels).map(|(run, label)| (*run, *label as usize))
    }

    /// The region of a cell; none if it is not in the set.
    pub fn at(&self, (column, row): Place) -> Option<usize> {
        let row = usize::try_from(row).ok()?;
        let (start, end) = (*self.rows.get(row)? as usize, *self.rows.get(row + 1)? as usize);
        let after = self.runs[start..end].partition_point(|run| run.first <= column);
        let number = start + after.checked_sub(1)?;
        (self.runs[number].last >= column).then(|| self.labels[number] as usize)
    }
}

/// The root of a run, with shorter ways for those who ask next.
fn root(parents: &mut [u32], mut number: u32) -> u32 {
    while parents[number as usize] != number {
        let next = parents[parents[number as usize] as usize];
        parents[number as usize] = next;
        number = next;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::super::cell_grid::{Cell, CellGrid};
    use super::*;

    #[test]
    fn regions_are_connected_sets() {
        let grid = CellGrid::picture(
            "
            ##...#
            .#.#.#
            .#.#.#
            #..###
            ",
            1.0,
        );
        let bits = Bits::of(&grid.expect("a picture"), Cell::Occupied);
        let touching = Regions::of(&bits, true);
        assert_eq!(touching.count(), 2);
        assert_eq!((touching.at((0, 0)), touching.at((0, 3))), (Some(0), Some(0)));
        assert_eq!((touching.at((3, 2)), touching.at((5, 3))), (Some(1), Some(1)));
        let strict = Regions::of(&bits, false);
        assert_eq!(strict.count(), 3);
        assert_ne!(strict.at((0, 0)), strict.at((1, 1)));
        assert_eq!((strict.at((2, 0)), strict.at((-1, 0)), strict.at((9, 9))), (None, None, None));
    }
}
