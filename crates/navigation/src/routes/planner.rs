//! The route planner of one robot on a map that grows (B.3.3): updated with every map, it computes anew only what a change can
//! reach.

use super::bits::Bits;
use super::cell_grid::CellGrid;
use super::field::{DistanceField, pull_tight};
use super::frontiers::{Borderland, Frontier};
use super::hybrid::{HybridGraph, Node};
use super::obstacles::{Obstacle, obstacles};
use super::route::{NoRoute, Origin, Route, Waypoint};
use super::sight::sees;
use super::skeleton::{Ground, TILE};
use super::space::{Changes, Departure, Space};
use super::tiles::Tiles;
use super::voronoi::VoronoiGraph;
use crate::Place;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// What a robot wants of its routes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteSettings {
    /// Radius of the robot; default 0.25. [m]
    pub radius: f64,
    /// Distance to obstacles that points of the Voronoi graph should have; default 0.4. [m]
    pub preferred_clearance: f64,
    /// Distance from obstacles at which the Voronoi graph follows them if there is nothing on the other side; default 2. [m]
    pub open_clearance: f64,
    /// Distance between points that are sampled on the Voronoi graph; default 2. [m]
    pub spacing: f64,
    /// Length of the lines of sight that connect points, along and across; default 8. [m]
    pub sight: f64,
    /// Distance of the corners of bounding boxes from where the robot would touch the box; default 0.1. [m]
    pub offset: f64,
    /// Range of the sensor that looks into the unknown; default 5. [m]
    pub sensor_range: f64,
    /// Smaller frontiers are not worth a visit; default 3. [cells]
    pub least_frontier: usize,
}

impl Default for RouteSettings {
    fn default() -> RouteSettings {
        RouteSettings {
            radius: 0.25,
            preferred_clearance: 0.4,
            open_clearance: 2.0,
            spacing: 2.0,
            sight: 8.0,
            offset: 0.1,
            sensor_range: 5.0,
            least_frontier: 3,
        }
    }
}

/// The planner. What it holds is a function of the settings and of the last map, whatever maps came before.
#[derive(Clone, Debug)]
pub struct RoutePlanner {
    settings: RouteSettings,
    space: Space,
    lines: Bits,
    voronoi: VoronoiGraph,
    obstacles: Vec<Obstacle>,
    graph: HybridGraph,
}

impl RoutePlanner {
    /// A planner for a robot and a first map.
    pub fn new(settings: RouteSettings, grid: CellGrid) -> RoutePlanner {
        let (columns, rows) = (grid.columns(), grid.rows());
        let range = (settings.sight / grid.resolution()).clamp(1.0, 1e4) as i32;
        let mut planner = RoutePlanner {
            settings,
            space: Space::new(grid, settings.radius, settings.open_clearance),
            lines: Bits::new(columns, rows),
            voronoi: VoronoiGraph::default(),
            obstacles: Vec::new(),
            graph: HybridGraph::new(range),
        };
        let all = Tiles::new(columns, rows, true);
        planner.refresh(&Changes { passable: all.clone(), any: all });
        planner
    }

    /// Takes over the map as it is now. Cells are compared with those of the last map; if the map has another size, place or
    /// resolution, everything is computed anew.
    pub fn update(&mut self, grid: &CellGrid) {
        if !self.space.grid().aligned(grid) {
            *self = RoutePlanner::new(self.settings, grid.clone());
            return;
        }
        let changes = self.space.update(grid);
        if !changes.any.is_empty() {
            self.refresh(&changes);
        }
    }

    /// Brings up to date what depends on what changed.
    fn refresh(&mut self, changes: &Changes) {
        let space = &self.space;
        let ground = Ground { passable: &space.passable, border: &space.border, clearance: &space.clearance };
        ground.trace(&changes.any.grown_to(ground.margin(), TILE), &mut self.lines);
        self.voronoi = VoronoiGraph::of(&self.lines, &space.border, &space.clearance);
        self.obstacles = obstacles(&space.occupied);
        let nodes = self.nodes();
        let (columns, rows) = (space.grid().columns(), space.grid().rows());
        self.graph.update(nodes, columns, rows, &changes.passable);
    }

    /// The nodes of the hybrid graph.
    fn nodes(&self) -> Vec<Node> {
        let space = &self.space;
        let cells = |length: f64| length / space.grid().resolution();
        let preferred =
            (cells(self.settings.preferred_clearance) + 0.5).clamp(0.0, f64::from(space.clearance.limit()));
        let sampled =
            self.voronoi.samples(&space.passable, cells(self.settings.spacing).clamp(1.0, 1e4) as usize);
        let voronoi = sampled.into_iter().map(|place| {
            let clearance = f64::from(space.clearance.squared(place));
            Node { place, voronoi: true, preferred: clearance >= preferred * preferred }
        });
        let offset = self.box_offset();
        let corners = self.obstacles.iter().flat_map(|obstacle| obstacle.corners(offset));
        let free = corners.filter(|place| space.passable.has(*place));
        voronoi.chain(free.map(|place| Node { place, voronoi: false, preferred: true })).collect()
    }

    /// How far bounding boxes are drawn around obstacles. [cells]
    pub fn box_offset(&self) -> i32 {
        let offset = self.settings.offset / self.space.grid().resolution();
        self.space.reach() + 1 + offset.clamp(0.0, 1e4).round() as i32
    }

    /// The map, and where the robot can be on it.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The settings.
    pub fn settings(&self) -> &RouteSettings {
        &self.settings
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// The Voronoi graph.
    pub fn voronoi(&self) -> &VoronoiGraph {
        &self.voronoi
    }

    /// The hybrid graph, with the lines of sight that were needed so far.
    pub fn graph(&self) -> &HybridGraph {
        &self.graph
    }

    /// The frontiers that the robot can get near to from somewhere.
    pub fn frontiers(&self) -> Vec<Frontier> {
        let (space, transparent) = (&self.space, self.transparent());
        let land = self.land(&transparent, &space.passable);
        land.frontiers(self.settings.least_frontier, space.reach() + 2, self.range())
    }

    /// The frontiers that the robot can get near to from a point, cut along a lattice of squares of `side` cells, with the place of
    /// the square and the length of the way. `corner` is the place of the map's lower left cell on the lattice. [cells], [m]
    pub fn pieces(
        &self,
        start: Vec2,
        side: i32,
        corner: Place,
    ) -> Result<Vec<(Place, Frontier, f64)>, NoRoute> {
        let space = &self.space;
        let departure = space.depart(start)?;
        let field = DistanceField::around(&space.passable, departure.spot.cell());
        let mut reachable = Bits::new(space.free.columns(), space.free.rows());
        let here = space.region(departure.spot.cell());
        for (run, _) in space.regions.runs().filter(|(_, region)| Some(*region) == here) {
            (run.first..=run.last).for_each(|column| reachable.add((column, run.row)));
        }
        let transparent = self.transparent();
        let land = self.land(&transparent, &reachable);
        let least = self.settings.least_frontier;
        let pieces = land.pieces((side, corner), least, space.reach() + 2, self.range());
        let way = |(square, piece): (Place, Frontier)| {
            let cells = field.length(piece.access)?;
            Some((square, piece, cells * space.grid().resolution()))
        };
        Ok(pieces.into_iter().filter_map(way).collect())
    }

    /// Range of the sensor. [cells]
    fn range(&self) -> f64 {
        self.settings.sensor_range / self.space.grid().resolution()
    }

    fn land<'a>(&'a self, transparent: &'a Bits, passable: &'a Bits) -> Borderland<'a> {
        Borderland { free: &self.space.free, unknown: &self.space.unknown, transparent, passable }
    }

    /// Cells that one can look through.
    fn transparent(&self) -> Bits {
        let space = &self.space;
        let mut transparent = Bits::new(space.free.columns(), space.free.rows());
        transparent.remake(|row, words| {
            let both = space.free.row(row).iter().zip(space.unknown.row(row));
            words.iter_mut().zip(both).for_each(|(word, (free, unknown))| *word = free | unknown);
        });
        transparent
    }

    /// Path lengths over cells from a point to all places. [m]
    pub fn field(&self, start: Vec2) -> Result<DistanceField, NoRoute> {
        let departure = self.space.depart(start)?;
        Ok(DistanceField::around(&self.space.passable, departure.spot.cell()))
    }

    /// The route to a goal.
    pub fn plan(&mut self, start: Vec2, goal: Vec2) -> Result<Route, NoRoute> {
        let departure = self.space.depart(start)?;
        let to = self.space.arrive(goal)?;
        let from = departure.spot;
        if self.space.region(from.cell()) != self.space.region(to.cell()) {
            return Err(NoRoute::Unreachable);
        }
        let passable = &self.space.passable;
        let between: Vec<(Place, Origin)> = if sees(passable, from, to) {
            Vec::new()
        } else if let Some(nodes) = self.graph.path(passable, from, to) {
            let origin = |node: &Node| if node.voronoi { Origin::Voronoi } else { Origin::Corner };
            nodes.iter().map(|node| (node.place, origin(node))).collect()
        } else {
            self.creep(from.cell(), to.cell()).into_iter().map(|place| (place, Origin::Cell)).collect()
        };
        Ok(self.route(start, departure, between, goal))
    }

    /// A path from cell to cell, for places that the graph does not see.
    fn creep(&self, from: Place, to: Place) -> Vec<Place> {
        let passable = &self.space.passable;
        let path = DistanceField::around(passable, to).descend(passable, from).unwrap_or_default();
        // The robot may be anywhere in its first cell, and the goal anywhere in the last: their centres are visited.
        let mut corners = pull_tight(passable, &path);
        corners.insert(0, from);
        corners
    }

    fn route(&self, start: Vec2, departure: Departure, between: Vec<(Place, Origin)>, goal: Vec2) -> Route {
        let escape = departure
            .escape
            .then(|| Waypoint { at: self.space.point(departure.spot), origin: Origin::Escape });
        let between = between
            .into_iter()
            .map(|(place, origin)| Waypoint { at: self.space.grid().point(place), origin });
        let last = Waypoint { at: goal, origin: Origin::Goal };
        Route::over(start, escape.into_iter().chain(between).chain([last]).collect())
    }
}
