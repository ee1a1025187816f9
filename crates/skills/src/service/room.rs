//! The room: a counter at the northern wall with the cups, seats for persons, places where robots wait. Robots know
//! this plan from the start.

use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Direction from the counter into the room. [rad]
pub const FRONT: f64 = -FRAC_PI_2;
/// How far behind the counter's edge cups stand. [m]
const EDGE: f64 = 0.06;
/// Room that a robot needs around its centre. [m]
const BERTH: f64 = 0.4;
/// Distance between two robots that wait at the wall, in berths ...
const CLOSE: f64 = 3.0;
/// ... between two robots of a row in front of them ...
const APART: f64 = 4.5;
/// ... and between two rows.
const ROWS: f64 = 3.75;
/// Distance between two seats, and between a seat and a wall. [m]
const SEATS: (f64, f64) = (2.0, 0.9);

/// A room of this size, from which everything else follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room {
    /// South-western corner. [m]
    pub low: Vec2,
    /// North-eastern corner. [m]
    pub high: Vec2,
}

impl Room {
    fn size(&self) -> Vec2 {
        self.high - self.low
    }

    /// South-western and north-eastern corner of the counter. [m]
    pub fn counter(&self) -> (Vec2, Vec2) {
        let (width, depth) = ((0.45 * self.size().x).min(3.0), (0.1 * self.size().y).min(0.6));
        let middle = (self.low.x + self.high.x) / 2.0;
        (vec2(middle - width / 2.0, self.high.y - depth), vec2(middle + width / 2.0, self.high.y))
    }

    /// The initial place of cup number `cup`: in a row near the counter's edge. [m]
    pub fn cup_place(&self, cup: usize, count: usize) -> Vec2 {
        let (low, high) = self.counter();
        let gaps = count.saturating_sub(1).max(1) as f64;
        let step = ((high.x - low.x - 0.4) / gaps).clamp(0.0, 0.6);
        let first = (low.x + high.x) / 2.0 - step * (count.saturating_sub(1)) as f64 / 2.0;
        vec2(first + step * cup as f64, low.y + EDGE.min((high.y - low.y) / 2.0))
    }

    /// True if something at this place stands on the counter, so that it can only be reached from the front.
    pub fn on_counter(&self, at: Vec2) -> bool {
        let (low, high) = self.counter();
        at.x > low.x - 0.02 && at.x < high.x + 0.02 && at.y > low.y - 0.02
    }

    /// Places for seats, those at the walls first. [m]
    pub fn seats(&self) -> Vec<Vec2> {
        let (spacing, wall) = SEATS;
        let steps = |from: f64, to: f64| {
            let count = ((to - from) / spacing + 1e-9).floor();
            (0..if count < 0.0 { 0 } else { count.min(100.0) as usize + 1 })
                .map(move |i| from + spacing * i as f64)
        };
        let rows: Vec<f64> = steps(self.low.y + 2.2, self.high.y - 1.6).collect();
        let outer = [self.low.x + wall, self.high.x - wall];
        let inner = steps(outer[0] + spacing, outer[1] - spacing);
        let columns: Vec<f64> = outer.into_iter().chain(inner).collect();
        columns.iter().flat_map(|&x| rows.iter().map(move |&y| vec2(x, y))).collect()
    }

    /// Where a robot waits for work: up to four at the southern wall, others in rows in front of them, far enough apart for
    /// robots to pass; `None` if there is no room. [m]
    pub fn home(&self, robot: RobotId) -> Option<Vec2> {
        let columns =
            |margin: f64, spacing: f64| ((self.size().x - margin) / spacing).floor().max(0.0) as usize + 1;
        let at_wall = columns(4.0 * BERTH, CLOSE * BERTH).min(4);
        let (spacing, columns, place) = match robot.index().checked_sub(at_wall) {
            None => (CLOSE * BERTH, at_wall, robot.index()),
            Some(place) => (APART * BERTH, columns(10.0 * BERTH, APART * BERTH), place),
        };
        let row = if robot.index() < at_wall { 0 } else { 1 + place / columns };
        let first = (self.low.x + self.high.x) / 2.0 - spacing * (columns - 1) as f64 / 2.0;
        let y = self.low.y + 1.5 * BERTH + ROWS * BERTH * row as f64;
        let at = vec2(first + spacing * (place % columns) as f64, y);
        let inside =
            at.y + BERTH < self.counter().0.y && at.x - BERTH > self.low.x && at.x + BERTH < self.high.x;
        inside.then_some(at)
    }

    /// Where this robot waits to be handed a cup: some way in front of the counter. [m]
    pub fn meeting_place(&self, taker: RobotId) -> Vec2 {
        let (low, high) = self.counter();
        let aside = (f64::from(taker.0 % 3) - 1.0) * 1.3;
        self.within(vec2((low.x + high.x) / 2.0 + aside, low.y - 2.0))
    }

    /// The nearest place between the walls with room for a robot. [m]
    pub fn within(&self, at: Vec2) -> Vec2 {
        let clamp = |value: f64, low: f64, high: f64| value.max(low + BERTH).min((high - BERTH).max(low));
        vec2(clamp(at.x, self.low.x, self.high.x), clamp(at.y, self.low.y, self.high.y))
    }

    /// True if a robot can stand here as far as walls and counter are concerned.
    pub fn has_room(&self, at: Vec2) -> bool {
        let margin =
            (at.x - self.low.x).min(self.high.x - at.x).min(at.y - self.low.y).min(self.high.y - at.y);
        let (low, high) = self.counter();
        let nearest = vec2(at.x.clamp(low.x, high.x), at.y.clamp(low.y, high.y));
        margin >= BERTH - 0.05 && nearest.distance(at) >= BERTH - 0.05
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(x: f64, y: f64) -> Room {
        Room { low: Vec2::ZERO, high: vec2(x, y) }
    }

    #[test]
    fn cups_stand_on_the_counter_and_everything_else_beside_it() {
        let room = room(8.0, 6.0);
        for count in [1, 3, 20] {
            assert!((0..count).all(|cup| room.on_counter(room.cup_place(cup, count))));
        }
        assert!(room.seats().len() >= 4);
        assert!(room.seats().iter().all(|seat| !room.on_counter(*seat) && room.has_room(*seat)));
        let homes: Vec<Vec2> = RobotId::team(10).filter_map(|robot| room.home(robot)).collect();
        assert_eq!(homes.len(), 10);
        for (n, home) in homes.iter().enumerate() {
            // A robot is 1.5 berths wide.
            let passable = |other: &Vec2| other.distance(*home) > 3.5 * BERTH;
            assert!(n < 4 || homes[..n].iter().all(passable), "between {n} and those before it");
        }
        assert!(RobotId::team(4).all(|robot| room.home(robot).is_some_and(|home| room.has_room(home))));
        assert!(RobotId::team(9).all(|taker| room.has_room(room.meeting_place(taker))));
        assert_eq!(room.cup_place(0, 1), vec2(4.0, 5.46));
    }

    #[test]
    fn a_room_of_any_size_has_a_plan() {
        for (x, y) in [(0.1, 0.1), (1.0, 9.0), (200.0, 3.0), (1e4, 1e4)] {
            let room = room(x, y);
            let (low, high) = room.counter();
            assert!(low.x < high.x && low.y < high.y);
            room.seats();
            room.cup_place(3, 7);
            room.home(RobotId(900));
            room.meeting_place(RobotId(u16::MAX));
        }
    }
}
