//! Straight lines through cells: is everything that a line touches passable?

use super::bits::Bits;
use crate::Place;

/// Parts of a cell's side in which points are given.
pub const PARTS: i64 = 64;

/// A point in parts of a cell, from the lower left corner of the grid. Whole numbers make every test of a line exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// To the right.
    pub x: i64,
    /// Up.
    pub y: i64,
}

impl Spot {
    /// The centre of a cell.
    pub fn centre((column, row): Place) -> Spot {
        Spot { x: i64::from(column) * PARTS + PARTS / 2, y: i64::from(row) * PARTS + PARTS / 2 }
    }

    /// Its cell.
    pub fn cell(self) -> Place {
        (self.x.div_euclid(PARTS) as i32, self.y.div_euclid(PARTS) as i32)
    }

    /// Distance to another spot. [cells]
    pub fn distance(self, other: Spot) -> f64 {
        let (x, y) = ((self.x - other.x) as f64, (self.y - other.y) as f64);
        (x * x + y * y).sqrt() / PARTS as f64
    }
}

/// True if every cell that the line touches passes a test. A line through the corner of four cells touches all of them.
pub fn clear(from: Spot, to: Spot, passes: impl Fn(Place) -> bool) -> bool {
    let ((mut column, mut row), (last_column, last_row)) = (from.cell(), to.cell());
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (right, up) = (dx.signum() as i32, dy.signum() as i32);
    // Distance to the next border in each direction, times the other side of the triangle: the smaller one comes first.
    let border = |at: i64, cell: i32, way: i64| {
        let low = i64::from(cell) * PARTS;
        if way > 0 { low + PARTS - at } else { at - low }
    };
    let mut beside = border(from.x, column, dx) * dy.abs();
    let mut above = border(from.y, row, dy) * dx.abs();
    let mut columns = (last_column - column).abs();
    let mut rows = (last_row - row).abs();
    if !passes((column, row)) {
        return false;
    }
    while columns + rows > 0 {
        let order = match (columns, rows) {
            (_, 0) => std::cmp::Ordering::Less,
            (0, _) => std::cmp::Ordering::Greater,
            _ => beside.cmp(&above),
        };
        if order.is_eq() && !(passes((column + right, row)) && passes((column, row + up))) {
            return false;
        }
        if order.is_le() {
            (column, columns, beside) = (column + right, columns - 1, beside + PARTS * dy.abs());
        }
        if order.is_ge() {
            (row, rows, above) = (row + up, rows - 1, above + PARTS * dx.abs());
        }
        if !passes((column, row)) {
            return false;
        }
    }
    true
}

/// True if every cell that the line touches is in a set.
pub fn sees(passable: &Bits, from: Spot, to: Spot) -> bool {
    clear(from, to, |place| passable.has(place))
}

#[cfg(test)]
mod tests {
    use super::super::cell_grid::{Cell, CellGrid};
    use super::*;

    fn free(text: &str) -> Bits {
        Bits::of(&CellGrid::picture(text, 1.0).expect("a picture"), Cell::Free)
    }

    #[test]
    fn a_line_may_not_touch_a_corner() {
        let bits = free(
            "
            ...
            .#.
            ...
            ",
        );
        let look = |from, to| sees(&bits, Spot::centre(from), Spot::centre(to));
        assert!(look((0, 0), (2, 0)) && look((0, 0), (0, 2)));
        assert!(!look((0, 0), (2, 2)) && !look((0, 1), (2, 1)));
        assert!(!look((1, 0), (0, 1)), "the line touches the corner of the obstacle");
        assert!(!look((0, 0), (3, 0)), "nothing is free outside of the grid");
    }

    /// Walks along the line in small steps and looks at the cells around each point.
    #[test]
    fn a_line_touches_the_cells_that_small_steps_touch() {
        for (x0, y0, x1, y1) in [(3, 5, 700, 411), (640, 10, 2, 630), (65, 63, 65, 600), (500, 64, 10, 65)] {
            let (from, to) = (Spot { x: x0, y: y0 }, Spot { x: x1, y: y1 });
            let touched = std::cell::RefCell::new(Vec::new());
            assert!(clear(from, to, |place| {
                touched.borrow_mut().push(place);
                true
            }));
            for step in 0..=10_000 {
                let at = |a: i64, b: i64| (a * (10_000 - step) + b * step).div_euclid(10_000 * PARTS) as i32;
                assert!(touched.borrow().contains(&(at(x0, x1), at(y0, y1))), "step {step}");
            }
        }
    }
}
