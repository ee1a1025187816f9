//! Whatever a planner is given, it answers with a route or with a reason.

use crewlab_navigation::routes::{Cell, CellGrid, KnownMap, NoRoute, Route, RoutePlanner, RouteSettings};
use crewlab_onboard::geometry::{Vec2, vec2};

/// Both planners must give the same reason.
fn plan(grid: &CellGrid, radius: f64, start: Vec2, goal: Vec2) -> Result<Route, NoRoute> {
    let settings = RouteSettings { radius, ..RouteSettings::default() };
    let one = RoutePlanner::new(settings, grid.clone()).plan(start, goal);
    let two = KnownMap::new(grid.clone(), radius).plan(start, goal);
    assert_eq!(one.as_ref().err(), two.as_ref().err());
    one
}

const ROOMS: &str = "
    ##############
    #......#.....#
    #......#.....#
    #......#.....#
    #......#...??#
    #......#...??#
    ##############
";

#[test]
fn there_is_a_reason_for_every_route_that_is_not_found() {
    let grid = CellGrid::picture(ROOMS, 0.5).expect("a picture");
    let here = vec2(1.7, 1.7);
    let reasons = [
        (here, vec2(5.2, 2.2), NoRoute::Unreachable),
        (here, vec2(3.7, 1.7), NoRoute::GoalOccupied),
        (here, vec2(0.6, 1.7), NoRoute::GoalTooNarrow),
        (here, vec2(5.7, 0.7), NoRoute::GoalUnknown),
        (here, vec2(50.0, 1.7), NoRoute::GoalOutside),
        (here, vec2(-0.1, 1.7), NoRoute::GoalOutside),
        (here, vec2(f64::NAN, 1.7), NoRoute::GoalOutside),
        (here, vec2(1.7, f64::INFINITY), NoRoute::GoalOutside),
        (vec2(3.7, 1.7), here, NoRoute::StartBlocked),
        (vec2(1e300, 1.7), here, NoRoute::StartOutside),
        (vec2(f64::NAN, f64::NAN), here, NoRoute::StartOutside),
    ];
    for (start, goal, reason) in reasons {
        assert_eq!(plan(&grid, 0.3, start, goal), Err(reason), "from {start:?} to {goal:?}");
        assert!(!reason.to_string().is_empty());
    }
    assert!(plan(&grid, 0.3, here, vec2(2.2, 2.2)).is_ok());
}

#[test]
fn a_robot_that_is_too_near_to_a_wall_first_gets_away_from_it() {
    let grid = CellGrid::picture(ROOMS, 0.5).expect("a picture");
    let route = plan(&grid, 0.3, vec2(0.6, 1.7), vec2(2.2, 2.2)).expect("a route");
    assert_eq!(route.waypoints[0].origin, crewlab_navigation::routes::Origin::Escape);
    // It cannot get through the wall.
    assert_eq!(plan(&grid, 0.3, vec2(4.1, 1.7), vec2(2.2, 2.2)), Err(NoRoute::Unreachable));
}

#[test]
fn maps_without_anything_on_them_are_no_problem() {
    let map = |columns, rows| CellGrid::new(columns, rows, 0.1, Vec2::ZERO).expect("a grid");
    let (here, there) = (vec2(0.05, 0.05), vec2(0.06, 0.05));
    for (columns, rows) in [(0, 0), (0, 5), (5, 0)] {
        assert_eq!(plan(&map(columns, rows), 0.2, here, there), Err(NoRoute::EmptyMap));
    }
    assert_eq!(plan(&map(1, 1), 0.2, here, there), Err(NoRoute::StartBlocked));
    assert_eq!(plan(&map(300, 200), 0.2, here, there), Err(NoRoute::StartBlocked), "all unknown");
    let free = |columns, rows| {
        CellGrid::from_cells(columns, rows, 0.1, Vec2::ZERO, vec![Cell::Free; columns * rows])
    };
    for (columns, rows) in [(1, 1), (1, 300), (300, 1), (300, 300)] {
        let grid = free(columns, rows).expect("a grid");
        let far = grid.point((columns as i32 - 1, rows as i32 - 1));
        let route = plan(&grid, 0.2, here, far).expect("a route");
        assert_eq!((route.waypoints.len(), route.waypoints[0].at), (1, far));
    }
}

#[test]
fn absurd_settings_are_no_problem() {
    let grid = CellGrid::picture(ROOMS, 0.5).expect("a picture");
    for value in [0.0, -1.0, 1e-9, 1e9, f64::INFINITY, f64::NAN] {
        let settings = RouteSettings {
            radius: value,
            preferred_clearance: value,
            open_clearance: value,
            spacing: value,
            sight: value,
            offset: value,
            sensor_range: value,
            least_frontier: 0,
        };
        let mut planner = RoutePlanner::new(settings, grid.clone());
        let _ = planner.plan(vec2(1.7, 1.7), vec2(2.2, 2.2));
        let _ = planner.frontiers();
        let _ = KnownMap::new(grid.clone(), value).plan(vec2(1.7, 1.7), vec2(2.2, 2.2));
    }
    // A robot that is larger than its room fits nowhere.
    assert_eq!(plan(&grid, 5.0, vec2(1.7, 1.7), vec2(2.2, 2.2)), Err(NoRoute::StartBlocked));
}
