//! A stock that covers the whole floor: a grid that records where it was removed.

use crate::object::Object;
use crate::shape::Bounds;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A grid over the floor; each cell has some of a stock or has none left. A cell is *wanted* if a robot could stand on its centre
/// when the floor was laid, and *open* if one could stand there now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// The name of the stock.
    pub stock: Arc<str>,
    origin: Vec2,
    /// Side of a cell. [m]
    cell: f64,
    columns: usize,
    rows: usize,
    /// Free distance that a robot's centre needs. [m]
    clearance: f64,
    wanted: Vec<bool>,
    open: Vec<bool>,
    taken: Vec<bool>,
}

/// Largest number of cells; beyond it the cells get larger.
const MOST: f64 = 250_000.0;

impl Floor {
    /// A floor that is covered with a stock. Only cells count whose centre has `clearance` around it and that belong to the largest
    /// connected part. [m]
    pub fn new(stock: &str, bounds: &Bounds, cell: f64, clearance: f64, objects: &[Object]) -> Floor {
        let size = bounds.size();
        let cell = cell.max((size.x * size.y / MOST).sqrt()).max(1e-3);
        let columns = (size.x / cell).ceil().max(1.0) as usize;
        let rows = (size.y / cell).ceil().max(1.0) as usize;
        let count = columns * rows;
        let mut floor = Floor {
            stock: stock.into(),
            origin: bounds.min,
            cell,
            columns,
            rows,
            clearance,
            wanted: Vec::new(),
            open: vec![false; count],
            taken: vec![false; count],
        };
        floor.survey(bounds, objects);
        floor.wanted = floor.open.clone();
        floor
    }

    /// The area of the wanted cells that have none left. [m²]
    pub fn done_area(&self) -> f64 {
        self.done() as f64 * self.cell * self.cell
    }

    /// Updates where a robot can stand. Called when objects have changed.
    pub fn survey(&mut self, bounds: &Bounds, objects: &[Object]) {
        let inside = |place: usize| bounds.margin(self.center(place)) >= self.clearance;
        let mut free: Vec<bool> = (0..self.open.len()).map(inside).collect();
        for outline in objects.iter().filter(|object| object.impassable()).map(|object| &object.outline) {
            let area = outline.bounds();
            // One cell more on each side, so that rounding cannot leave one out.
            let cells = |low: f64, high: f64, origin: f64, count: usize| {
                let cell = |at: f64| (at - origin) / self.cell;
                let first = (cell(low - self.clearance) - 1.0).max(0.0) as usize;
                first.min(count)..((cell(high + self.clearance) + 2.0).max(0.0) as usize).min(count)
            };
            for row in cells(area.min.y, area.max.y, self.origin.y, self.rows) {
                for column in cells(area.min.x, area.max.x, self.origin.x, self.columns) {
                    let place = row * self.columns + column;
                    free[place] = free[place] && outline.distance(self.center(place)) >= self.clearance;
                }
            }
        }
        self.open = self.largest_part(&free);
    }

    /// The cells of the largest connected part.
    fn largest_part(&self, free: &[bool]) -> Vec<bool> {
        let mut part = vec![0u32; free.len()];
        let (mut largest, mut size) = (0, 0);
        let mut parts = 0;
        for start in 0..free.len() {
            if !free[start] || part[start] != 0 {
                continue;
            }
            parts += 1;
            part[start] = parts;
            let (mut edge, mut count) = (vec![start], 0);
            while let Some(place) = edge.pop() {
                count += 1;
                for next in self.neighbours(place).into_iter().flatten() {
                    if free[next] && part[next] == 0 {
                        part[next] = parts;
                        edge.push(next);
                    }
                }
            }
            if count > size {
                (largest, size) = (parts, count);
            }
        }
        part.iter().map(|&number| number != 0 && number == largest).collect()
    }

    fn neighbours(&self, place: usize) -> [Option<usize>; 4] {
        let (column, row) = (place % self.columns, place / self.columns);
        [
            (column > 0).then(|| place - 1),
            (column + 1 < self.columns).then_some(place + 1),
            (row > 0).then(|| place - self.columns),
            (row + 1 < self.rows).then_some(place + self.columns),
        ]
    }

    fn center(&self, place: usize) -> Vec2 {
        let (column, row) = (place % self.columns, place / self.columns);
        self.origin + vec2((column as f64 + 0.5) * self.cell, (row as f64 + 0.5) * self.cell)
    }

    /// Takes the stock from the cells whose centres are within `reach` of the way from one point to another; returns the number of
    /// those that had some.
    pub fn take(&mut self, from: Vec2, to: Vec2, reach: f64) -> usize {
        let [start, end] = [from, to].map(|point| (point - self.origin) * (1.0 / self.cell));
        let span = reach / self.cell;
        let range = |a: f64, b: f64, count: usize| {
            let low = (a.min(b) - span - 0.5).ceil().max(0.0) as usize;
            let high = (a.max(b) + span + 0.5).floor().max(0.0) as usize;
            low.min(count)..high.min(count)
        };
        let way = to - from;
        let along = |point: Vec2| (point - from).dot(way) / way.length_squared().max(1e-12);
        let off = |point: Vec2| point.distance(from + way * along(point).clamp(0.0, 1.0));
        let mut fresh = 0;
        for row in range(start.y, end.y, self.rows) {
            for column in range(start.x, end.x, self.columns) {
                let place = row * self.columns + column;
                if !self.taken[place] && off(self.center(place)) <= reach {
                    self.taken[place] = true;
                    fresh += 1;
                }
            }
        }
        fresh
    }

    /// Centres of the cells that count and still have some of the stock, except those for which `excused` holds. [m]
    pub fn left<'a>(&'a self, excused: impl Fn(Vec2) -> bool + 'a) -> impl Iterator<Item = Vec2> + 'a {
        let due = |place: &usize| self.wanted[*place] && self.open[*place] && !self.taken[*place];
        (0..self.wanted.len()).filter(due).map(|place| self.center(place)).filter(move |at| !excused(*at))
    }

    /// Notes for every cell that counts whether nothing is left there, which `taken` tells.
    pub fn record(&mut self, taken: impl Fn(Vec2) -> bool) {
        for place in 0..self.wanted.len() {
            self.taken[place] = self.wanted[place] && taken(self.center(place));
        }
    }

    /// Centres of the cells that count. [m]
    pub fn counted(&self) -> impl Iterator<Item = Vec2> {
        let counts = |place: &usize| self.wanted[*place] && self.open[*place];
        (0..self.wanted.len()).filter(counts).map(|place| self.center(place))
    }

    /// Area of a cell. [m²]
    pub fn cell_area(&self) -> f64 {
        self.cell * self.cell
    }

    /// The number of cells that count and have nothing left.
    pub fn done(&self) -> usize {
        self.wanted.iter().zip(&self.taken).filter(|(wanted, taken)| **wanted && **taken).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crewlab_onboard::geometry::Pose;

    fn bounds() -> Bounds {
        Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 2.0) }
    }

    #[test]
    fn only_cells_where_a_robot_can_stand_and_get_to_count() {
        // A wall with no door splits off the left quarter.
        let wall = Object::obstacle(
            "wall",
            Shape::Segment(vec2(0.0, 0.0), vec2(0.0, 2.0)),
            Pose::new(1.0, 0.0, 0.0),
        );
        let floor = Floor::new("dust", &bounds(), 0.2, 0.3, &[wall]);
        let left: Vec<Vec2> = floor.left(|_| false).collect();
        assert!(!left.is_empty());
        assert!(left.iter().all(|at| at.x >= 1.3 && at.x <= 3.7 && at.y >= 0.3 && at.y <= 1.7));
    }

    #[test]
    fn taking_leaves_a_trace_once() {
        let mut floor = Floor::new("dust", &bounds(), 0.1, 0.2, &[]);
        let before = floor.left(|_| false).count();
        let here = vec2(2.0, 1.0);
        assert!(floor.take(here, here, 0.35) > 0);
        assert_eq!(floor.take(here, here, 0.35), 0, "the stock must not come back");
        assert_eq!(floor.left(|_| false).count() + floor.done(), before);
        assert!(floor.left(|_| false).all(|at| at.distance(vec2(2.0, 1.0)) > 0.35));
        assert_eq!(floor.take(vec2(-50.0, 90.0), vec2(-50.0, 90.0), 0.35), 0);
    }

    #[test]
    fn what_is_recorded_replaces_what_was_taken() {
        let mut floor = Floor::new("unknown", &bounds(), 0.2, 0.3, &[]);
        let all = floor.counted().count();
        floor.record(|at| at.x < 2.0);
        let west = floor.done();
        assert!(west > 0 && west < all && floor.left(|_| false).count() == all - west);
        floor.record(|_| false);
        assert_eq!(floor.done(), 0);
    }

    /// A long tick is several short ones.
    #[test]
    fn a_long_step_takes_as_much_as_short_ones() {
        let steps: Vec<Vec2> =
            (0..=20).map(|n| vec2(0.5 + 0.15 * f64::from(n), 0.6 + 0.04 * f64::from(n))).collect();
        let (mut once, mut often) =
            (Floor::new("dust", &bounds(), 0.1, 0.2, &[]), Floor::new("dust", &bounds(), 0.1, 0.2, &[]));
        let whole = once.take(steps[0], steps[20], 0.3);
        let parts: usize = steps.windows(2).map(|step| often.take(step[0], step[1], 0.3)).sum();
        assert!(whole > 0 && whole == parts && once == often, "{whole}, {parts}");
    }

    #[test]
    fn moved_furniture_excuses_its_new_place_but_adds_no_work_at_the_old_one() {
        let mut floor = Floor::new("dust", &bounds(), 0.2, 0.2, &[]);
        let all = floor.left(|_| false).count();
        let desk = Object::obstacle("desk", Shape::rectangle(1.0, 1.0), Pose::new(3.0, 1.0, 0.0));
        floor.survey(&bounds(), std::slice::from_ref(&desk));
        assert!(floor.left(|_| false).count() < all);
        floor.survey(&bounds(), &[]);
        assert_eq!(floor.left(|_| false).count(), all);
        let mut covered = Floor::new("dust", &bounds(), 0.2, 0.2, &[desk]);
        let fewer = covered.left(|_| false).count();
        covered.survey(&bounds(), &[]);
        assert_eq!(covered.left(|_| false).count(), fewer);
    }
}
