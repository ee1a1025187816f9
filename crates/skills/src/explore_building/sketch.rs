//! What a robot that explores would draw on a map: its own map, where it can be on it, and how it plans.

use super::explorer::Explorer;
use crewlab_navigation::Place;
use crewlab_navigation::routes::bits::Bits;
use crewlab_navigation::routes::regions::Regions;
use crewlab_navigation::routes::{CellGrid, Obstacle, RoutePlanner};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{About, LayerSpec, Mark};

/// The layers, in the order of their places.
pub const LAYERS: &[LayerSpec] = &[
    LayerSpec {
        name: "map",
        title: "Robot's map",
        summary: "Obstacles on the selected robot's own map, seen or told, or those of all robots together",
        about: About::World,
        shown: true,
    },
    LayerSpec {
        name: "frontiers",
        title: "Frontiers",
        summary: "Where the known ends, as far as the robot can get there; the stronger, the more is to be seen",
        about: About::World,
        shown: true,
    },
    LayerSpec {
        name: "c-space",
        title: "C-space",
        summary: "Where the robot's centre can be on its map",
        about: About::World,
        shown: false,
    },
    LayerSpec {
        name: "boxes",
        title: "Bounding boxes",
        summary: "Boxes around the obstacles on the map; the robot passes by their corners",
        about: About::World,
        shown: false,
    },
    LayerSpec {
        name: "voronoi",
        title: "Voronoi graph",
        summary: "Lines of greatest clearance",
        about: About::World,
        shown: false,
    },
    LayerSpec {
        name: "sight",
        title: "Lines of sight",
        summary: "Edges of the hybrid graph that searches have needed",
        about: About::World,
        shown: false,
    },
    LayerSpec {
        name: "route",
        title: "Planned route",
        summary: "The way that the robot has planned on its map",
        about: About::Robot,
        shown: true,
    },
];

const MAP: usize = 0;
const FRONTIERS: usize = 1;
const C_SPACE: usize = 2;
const BOXES: usize = 3;
const VORONOI: usize = 4;
const SIGHT: usize = 5;
const ROUTE: usize = 6;

/// Half of the width of a line. [m]
const LINE: f64 = 0.04;
/// A row of at least this many cells more is drawn as one. [cells]
const LONG: i32 = 3;
/// A frontier of this value has full strength. [m²]
const FULL: f64 = 25.0;

/// Appends the marks of a robot on a layer.
pub(super) fn sketch(robot: &Explorer, layer: usize, marks: &mut Vec<Mark>) {
    if layer == ROUTE {
        let points: Vec<Vec2> = robot.route_points().collect();
        marks.extend(points.windows(2).map(|leg| line(leg[0], leg[1], 1.0)));
        return;
    }
    let Some(planner) = robot.desk().map(|desk| &desk.planner) else { return };
    let grid = planner.space().grid();
    match layer {
        MAP => walls(&planner.space().occupied, grid, marks),
        FRONTIERS => {
            marks.extend(robot.prospects().all().iter().map(|prospect| Mark::Disc {
                at: prospect.at,
                radius: 0.4,
                strength: (prospect.value / FULL).clamp(0.2, 1.0),
            }));
        }
        C_SPACE => rows(&planner.space().passable, grid, marks),
        BOXES => planner.obstacles().iter().for_each(|obstacle| outline(planner, obstacle, marks)),
        VORONOI => {
            for branch in &planner.voronoi().branches {
                let points: Vec<Vec2> = thinned(&branch.cells).map(|place| grid.point(place)).collect();
                marks.extend(points.windows(2).map(|leg| line(leg[0], leg[1], 0.8)));
            }
        }
        SIGHT => {
            let edges = planner.graph().edges();
            marks.extend(edges.map(|(from, to)| line(grid.point(from), grid.point(to), 0.4)));
        }
        _ => {}
    }
}

fn line(from: Vec2, to: Vec2, strength: f64) -> Mark {
    Mark::Band { from, to, radius: LINE, strength }
}

/// Every third cell of a line, and its ends.
fn thinned(cells: &[Place]) -> impl Iterator<Item = Place> {
    let last = cells.len().saturating_sub(1);
    cells.iter().enumerate().filter(move |(index, _)| index % 3 == 0 || *index == last).map(|(_, cell)| *cell)
}

/// Occupied cells as bands: along rows where they are long, along columns elsewhere.
fn walls(cells: &Bits, grid: &CellGrid, marks: &mut Vec<Mark>) {
    let mut band = |from: Place, to: Place| {
        let radius = 0.5 * grid.resolution();
        marks.push(Mark::Band { from: grid.point(from), to: grid.point(to), radius, strength: 1.0 });
    };
    let mut short = Vec::new();
    for (run, _) in Regions::of(cells, false).runs() {
        match run.last - run.first >= LONG {
            true => band((run.first, run.row), (run.last, run.row)),
            false => short.extend((run.first..=run.last).map(|column| (column, run.row))),
        }
    }
    short.sort_unstable();
    for column in short.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1) {
        band(column[0], column[column.len() - 1]);
    }
}

/// Every other row of some cells as bands that touch each other.
fn rows(cells: &Bits, grid: &CellGrid, marks: &mut Vec<Mark>) {
    for (run, _) in Regions::of(cells, false).runs().filter(|(run, _)| run.row % 2 == 0) {
        let (from, to) = (grid.point((run.first, run.row)), grid.point((run.last, run.row)));
        marks.push(Mark::Band { from, to, radius: grid.resolution(), strength: 0.3 });
    }
}

/// The sides of a bounding box.
fn outline(planner: &RoutePlanner, obstacle: &Obstacle, marks: &mut Vec<Mark>) {
    let grid = planner.space().grid();
    let (low, high) = (grid.point(obstacle.low), grid.point(obstacle.high));
    let corners = [low, vec2(high.x, low.y), high, vec2(low.x, high.y)];
    marks.extend((0..4).map(|side| line(corners[side], corners[(side + 1) % 4], 0.6)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_place() {
        let named = [MAP, FRONTIERS, C_SPACE, BOXES, VORONOI, SIGHT, ROUTE].map(|n| LAYERS[n].name);
        assert_eq!(named, ["map", "frontiers", "c-space", "boxes", "voronoi", "sight", "route"]);
        assert_eq!(LAYERS.len(), named.len());
    }
}
