//! What a robot that explores would draw on a map: its own map, where it can be on it, and how it plans.

use super::explorer::Explorer;
use crewlab_navigation::Place;
use crewlab_navigation::routes::CellGrid;
use crewlab_navigation::routes::bits::Bits;
use crewlab_navigation::routes::regions::Regions;
use crewlab_navigation::routes::sketch::{self, RouteLayer};
use crewlab_onboard::geometry::Vec2;
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
        name: "pieces",
        title: "Frontiers",
        summary: "Where the known ends, as far as the robot can get there; the stronger, the more is to be seen",
        about: About::World,
        shown: true,
    },
    LayerSpec {
        name: "route",
        title: "Planned route",
        summary: "The way that the robot has planned on its map",
        about: About::Robot,
        shown: true,
    },
    LayerSpec { shown: false, ..sketch::LAYERS[0] },
    sketch::LAYERS[1],
    LayerSpec { shown: false, ..sketch::LAYERS[2] },
    sketch::LAYERS[3],
];

const MAP: usize = 0;
const PIECES: usize = 1;
const ROUTE: usize = 2;
/// How the robot plans: C-space, bounding boxes, Voronoi graph and lines of sight.
const PLANNING: usize = 3;

/// Half of the width of a line. [m]
const LINE: f64 = 0.04;
/// A row of at least this many cells more is drawn as one. [cells]
const LONG: i32 = 3;
/// A frontier of this value has full strength. [m²]
const FULL: f64 = 25.0;

/// Appends the marks of a robot on a layer.
pub(super) fn draw(robot: &Explorer, layer: usize, marks: &mut Vec<Mark>) {
    if layer == ROUTE {
        let points: Vec<Vec2> = robot.route_points().collect();
        marks.extend(points.windows(2).map(|leg| line(leg[0], leg[1], 1.0)));
        return;
    }
    let Some(planner) = robot.desk().map(|desk| &desk.planner) else { return };
    match layer {
        MAP => walls(&planner.space().occupied, planner.space().grid(), marks),
        PIECES => {
            marks.extend(robot.prospects().all().iter().map(|prospect| Mark::Disc {
                at: prospect.at,
                radius: 0.4,
                strength: (prospect.value / FULL).clamp(0.2, 1.0),
            }));
        }
        _ => {
            if let Some(layer) = layer.checked_sub(PLANNING).and_then(RouteLayer::at) {
                sketch::sketch(layer, planner, None, marks);
            }
        }
    }
}

fn line(from: Vec2, to: Vec2, strength: f64) -> Mark {
    Mark::Band { from, to, radius: LINE, strength }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_place() {
        let named = LAYERS.iter().map(|layer| layer.name).collect::<Vec<_>>();
        assert_eq!(named, ["map", "pieces", "route", "c-space", "boxes", "voronoi", "sight-lines"]);
        assert_eq!(LAYERS[PLANNING].name, sketch::LAYERS[0].name);
    }
}
