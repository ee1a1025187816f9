//! The length of the shortest path over cells from one place to all others: shared by all who go to the same goal, or who compare
//! many goals.

use super::bits::Bits;
use super::sight::{Spot, sees};
use crate::Place;

/// Length of a straight and of a diagonal step; their ratio is √2 within 0.2 %.
const STRAIGHT: u32 = 12;
const DIAGONAL: u32 = 17;
/// More than the longest step, a power of two.
const BUCKETS: usize = 32;
/// The length to a cell that cannot be reached.
const NEVER: u32 = u32::MAX;

/// The four directions of straight steps.
const STEPS: [Place; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Path lengths from one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    columns: usize,
    rows: usize,
    lengths: Vec<u32>,
}

impl DistanceField {
    /// The field around a cell over passable ones. Diagonal steps do not cut corners. The start need not be passable.
    pub fn around(passable: &Bits, start: Place) -> DistanceField {
        let (columns, rows) = (passable.columns(), passable.rows());
        let mut field = DistanceField { columns, rows, lengths: vec![NEVER; columns * rows] };
        if let Some(first) = field.index(start) {
            field.spread(passable, first);
        }
        field
    }

    /// Dijkstra's algorithm with a ring of buckets: all steps are short whole numbers.
    fn spread(&mut self, passable: &Bits, first: usize) {
        let mut ring: [Vec<u32>; BUCKETS] = std::array::from_fn(|_| Vec::new());
        let open: Vec<bool> = (0..self.rows as i32)
            .flat_map(|row| (0..self.columns as i32).map(move |column| (column, row)))
            .map(|place| passable.has(place))
            .collect();
        self.lengths[first] = 0;
        ring[0].push(first as u32);
        let (mut length, mut waiting) = (0_u32, 1_usize);
        while waiting > 0 {
            let mut bucket = std::mem::take(&mut ring[length as usize % BUCKETS]);
            waiting -= bucket.len();
            for index in bucket.drain(..) {
                if self.lengths[index as usize] == length {
                    self.relax(&open, index as usize, length, |next, total| {
                        ring[total as usize % BUCKETS].push(next as u32);
                        waiting += 1;
                    });
                }
            }
            // Steps are never zero, so nothing was added to this bucket.
            ring[length as usize % BUCKETS] = bucket;
            length += 1;
        }
    }

    /// Offers a cell's neighbours a path over it.
    fn relax(&mut self, open: &[bool], index: usize, length: u32, mut push: impl FnMut(usize, u32)) {
        let (column, row) = (index % self.columns, index / self.columns);
        let can = [column + 1 < self.columns, row + 1 < self.rows, column > 0, row > 0];
        let beside = [1, self.columns as isize, -1, -(self.columns as isize)];
        let mut passes = [false; 4];
        for side in 0..4 {
            if can[side] {
                let next = (index as isize + beside[side]) as usize;
                passes[side] = open[next];
                if open[next] && length + STRAIGHT < self.lengths[next] {
                    self.lengths[next] = length + STRAIGHT;
                    push(next, length + STRAIGHT);
                }
            }
        }
        for side in 0..4 {
            let other = (side + 1) % 4;
            if passes[side] && passes[other] {
                let next = (index as isize + beside[side] + beside[other]) as usize;
                if open[next] && length + DIAGONAL < self.lengths[next] {
                    self.lengths[next] = length + DIAGONAL;
                    push(next, length + DIAGONAL);
                }
            }
        }
    }

    fn index(&self, (column, row): Place) -> Option<usize> {
        let inside =
            column >= 0 && row >= 0 && (column as usize) < self.columns && (row as usize) < self.rows;
        inside.then(|| row as usize * self.columns + column as usize)
    }

    /// The length of the path to a cell; none if there is no path. [cells]
    pub fn length(&self, place: Place) -> Option<f64> {
        self.raw(place).map(|length| f64::from(length) / f64::from(STRAIGHT))
    }

    fn raw(&self, place: Place) -> Option<u32> {
        self.index(place).map(|index| self.lengths[index]).filter(|length| *length != NEVER)
    }

    /// The cells of the shortest path from a cell to the centre of the field, both included; none if there is no path.
    pub fn descend(&self, passable: &Bits, from: Place) -> Option<Vec<Place>> {
        let mut length = self.raw(from)?;
        let (mut at, mut path) = (from, vec![from]);
        while length > 0 {
            (at, length) = self.next(passable, at, length)?;
            path.push(at);
        }
        Some(path)
    }

    /// The next cell on the path to the centre.
    fn next(&self, passable: &Bits, (column, row): Place, length: u32) -> Option<(Place, u32)> {
        let is = |place: Place, step: u32| self.raw(place).filter(|other| other + step == length);
        let straight = STEPS.iter().map(|(x, y)| (column + x, row + y));
        let mut straight = straight.filter_map(|place| Some((place, is(place, STRAIGHT)?)));
        straight.next().or_else(|| {
            let corner = |side: usize| {
                let ((x, y), (p, q)) = (STEPS[side], STEPS[(side + 1) % 4]);
                let free = passable.has((column + x, row + y)) && passable.has((column + p, row + q));
                let place = (column + x + p, row + y + q);
                free.then(|| is(place, DIAGONAL)).flatten().map(|length| (place, length))
            };
            (0..4).find_map(corner)
        })
    }
}

/// The corners of a path over cells that is pulled tight: each is seen from the one before. The first cell is left out.
pub fn pull_tight(passable: &Bits, path: &[Place]) -> Vec<Place> {
    let (mut corners, mut at) = (Vec::new(), 0);
    while at + 1 < path.len() {
        let from = Spot::centre(path[at]);
        // Neighbours on a path always see each other.
        let seen = |next: usize| sees(passable, from, Spot::centre(path[next]));
        let mut step = 1;
        while at + 2 * step < path.len() && seen(at + 2 * step) {
            step *= 2;
        }
        let farthest = (at + 2 * step).min(path.len() - 1);
        at = (at + step..=farthest).rev().find(|next| seen(*next)).unwrap_or(at + 1);
        corners.push(path[at]);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::super::cell_grid::{Cell, CellGrid};
    use super::*;

    #[test]
    fn lengths_lead_around_obstacles_and_do_not_cut_corners() {
        let grid = CellGrid::picture(
            "
            .....
            ..#..
            ..#..
            ..###
            ",
            1.0,
        );
        let free = Bits::of(&grid.expect("a picture"), Cell::Free);
        let field = DistanceField::around(&free, (0, 0));
        assert_eq!(field.length((0, 3)), Some(3.0));
        // Up to the row above the wall, across it, and down again.
        assert_eq!(field.length((3, 1)), Some((2.0 * 12.0 + 17.0 + 2.0 * 12.0 + 2.0 * 12.0) / 12.0));
        assert_eq!((field.length((2, 1)), field.length((4, 0)), field.length((9, 9))), (None, None, None));
        let path = field.descend(&free, (3, 1)).expect("a path");
        assert_eq!((path[0], path.last()), ((3, 1), Some(&(0, 0))));
        let corners = pull_tight(&free, &path);
        assert_eq!(corners.last(), Some(&(0, 0)));
        assert!(corners.len() <= 3, "{corners:?}");
    }

    #[test]
    fn a_field_around_nothing_leads_nowhere() {
        let nothing = Bits::new(0, 0);
        assert_eq!(DistanceField::around(&nothing, (0, 0)).length((0, 0)), None);
        let wall = Bits::new(3, 3);
        let field = DistanceField::around(&wall, (1, 1));
        assert_eq!((field.length((1, 1)), field.length((0, 1))), (Some(0.0), None));
    }
}
