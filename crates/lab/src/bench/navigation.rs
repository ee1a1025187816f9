//! `crewlab bench navigation`: the time of a route on a made-up building, on one core.

use super::{cpu, map_world};
use crewlab_figures::route::{RouteFigure, Strip, draw};
use crewlab_navigation::Place;
use crewlab_navigation::routes::bits::Bits;
use crewlab_navigation::routes::building::building;
use crewlab_navigation::routes::regions::Regions;
use crewlab_navigation::routes::{Cell, CellGrid, GridError, KnownMap, RoutePlanner, RouteSettings};
use crewlab_sim::onboard::geometry::{Vec2, vec2};
use crewlab_sim::onboard::{Stream, StreamKind};
use serde::Serialize;

/// Routes on the known map.
const ROUTES: usize = 200;
/// Parts of the map that change, one after the other.
const AREAS: usize = 12;
/// The building.
const SEED: u64 = 1;

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct NavigationRow {
    /// What was done.
    pub what: &'static str,
    /// Cells of the map.
    pub cells: usize,
    /// Cells that had changed before.
    pub changed: usize,
    /// How many different cases were measured.
    pub cases: usize,
    /// Mean processor time. [ms]
    pub ms: f64,
    /// The time that is aimed at, if there is one. [ms]
    pub target_ms: Option<f64>,
}

/// The processor time of some work that is done again and again. The clock is coarse, so that only means count.
#[derive(Default)]
pub(super) struct Stopwatch {
    seconds: f64,
    count: usize,
}

impl Stopwatch {
    pub(super) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = cpu::seconds();
        let result = std::hint::black_box(work());
        (self.seconds, self.count) = (self.seconds + cpu::seconds() - start, self.count + 1);
        result
    }

    /// Shares the time of each work among so many parts of it.
    pub(super) fn share(self, parts: usize) -> Stopwatch {
        Stopwatch { count: self.count * parts, ..self }
    }

    pub(super) fn row(&self, what: &'static str, sizes: [usize; 3], target_ms: Option<f64>) -> NavigationRow {
        let [cells, changed, cases] = sizes;
        NavigationRow {
            what,
            cells,
            changed,
            cases,
            ms: 1e3 * self.seconds / self.count.max(1) as f64,
            target_ms,
        }
    }
}

/// Hides squares of the map: their cells become unknown.
fn hidden(grid: &CellGrid, corners: &[Place], side: i32) -> CellGrid {
    let mut grid = grid.clone();
    for (left, low) in corners {
        for row in *low..low + side {
            (*left..left + side).for_each(|column| grid.set((column, row), Cell::Unknown));
        }
    }
    grid
}

/// Measures a building of so many cells per side, every case this many times.
pub fn measure(side: usize, rounds: usize) -> Result<Vec<NavigationRow>, String> {
    let grid = building(side, SEED).map_err(|error| error.to_string())?;
    let rounds = rounds.max(1);
    let mut rows = following(&grid, rounds);
    rows.extend(knowing(&grid, rounds));
    rows.extend(map_world::measure(&grid, rounds).map_err(|problems| problems.to_string())?);
    Ok(rows)
}

/// One robot that follows its own map.
fn following(grid: &CellGrid, rounds: usize) -> Vec<NavigationRow> {
    let (side, cells) = (grid.columns(), grid.cells().len());
    let (start, goal) = ends(grid);
    let mut random = Stream::new(SEED, StreamKind::World, 1, 0);
    // A square of 1 % of the cells, as a scan uncovers it, and the same number of cells in a hundred places.
    let (large, small) = ((side / 10) as i32, (side / 100).max(1) as i32);
    let mut corner = |size: i32| {
        let mut at = || random.below((side as i32 - size).max(1) as usize) as i32;
        (at(), at())
    };
    let areas: Vec<CellGrid> = (0..AREAS).map(|_| hidden(grid, &[corner(large)], large)).collect();
    let spots: Vec<Place> = (0..100).map(|_| corner(small)).collect();
    let scattered = hidden(grid, &spots, small);
    let [mut first, mut change, mut scatter, mut frontiers, mut field]: [Stopwatch; 5] = Default::default();
    for _ in 0..rounds {
        let mut planner = first.time(|| {
            let mut planner = RoutePlanner::new(RouteSettings::default(), grid.clone());
            let _ = planner.plan(start, goal);
            planner
        });
        for area in &areas {
            planner.update(area);
            let _ = planner.plan(start, goal);
            frontiers.time(|| planner.frontiers());
            // The area is uncovered.
            let _ = change.time(|| {
                planner.update(grid);
                planner.plan(start, goal)
            });
        }
        planner.update(&scattered);
        let _ = planner.plan(start, goal);
        let _ = scatter.time(|| {
            planner.update(grid);
            planner.plan(start, goal)
        });
        let _ = field.time(|| planner.field(start));
    }
    let changed = (large * large) as usize;
    vec![
        first.row("first plan", [cells, cells, 1], None),
        change.row("plan after a change in one place", [cells, changed, AREAS], Some(10.0)),
        scatter.row("plan after a change in 100 places", [cells, 100 * (small * small) as usize, 1], None),
        frontiers.row("frontiers and their values", [cells, 0, AREAS], None),
        field.row("distance field", [cells, 0, 1], None),
    ]
}

/// Many robots on one known map.
fn knowing(grid: &CellGrid, rounds: usize) -> Vec<NavigationRow> {
    let cells = grid.cells().len();
    let radius = RouteSettings::default().radius;
    let mut prepare = Stopwatch::default();
    let map = prepare.time(|| KnownMap::new(grid.clone(), radius));
    (1..rounds).for_each(|_| drop(prepare.time(|| KnownMap::new(grid.clone(), radius))));
    let mut random = Stream::new(SEED, StreamKind::World, 2, 0);
    let places: Vec<Place> = map.space().passable.iter().collect();
    let mut point = || grid.point(places[random.below(places.len())]);
    let pairs: Vec<(Vec2, Vec2)> =
        (0..if places.is_empty() { 0 } else { ROUTES }).map(|_| (point(), point())).collect();
    let mut plan = Stopwatch::default();
    for _ in 0..rounds {
        // All routes at once, since one is too short for the clock.
        plan.time(|| pairs.iter().filter(|(start, goal)| map.plan(*start, *goal).is_ok()).count());
    }
    plan.count *= pairs.len();
    vec![
        prepare.row("known map, prepared once", [cells, cells, 1], None),
        plan.row("plan on the known map", [cells, 0, pairs.len()], Some(1.0)),
    ]
}

/// Opposite corners of a building, in its corridors. [m]
fn ends(grid: &CellGrid) -> (Vec2, Vec2) {
    let far = grid.columns() as f64 * grid.resolution() - 1.0;
    (vec2(1.0, 1.0), vec2(far, far))
}

/// The picture of a plan on a smaller building, of which a part is not known yet, as an SVG document.
pub fn picture() -> Result<String, GridError> {
    let grid = hidden(&building(300, 4)?, &[(190, 120)], 180);
    let mut planner = RoutePlanner::new(RouteSettings::default(), grid.clone());
    let (start, goal) = (vec2(5.4, 4.6), vec2(16.0, 13.4));
    let route = planner.plan(start, goal);
    let route = route.map(|route| route.waypoints).unwrap_or_default();
    let cell = grid.resolution();
    let point = |place: Place| {
        let at = grid.point(place);
        [at.x, at.y]
    };
    let space = planner.space();
    let mut inflated = space.free.clone();
    inflated.remake(|row, words| {
        let both = space.free.row(row).iter().zip(space.passable.row(row));
        words.iter_mut().zip(both).for_each(|(word, (free, passable))| *word = free & !passable);
    });
    let mut at_frontier = Bits::new(grid.columns(), grid.rows());
    planner.frontiers().iter().flat_map(|frontier| &frontier.cells).for_each(|place| at_frontier.add(*place));
    let offset = planner.box_offset();
    let outlined = planner.obstacles().iter().map(|obstacle| {
        let [low, _, high, _] = obstacle.corners(offset).map(point);
        [low[0], low[1], high[0] - low[0], high[1] - low[1]]
    });
    let sampled = planner.graph().nodes().iter().filter(|node| node.voronoi);
    Ok(draw(&RouteFigure {
        title: "A planned path through a made-up building".into(),
        subtitle: format!(
            "crewlab bench navigation --picture: {} x {} cells of {cell} m",
            grid.columns(),
            grid.rows()
        ),
        size: [grid.columns() as f64 * cell, grid.rows() as f64 * cell],
        obstacles: strips(&space.occupied, cell),
        inflated: strips(&inflated, cell),
        unknown: strips(&space.unknown, cell),
        frontiers: strips(&at_frontier, cell),
        boxes: outlined.collect(),
        voronoi: planner
            .voronoi()
            .branches
            .iter()
            .map(|branch| branch.cells.iter().map(|place| point(*place)).collect())
            .collect(),
        nodes: sampled.map(|node| point(node.place)).collect(),
        sights: planner.graph().edges().map(|(from, to)| [point(from), point(to)]).collect(),
        route: std::iter::once(start)
            .chain(route.iter().map(|waypoint| waypoint.at))
            .map(|at| [at.x, at.y])
            .collect(),
        radius: planner.settings().radius,
    }))
}

fn strips(bits: &Bits, cell: f64) -> Vec<Strip> {
    let strip = |first: i32, last: i32, row: i32| {
        [f64::from(first) * cell, f64::from(row) * cell, f64::from(last - first + 1) * cell, cell]
    };
    Regions::of(bits, false).runs().map(|(run, _)| strip(run.first, run.last, run.row)).collect()
}
