//! Finding a robot anywhere on its map, for one that was carried away.

use super::agreement::agreement;
use super::coarse::{FAR, Field};
use super::gaussian::Symmetric;
use super::map::SlamMap;
use super::matching::{Prior, Trust, fit, refine_around};
use crate::maps::CellState;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use std::f64::consts::TAU;

/// A pose is accepted if this share of the scan agrees with the map.
const AGREES: f64 = 0.8;
/// Poses farther apart than this are different ones. [m], [rad]
const APART: (f64, f64) = (1.0, 0.5);
/// Another pose that fits and costs less than this many times as much makes the best one ambiguous: rooms may look the same from two sides.
const AMBIGUOUS: f64 = 1.5;
/// Most points that are looked up in one search. A larger map is searched in wider steps.
const MOST: f64 = 3e7;
/// What is known beforehand about a pose that was found on the grid: half a metre and about 20°.
const WEAK: Symmetric = Symmetric([4.0, 0.0, 0.0, 4.0, 0.0, 8.0]);

/// All poses on a grid over a map.
struct Search<'a> {
    map: &'a SlamMap,
    field: Field,
    places: Vec<Vec2>,
    points: Vec<Vec2>,
    turns: u32,
}

impl Search<'_> {
    /// The cheapest of the poses that `counts` holds for, with its cost per point.
    fn cheapest(&self, counts: impl Fn(&Pose) -> bool) -> Option<(f64, Pose)> {
        let mut best: Option<(f64, Pose)> = None;
        let mut cells = Vec::with_capacity(self.points.len());
        for turn in 0..self.turns {
            let heading = wrap(TAU * f64::from(turn) / f64::from(self.turns));
            let facing = Vec2::unit(heading);
            let origin = self.map.occupancy.point(self.field.low);
            cells.clear();
            cells.extend(self.points.iter().map(|point| {
                let cell = self.map.occupancy.place(origin + point.rotated(facing));
                (cell.0 - self.field.low.0, cell.1 - self.field.low.1)
            }));
            for place in &self.places {
                let pose = Pose { position: *place, heading };
                let cell = self.map.occupancy.place(*place);
                let shift = (cell.0 - self.field.low.0, cell.1 - self.field.low.1);
                if counts(&pose) {
                    let cost = self.field.cost(&cells, shift) / self.points.len() as f64;
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, pose));
                    }
                }
            }
        }
        best
    }
}

/// The pose at which a scan fits a map: where odometry expects the robot if it fits there, because something may only have been in
/// the way for a while; otherwise the one place where it fits. `None` if it fits nowhere, or at several places.
pub fn relocate(map: &SlamMap, points: &[Vec2], expected: Option<Pose>, trust: Trust) -> Option<Pose> {
    let points: Vec<Vec2> = points.iter().copied().filter(|point| point.length() < FAR).collect();
    if let Some((_, pose)) = expected.and_then(|expected| settled(map, &points, expected, trust)) {
        return Some(pose);
    }
    let (low, high) = map.occupancy.bounds()?;
    let (low, high) = (map.occupancy.point(low), map.occupancy.point(high));
    let (centre, size) = ((low + high) * 0.5, high - low);
    let field = Field::new(map, centre, 0.5 * size.x.max(size.y) + map.resolution());
    let farthest = points.iter().map(|point| point.length()).fold(1.0, f64::max);
    // Surfaces are felt over two cells, so steps of two cells miss nothing.
    let turns = (TAU * farthest / (2.0 * map.resolution())).ceil();
    let free = || map.occupancy.known().filter(|(cell, _)| map.occupancy.state(*cell) == CellState::Free);
    let work = free().count() as f64 * turns * points.len() as f64;
    let step = (work / MOST).sqrt().ceil().max(2.0) as i32;
    let on_grid = free().filter(|(cell, _)| cell.0.rem_euclid(step) == 0 && cell.1.rem_euclid(step) == 0);
    let places = on_grid.map(|(cell, _)| map.occupancy.point(cell)).collect();
    let search = Search { map, field, places, points, turns: turns as u32 };
    let (_, best) = search.cheapest(|_| true)?;
    let (cost, pose) = settled(map, &search.points, best, trust)?;
    let apart = |other: &Pose| {
        other.position.distance(pose.position) > APART.0 || wrap(other.heading - pose.heading).abs() > APART.1
    };
    // The grid is coarse, so the second best pose may turn out to be as good as the best one.
    let other = search.cheapest(apart).and_then(|(_, other)| settled(map, &search.points, other, trust));
    let rival = other.filter(|(_, other)| apart(other));
    rival.is_none_or(|(other, _)| other > AMBIGUOUS * cost).then_some(pose)
}

/// The best pose beside one on the grid, and what it costs; `None` if the scan does not fit there.
fn settled(map: &SlamMap, points: &[Vec2], start: Pose, trust: Trust) -> Option<(f64, Pose)> {
    let prior = Prior { pose: start, information: WEAK };
    let beside = Pose { position: start.position + vec2(map.resolution(), map.resolution()), ..start };
    let (pose, _) = refine_around(map, points, &prior, [start, beside], trust);
    let agrees = agreement(map, &pose, points).is_some_and(|share| share >= AGREES);
    agrees.then(|| (fit(map, &pose, points, trust).cost, pose))
}
