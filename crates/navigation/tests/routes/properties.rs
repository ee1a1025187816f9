//! What must hold on every map.

use crewlab_navigation::Place;
use crewlab_navigation::routes::sight::{Spot, clear};
use crewlab_navigation::routes::{
    Cell, CellGrid, KnownMap, NoRoute, Origin, Route, RoutePlanner, RouteSettings,
};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Stream, StreamKind};
use proptest::prelude::*;

/// Side of a cell. [m]
const CELL: f64 = 0.1;

/// Fills a rectangle at a random place.
fn patch(grid: &mut CellGrid, random: &mut Stream, largest: usize, cell: Cell) {
    let (columns, rows) = (grid.columns(), grid.rows());
    let (left, low) = (random.below(columns) as i32, random.below(rows) as i32);
    let (width, height) = (random.below(largest) as i32 + 1, random.below(largest) as i32 + 1);
    for row in low..low + height {
        (left..left + width).for_each(|column| grid.set((column, row), cell));
    }
}

/// A free map with rectangles of obstacles and of unknown cells.
fn map(seed: u64, columns: usize, rows: usize, patches: usize) -> CellGrid {
    let mut random = Stream::new(seed, StreamKind::World, 0, 0);
    let mut grid =
        CellGrid::from_cells(columns, rows, CELL, vec2(-1.0, 2.0), vec![Cell::Free; columns * rows])
            .expect("a grid");
    for _ in 0..patches {
        let cell = if random.chance(0.15) { Cell::Unknown } else { Cell::Occupied };
        patch(&mut grid, &mut random, 14, cell);
    }
    grid
}

fn settings(radius: f64) -> RouteSettings {
    RouteSettings {
        radius,
        preferred_clearance: radius + 0.1,
        open_clearance: 0.8,
        spacing: 0.6,
        sight: 4.0,
        ..RouteSettings::default()
    }
}

/// Where a robot can be, by the definition: no occupied cell within its radius.
fn fits(grid: &CellGrid, radius: f64, (column, row): Place) -> bool {
    let rim = radius / CELL + 0.5;
    let reach = rim.ceil() as i32;
    let near = |x: i32, y: i32| f64::from(x * x + y * y) <= rim * rim;
    let hit = |x: i32, y: i32| near(x, y) && grid.get((column + x, row + y)) == Cell::Occupied;
    grid.get((column, row)) == Cell::Free && !(-reach..=reach).any(|y| (-reach..=reach).any(|x| hit(x, y)))
}

/// All cells that can be reached from one over sides.
fn flood(grid: &CellGrid, radius: f64, start: Place) -> Vec<bool> {
    let mut reached = vec![false; grid.cells().len()];
    let mut left = vec![start];
    while let Some((column, row)) = left.pop() {
        let Some(index) = grid.index((column, row)) else { continue };
        if !reached[index] && fits(grid, radius, (column, row)) {
            reached[index] = true;
            left.extend([(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]);
        }
    }
    reached
}

fn spot(grid: &CellGrid, at: Vec2) -> Spot {
    // Centres of cells must not be rounded down by an inexact difference.
    let parts = |value: f64| (value * (64.0 / CELL) + 1e-6).floor() as i64;
    let from_origin = at - grid.origin();
    Spot { x: parts(from_origin.x), y: parts(from_origin.y) }
}

fn check(grid: &CellGrid, radius: f64, start: Vec2, goal: Vec2, planned: &Result<Route, NoRoute>) {
    let (from, to) = (grid.place(start), grid.place(goal));
    let connected = || grid.index(to).is_some_and(|to| flood(grid, radius, from)[to]);
    match planned {
        Ok(route) => {
            assert!(route.length >= start.distance(goal) - 1e-9);
            assert_eq!(route.waypoints.last().map(|last| (last.at, last.origin)), Some((goal, Origin::Goal)));
            let mut at = start;
            for waypoint in &route.waypoints {
                let passes = |cell| match waypoint.origin {
                    Origin::Escape => grid.get(cell) != Cell::Occupied,
                    _ => fits(grid, radius, cell),
                };
                assert!(clear(spot(grid, at), spot(grid, waypoint.at), passes), "{at:?} to {waypoint:?}");
                at = waypoint.at;
            }
        }
        Err(NoRoute::Unreachable) => assert!(!fits(grid, radius, from) || !connected()),
        Err(NoRoute::StartBlocked | NoRoute::StartOutside) => assert!(!fits(grid, radius, from)),
        Err(_) => assert!(!fits(grid, radius, to)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn routes_touch_nothing_and_are_found_if_there_are_any(
        seed in 0u64..1 << 40, columns in 1usize..150, rows in 1usize..150, density in 0usize..8, radius in 0u32..4,
    ) {
        let radius = 0.08 * f64::from(radius);
        let grid = map(seed, columns, rows, density * columns * rows / 1000);
        let mut random = Stream::new(seed, StreamKind::World, 1, 0);
        let mut point = || grid.origin() + vec2(random.between(-0.2, columns as f64 * CELL + 0.2), random.between(-0.2, rows as f64 * CELL + 0.2));
        let mut planner = RoutePlanner::new(settings(radius), grid.clone());
        let known = KnownMap::new(grid.clone(), radius);
        for _ in 0..4 {
            let (start, goal) = (point(), point());
            let (one, two) = (planner.plan(start, goal), known.plan(start, goal));
            check(&grid, radius, start, goal, &one);
            check(&grid, radius, start, goal, &two);
            prop_assert_eq!(one.as_ref().err(), two.as_ref().err());
            if let (Ok(one), Ok(two)) = (&one, &two) {
                // Routes on a known map bend only beside corners; between obstacles of a single cell it may be a little shorter to
                // bend elsewhere.
                prop_assert!(two.length <= 1.05 * one.length + CELL, "{} and {}", two.length, one.length);
            }
            prop_assert_eq!(&one, &planner.plan(start, goal), "the same again");
            prop_assert_eq!(&one, &RoutePlanner::new(settings(radius), grid.clone()).plan(start, goal));
        }
    }

    #[test]
    fn a_planner_that_followed_a_map_is_one_that_was_made_for_it(
        seed in 0u64..1 << 40, columns in 1usize..260, rows in 1usize..260, steps in 1usize..6,
    ) {
        let mut grid = map(seed, columns, rows, columns * rows / 400);
        let mut random = Stream::new(seed, StreamKind::World, 2, 0);
        let mut followed = RoutePlanner::new(settings(0.15), grid.clone());
        for _ in 0..steps {
            for cell in [Cell::Occupied, Cell::Free, Cell::Unknown, Cell::Free] {
                patch(&mut grid, &mut random, 20, cell);
            }
            followed.update(&grid);
            let mut made = RoutePlanner::new(settings(0.15), grid.clone());
            prop_assert_eq!(followed.voronoi(), made.voronoi());
            prop_assert_eq!(followed.obstacles(), made.obstacles());
            prop_assert_eq!(followed.graph().nodes(), made.graph().nodes());
            prop_assert_eq!(followed.frontiers(), made.frontiers());
            for _ in 0..4 {
                let mut point = || grid.origin() + vec2(random.between(0.0, columns as f64 * CELL), random.between(0.0, rows as f64 * CELL));
                let (start, goal) = (point(), point());
                prop_assert_eq!(followed.plan(start, goal), made.plan(start, goal));
            }
        }
    }
}

#[test]
fn a_map_of_another_size_is_taken_over() {
    let mut planner = RoutePlanner::new(settings(0.15), map(1, 40, 40, 3));
    let larger = map(2, 90, 70, 8);
    planner.update(&larger);
    assert_eq!(planner.voronoi(), RoutePlanner::new(settings(0.15), larger).voronoi());
}
