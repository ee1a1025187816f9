//! The route of the two teams: gathering points, waypoints, destination, and the places in a formation.

use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Where the gathering points are, as a share of the room's length.
const GATHERING: f64 = 0.15;
/// Where the last waypoints are, as a share of the room's length.
const DESTINATION: f64 = 0.92;
/// Where the lanes of the first and the second team are, as a share of the room's height.
const LANES: [f64; 2] = [0.7, 0.3];
/// Distance between neighbours in a formation. [m]
const SPACING: f64 = 0.8;
/// Robots side by side in a formation, as long as there is room behind the gathering point.
const ABREAST: usize = 3;
/// The destination begins at least this many rows before the last way point, and this many before the last row. [rows]
const DEEPEST: [usize; 2] = [3, 2];

/// One of the two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Group {
    /// The team that bounds first.
    First,
    /// The team that overwatches first.
    Second,
}

impl Group {
    /// Both teams.
    pub const BOTH: [Group; 2] = [Group::First, Group::Second];

    /// The other team.
    pub fn other(self) -> Group {
        match self {
            Group::First => Group::Second,
            Group::Second => Group::First,
        }
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.index() as u32 + 1
    }

    fn index(self) -> usize {
        usize::from(self == Group::Second)
    }
}

/// The room as everybody knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room {
    /// The lower left corner. [m]
    pub low: Vec2,
    /// The upper right corner. [m]
    pub high: Vec2,
}

impl Room {
    fn at(&self, x: f64, y: f64) -> Vec2 {
        self.low + vec2((self.high.x - self.low.x) * x, (self.high.y - self.low.y) * y)
    }
}

/// The route through a room. Bounds are counted from 0 over both teams: the first team makes the even ones, the second the odd
/// ones, each a step past the other, up to the destination.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    room: Room,
    bounds: u32,
    /// Robots side by side in a formation.
    abreast: usize,
    /// Rows of the larger team behind its leader.
    rows: usize,
}

impl Route {
    /// The route through a room with this many bounds of each team, for this many robots in both teams together.
    pub fn new(room: Room, bounds: u32, robots: usize) -> Route {
        let followers = robots.div_ceil(2).saturating_sub(1);
        let side = room.high - room.low;
        // A team gathers between its gathering point and the wall behind it, and keeps to its half of the room.
        let behind = ((side.x * GATHERING / SPACING) as usize).saturating_sub(1).max(1);
        let widest = ((side.y * (LANES[0] - LANES[1]) / SPACING) as usize).max(1);
        let abreast = followers.div_ceil(behind).clamp(ABREAST, widest.max(ABREAST));
        Route { room, bounds: bounds.max(1), abreast, rows: followers.div_ceil(abreast) }
    }

    /// Bounds of both teams together.
    pub fn total(&self) -> u32 {
        self.bounds.saturating_mul(2)
    }

    /// The team whose turn it is after this many bounds; `None` at the end.
    pub fn turn(&self, done: u32) -> Option<Group> {
        (done < self.total()).then(|| Group::BOTH[done as usize % 2])
    }

    /// A team's own bounds among this many bounds of both teams.
    pub fn own(&self, group: Group, done: u32) -> u32 {
        (done + 1 - group.index() as u32) / 2
    }

    /// Where a team stands after this many bounds of both teams. [m]
    pub fn rest(&self, group: Group, done: u32) -> Vec2 {
        self.stop(group, self.own(group, done))
    }

    /// Where a team's next bound leads after this many bounds of both teams. [m]
    pub fn goal(&self, group: Group, done: u32) -> Vec2 {
        self.stop(group, self.own(group, done) + 1)
    }

    /// A team's place after this many of its own bounds: 0 is its gathering point. [m]
    pub fn stop(&self, group: Group, own: u32) -> Vec2 {
        let own = own.min(self.bounds);
        let step = if own == 0 { 0 } else { 2 * own - 1 + group.index() as u32 };
        self.room.at(self.share(step), LANES[group.index()])
    }

    /// How far along the room this many steps are, as a share of its length. The second team's last bound ends beside the first
    /// team's.
    fn share(&self, step: u32) -> f64 {
        let steps = 2 * self.bounds - 1;
        GATHERING + (DESTINATION - GATHERING) * f64::from(step.min(steps)) / f64::from(steps)
    }

    /// Coordinates of all waypoints along the way. [m]
    pub fn lines(&self) -> impl Iterator<Item = f64> {
        (1..2 * self.bounds).map(|step| self.room.at(self.share(step), 0.0).x)
    }

    /// Coordinate from which the destination is reached. [m]
    pub fn finish(&self) -> f64 {
        let depth = DEEPEST[0].max(self.rows + DEEPEST[1]);
        self.room.at(DESTINATION, 0.0).x - depth as f64 * SPACING
    }

    /// A place in a formation relative to its front, which faces along the x axis: rank 0 is the middle of the front row, then its
    /// neighbours on the left and on the right, then the next rows. [m]
    pub fn slot(&self, rank: usize) -> Vec2 {
        let (row, place) = (rank / self.abreast, rank % self.abreast);
        let across = place.div_ceil(2) as f64 * if place % 2 == 1 { SPACING } else { -SPACING };
        vec2(-SPACING * row as f64, across)
    }

    /// A follower's place about its leader: the rows behind it. [m]
    pub fn behind(&self, rank: usize) -> Vec2 {
        self.slot(rank + self.abreast)
    }

    /// True if the larger team has room behind its gathering point and before the destination.
    pub fn fits(&self) -> bool {
        let depth = self.rows as f64 * SPACING;
        let start = self.room.at(GATHERING, 0.0).x;
        start - depth > self.room.low.x && self.finish() > start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUTE: Route = Route {
        room: Room { low: Vec2::ZERO, high: Vec2 { x: 100.0, y: 10.0 } },
        bounds: 3,
        abreast: 3,
        rows: 1,
    };

    #[test]
    fn teams_take_turns_and_leapfrog() {
        let mut places = Group::BOTH.map(|group| ROUTE.rest(group, 0).x);
        assert_eq!(places[0], places[1], "the gathering points are side by side");
        for done in 0..ROUTE.total() {
            let group = ROUTE.turn(done).expect("somebody's turn");
            assert_eq!(ROUTE.goal(group, done), ROUTE.rest(group, done + 1));
            assert_eq!(ROUTE.rest(group.other(), done), ROUTE.rest(group.other(), done + 1), "others stand");
            let place = ROUTE.goal(group, done).x;
            let ahead = place > places[1 - group.index()] || done + 1 == ROUTE.total();
            assert!(place > places[group.index()] && ahead, "bound {done}");
            places[group.index()] = place;
        }
        assert_eq!(ROUTE.turn(ROUTE.total()), None);
        assert_eq!(places[0], places[1], "both end at the destination");
        assert!(places[0] > ROUTE.finish());
        assert_eq!(ROUTE.lines().count(), 5);
    }

    #[test]
    fn a_number_of_bounds_beyond_the_end_changes_nothing() {
        for group in Group::BOTH {
            assert_eq!(ROUTE.rest(group, 99), ROUTE.rest(group, ROUTE.total()));
            assert_eq!(ROUTE.goal(group, 99), ROUTE.rest(group, ROUTE.total()));
        }
    }

    #[test]
    fn nobody_shares_a_slot() {
        for robots in [1, 8, 40] {
            let route = Route::new(ROUTE.room, 3, robots);
            let slots: Vec<Vec2> = (0..20).map(|rank| route.slot(rank)).collect();
            for (i, a) in slots.iter().enumerate() {
                assert!(slots[..i].iter().all(|b| a.distance(*b) >= 0.99 * SPACING));
            }
            assert!((0..20).all(|rank| route.behind(rank).x < 0.0), "followers are behind their leader");
        }
    }

    #[test]
    fn every_row_of_a_team_of_any_size_has_room_at_both_ends() {
        let room = Room { low: Vec2::ZERO, high: vec2(30.0, 10.0) };
        for robots in 1..=40 {
            let route = Route::new(room, 4, robots);
            let last = route.behind(robots.div_ceil(2).saturating_sub(2));
            let [start, end] = [0, 4].map(|own| route.stop(Group::First, own) + last);
            assert!(start.x > 0.0 && end.x > route.finish() + SPACING, "{robots} robots: {start:?}, {end:?}");
            assert!(last.y.abs() < 2.0 && route.fits(), "{robots} robots: {last:?}");
        }
        assert!(!Route::new(room, 4, 400).fits());
    }
}
