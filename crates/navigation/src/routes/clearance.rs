//! The distance of every cell to the nearest occupied one: an exact Euclidean distance transform up to a limit.

use super::bits::Bits;
use super::tiles::{Tiles, Window};
use crate::Place;

/// Largest limit: the sum of two squares must fit into 16 bits. [cells]
pub const FARTHEST: i32 = 127;

/// Squared distances to the nearest occupied cell, from centre to centre.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clearance {
    columns: usize,
    rows: usize,
    limit: i32,
    squared: Vec<i16>,
}

impl Clearance {
    /// Distances of a grid of this size, to be computed. Cells farther than `limit` from every occupied one are [`Clearance::open`].
    /// [cells]
    pub fn new(columns: usize, rows: usize, limit: i32) -> Clearance {
        let limit = limit.clamp(1, FARTHEST);
        Clearance { columns, rows, limit, squared: vec![(limit * limit + 1) as i16; columns * rows] }
    }

    /// Up to where distances are measured. [cells]
    pub fn limit(&self) -> i32 {
        self.limit
    }

    /// The squared distance of a cell; zero outside of the grid. [cells²]
    pub fn squared(&self, (column, row): Place) -> i32 {
        let inside =
            column >= 0 && row >= 0 && (column as usize) < self.columns && (row as usize) < self.rows;
        if inside { i32::from(self.squared[row as usize * self.columns + column as usize]) } else { 0 }
    }

    /// The squared distances of a row. [cells²]
    pub fn row(&self, row: usize) -> &[i16] {
        &self.squared[row * self.columns..(row + 1) * self.columns]
    }

    /// True if a squared distance is beyond the limit.
    pub fn open(&self, squared: i32) -> bool {
        squared > self.limit * self.limit
    }

    /// Computes the distances in these tiles anew; returns the tiles in which some changed.
    pub fn update(&mut self, occupied: &Bits, tiles: &Tiles) -> Tiles {
        let mut changed = Tiles::new(self.columns, self.rows, false);
        for window in tiles.windows() {
            if self.fill(occupied, window) {
                changed.mark((window.left, window.low));
            }
        }
        changed
    }

    /// Two passes: along columns, then along rows. Both are plain loops over a row, which compilers turn into vector
    /// instructions. True if a distance changed.
    fn fill(&mut self, occupied: &Bits, window: Window) -> bool {
        let limit = self.limit as usize;
        let reach = window.grown(self.limit, self.columns, self.rows);
        let (width, _) = reach.size();
        // A margin on both sides keeps the second pass free of borders.
        let (padded, far) = (width + 2 * limit, (limit * limit + 1) as i16);
        let columns = column_distances(occupied, window, reach, self.limit);
        let mut squares = vec![far; padded];
        let (mut old, mut changed) = (vec![far; window.size().0], false);
        for row in window.low..window.high {
            let distances = &columns[(row - window.low) as usize * width..][..width];
            let square = |distance: &i16| (distance * distance).min(far);
            for (to, from) in squares[limit..].iter_mut().zip(distances) {
                *to = square(from);
            }
            let start = row as usize * self.columns;
            let out = &mut self.squared[start + window.left as usize..start + window.right as usize];
            old.copy_from_slice(out);
            let shift = (window.left - reach.left) as usize;
            out.copy_from_slice(&squares[limit + shift..][..out.len()]);
            for offset in 1..=limit {
                let added = (offset * offset) as i16;
                let (left, right) = (&squares[limit + shift - offset..], &squares[limit + shift + offset..]);
                for ((to, left), right) in out.iter_mut().zip(left).zip(right) {
                    *to = (*to).min((*left).min(*right) + added);
                }
            }
            out.iter_mut().for_each(|value| *value = (*value).min(far));
            changed |= old != *out;
        }
        changed
    }
}

/// For every cell of the rows of `window` and the columns of `reach`: the distance to the nearest occupied cell in its column, at
/// most `limit` + 1.
fn column_distances(occupied: &Bits, window: Window, reach: Window, limit: i32) -> Vec<i16> {
    let (width, height) = (reach.size().0, window.size().1);
    let far = (limit + 1) as i16;
    let mut distances = vec![far; width * height];
    let mut current = vec![far; width];
    let mut step = |row: i32, current: &mut [i16]| {
        current.iter_mut().for_each(|distance| *distance = (*distance + 1).min(far));
        for column in occupied.within(row, reach.left, reach.right - 1) {
            current[(column - reach.left) as usize] = 0;
        }
        if row >= window.low && row < window.high {
            let out = &mut distances[(row - window.low) as usize * width..][..width];
            out.iter_mut().zip(&*current).for_each(|(out, distance)| *out = (*out).min(*distance));
        }
    };
    (reach.low..reach.high).for_each(|row| step(row, &mut current));
    current.fill(far);
    (reach.low..reach.high).rev().for_each(|row| step(row, &mut current));
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Stream, StreamKind};

    /// Occupied cells at random places of a grid with more than one tile.
    fn scattered(columns: usize, rows: usize, count: usize, seed: u64) -> Bits {
        let mut random = Stream::new(seed, StreamKind::World, 0, 0);
        let mut bits = Bits::new(columns, rows);
        (0..count).for_each(|_| bits.add((random.below(columns) as i32, random.below(rows) as i32)));
        bits
    }

    #[test]
    fn distances_are_exact_up_to_the_limit() {
        for (columns, rows, count) in [(150, 140, 60), (1, 1, 0), (200, 3, 4), (3, 200, 4), (140, 135, 1)] {
            let occupied = scattered(columns, rows, count, 7);
            let mut clearance = Clearance::new(columns, rows, 12);
            clearance.update(&occupied, &Tiles::new(columns, rows, true));
            let sites: Vec<Place> = occupied.iter().collect();
            for row in 0..rows as i32 {
                for column in 0..columns as i32 {
                    let squared = |(x, y): &Place| (x - column) * (x - column) + (y - row) * (y - row);
                    let exact = sites.iter().map(squared).min().unwrap_or(i32::MAX).min(12 * 12 + 1);
                    assert_eq!(clearance.squared((column, row)), exact, "({column}, {row})");
                }
            }
        }
    }
}
