//! A planned route on a robot's map: C-space, bounding boxes, the Voronoi graph, lines of sight and the path.

use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::palette::Colour;
use super::svg::{Element, Path, circle, document, group, line, rect};
use super::viewport::Viewport;

const OBSTACLE: Colour = Colour::new(0x4a525d);
const INFLATED: Colour = Colour::new(0x3f78c9);
const UNKNOWN: Colour = Colour::new(0x8593a3);
const VORONOI: Colour = Colour::new(0x2e9150);
const SIGHT: Colour = Colour::new(0x0f93ad);
const FRONTIER: Colour = Colour::new(0xd9691a);
const ROUTE: Colour = Colour::new(0xd64541);

/// Width of the map [px].
const WIDTH: f64 = 880.0;

/// Cells side by side: left, lower edge, width, height [m].
pub type Strip = [f64; 4];

/// One map. All places in [m].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteFigure {
    /// Shown above the map.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// Width and height of the map.
    pub size: [f64; 2],
    /// Occupied cells.
    pub obstacles: Vec<Strip>,
    /// Free cells that are too near to an obstacle.
    pub inflated: Vec<Strip>,
    /// Unknown cells.
    pub unknown: Vec<Strip>,
    /// Unknown cells at frontiers.
    pub frontiers: Vec<Strip>,
    /// Bounding boxes.
    pub boxes: Vec<Strip>,
    /// The lines of the Voronoi graph.
    pub voronoi: Vec<Vec<[f64; 2]>>,
    /// Points sampled on it.
    pub nodes: Vec<[f64; 2]>,
    /// Lines of sight that the search used.
    pub sights: Vec<[[f64; 2]; 2]>,
    /// The path from the robot to the goal.
    pub route: Vec<[f64; 2]>,
    /// The robot's radius.
    pub radius: f64,
}

/// Draws the map as an SVG document.
pub fn draw(figure: &RouteFigure) -> String {
    let width = WIDTH + 72.0;
    let heading = Heading::new(&figure.title, &figure.subtitle, width);
    let view = Viewport::within(&[0.0, 0.0], figure.size, 52.0, heading.bottom + 12.0, WIDTH);
    let (legend, bottom) = legend::flow(entries(), MARGIN, view.bottom() + 28.0, width - 2.0 * MARGIN);
    let summary = format!("A path over {} points", figure.route.len());
    let mut svg = document(width, bottom + 14.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(view.grid());
    svg.push(contents(figure, &view));
    svg.push(view.axes());
    svg.push(legend);
    svg.render()
}

fn contents(figure: &RouteFigure, view: &Viewport) -> Element {
    let mut inside = view.window();
    inside.push(strips(&figure.unknown, view).fill(UNKNOWN).with("fill-opacity", "0.35"));
    inside.push(strips(&figure.inflated, view).fill(INFLATED).with("fill-opacity", "0.28"));
    inside.push(strips(&figure.obstacles, view).fill(OBSTACLE));
    inside.push(strips(&figure.frontiers, view).fill(FRONTIER));
    inside.push(
        pieces(figure.sights.iter().map(|ends| &ends[..]), view)
            .stroke(SIGHT, 0.5)
            .with("stroke-opacity", "0.22"),
    );
    let boxes = strips(&figure.boxes, view).with("fill", "none").stroke(INFLATED, 1.1);
    inside.push(boxes);
    inside.push(pieces(figure.voronoi.iter().map(Vec::as_slice), view).stroke(VORONOI, 1.4));
    let mut nodes = group().fill(VORONOI);
    for (x, y) in figure.nodes.iter().filter_map(|node| view.at(*node)) {
        nodes.push(circle(x, y, 2.1));
    }
    inside.push(nodes);
    inside.push(route(figure, view));
    inside
}

/// The path, with a dot at every waypoint, a triangle for the robot and a cross for the goal.
fn route(figure: &RouteFigure, view: &Viewport) -> Element {
    let points: Vec<(f64, f64)> = figure.route.iter().filter_map(|point| view.at(*point)).collect();
    let mut drawn = group();
    let path = || Path::polyline(&points).outline().with("stroke-linejoin", "round");
    drawn.push(path().stroke(ROUTE, view.length(2.0 * figure.radius, 1.0)).with("stroke-opacity", "0.15"));
    drawn.push(path().stroke(ROUTE, 2.2).with("stroke-dasharray", "7 3"));
    for (x, y) in points.iter().skip(1) {
        drawn.push(circle(*x, *y, 3.4).fill(ROUTE));
    }
    if let (Some((x, y)), Some((p, q))) = (points.first(), points.last()) {
        let triangle = [(x - 6.0, y + 6.0), (x + 6.0, y + 6.0), (*x, y - 8.0)];
        let mut outline = Path::polyline(&triangle);
        outline.close();
        drawn.push(outline.area().fill(ROUTE));
        drawn.push(cross(*p, *q, 7.0));
    }
    drawn
}

fn cross(x: f64, y: f64, arm: f64) -> Element {
    let bar = |up: f64| line((x - arm, y - up), (x + arm, y + up)).stroke(ROUTE, 2.6);
    group().child(bar(arm)).child(bar(-arm))
}

/// Many rectangles as one shape.
fn strips(strips: &[Strip], view: &Viewport) -> Element {
    let mut path = Path::default();
    for [left, low, width, height] in strips {
        if let (Some((x, y)), Some((right, top))) =
            (view.at([*left, *low]), view.at([left + width, low + height]))
        {
            path.move_to(x, y);
            path.horizontal_to(right);
            path.vertical_to(top);
            path.horizontal_to(x);
            path.close();
        }
    }
    path.area()
}

/// Many lines as one shape.
fn pieces<'a>(lines: impl Iterator<Item = &'a [[f64; 2]]>, view: &Viewport) -> Element {
    let mut path = Path::default();
    for line in lines {
        let points: Vec<(f64, f64)> = line.iter().filter_map(|point| view.at(*point)).collect();
        path.add(&Path::polyline(&points));
    }
    path.outline()
}

fn entries() -> Vec<LegendEntry> {
    let entry =
        |symbol: Element, text: &str| LegendEntry { symbol, symbol_width: 14.0, text: text.to_owned() };
    let patch = || rect(1.0, -5.5, 12.0, 11.0);
    let stroke = || line((0.0, 0.0), (14.0, 0.0));
    let triangle = || {
        let mut path = Path::polyline(&[(1.0, 5.0), (13.0, 5.0), (7.0, -6.0)]);
        path.close();
        path.area().fill(ROUTE)
    };
    vec![
        entry(patch().fill(OBSTACLE), "obstacle"),
        entry(patch().fill(INFLATED).with("fill-opacity", "0.28"), "too near for the robot (C-space)"),
        entry(patch().fill(UNKNOWN).with("fill-opacity", "0.35"), "unknown"),
        entry(patch().fill(FRONTIER), "frontier"),
        entry(patch().with("fill", "none").stroke(INFLATED, 1.1), "bounding box with offset"),
        entry(
            group().child(stroke().stroke(VORONOI, 1.4)).child(circle(7.0, 0.0, 2.1).fill(VORONOI)),
            "Voronoi graph and its nodes",
        ),
        entry(stroke().stroke(SIGHT, 1.0), "visibility edges used"),
        entry(stroke().stroke(ROUTE, 2.2).with("stroke-dasharray", "7 3"), "path, as wide as the robot"),
        entry(triangle(), "robot"),
        entry(cross(7.0, 0.0, 5.0), "goal"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_on_the_map_is_drawn_and_nonsense_is_left_out() {
        let figure = RouteFigure {
            title: "A < B".into(),
            size: [10.0, 5.0],
            obstacles: vec![[1.0, 1.0, 2.0, 0.1], [f64::NAN, 0.0, 1.0, 1.0]],
            voronoi: vec![vec![[1.0, 2.0], [3.0, 2.0]], Vec::new()],
            nodes: vec![[1.0, 2.0]],
            sights: vec![[[1.0, 2.0], [3.0, 2.0]]],
            route: vec![[0.5, 0.5], [3.0, 2.0], [f64::INFINITY, 1.0]],
            radius: 0.25,
            ..RouteFigure::default()
        };
        let svg = draw(&figure);
        crate::wellformed::check(&svg);
        assert!(svg.contains("A &lt; B") && !svg.contains("NaN") && !svg.contains("inf"));
        crate::wellformed::check(&draw(&RouteFigure::default()));
    }
}
