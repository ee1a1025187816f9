//! What a robot that plans routes would draw on a map (figures B.3 and B.8): C-space, bounding boxes, Voronoi graph, lines of sight,
//! frontiers and the path. Missions whose robots plan routes append [`LAYERS`] to their own layers.

use super::{Route, RoutePlanner};
use crate::Place;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{About, LayerSpec, Mark};

/// The layers, in the order of [`RouteLayer`].
pub const LAYERS: [LayerSpec; 6] = [
    LayerSpec {
        name: "c-space",
        title: "C-space",
        summary: "Where the robot would touch something it knows",
        about: About::Robot,
        shown: true,
    },
    LayerSpec {
        name: "boxes",
        title: "Bounding boxes",
        summary: "Boxes around obstacles; their corners are waypoints of short paths",
        about: About::Robot,
        shown: false,
    },
    LayerSpec {
        name: "voronoi",
        title: "Voronoi graph",
        summary: "Middle lines of free space, which lead to paths with the greatest clearance",
        about: About::Robot,
        shown: true,
    },
    LayerSpec {
        name: "sight-lines",
        title: "Lines of sight",
        summary: "Points that see each other, as far as a search needed them",
        about: About::Robot,
        shown: false,
    },
    LayerSpec {
        name: "frontiers",
        title: "Frontiers",
        summary: "Where the unknown begins; the stronger, the more can be seen from there",
        about: About::Robot,
        shown: true,
    },
    LayerSpec {
        name: "route",
        title: "Route",
        summary: "The planned route",
        about: About::Robot,
        shown: true,
    },
];

/// A layer about routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteLayer {
    /// Where the robot would touch something.
    CSpace,
    /// Bounding boxes of obstacles.
    Boxes,
    /// The Voronoi graph.
    Voronoi,
    /// Lines of sight between points.
    SightLines,
    /// Borders to the unknown.
    Frontiers,
    /// The path.
    Route,
}

impl RouteLayer {
    /// The layer at this place in [`LAYERS`].
    pub fn at(place: usize) -> Option<RouteLayer> {
        use RouteLayer::{Boxes, CSpace, Frontiers, Route, SightLines, Voronoi};
        [CSpace, Boxes, Voronoi, SightLines, Frontiers, Route].get(place).copied()
    }
}

/// Appends a planner's marks on a layer. `route` is the way from a place, for the layer of the route.
pub fn sketch(
    layer: RouteLayer,
    planner: &RoutePlanner,
    route: Option<(Vec2, &Route)>,
    marks: &mut Vec<Mark>,
) {
    let pen = Pen { planner, width: planner.space().grid().resolution() / 2.0 };
    match layer {
        RouteLayer::CSpace => pen.c_space(marks),
        RouteLayer::Boxes => pen.boxes(marks),
        RouteLayer::Voronoi => pen.voronoi(marks),
        RouteLayer::SightLines => pen.sight_lines(marks),
        RouteLayer::Frontiers => pen.frontiers(marks),
        RouteLayer::Route => {
            if let Some((from, route)) = route {
                pen.route(from, route, marks);
            }
        }
    }
}

/// Draws lines as wide as a cell.
struct Pen<'a> {
    planner: &'a RoutePlanner,
    width: f64,
}

impl Pen<'_> {
    fn line(&self, from: Vec2, to: Vec2, strength: f64) -> Mark {
        Mark::Band { from, to, radius: self.width, strength }
    }

    fn point(&self, place: Place) -> Vec2 {
        self.planner.space().grid().point(place)
    }

    /// A band per run of cells where the robot does not fit.
    fn c_space(&self, marks: &mut Vec<Mark>) {
        let space = self.planner.space();
        let (columns, rows) = (space.free.columns() as i32, space.free.rows() as i32);
        for row in 0..rows {
            let mut run: Option<(i32, f64)> = None;
            for column in 0..=columns {
                let place = (column, row);
                let strength = match (space.occupied.has(place), space.free.has(place)) {
                    (true, _) => Some(1.0),
                    (_, true) if !space.passable.has(place) => Some(0.4),
                    _ => None,
                };
                if run.map(|(_, strength)| strength) != strength {
                    let ended = run.map(|(first, strength)| {
                        self.line(self.point((first, row)), self.point((column - 1, row)), strength)
                    });
                    marks.extend(ended);
                    run = strength.map(|strength| (column, strength));
                }
            }
        }
    }

    fn boxes(&self, marks: &mut Vec<Mark>) {
        let offset = self.planner.box_offset();
        for obstacle in self.planner.obstacles() {
            let corners = obstacle.corners(offset).map(|corner| self.point(corner));
            marks.extend((0..4).map(|n| self.line(corners[n], corners[(n + 1) % 4], 0.8)));
        }
    }

    fn voronoi(&self, marks: &mut Vec<Mark>) {
        let graph = self.planner.voronoi();
        for branch in &graph.branches {
            // Every third cell: a line of cells hardly bends in between.
            let last = branch.cells.last().copied();
            let corners: Vec<Place> = branch.cells.iter().step_by(3).copied().chain(last).collect();
            let pairs = corners.windows(2).filter(|pair| pair[0] != pair[1]);
            marks.extend(pairs.map(|pair| self.line(self.point(pair[0]), self.point(pair[1]), 1.0)));
        }
        let disc =
            |place: &Place| Mark::Disc { at: self.point(*place), radius: 2.0 * self.width, strength: 1.0 };
        marks.extend(graph.junctions.iter().map(disc));
    }

    fn sight_lines(&self, marks: &mut Vec<Mark>) {
        let edges = self.planner.graph().edges();
        marks.extend(edges.map(|(from, to)| self.line(self.point(from), self.point(to), 0.3)));
    }

    fn frontiers(&self, marks: &mut Vec<Mark>) {
        let frontiers = self.planner.frontiers();
        let most = frontiers.iter().map(|frontier| frontier.value).max().unwrap_or(0).max(1) as f64;
        for frontier in &frontiers {
            let strength = 0.2 + 0.8 * frontier.value as f64 / most;
            let disc = |place: &Place| Mark::Disc { at: self.point(*place), radius: self.width, strength };
            marks.extend(frontier.cells.iter().map(disc));
        }
    }

    fn route(&self, mut from: Vec2, route: &Route, marks: &mut Vec<Mark>) {
        for waypoint in &route.waypoints {
            marks.push(self.line(from, waypoint.at, 1.0));
            marks.push(Mark::Circle { at: waypoint.at, radius: 2.0 * self.width });
            from = waypoint.at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{CellGrid, RouteSettings};
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn every_layer_shows_its_part_of_a_plan() {
        let room = "####################\n#..................?\n#..................?\n#.......##.........?\n\
                    #.......##.........?\n#..................?\n#..................?\n####################";
        let grid = CellGrid::picture(room, 0.5).expect("a picture");
        let mut planner = RoutePlanner::new(RouteSettings { radius: 0.1, ..RouteSettings::default() }, grid);
        let from = vec2(1.5, 2.0);
        let route = planner.plan(from, vec2(8.0, 2.0)).expect("a route around the block");
        let count = |layer| {
            let mut marks = Vec::new();
            sketch(layer, &planner, Some((from, &route)), &mut marks);
            assert!(marks.iter().all(|mark| mark.numbers().1.iter().all(|number| number.is_finite())));
            marks.len()
        };
        for (place, spec) in LAYERS.iter().enumerate() {
            let layer = RouteLayer::at(place).expect("a layer");
            assert!(count(layer) > 0, "{}", spec.name);
        }
        assert_eq!(RouteLayer::at(LAYERS.len()), None);
        assert_eq!(count(RouteLayer::Boxes), 4 * planner.obstacles().len());
        assert_eq!(count(RouteLayer::Route), 2 * route.waypoints.len());
    }
}
