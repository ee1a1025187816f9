//! The map that a robot builds while it works: obstacles, the floor it has covered (cleaned, searched), and paths. It grows with
//! the room, whose size is not known in advance, and forgets objects that are gone.

use crate::Ground;
use crewlab_onboard::Scan;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Fine cells per side of a coarse one.
const FINE: i32 = 3;
/// Margin around the robot at first, and when the map grows. [cells]
const MARGIN: i32 = 12;
/// Largest side of a map: a position farther away must be wrong. [cells]
const LARGEST: i32 = 600;
/// Evidence from which a cell counts as occupied, and at which it is free again.
const OCCUPIED: f32 = 4.0;
const SURE: f32 = 9.0;
const FREE: f32 = -3.0;
/// A scan counts once if the one before it is this old. More frequent ones count less: a robot that looks ten times as often must
/// not believe in ten times as much noise. [s]
const LOOK: f64 = 0.1;
/// A scan after a longer time counts more, but not more than this: it is a single one.
const MOST: f64 = 2.0;
/// Obstacles farther from the rim than this are not mapped. [m]
const DRAWN: f64 = 0.55;
/// Nor are those whose distance is noisier than this. [m]
const BLURRED: f64 = 0.11;
/// A distance with less noise than this counts more. [m]
const SHARP: f64 = 0.06;
/// A ray clears the map up to this many standard deviations before its end.
const CAUTION: f64 = 1.5;
/// Rays with more noise than this, as a share of their length, end before the obstacle by their noise alone.
const PRECISE: f64 = 0.1;
/// How far a free ray clears the map. [m]
const CLEARED: f64 = 1.0;
/// A robot may start from a place that seems too narrow, but leave it only over this distance. [m]
const SQUEEZE: f64 = 0.45;
/// Goals nearer than this are approached straight if nothing is in the way. [m]
const STRAIGHT: f64 = 2.5;
/// Look-ahead distance on a path. [cells]
const AIM: usize = 5;

/// The length of a path that was not found.
const UNKNOWN: u32 = u32::MAX;

/// The toll of a cell that seems too narrow, the highest one.
const NARROW: u32 = 8;

/// A cell of the fine or the coarse grid: column and row, counted from the origin of the positions.
pub type Place = (i32, i32);

/// The eight neighbours with the length of the way, straight 2 and diagonal 3.
const AROUND: [(i32, i32, u32); 8] =
    [(1, 0, 2), (0, 1, 2), (-1, 0, 2), (0, -1, 2), (1, 1, 3), (-1, 1, 3), (-1, -1, 3), (1, -1, 3)];

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Cell {
    evidence: f32,
    occupied: bool,
    covered: bool,
    /// Number of occupied cells that are so near that the robot cannot stand here.
    near: u8,
    /// Number of occupied cells that are so near that it should not stand here.
    close: u8,
}

/// The largest whole number that is not above `number`, limited to the range of the type. `f64::floor` is a call of a function
/// on processors without an instruction for it.
#[inline]
fn floor(number: f64) -> i32 {
    let whole = number as i32;
    whole.saturating_sub(i32::from(number < f64::from(whole)))
}

/// A robot's map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Side of a fine cell. [m]
    cell: f64,
    /// The lower left cell.
    low: Place,
    columns: i32,
    rows: i32,
    cells: Vec<Cell>,
    /// Distances at which an occupied cell counts as near and as close, squared. [cells²]
    masks: [f64; 2],
    radius: f64,
}

impl Chart {
    /// An empty map for a robot of this radius. `coarse` is the side of a coarse cell. [m]
    pub fn new(coarse: f64, radius: f64) -> Chart {
        let cell = coarse.max(0.05) / f64::from(FINE);
        let squared = |distance: f64| (distance / cell) * (distance / cell);
        Chart {
            cell,
            low: (0, 0),
            columns: 0,
            rows: 0,
            cells: Vec::new(),
            masks: [squared(radius + 0.07), squared(radius + 0.22)],
            radius,
        }
    }

    /// The fine cell of a point.
    pub fn place(&self, point: Vec2) -> Place {
        (floor(point.x / self.cell), floor(point.y / self.cell))
    }

    /// The centre of a fine cell. [m]
    pub fn point(&self, place: Place) -> Vec2 {
        vec2((f64::from(place.0) + 0.5) * self.cell, (f64::from(place.1) + 0.5) * self.cell)
    }

    /// The coarse cell that a fine cell belongs to.
    pub fn coarse(place: Place) -> Place {
        (place.0.div_euclid(FINE), place.1.div_euclid(FINE))
    }

    /// The centre of a coarse cell. [m]
    pub fn coarse_point(&self, coarse: Place) -> Vec2 {
        self.point((coarse.0 * FINE + FINE / 2, coarse.1 * FINE + FINE / 2))
    }

    fn index(&self, place: Place) -> Option<usize> {
        let (column, row) = (place.0 - self.low.0, place.1 - self.low.1);
        let inside = column >= 0 && row >= 0 && column < self.columns && row < self.rows;
        inside.then(|| (row * self.columns + column) as usize)
    }

    fn get(&self, place: Place) -> Cell {
        self.index(place).map_or(Cell::default(), |index| self.cells[index])
    }

    /// Extends the map to contain a point and its surroundings. False if it would become absurdly large.
    pub fn reach_out(&mut self, point: Vec2) -> bool {
        if !(point.x.abs() < 1e6 && point.y.abs() < 1e6) {
            return false;
        }
        let at = self.place(point);
        let inner = |low: i32, count: i32, at: i32| at >= low + MARGIN && at < low + count - MARGIN;
        if inner(self.low.0, self.columns, at.0) && inner(self.low.1, self.rows, at.1) {
            return true;
        }
        let span = |low: i32, count: i32, at: i32| {
            let (from, to) = (at - 2 * MARGIN, at + 2 * MARGIN);
            if count == 0 {
                (from, to - from)
            } else {
                (low.min(from), (low + count).max(to) - low.min(from))
            }
        };
        let (left, columns) = span(self.low.0, self.columns, at.0);
        let (bottom, rows) = span(self.low.1, self.rows, at.1);
        if columns > LARGEST || rows > LARGEST {
            return false;
        }
        let mut cells = vec![Cell::default(); (columns * rows) as usize];
        for row in 0..self.rows {
            let from = (row * self.columns) as usize;
            let to = ((row + self.low.1 - bottom) * columns + self.low.0 - left) as usize;
            let width = self.columns as usize;
            cells[to..to + width].copy_from_slice(&self.cells[from..from + width]);
        }
        (self.low, self.columns, self.rows, self.cells) = ((left, bottom), columns, rows, cells);
        true
    }

    /// Draws what a range scanner sees, `dt` seconds after the last scan. `noise` is the standard deviation of its ranges as a
    /// share of them.
    pub fn draw(&mut self, pose: &Pose, scan: &Scan, noise: f64, dt: f64) {
        if !self.reach_out(pose.position) {
            return;
        }
        let share = (dt / LOOK).min(MOST) as f32;
        let drawn = DRAWN.min(scan.reach * 0.95).min(BLURRED / noise.max(1e-9));
        // The last cell of a ray is partly in the obstacle: a precise ray that cleared it would undo what others have seen.
        let partly = self.cell * (1.0 - noise / PRECISE).max(0.0);
        for (angle, range) in scan.angles.iter().zip(scan.ranges) {
            let direction = Vec2::unit(pose.heading + angle);
            // The last part of a noisy ray may already be in the obstacle.
            let clear = self.radius + ((1.0 - CAUTION * noise) * range - partly).min(CLEARED);
            let mut along = self.radius;
            let mut last = self.place(pose.position);
            while along < clear {
                let place = self.place(pose.position + direction * along);
                if place != last {
                    self.weigh(place, -share);
                    last = place;
                }
                along += self.cell * 0.7;
            }
            if *range < drawn {
                let hit = self.place(pose.position + direction * (self.radius + range + 0.02));
                self.weigh(hit, share * if noise * range < SHARP { 3.0 } else { 2.0 });
            }
        }
        self.stand(pose.position);
    }

    /// The robot's own place is free.
    fn stand(&mut self, at: Vec2) {
        let reach = self.radius - 0.03;
        self.each_within(at, reach, |chart, place| chart.weigh(place, FREE - SURE));
    }

    fn each_within(&mut self, at: Vec2, reach: f64, mut visit: impl FnMut(&mut Chart, Place)) {
        let (low, high) = (self.place(at - vec2(reach, reach)), self.place(at + vec2(reach, reach)));
        for row in low.1..=high.1 {
            for column in low.0..=high.0 {
                if self.point((column, row)).distance(at) <= reach {
                    visit(self, (column, row));
                }
            }
        }
    }

    #[inline]
    fn weigh(&mut self, place: Place, weight: f32) {
        let Some(index) = self.index(place) else { return };
        let cell = &mut self.cells[index];
        // Most rays cross floor that is known to be free.
        if weight < 0.0 && cell.evidence == FREE {
            return;
        }
        cell.evidence = (cell.evidence + weight).clamp(FREE, SURE);
        let occupied = cell.evidence >= OCCUPIED || (cell.occupied && cell.evidence > 0.0);
        if occupied != cell.occupied {
            cell.occupied = occupied;
            self.count(place, occupied);
        }
    }

    /// Updates the surroundings of a cell that became occupied or free.
    fn count(&mut self, place: Place, occupied: bool) {
        let span = self.masks[1].sqrt() as i32;
        let step = |number: &mut u8| {
            *number = if occupied { number.saturating_add(1) } else { number.saturating_sub(1) };
        };
        for row in -span..=span {
            for column in -span..=span {
                let distance = f64::from(row * row + column * column);
                let Some(index) = self.index((place.0 + column, place.1 + row)) else { continue };
                if distance <= self.masks[0] {
                    step(&mut self.cells[index].near);
                }
                if distance <= self.masks[1] {
                    step(&mut self.cells[index].close);
                }
            }
        }
    }

    /// True if the robot can stand there, as far as the map shows.
    pub fn stands(&self, place: Place) -> bool {
        self.get(place).near == 0
    }

    /// True if the robot has seen that the place is free.
    pub fn seen_free(&self, place: Place) -> bool {
        let cell = self.get(place);
        cell.near == 0 && cell.evidence <= FREE + 1.0
    }

    /// Records that the robot has covered the floor within `reach` of its way from one point to another; returns the area that it
    /// had not covered before. [m], [m²]
    pub fn cover(&mut self, from: Vec2, to: Vec2, reach: f64) -> f64 {
        let mut fresh = 0u32;
        // A way that would cross the whole map is wrong.
        let steps = (from.distance(to) / self.cell).ceil().clamp(1.0, f64::from(LARGEST)) as i32;
        for step in 1..=steps {
            let at = from + (to - from) * (f64::from(step) / f64::from(steps));
            self.each_within(at, reach, |chart, place| {
                if let Some(index) = chart.index(place) {
                    fresh += u32::from(!std::mem::replace(&mut chart.cells[index].covered, true));
                }
            });
        }
        f64::from(fresh) * self.cell * self.cell
    }

    /// True if the robot has covered the floor there.
    pub fn is_covered(&self, place: Place) -> bool {
        self.get(place).covered
    }

    /// True if the robot could stand there and has not covered the floor there.
    pub fn is_due(&self, place: Place) -> bool {
        let cell = self.get(place);
        cell.near == 0 && !cell.covered
    }

    /// The fine cell of a coarse one that passes a test and is nearest to its centre.
    fn within(&self, coarse: Place, test: impl Fn(Place) -> bool) -> Option<Place> {
        let cells = (0..FINE * FINE).map(|n| (coarse.0 * FINE + n % FINE, coarse.1 * FINE + n / FINE));
        let middle = self.coarse_point(coarse);
        let off = |place: &Place| self.point(*place).distance(middle);
        cells.filter(|place| test(*place)).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// A place in a coarse cell where the robot can stand.
    pub fn standing_place(&self, coarse: Place) -> Option<Place> {
        self.within(coarse, |place| self.stands(place))
    }

    /// A place in a coarse cell where the floor still has to be covered.
    pub fn due_place(&self, coarse: Place) -> Option<Place> {
        self.within(coarse, |place| self.is_due(place))
    }

    /// The radius of the robot. [m]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The cost of a step onto a cell on the path from `start`; `None` if the robot cannot go there.
    fn toll(&self, place: Place, start: Vec2) -> Option<u32> {
        let index = self.index(place)?;
        let cell = self.cells[index];
        match (cell.near, cell.close) {
            (0, 0) => Some(1),
            (0, _) => Some(2),
            // Leaves a place that seems too narrow.
            _ if !cell.occupied && self.point(place).distance(start) < SQUEEZE => Some(NARROW),
            _ => None,
        }
    }

    /// The same on the path to `goal`, which may lie in an obstacle of radius `inside`. [m]
    fn toll_towards(&self, place: Place, start: Vec2, goal: Vec2, inside: f64) -> Option<u32> {
        let free = self.toll(place, start);
        free.or_else(|| (self.point(place).distance(goal) <= inside).then_some(NARROW))
    }

    /// Expands over the map from `start` in the order of path length, until `found` holds: returns that cell, and for every cell
    /// reached its predecessor and the length of the path. No toll is above `highest`.
    fn spread(
        &self,
        start: Place,
        highest: u32,
        toll: impl Fn(Place) -> Option<u32>,
        found: impl Fn(Place) -> bool,
    ) -> (Option<Place>, Vec<u32>, Vec<u32>) {
        // No step costs more than the highest toll, three times for a diagonal one.
        let buckets = (3 * highest as usize + 1).next_power_of_two();
        let mut from = vec![UNKNOWN; self.cells.len()];
        let mut length = vec![UNKNOWN; self.cells.len()];
        let Some(first) = self.index(start) else { return (None, from, length) };
        let mut ring: Vec<Vec<u32>> = vec![Vec::new(); buckets];
        (length[first], from[first]) = (0, first as u32);
        ring[0].push(first as u32);
        let (mut distance, mut waiting) = (0u32, 1usize);
        while waiting > 0 {
            let Some(index) = ring[distance as usize % buckets].pop() else {
                distance += 1;
                continue;
            };
            waiting -= 1;
            if length[index as usize] != distance {
                continue;
            }
            let at = (index as i32 % self.columns + self.low.0, index as i32 / self.columns + self.low.1);
            if found(at) {
                return (Some(at), from, length);
            }
            for (column, row, step) in AROUND {
                let next = (at.0 + column, at.1 + row);
                let Some(place) = self.index(next) else { continue };
                // Even the lowest toll makes no shorter path: it need not be computed.
                if length[place] <= distance + step {
                    continue;
                }
                let Some(toll) = toll(next) else { continue };
                let total = distance + toll * step;
                if total < length[place] {
                    (length[place], from[place]) = (total, index);
                    ring[total as usize % buckets].push(place as u32);
                    waiting += 1;
                }
            }
        }
        (None, from, length)
    }

    /// The next point to drive to on the path to `goal`, which may itself lie in an obstacle of radius `inside`; `None` if there is
    /// no path. [m]
    pub fn way(&self, start: Vec2, goal: Vec2, inside: f64) -> Option<Vec2> {
        let (here, there) = (self.place(start), self.place(goal));
        let distance = start.distance(goal);
        if here == there || (distance < STRAIGHT && self.straight(start, goal)) {
            let ahead = (AIM as f64 * self.cell / distance.max(1e-9)).min(1.0);
            return Some(start + (goal - start) * ahead);
        }
        let toll = |place: Place| self.toll_towards(place, start, goal, inside);
        // From the goal backwards, so that the path can be read off from the start.
        let (found, from, _) = self.spread(there, NARROW, toll, |place| place == here);
        found?;
        let mut at = here;
        let mut aim = goal;
        for step in 0..AIM {
            at = self.follow(&from, at)?;
            if step > 1 && !self.straight(start, self.point(at)) {
                break;
            }
            aim = if at == there { goal } else { self.point(at) };
            if at == there {
                break;
            }
        }
        Some(aim)
    }

    /// The cell after this one on a path.
    fn follow(&self, from: &[u32], at: Place) -> Option<Place> {
        let next = *from.get(self.index(at)?)? as i32;
        Some((next % self.columns + self.low.0, next / self.columns + self.low.1))
    }

    /// The next point to drive to on the quickest path to `goal`, where the ground is not equally fast everywhere; as
    /// [`Chart::way`] otherwise. [m]
    pub fn quickest(&self, ground: &Ground, start: Vec2, goal: Vec2, inside: f64) -> Option<Vec2> {
        let (here, there) = (self.place(start), self.place(goal));
        let toll = |place: Place| {
            Some(self.toll_towards(place, start, goal, inside)? * ground.pace(self.point(place))?)
        };
        let (found, from, _) = self.spread(there, NARROW * Ground::SLOWEST, toll, |place| place == here);
        found?;
        // Straight ahead, as far as this takes no longer than from cell to cell.
        let (mut at, mut last, mut spent, mut aim) = (here, start, 0.0, goal);
        for step in 0.. {
            if at == there {
                break;
            }
            at = self.follow(&from, at)?;
            let point = if at == there { goal } else { self.point(at) };
            spent += ground.effort(last, point);
            last = point;
            if step < 2 || (ground.effort(start, point) <= spent && self.straight(start, point)) {
                aim = point;
            }
        }
        Some(aim)
    }

    /// The lengths of the quickest paths from `start` to all cells, for [`Chart::effort`].
    pub fn efforts(&self, ground: &Ground, start: Vec2) -> Vec<u32> {
        let toll = |place: Place| Some(self.toll(place, start)? * ground.pace(self.point(place))?);
        self.spread(self.place(start), NARROW * Ground::SLOWEST, toll, |_| false).2
    }

    /// How many metres of even ground take as long as the path to `goal`; `None` if no path is known, or if the map has grown
    /// since. [m]
    pub fn effort(&self, efforts: &[u32], goal: Vec2) -> Option<f64> {
        let length = *efforts.get(self.index(self.place(goal))?)?;
        let unit = 2.0 * f64::from(Ground::UNIT) / self.cell;
        (efforts.len() == self.cells.len() && length != UNKNOWN).then_some(f64::from(length) / unit)
    }

    /// True if the robot can stand everywhere on the straight line.
    fn straight(&self, from: Vec2, to: Vec2) -> bool {
        let way = to - from;
        let steps = (way.length() / (0.5 * self.cell)).ceil().max(1.0) as u32;
        (1..=steps).all(|n| self.stands(self.place(from + way * (f64::from(n) / f64::from(steps)))))
    }

    /// The cell nearest to `start` by path length that passes a test.
    pub fn nearest(&self, start: Vec2, test: impl Fn(Place) -> bool) -> Option<Place> {
        self.spread(self.place(start), NARROW, |place| self.toll(place, start), test).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Stream, StreamKind};
    use std::f64::consts::TAU;

    /// A chart of a room of 3 m x 3 m, built from exact scans at some places.
    fn chart(stops: &[(f64, f64)]) -> Chart {
        let mut chart = Chart::new(0.4, 0.2);
        let angles: Vec<f64> = (0..72).map(|i| TAU * f64::from(i) / 72.0).collect();
        for &(x, y) in stops {
            let at = vec2(x, y);
            let exit = |angle: &f64| {
                let d = Vec2::unit(*angle);
                let to = |p: f64, v: f64| {
                    if v > 0.0 {
                        (3.0 - p) / v
                    } else if v < 0.0 {
                        -p / v
                    } else {
                        1e9
                    }
                };
                (to(x, d.x).min(to(y, d.y)) - 0.2).clamp(0.0, 1.5)
            };
            let ranges: Vec<f64> = angles.iter().map(exit).collect();
            for _ in 0..5 {
                chart.draw(&Pose { position: at, heading: 0.0 }, &Scan::new(&angles, &ranges, 1.5), 0.2, 0.1);
            }
        }
        chart
    }

    #[test]
    fn whole_numbers_are_rounded_down_like_those_of_the_standard_library() {
        let odd = [
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.0,
            -1.0,
            -1e-300,
            2.5e9,
            -2.5e9,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for number in odd.into_iter().chain((-40..40).map(|n| f64::from(n) * 0.37)) {
            assert_eq!(floor(number), number.floor() as i32, "{number}");
        }
    }

    #[test]
    fn walls_are_mapped_and_avoided() {
        let chart = chart(&[(0.5, 0.5), (0.5, 1.5), (0.5, 2.5)]);
        assert!(chart.stands(chart.place(vec2(0.5, 1.5))));
        assert!(!chart.stands(chart.place(vec2(0.1, 1.5))));
        assert!(!chart.stands(chart.place(vec2(0.5, 0.05))));
    }

    #[test]
    fn a_path_leads_around_mapped_obstacles() {
        let mut chart = chart(&[(0.5, 1.5), (1.5, 1.5), (2.5, 1.5)]);
        for n in -12..12 {
            // A screen between the two ends, open at the top.
            let place = chart.place(vec2(1.5, 0.1 * f64::from(n)));
            chart.weigh(place, SURE);
        }
        let aim = chart.way(vec2(0.6, 0.6), vec2(2.4, 0.6), 0.0).expect("a way");
        assert!(aim.y > 0.8, "{aim:?}");
        let direct = chart.way(vec2(0.6, 2.2), vec2(2.4, 2.2), 0.0).expect("a way");
        assert!((direct.y - 2.2).abs() < 0.3 && direct.x > 0.6);
    }

    /// A map of 8 m x 6 m with ground of this factor from `low` to `high`.
    fn uneven(low: Vec2, high: Vec2, factor: f64) -> (Chart, Ground) {
        let (mut chart, mut ground) = (Chart::new(0.6, 0.2), Ground::default());
        assert!(chart.reach_out(vec2(0.0, 0.0)) && chart.reach_out(vec2(8.0, 6.0)));
        let steps =
            |low: f64, high: f64| (0..((high - low) / 0.1) as u32).map(move |n| low + 0.1 * f64::from(n));
        for x in steps(low.x, high.x) {
            steps(low.y, high.y).for_each(|y| ground.learn(vec2(x + 0.05, y + 0.05), factor, 0.0));
        }
        (chart, ground)
    }

    #[test]
    fn the_quickest_path_leads_around_slow_ground_if_this_saves_time() {
        let (start, goal) = (vec2(1.0, 4.0), vec2(7.0, 4.0));
        let puddle = |factor: f64| {
            let (chart, ground) = uneven(vec2(3.0, 1.0), vec2(5.0, 5.0), factor);
            let effort = chart.effort(&chart.efforts(&ground, start), goal);
            (chart.quickest(&ground, start, goal, 0.0).expect("a way"), effort.expect("a way"))
        };
        // Straight on takes as long as 14 m of even ground; the way past the corners is 6.6 m long.
        let (aim, effort) = puddle(0.2);
        assert!(aim.x < 3.5 && aim.y > 4.8, "{aim:?}");
        assert!(effort > 6.2 && effort < 7.5, "{effort}");
        let (aim, effort) = puddle(0.8);
        assert_eq!(aim, goal);
        assert!((effort - 6.5).abs() < 0.3, "{effort}");
    }

    #[test]
    fn the_quickest_path_uses_fast_ground() {
        let (chart, ground) = uneven(vec2(0.0, 5.0), vec2(8.0, 6.0), 3.0);
        let aim = chart.quickest(&ground, vec2(0.5, 4.0), vec2(7.5, 4.0), 0.0).expect("a way");
        assert!(aim.y > 4.8, "{aim:?}");
    }

    #[test]
    fn efforts_of_a_map_that_has_grown_are_not_used() {
        let (mut chart, ground) = uneven(vec2(3.0, 1.0), vec2(5.0, 5.0), 0.2);
        let efforts = chart.efforts(&ground, vec2(1.0, 4.0));
        assert!(chart.effort(&efforts, vec2(2.0, 4.0)).is_some());
        assert!(chart.reach_out(vec2(30.0, 0.0)));
        assert_eq!(chart.effort(&efforts, vec2(2.0, 4.0)), None);
    }

    #[test]
    fn no_path_leads_over_ground_that_stops_the_robot() {
        let (mut chart, mut ground) = (Chart::new(0.6, 0.2), Ground::default());
        assert!(chart.reach_out(vec2(0.0, 0.0)) && chart.reach_out(vec2(8.0, 0.0)));
        for n in -200..200 {
            for column in 0..4 {
                ground.learn(vec2(4.0 + 0.1 * f64::from(column), 0.1 * f64::from(n)), 0.0, 0.0);
            }
        }
        assert_eq!(chart.quickest(&ground, vec2(1.0, 0.0), vec2(7.0, 0.0), 0.0), None);
    }

    #[test]
    fn objects_that_were_moved_away_are_forgotten() {
        let mut chart = chart(&[(1.5, 1.5)]);
        let table = vec2(1.5, 2.0);
        let place = chart.place(table);
        chart.weigh(place, SURE);
        assert!(!chart.stands(place));
        let angles = [TAU / 4.0];
        for _ in 0..20 {
            chart.draw(
                &Pose { position: vec2(1.5, 1.5), heading: 0.0 },
                &Scan::new(&angles, &[1.3], 1.5),
                0.2,
                0.1,
            );
        }
        assert!(chart.stands(place));
    }

    #[test]
    fn covered_cells_are_no_longer_due_and_the_nearest_due_one_is_found() {
        let mut chart = chart(&[(1.5, 1.5)]);
        let area = chart.cover(vec2(1.5, 1.5), vec2(1.5, 1.5), 0.5);
        assert!((area - 0.5 * 0.5 * TAU / 2.0).abs() < 0.1, "{area}");
        assert_eq!(chart.cover(vec2(1.5, 1.5), vec2(1.5, 1.5), 0.5), 0.0);
        let found = chart.nearest(vec2(1.5, 1.5), |place| chart.is_due(place)).expect("something is due");
        let distance = chart.point(found).distance(vec2(1.5, 1.5));
        assert!(distance > 0.5 && distance < 0.8, "{distance}");
    }

    /// A robot beside a wall for 20 s. However often it looks, noise makes about as many cells look occupied.
    #[test]
    fn looking_more_often_draws_no_more_noise() {
        let occupied = |dt: f64| {
            let mut chart = Chart::new(0.4, 0.2);
            let mut random = Stream::new(1, StreamKind::Sensors, 0, 0);
            let angles: Vec<f64> = (0..36).map(|i| TAU * f64::from(i) / 36.0).collect();
            for tick in 0..(20.0 / dt) as u32 {
                let at = vec2(0.1 * f64::from(tick) * dt, 0.6);
                let ranges: Vec<f64> = angles
                    .iter()
                    .map(|angle| {
                        let down = -Vec2::unit(*angle).y;
                        let wall = if down > 0.0 { 0.6 / down - 0.2 } else { f64::INFINITY };
                        (wall.min(1.5) * (1.0 + 0.2 * random.normal())).clamp(0.0, 1.5)
                    })
                    .collect();
                let scan = Scan::new(&angles, &ranges, 1.5);
                chart.draw(&Pose { position: at, heading: 0.0 }, &scan, 0.2, dt);
            }
            chart.cells.iter().filter(|cell| cell.occupied).count() as f64
        };
        let usual = occupied(0.1);
        assert!(occupied(0.01) < 1.2 * usual, "{} instead of {usual}", occupied(0.01));
        assert!(occupied(0.5) > 0.5 * usual, "{} instead of {usual}", occupied(0.5));
    }

    #[test]
    fn absurd_positions_are_not_mapped() {
        let mut chart = chart(&[(1.5, 1.5)]);
        let size = chart.cells.len();
        chart.draw(
            &Pose { position: vec2(1e9, f64::NAN), heading: 0.0 },
            &Scan::new(&[0.0], &[0.1], 1.5),
            0.2,
            0.1,
        );
        chart.draw(
            &Pose { position: vec2(5e4, 0.0), heading: 0.0 },
            &Scan::new(&[0.0], &[0.1], 1.5),
            0.2,
            0.1,
        );
        assert_eq!(chart.cells.len(), size);
    }
}
