//! Merges cells that are walls into few rectangles.

use super::{Cells, Ground};

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Its leftmost column.
    pub column: usize,
    /// Its lowest row.
    pub row: usize,
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from bottom to top.
    pub rows: usize,
}

/// Rectangles that cover every cell that is a wall once; `None` if they are more than `most`. Each one begins at the lowest, leftmost
/// cell that is not covered yet, and is the larger one of two: as wide as possible and then as high, or the other way round.
pub fn merge(cells: &Cells, most: usize) -> Option<Vec<Rectangle>> {
    let mut open = Open { columns: cells.columns, left: cells.ground.clone() };
    let mut rectangles = Vec::new();
    for index in 0..cells.ground.len() {
        if open.left[index] != Ground::Wall {
            continue;
        }
        let (column, row) = (index % cells.columns, index / cells.columns);
        let rectangle = open.largest(column, row);
        open.cover(&rectangle);
        rectangles.push(rectangle);
        if rectangles.len() > most {
            return None;
        }
    }
    Some(rectangles)
}

/// Cells that are not covered yet.
struct Open {
    columns: usize,
    left: Vec<Ground>,
}

impl Open {
    fn is_wall(&self, column: usize, row: usize) -> bool {
        column < self.columns && self.left.get(row * self.columns + column) == Some(&Ground::Wall)
    }

    fn largest(&self, column: usize, row: usize) -> Rectangle {
        let wide = |row: usize| (column..).take_while(|column| self.is_wall(*column, row)).count();
        let high = |column: usize| (row..).take_while(|row| self.is_wall(column, *row)).count();
        let (columns, rows) = (wide(row), high(column));
        let up = (row..).take_while(|row| (column..column + columns).all(|at| self.is_wall(at, *row)));
        let right = (column..).take_while(|column| (row..row + rows).all(|at| self.is_wall(*column, at)));
        let flat = Rectangle { column, row, columns, rows: up.count() };
        let upright = Rectangle { column, row, columns: right.count(), rows };
        if upright.columns * upright.rows > flat.columns * flat.rows { upright } else { flat }
    }

    fn cover(&mut self, rectangle: &Rectangle) {
        for row in rectangle.row..rectangle.row + rectangle.rows {
            let first = row * self.columns + rectangle.column;
            self.left[first..first + rectangle.columns].fill(Ground::Free);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;
    use proptest::prelude::*;

    fn map(picture: &[&str]) -> Cells {
        let lines: Vec<String> = picture.iter().map(|line| line.to_string()).collect();
        rows::read(&lines).expect("a map")
    }

    proptest! {
        #[test]
        fn every_wall_is_covered_once_and_nothing_else_is(columns in 1..20usize, walls in prop::collection::vec(any::<bool>(), 1..300)) {
            let rows = walls.len().div_ceil(columns);
            let mut ground: Vec<Ground> =
                walls.iter().map(|wall| if *wall { Ground::Wall } else { Ground::Swamp }).collect();
            ground.resize(columns * rows, Ground::Free);
            let cells = Cells { columns, ground };
            let mut covered = vec![0; columns * rows];
            for found in merge(&cells, usize::MAX).expect("no limit") {
                for row in found.row..found.row + found.rows {
                    for column in found.column..found.column + found.columns {
                        covered[row * columns + column] += 1;
                    }
                }
            }
            for (count, ground) in covered.iter().zip(&cells.ground) {
                prop_assert_eq!(*count, i32::from(*ground == Ground::Wall));
            }
        }
    }

    #[test]
    fn a_room_is_four_walls() {
        let room = map(&["6@", "@4.@", "@4.@", "6@"]);
        let walls = merge(&room, 4).expect("few");
        assert_eq!(walls.len(), 4, "{walls:?}");
        assert_eq!(merge(&room, 3), None);
    }

    #[test]
    fn the_larger_one_of_two_rectangles_is_taken() {
        let post = map(&["@..", "@..", "@..", "@@."]);
        let walls = merge(&post, 9).expect("few");
        assert_eq!(walls[0], Rectangle { column: 0, row: 0, columns: 1, rows: 4 });
        assert_eq!(walls.len(), 2);
    }
}
