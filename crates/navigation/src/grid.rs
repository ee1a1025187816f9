//! Steps on a grid: directions, neighbours, and the right-front-left rule.

use crate::Place;
use crewlab_onboard::geometry::Vec2;

/// East, north, west, south.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Right, straight ahead, left, back: as quarter turns to the left.
pub(crate) const RIGHT_FRONT_LEFT_BACK: [i32; 4] = [-1, 0, 1, 2];

/// The direction after some quarter turns to the left.
pub fn turned(direction: usize, quarters: i32) -> usize {
    (direction as i32 + quarters).rem_euclid(4) as usize
}

/// The direction nearest to a vector.
pub fn compass(way: Vec2) -> usize {
    match (way.x.abs() > way.y.abs(), way.x > 0.0, way.y > 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 2,
        (false, _, true) => 1,
        (false, _, false) => 3,
    }
}

/// The neighbouring cell in a direction.
pub fn neighbour(cell: Place, direction: usize) -> Place {
    let (column, row) = DIRECTIONS[direction % 4];
    (cell.0 + column, cell.1 + row)
}

/// The right-front-left rule: the first wanted cell of those to the right, ahead and to the left, with the quarter turns to the
/// left that lead there.
pub fn right_front_left(
    cell: Place,
    direction: usize,
    wanted: impl Fn(Place) -> bool,
) -> Option<(Place, i32)> {
    let tries = RIGHT_FRONT_LEFT_BACK[..3].iter();
    tries.map(|&turn| (neighbour(cell, turned(direction, turn)), turn)).find(|(cell, _)| wanted(*cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_comes_before_front_before_left() {
        let north = 1;
        let choose = |wanted: &[Place]| right_front_left((5, 5), north, |cell| wanted.contains(&cell));
        assert_eq!(choose(&[(4, 5), (5, 6), (6, 5)]), Some(((6, 5), -1)));
        assert_eq!(choose(&[(4, 5), (5, 6)]), Some(((5, 6), 0)));
        assert_eq!(choose(&[(4, 5)]), Some(((4, 5), 1)));
        assert_eq!(choose(&[(5, 4)]), None, "the cell behind does not count");
    }

    #[test]
    fn the_rule_covers_a_rectangle_without_a_gap() {
        let mut left: Vec<Place> = (0..30).map(|n| (n % 6, n / 6)).collect();
        let (mut cell, mut direction) = ((0, 0), 1);
        left.retain(|other| *other != cell);
        let mut searches = 0;
        while !left.is_empty() {
            match right_front_left(cell, direction, |other| left.contains(&other)) {
                Some((next, turn)) => (cell, direction) = (next, turned(direction, turn)),
                None => {
                    searches += 1;
                    cell = left[0];
                }
            }
            left.retain(|other| *other != cell);
        }
        assert!(searches <= 2, "{searches}");
    }
}
