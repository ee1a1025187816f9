//! Points of a graph on a grid: found by their cells, and by what is seen from a spot.

use super::bits::Bits;
use super::sight::{Spot, sees};
use super::tiles::Window;
use super::view::view;
use crate::Place;

/// Cells with numbers, ordered by row, then by column.
#[derive(Clone, Debug, Default)]
pub struct Points {
    places: Vec<Place>,
    marks: Bits,
    /// The number of the first point of every row, and the number of points.
    rows: Vec<u32>,
}

impl Points {
    /// Points on a grid of this size. They must be in order, and no cell may occur twice.
    pub fn new(places: Vec<Place>, columns: usize, rows: usize) -> Points {
        let mut marks = Bits::new(columns, rows);
        places.iter().for_each(|place| marks.add(*place));
        let before = |row: i32| places.partition_point(|place| place.1 < row) as u32;
        Points { marks, rows: (0..=rows as i32).map(before).collect(), places }
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The cell of a point.
    pub fn place(&self, number: u32) -> Place {
        self.places[number as usize]
    }

    /// The centre of the cell of a point.
    pub fn spot(&self, number: u32) -> Spot {
        Spot::centre(self.place(number))
    }

    fn at(&self, (column, row): Place) -> Option<u32> {
        let (start, end) = (self.rows[row as usize] as usize, self.rows[row as usize + 1] as usize);
        let found = self.places[start..end].binary_search_by_key(&column, |place| place.0);
        found.ok().map(|at| (start + at) as u32)
    }

    /// The points within `range` cells along and across that are seen from a spot and pass a test, in order, and the rectangle
    /// outside of which nothing matters for this.
    pub fn seen(
        &self,
        passable: &Bits,
        from: Spot,
        range: i32,
        test: impl Fn(u32) -> bool,
    ) -> (Vec<u32>, Window) {
        let mut numbers = Vec::new();
        let window = view(passable, from, range, |row, first, last| {
            for column in self.marks.within(row, first, last) {
                let number = self.at((column, row));
                numbers.extend(
                    number.filter(|number| test(*number) && sees(passable, from, self.spot(*number))),
                );
            }
        });
        numbers.sort_unstable();
        numbers.dedup();
        (numbers, window)
    }
}
