//! A set of cells as bits, 64 cells of a row to a word: sets are combined, searched and counted word by word.

use super::cell_grid::{Cell, CellGrid};
use crate::Place;

/// A set of cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bits {
    columns: usize,
    rows: usize,
    /// Words per row.
    stride: usize,
    words: Vec<u64>,
}

impl Bits {
    /// No cells of a grid of this size.
    pub fn new(columns: usize, rows: usize) -> Bits {
        let stride = columns.div_ceil(64);
        Bits { columns, rows, stride, words: vec![0; stride * rows] }
    }

    /// The cells of one kind.
    pub fn of(grid: &CellGrid, kind: Cell) -> Bits {
        let mut bits = Bits::new(grid.columns(), grid.rows());
        for row in 0..grid.rows() {
            bits.fill_row(row, 0, grid.columns(), |column| {
                grid.cells()[row * grid.columns() + column] == kind
            });
        }
        bits
    }

    /// Sets the cells of a row from `first` to before `last` anew. `first` must be a multiple of 64, and `last` one or the end.
    pub fn fill_row(&mut self, row: usize, first: usize, last: usize, test: impl Fn(usize) -> bool) {
        for start in (first..last).step_by(64) {
            let end = (start + 64).min(last);
            let word =
                (start..end).fold(0, |word, column| word | u64::from(test(column)) << (column - start));
            self.words[row * self.stride + start / 64] = word;
        }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// True if a cell is in the set; false outside of the grid.
    #[inline]
    pub fn has(&self, (column, row): Place) -> bool {
        let inside =
            column >= 0 && row >= 0 && (column as usize) < self.columns && (row as usize) < self.rows;
        inside
            && self.words[row as usize * self.stride + column as usize / 64] >> (column as usize % 64) & 1
                == 1
    }

    /// The neighbours of a cell of the grid that are in the set, as bits, counter-clockwise from the right.
    pub fn around(&self, (column, row): Place) -> u8 {
        let three = |row: i32| match self.row(row) {
            [] => 0,
            words if column % 64 == 0 || column % 64 == 63 => {
                let bit = |column: i32| {
                    let word = usize::try_from(column).ok().and_then(|column| words.get(column / 64));
                    word.map_or(0, |word| (word >> (column % 64) & 1) as u8)
                };
                bit(column - 1) | bit(column) << 1 | bit(column + 1) << 2
            }
            words => (words[column as usize / 64] >> (column % 64 - 1) & 7) as u8,
        };
        let (below, beside, above) = (three(row - 1), three(row), three(row + 1));
        let turned = (above >> 2 & 1) << 1 | (above >> 1 & 1) << 2 | (above & 1) << 3;
        beside >> 2 | turned | (beside & 1) << 4 | below << 5
    }

    /// Adds a cell of the grid.
    pub fn add(&mut self, (column, row): Place) {
        self.words[row as usize * self.stride + column as usize / 64] |= 1 << (column as usize % 64);
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The words of a row; none outside of the grid.
    pub fn row(&self, row: i32) -> &[u64] {
        match usize::try_from(row) {
            Ok(row) if row < self.rows => &self.words[row * self.stride..(row + 1) * self.stride],
            _ => &[],
        }
    }

    /// Replaces every row by what a function makes of its number.
    pub fn remake(&mut self, mut make: impl FnMut(i32, &mut [u64])) {
        if self.stride > 0 {
            self.words.chunks_mut(self.stride).enumerate().for_each(|(row, words)| make(row as i32, words));
        }
    }

    /// The first cell of a row from `column` on that is in the set (`wanted`) or not in it; the end of the row if there is none.
    pub fn next(&self, row: i32, column: i32, wanted: bool) -> i32 {
        let (words, end) = (self.row(row), self.columns as i32);
        let start = column.max(0);
        let mut at = start as usize / 64;
        let mut mask = u64::MAX << (start as usize % 64);
        while let Some(word) = words.get(at) {
            let found = (if wanted { *word } else { !*word }) & mask;
            if found != 0 {
                return ((at * 64) as i32 + found.trailing_zeros() as i32).min(end);
            }
            (at, mask) = (at + 1, u64::MAX);
        }
        end
    }

    /// The last cell of a row up to `column` that is in the set (`wanted`) or not in it; -1 if there is none.
    pub fn previous(&self, row: i32, column: i32, wanted: bool) -> i32 {
        let words = self.row(row);
        let start = column.min(self.columns as i32 - 1);
        if start < 0 || words.is_empty() {
            return -1;
        }
        let mut mask = u64::MAX >> (63 - start as usize % 64);
        for at in (0..=start as usize / 64).rev() {
            let found = (if wanted { words[at] } else { !words[at] }) & mask;
            if found != 0 {
                return (at * 64) as i32 + 63 - found.leading_zeros() as i32;
            }
            mask = u64::MAX;
        }
        -1
    }

    /// The cells of a row within `first..=last`, from left to right.
    pub fn within(&self, row: i32, first: i32, last: i32) -> impl Iterator<Item = i32> {
        let mut column = self.next(row, first, true);
        let last = last.min(self.columns as i32 - 1);
        std::iter::from_fn(move || {
            let found = column;
            (found <= last).then(|| {
                column = self.next(row, found + 1, true);
                found
            })
        })
    }

    /// All cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Place> {
        (0..self.rows as i32).flat_map(|row| self.within(row, 0, i32::MAX).map(move |column| (column, row)))
    }

    /// Number of cells of a row within `first..=last`.
    pub fn count_within(&self, row: i32, first: i32, last: i32) -> usize {
        let (first, last) = (first.max(0), last.min(self.columns as i32 - 1));
        let words = self.row(row);
        if first > last || words.is_empty() {
            return 0;
        }
        let (low, high) = (first as usize / 64, last as usize / 64);
        let part = |at: usize| {
            let from = if at == low { u64::MAX << (first as usize % 64) } else { u64::MAX };
            let to = if at == high { u64::MAX >> (63 - last as usize % 64) } else { u64::MAX };
            (words[at] & from & to).count_ones() as usize
        };
        (low..=high).map(part).sum()
    }

    /// The cells of this row shifted by one column: to the right, and to the left.
    pub fn beside(words: &[u64], at: usize) -> (u64, u64) {
        let before = if at > 0 { words[at - 1] >> 63 } else { 0 };
        let after = words.get(at + 1).map_or(0, |word| word << 63);
        (words[at] << 1 | before, words[at] >> 1 | after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_both_directions_across_words() {
        let mut bits = Bits::new(200, 2);
        for column in [0, 63, 64, 130, 199] {
            bits.add((column, 1));
        }
        assert_eq!(bits.within(1, 1, 198).collect::<Vec<_>>(), [63, 64, 130]);
        assert_eq!((bits.next(1, 131, true), bits.next(1, 63, false)), (199, 65));
        assert_eq!((bits.previous(1, 129, true), bits.previous(1, 64, false)), (64, 62));
        assert_eq!((bits.previous(0, 500, true), bits.next(0, -5, true)), (-1, 200));
        assert_eq!((bits.next(7, 0, true), bits.previous(-1, 0, false)), (200, -1));
        assert_eq!((bits.count(), bits.count_within(1, 63, 130), bits.count_within(1, 65, 129)), (5, 3, 0));
        assert_eq!((bits.around((64, 0)), bits.around((199, 0))), (0b0000_1100, 0b0000_0100));
        assert_eq!((bits.around((0, 1)), bits.around((63, 1)), bits.around((64, 1))), (0, 1, 1 << 4));
        assert!(bits.has((63, 1)) && !bits.has((63, 0)) && !bits.has((200, 1)) && !bits.has((-1, 1)));
    }
}
