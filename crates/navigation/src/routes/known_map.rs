//! Shortest routes for any number of robots of one size on one map that all of them know: the corners around which a tight string
//! can bend, and which of them see each other, are found once. A route is then a short search, of any angle and not bound to cells.

use super::cell_grid::CellGrid;
use super::points::Points;
use super::route::{NoRoute, Origin, Route, Waypoint};
use super::search::{Graph, shortest};
use super::sight::{Spot, sees};
use super::space::Space;
use crate::Place;
use crewlab_onboard::geometry::Vec2;

/// Farther than any two cells of a grid. [cells]
const EVERYWHERE: i32 = 1 << 24;
/// The four diagonal neighbours.
const DIAGONALS: [Place; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// A map with its corners. It does not change, so robots can share it.
#[derive(Clone, Debug)]
pub struct KnownMap {
    space: Space,
    corners: Points,
    /// Which diagonal neighbours of a corner are not passable, as bits.
    blocked: Vec<u8>,
    /// The number of the first edge of every corner, and the number of edges.
    first: Vec<u32>,
    /// The other corner and its distance. [cells]
    edges: Vec<(u32, f64)>,
}

impl KnownMap {
    /// Prepares a map for robots of this radius. [m]
    pub fn new(grid: CellGrid, radius: f64) -> KnownMap {
        let space = Space::new(grid, radius, 0.0);
        let (columns, rows) = (space.grid().columns(), space.grid().rows());
        let corners: Vec<(Place, u8)> = space
            .passable
            .iter()
            .map(|place| (place, bends(space.passable.around(place))))
            .filter(|(_, blocked)| *blocked != 0)
            .collect();
        let places = corners.iter().map(|(place, _)| *place).collect();
        let mut map = KnownMap {
            corners: Points::new(places, columns, rows),
            blocked: corners.iter().map(|(_, blocked)| *blocked).collect(),
            first: vec![0],
            edges: Vec::new(),
            space,
        };
        map.connect();
        map
    }

    /// Connects corners that see each other, if a shortest route can bend at both ends of the edge.
    fn connect(&mut self) {
        for number in 0..self.corners.count() as u32 {
            let from = self.corners.spot(number);
            let bends = |other: u32| self.bends(number, self.corners.spot(other)) && self.bends(other, from);
            let seen = self.seen(from, |other| other != number && bends(other));
            let edge = |other: u32| (other, from.distance(self.corners.spot(other)));
            self.edges.extend(seen.into_iter().map(edge));
            self.first.push(self.edges.len() as u32);
        }
    }

    fn seen(&self, from: Spot, test: impl Fn(u32) -> bool) -> Vec<u32> {
        self.corners.seen(&self.space.passable, from, EVERYWHERE, test).0
    }

    /// True if a route from or to a spot can bend at a corner. It cannot if it comes from behind, seen from what is in the way.
    fn bends(&self, corner: u32, to: Spot) -> bool {
        let at = self.corners.spot(corner);
        let blocked = (0..4).filter(|side| self.blocked[corner as usize] >> side & 1 == 1);
        blocked.map(|side| DIAGONALS[side]).any(|(x, y)| {
            let (away, aside) = ((at.x - to.x) * i64::from(x), (at.y - to.y) * i64::from(y));
            // A line through the blocked cell is between the slopes of 1/3 and 3.
            !(3 * away > aside && 3 * aside > away)
        })
    }

    /// The map, and where a robot can be on it.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Number of corners, and of lines of sight between them.
    pub fn size(&self) -> (usize, usize) {
        (self.corners.count(), self.edges.len() / 2)
    }

    /// The shortest route to a goal that bends only at centres of cells beside corners.
    pub fn plan(&self, start: Vec2, goal: Vec2) -> Result<Route, NoRoute> {
        let departure = self.space.depart(start)?;
        let (from, to) = (departure.spot, self.space.arrive(goal)?);
        if self.space.region(from.cell()) != self.space.region(to.cell()) {
            return Err(NoRoute::Unreachable);
        }
        let corners = if sees(&self.space.passable, from, to) { Vec::new() } else { self.search(from, to)? };
        let escape =
            departure.escape.then(|| Waypoint { at: self.space.point(from), origin: Origin::Escape });
        let bends = corners.into_iter().map(|corner| Waypoint {
            at: self.space.grid().point(self.corners.place(corner)),
            origin: Origin::Corner,
        });
        let last = Waypoint { at: goal, origin: Origin::Goal };
        Ok(Route::over(start, escape.into_iter().chain(bends).chain([last]).collect()))
    }

    fn search(&self, from: Spot, to: Spot) -> Result<Vec<u32>, NoRoute> {
        let distance = |corner: u32| (corner, self.corners.spot(corner).distance(from));
        let starts: Vec<(u32, f64)> =
            self.seen(from, |corner| self.bends(corner, from)).into_iter().map(distance).collect();
        let ends = self.seen(to, |corner| self.bends(corner, to));
        let found = shortest(&mut Query { map: self, goal: to, ends }, &starts);
        found.map(|(_, corners)| corners).ok_or(NoRoute::Unreachable)
    }
}

/// The diagonal neighbours around which a string can bend, as bits: not passable, between two passable sides.
fn bends(around: u8) -> u8 {
    let has = |side: u8| around >> (side % 8) & 1 == 1;
    let bend = |diagonal: u8| !has(2 * diagonal + 1) && has(2 * diagonal) && has(2 * diagonal + 2);
    (0..4).fold(0, |bits, diagonal| bits | u8::from(bend(diagonal)) << diagonal)
}

/// A search through the corners.
struct Query<'a> {
    map: &'a KnownMap,
    goal: Spot,
    /// The corners that see the goal, in order.
    ends: Vec<u32>,
}

impl Graph for Query<'_> {
    fn count(&self) -> usize {
        self.map.corners.count()
    }

    fn neighbours(&mut self, node: u32, visit: &mut dyn FnMut(u32, f64)) {
        let (first, last) = (self.map.first[node as usize], self.map.first[node as usize + 1]);
        for (other, distance) in &self.map.edges[first as usize..last as usize] {
            visit(*other, *distance);
        }
    }

    fn to_goal(&self, node: u32) -> Option<f64> {
        self.ends.binary_search(&node).is_ok().then(|| self.rest(node))
    }

    fn rest(&self, node: u32) -> f64 {
        self.map.corners.spot(node).distance(self.goal)
    }
}
