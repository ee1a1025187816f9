//! Routes on a known map are at most 3 % longer than the true shortest path.

use crate::reference::{Polygon, shortest};
use crewlab_navigation::routes::{Cell, CellGrid, KnownMap};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Stream, StreamKind};

/// Side of the room. [m]
const SIZE: f64 = 30.0;
/// Side of a cell. [m]
const CELL: f64 = 0.1;
/// Gaps between obstacles of which a grid cannot tell whether a robot fits. [m]
const VAGUE: f64 = 3.0 * CELL;

/// A triangle, rectangle or other polygon with its corners on a circle, stretched.
fn polygon(random: &mut Stream) -> Polygon {
    let centre = vec2(random.between(3.0, SIZE - 3.0), random.between(3.0, SIZE - 3.0));
    let (radius, stretch, turn) =
        (random.between(1.0, 4.0), random.between(0.3, 1.0), random.between(0.0, 6.0));
    let count = 3 + random.below(4);
    let corner = |at: usize| {
        let round = Vec2::unit(std::f64::consts::TAU * at as f64 / count as f64) * radius;
        centre + vec2(round.x, stretch * round.y).rotated(Vec2::unit(turn))
    };
    Polygon((0..count).map(corner).collect())
}

/// Obstacles as they are, and inflated by the radius of a robot. Their gaps are clear: none, or wide enough for a grid.
fn obstacles(random: &mut Stream, radius: f64) -> (Vec<Polygon>, Vec<Polygon>) {
    let (mut plain, mut inflated): (Vec<Polygon>, Vec<Polygon>) = (Vec::new(), Vec::new());
    while plain.len() < 14 {
        let original = polygon(random);
        let one = original.inflated(radius);
        let vague = |other: &Polygon| {
            let gap = one.gap(other);
            gap > 0.0 && gap < VAGUE
        };
        let beside = one.0.iter().any(|at| at.x.min(at.y) < VAGUE || at.x.max(at.y) > SIZE - VAGUE);
        if !beside && !inflated.iter().any(vague) {
            plain.push(original);
            inflated.push(one);
        }
    }
    (plain, inflated)
}

fn grid(polygons: &[Polygon]) -> CellGrid {
    let side = (SIZE / CELL) as usize;
    let mut grid = CellGrid::new(side, side, CELL, Vec2::ZERO).expect("a grid");
    for row in 0..side as i32 {
        for column in 0..side as i32 {
            let at = grid.point((column, row));
            let inside = polygons.iter().any(|polygon| polygon.holds(at));
            grid.set((column, row), if inside { Cell::Occupied } else { Cell::Free });
        }
    }
    grid
}

/// Compares routes of a robot with the reference; returns the number of routes and the largest ratio.
fn compare(maps: u64, radius: f64) -> (usize, f64) {
    let (mut count, mut worst) = (0, 1.0_f64);
    for seed in 0..maps {
        let mut random = Stream::new(seed, StreamKind::World, 0, 0);
        // The reference goes around inflated obstacles; the planner inflates those on its grid by itself.
        let (plain, inflated) = obstacles(&mut random, radius);
        let map = KnownMap::new(grid(&plain), radius);
        for _ in 0..12 {
            let mut point = || vec2(random.between(0.5, SIZE - 0.5), random.between(0.5, SIZE - 0.5));
            let (start, goal) = (point(), point());
            if start.distance(goal) < 8.0 {
                continue;
            }
            let Ok(route) = map.plan(start, goal) else { continue };
            if let Some(exact) = shortest(&inflated, start, goal, SIZE) {
                (count, worst) = (count + 1, worst.max(route.length / exact));
                assert!(route.length / exact < 1.03, "seed {seed}: {} instead of {exact} m", route.length);
                assert!(
                    route.length / exact > 0.98,
                    "seed {seed}: {} is shorter than {exact} m",
                    route.length
                );
            }
        }
    }
    (count, worst)
}

#[test]
fn routes_are_within_three_per_cent_of_the_shortest_path() {
    for radius in [0.0, 0.25] {
        let (count, worst) = compare(12, radius);
        assert!(count > 50, "only {count} routes were compared");
        println!("radius {radius}: {count} routes, at most {worst:.4} of the shortest path");
    }
}
