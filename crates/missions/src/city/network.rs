//! Where people walk: corners, pavements between them, crossings and streets without cars; and the shortest way to a place.

use super::plan::{CityPlan, Rect};
use crewlab_onboard::geometry::{Vec2, vec2};
use std::f64::consts::{FRAC_PI_2, PI};

/// Where walkers on a blocked pavement would still squeeze past. [m]
const SQUEEZE: f64 = 0.45;
/// Distance between places that are checked on a pavement. [m]
const STEP: f64 = 0.25;

/// What a leg leads along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegKind {
    /// A pavement beside a carriageway.
    Pavement,
    /// A crossing over a carriageway.
    Crossing,
    /// A street without cars.
    Zone,
}

/// A corner where the way may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where it is.
    pub rect: Rect,
    /// True for the mouth of a street without cars, which is as wide as the street.
    pub mouth: bool,
}

/// A straight piece of the way, east or north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// What it leads along.
    pub kind: LegKind,
    /// The ground that it covers.
    pub rect: Rect,
    /// 0 from west to east, 1 from south to north.
    pub axis: usize,
    /// Its corners, by number; `None` where the city ends.
    pub ends: [Option<usize>; 2],
    /// Where it is blocked on its whole width, if it is. [m]
    pub blocked: Option<f64>,
}

fn component(point: Vec2, axis: usize) -> f64 {
    if axis == 0 { point.x } else { point.y }
}

impl Leg {
    /// From where to where it goes along its axis. [m]
    fn span(&self) -> (f64, f64) {
        (component(self.rect.low, self.axis), component(self.rect.high, self.axis))
    }

    /// Direction towards its first or its second end. [rad]
    fn direction(&self, end: usize) -> f64 {
        match (self.axis, end) {
            (0, 0) => PI,
            (0, _) => 0.0,
            (_, 0) => -FRAC_PI_2,
            (_, _) => FRAC_PI_2,
        }
    }

    /// Its part between two places along its axis. [m]
    fn part(&self, from: f64, to: f64) -> Rect {
        let Rect { low, high } = self.rect;
        match self.axis {
            0 => Rect { low: vec2(from, low.y), high: vec2(to, high.y) },
            _ => Rect { low: vec2(low.x, from), high: vec2(high.x, to) },
        }
    }

    /// The place where nobody gets past, if there is one. `free` tells whether somebody can stand at a point.
    fn block(&self, free: &dyn Fn(Vec2, f64) -> bool) -> Option<f64> {
        let (from, to) = self.span();
        let size = self.rect.size();
        let width = if self.axis == 0 { size.y } else { size.x };
        let lanes = (width / STEP) as usize;
        let at = |along: f64, lane: usize| {
            let across = -width / 2.0 + lane as f64 * STEP;
            let middle = self.rect.middle();
            if self.axis == 0 { vec2(along, middle.y + across) } else { vec2(middle.x + across, along) }
        };
        let steps = ((to - from) / STEP) as usize;
        let inside = |lane: &usize| {
            let across = *lane as f64 * STEP;
            across >= SQUEEZE && across <= width - SQUEEZE
        };
        (0..=steps)
            .map(|step| from + step as f64 * STEP)
            .find(|along| !(0..=lanes).filter(inside).any(|lane| free(at(*along, lane), SQUEEZE)))
    }
}

/// A piece of ground and the direction of the way from there. [rad]
pub type Signpost = (Rect, Option<f64>);

/// The network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// The corners.
    pub corners: Vec<Corner>,
    /// The legs.
    pub legs: Vec<Leg>,
}

/// Distances of all corners to a goal, and the way from each.
pub struct Ways<'a> {
    network: &'a Network,
    goal: Vec2,
    goal_leg: Option<usize>,
    distances: Vec<f64>,
    directions: Vec<Option<f64>>,
}

impl Network {
    /// The network of a city. `free` tells whether somebody with this radius can stand at a point.
    pub fn new(plan: &CityPlan, free: &dyn Fn(Vec2, f64) -> bool) -> Network {
        let mut network = Network::default();
        network.walk_along(plan, 0);
        network.walk_along(plan, 1);
        for leg in &mut network.legs {
            leg.blocked = leg.block(free);
        }
        network
    }

    /// The number of the corner around a place, which is added if it is new.
    fn corner(&mut self, corner: Corner) -> usize {
        let same = |known: &Corner| known.rect.middle().distance(corner.rect.middle()) < 0.1;
        self.corners.iter().position(same).unwrap_or_else(|| {
            self.corners.push(corner);
            self.corners.len() - 1
        })
    }

    /// Adds all legs along an axis: on both sides of every street of that direction, from one end of the city to the other.
    fn walk_along(&mut self, plan: &CityPlan, axis: usize) {
        for street in 0..plan.streets(1 - axis) {
            let zone = axis == 1 && plan.is_zone(street);
            let sides: &[usize] = if zone { &[0] } else { &[0, 1] };
            for side in sides {
                self.walk_line(plan, axis, street, *side, zone);
            }
        }
    }

    /// Adds the legs of one line.
    fn walk_line(&mut self, plan: &CityPlan, axis: usize, street: usize, side: usize, zone: bool) {
        let (near, far) = (plan.span(1 - axis, street).1, plan.span(1 - axis, street + 1).0);
        let half = plan.pavement / 2.0;
        let (across, width) = match (zone, side) {
            (true, _) => ((near + far) / 2.0, plan.road / 2.0 + plan.pavement),
            (false, 0) => (near - half, half),
            (false, _) => (far + half, half),
        };
        let low = component(plan.bounds.min, axis);
        let high = component(plan.bounds.max, axis);
        let (mut from, mut last) = (low, None);
        let leg = |kind, from: f64, to: f64, ends| {
            let (low, high) = if axis == 0 {
                (vec2(from, across - width), vec2(to, across + width))
            } else {
                (vec2(across - width, from), vec2(across + width, to))
            };
            Leg { kind, rect: Rect { low, high }, axis, ends, blocked: None }
        };
        let along_kind = if zone { LegKind::Zone } else { LegKind::Pavement };
        for crossing in 0..plan.streets(axis) {
            let (before, after) = (plan.span(axis, crossing).1, plan.span(axis, crossing + 1).0);
            let mouth = axis == 0 && plan.is_zone(crossing);
            let at = |along: f64, length: f64| {
                let middle = if axis == 0 { vec2(along, across) } else { vec2(across, along) };
                let size = if axis == 0 { vec2(length, width) } else { vec2(width, length) };
                Corner { rect: Rect::around(middle, size), mouth: mouth || zone }
            };
            if mouth {
                // One corner as wide as the street.
                let number = self.corner(at((before + after) / 2.0, plan.road / 2.0 + plan.pavement));
                self.legs.push(leg(along_kind, from, before - plan.pavement, [last, Some(number)]));
                (from, last) = (after + plan.pavement, Some(number));
            } else {
                let first = self.corner(at(before - half, half));
                let second = self.corner(at(after + half, half));
                self.legs.push(leg(along_kind, from, before - plan.pavement, [last, Some(first)]));
                self.legs.push(leg(LegKind::Crossing, before, after, [Some(first), Some(second)]));
                (from, last) = (after + plan.pavement, Some(second));
            }
        }
        self.legs.push(leg(along_kind, from, high, [last, None]));
    }

    /// The ways to a goal.
    pub fn ways_to(&self, goal: Vec2) -> Ways<'_> {
        let covers = |leg: &Leg| {
            let Rect { low, high } = leg.rect;
            goal.x >= low.x && goal.x <= high.x && goal.y >= low.y && goal.y <= high.y
        };
        let goal_leg = self.legs.iter().position(|leg| leg.kind != LegKind::Crossing && covers(leg));
        let mut ways = Ways {
            network: self,
            goal,
            goal_leg,
            distances: vec![f64::INFINITY; self.corners.len()],
            directions: vec![None; self.corners.len()],
        };
        ways.spread();
        ways
    }
}

impl Ways<'_> {
    /// Bellman's iteration: few corners, so nothing cleverer is needed.
    fn spread(&mut self) {
        if let Some(leg) = self.goal_leg.map(|leg| &self.network.legs[leg]) {
            let at = component(self.goal, leg.axis);
            for (end, corner) in leg.ends.iter().enumerate().filter_map(|(end, at)| Some((end, (*at)?))) {
                let (low, high) = leg.span();
                let (way, through) = if end == 0 { (at - low, low..at) } else { (high - at, at..high) };
                if !leg.blocked.is_some_and(|blocked| through.contains(&blocked)) {
                    (self.distances[corner], self.directions[corner]) = (way, Some(leg.direction(1 - end)));
                }
            }
        }
        for _ in 0..self.network.corners.len() {
            for leg in self.network.legs.iter().filter(|leg| leg.blocked.is_none()) {
                let [Some(one), Some(two)] = leg.ends else { continue };
                let length = self.network.corners[one].rect.middle();
                let length = length.distance(self.network.corners[two].rect.middle());
                for (end, from, to) in [(1, one, two), (0, two, one)] {
                    if self.distances[to] + length < self.distances[from] - 1e-9 {
                        self.distances[from] = self.distances[to] + length;
                        self.directions[from] = Some(leg.direction(end));
                    }
                }
            }
        }
    }

    /// Every piece of ground with the direction of the way from there.
    pub fn signposts(&self) -> Vec<(LegKind, Signpost)> {
        let mut posts = Vec::new();
        for (number, leg) in self.network.legs.iter().enumerate() {
            let (low, high) = leg.span();
            let goal = component(self.goal, leg.axis);
            let parts = match leg.blocked {
                _ if Some(number) == self.goal_leg => vec![(low, goal, Some(1)), (goal, high, Some(0))],
                Some(blocked) => vec![(low, blocked, Some(0)), (blocked, high, Some(1))],
                None => vec![(low, high, self.nearer_end(leg))],
            };
            for (from, to, end) in parts.into_iter().filter(|(from, to, _)| to > from) {
                let known = end.filter(|_| Some(number) == self.goal_leg || self.leads_on(leg, end));
                posts.push((leg.kind, (leg.part(from, to), known.map(|end| leg.direction(end)))));
            }
        }
        posts
    }

    fn leads_on(&self, leg: &Leg, end: Option<usize>) -> bool {
        end.and_then(|end| leg.ends[end]).is_some_and(|corner| self.distances[corner].is_finite())
    }

    /// Over which end the way goes on from a leg.
    fn nearer_end(&self, leg: &Leg) -> Option<usize> {
        let rest = |end: usize| leg.ends[end].map_or(f64::INFINITY, |corner| self.distances[corner]);
        let nearer = if rest(0) <= rest(1) { 0 } else { 1 };
        rest(nearer).is_finite().then_some(nearer)
    }

    /// The way from a corner. [rad]
    pub fn at_corner(&self, corner: usize) -> Option<f64> {
        self.directions[corner]
    }

    #[cfg(test)]
    /// Length of the way from a point to the goal, over the nearest leg or corner; infinite if there is none. [m]
    pub fn distance(&self, from: Vec2) -> f64 {
        let over = |corner: usize| {
            self.distances[corner] + self.network.corners[corner].rect.middle().distance(from)
        };
        let nearest = (0..self.network.corners.len()).map(over).fold(f64::INFINITY, f64::min);
        let on_goal_leg =
            self.goal_leg.is_some_and(|leg| self.network.legs[leg].rect.outline().distance(from) < 1.0);
        if on_goal_leg { from.distance(self.goal) } else { nearest.max(from.distance(self.goal)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_world::Bounds;

    fn plan(pedestrian: Vec<usize>) -> CityPlan {
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(110.0, 70.0) };
        CityPlan { bounds, blocks: [3, 2], pavement: 3.0, road: 7.0, pedestrian }
    }

    #[test]
    fn a_crossroads_has_four_corners_and_four_crossings() {
        let plan = plan(Vec::new());
        let network = Network::new(&plan, &|_, _| true);
        assert_eq!(network.corners.len(), 8);
        let count = |kind| network.legs.iter().filter(|leg| leg.kind == kind).count();
        // Two lines from west to east with three pieces each, four from south to north with two each.
        assert_eq!((count(LegKind::Pavement), count(LegKind::Crossing)), (14, 8));
        assert!(network.legs.iter().all(|leg| leg.rect.size().x > 0.0 && leg.rect.size().y > 0.0));
    }

    #[test]
    fn a_street_without_cars_is_crossed_without_a_crossing() {
        let network = Network::new(&plan(vec![1]), &|_, _| true);
        // Four corners at the first crossroads, two mouths at the second.
        assert_eq!(network.corners.len(), 6);
        let count = |kind| network.legs.iter().filter(|leg| leg.kind == kind).count();
        assert_eq!((count(LegKind::Zone), count(LegKind::Crossing)), (2, 5));
    }

    #[test]
    fn the_way_is_the_shortest_and_avoids_what_is_blocked() {
        let plan = plan(Vec::new());
        let network = Network::new(&plan, &|_, _| true);
        let goal = vec2(105.0, plan.span(1, 1).0 + 1.5);
        let start = vec2(5.0, plan.span(1, 0).1 - 1.5);
        let length = |network: &Network| {
            let middle = |corner: &usize| network.corners[*corner].rect.middle().distance(start);
            let corners = 0..network.corners.len();
            let first = corners.min_by(|one, two| middle(one).total_cmp(&middle(two))).expect("a corner");
            middle(&first) + network.ways_to(goal).distances[first]
        };
        let direct = length(&network);
        assert!((direct - 110.0).abs() < 2.0, "100 m east and 10 m north, from corner to corner: {direct}");
        // A fence on the northern pavement between the two crossroads, where the way may lead, and on the southern one.
        let fence = |at: Vec2, _: f64| !(at.x > 50.0 && at.x < 51.0);
        let blocked = Network::new(&plan, &fence);
        assert_eq!(blocked.legs.iter().filter(|leg| leg.blocked.is_some()).count(), 2);
        assert!(length(&blocked).is_infinite(), "both pavements of the only street are blocked");
        let ways = blocked.ways_to(goal);
        let unknown = ways.signposts().iter().filter(|(_, (_, way))| way.is_none()).count();
        assert!(unknown > 0, "nobody west of the fence knows a way");
    }

    #[test]
    fn every_piece_of_ground_leads_nearer_to_the_goal() {
        let plan = plan(vec![1]);
        let network = Network::new(&plan, &|_, _| true);
        let ways = network.ways_to(vec2(105.0, plan.span(1, 1).0 + 1.5));
        for (kind, (rect, way)) in ways.signposts() {
            let way = Vec2::unit(way.expect("everything is connected"));
            let (here, there) = (rect.middle(), rect.middle() + way * 1.0);
            assert!(ways.distance(there) < ways.distance(here) + 1e-6, "{kind:?} {rect:?}");
        }
    }
}
