//! The map with what robots believe and intend: their plans, and the layers that their mission declares.

use serde::{Deserialize, Serialize};

use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::palette::{Colour, robot_colour, task_colour};
use super::placement::Placement;
use super::svg::{Element, Paint, Path, circle, document, group, line};
use super::theme::Ink;
use super::thin::{self, Point};
use super::viewport::Viewport;
use super::world::{self, WorldFigure};

/// Largest number of marks that are drawn, of all layers together; more if each layer has its colour, which makes details worth seeing.
const MOST_MARKS: usize = 1_000;
const MOST_COLOURED: usize = 2_500;
/// Largest number of points of a plan, ...
const MOST_POINTS: usize = 40;
/// ... and about the largest number of all plans together.
const ALL_POINTS: usize = 2_000;
/// Marks about the world as a whole, so that overlaps are not darker.
const WORLD_OPACITY: &str = "0.14";
/// Marks of a smaller radius are lines and points, which would not be seen if they were as faint as areas, and least half of a line's
/// width. [px]
const THIN: f64 = 4.0;
const THINNEST: f64 = 0.6;

/// A map with layers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayersFigure {
    /// The map. Its robots are shown at their ends only.
    pub map: WorldFigure,
    /// The plan of each robot, from its place on [m].
    pub plans: Vec<Vec<[f64; 2]>>,
    /// The layers, the lowest first.
    pub layers: Vec<MapLayer>,
    /// True if each layer has a colour of its own, instead of each robot.
    pub coloured: bool,
}

/// One layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MapLayer {
    /// Shown in the legend.
    pub title: String,
    /// Its marks.
    pub marks: Vec<LayerMark>,
}

/// A mark on a layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerMark {
    /// The index of the robot that it is about; `None` if it is about the world.
    pub robot: Option<usize>,
    /// Where it is.
    pub shape: MarkShape,
    /// How strong it is, from 0 to 1.
    pub strength: f64,
}

/// The shape of a mark [m].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkShape {
    /// A line around a place.
    Circle([f64; 2], f64),
    /// A filled circle.
    Disc([f64; 2], f64),
    /// Everything near a line.
    Band([f64; 2], [f64; 2], f64),
    /// A cone from a place to a disc.
    Cone([f64; 2], [f64; 2], f64),
}

/// Draws the map as an SVG document.
pub fn draw(figure: &LayersFigure) -> String {
    let map = &figure.map;
    let width = Viewport::figure_width(map);
    let heading = Heading::new(&map.title, "", width);
    let view = Viewport::new(map, heading.bottom + 12.0);
    let (legend, legend_bottom) =
        legend::flow(entries(figure), MARGIN, view.bottom() + 28.0, width - 2.0 * MARGIN);
    let summary = format!("Map with {} robots and {} layers", map.robots.len(), figure.layers.len());
    let mut svg = document(width, legend_bottom + 14.0, &spoken(&map.title, "", &summary));
    svg.push(heading.element);
    svg.push(view.grid());
    svg.push(world::contents(map, &view, drawn_layers(figure, &view)));
    svg.push(view.axes());
    svg.push(world::names(map, &view, &mut Placement::new(view.bounds())));
    svg.push(legend);
    svg.render()
}

/// The layers, and the plans above them.
fn drawn_layers(figure: &LayersFigure, view: &Viewport) -> Element {
    let mut drawn = group();
    let mut left = if figure.coloured { MOST_COLOURED } else { MOST_MARKS };
    for (place, layer) in figure.layers.iter().enumerate() {
        // No layer takes the room of those that follow. Of one with too many marks, some are drawn everywhere instead of all in one part.
        let share = left / (figure.layers.len() - place);
        let shown: Vec<LayerMark> =
            layer.marks.iter().step_by(layer.marks.len().div_ceil(share.max(1)).max(1)).cloned().collect();
        left -= shown.len();
        let colour = figure.coloured.then(|| task_colour(place));
        drawn.push(drawn_layer(&shown, colour, figure, view));
    }
    let most = (ALL_POINTS / figure.plans.len().max(1)).clamp(2, MOST_POINTS);
    let plans = figure.map.robots.iter().zip(&figure.plans).filter_map(|(robot, plan)| {
        let start = [robot.end.0, robot.end.1];
        let points: Vec<Point> =
            std::iter::once(start).chain(plan.iter().copied()).filter_map(|place| view.at(place)).collect();
        let points = thin::together(vec![thin::by_distance(&points, 1.0)], most).pop()?;
        (points.len() > 1).then(|| planned(&points, robot_colour(&robot.name, robot.index)))
    });
    plans.for_each(|plan| drawn.push(plan));
    drawn
}

fn planned(points: &[Point], colour: Colour) -> Element {
    Path::polyline(points)
        .outline()
        .stroke(colour, 2.0)
        .with("stroke-dasharray", "1 4")
        .with("stroke-linecap", "round")
}

/// A layer in a colour, or in those of the robots.
fn drawn_layer(
    marks: &[LayerMark],
    colour: Option<Colour>,
    figure: &LayersFigure,
    view: &Viewport,
) -> Element {
    let (mut world, mut own) = (group().with("opacity", WORLD_OPACITY), group());
    for mark in marks {
        let robot = mark.robot.and_then(|index| figure.map.robots.get(index));
        let Some(robot) = robot else {
            match &mark.shape {
                MarkShape::Disc(..) | MarkShape::Band(..) => {
                    let paint = colour.map_or(Ink::Alert.into(), Paint::from);
                    drawn_mark(mark, paint, "1", view).into_iter().for_each(|it| world.push(it))
                }
                _ => drawn_mark(mark, Ink::Text.into(), "0.2", view).into_iter().for_each(|it| own.push(it)),
            }
            continue;
        };
        let colour = colour.unwrap_or_else(|| robot_colour(&robot.name, robot.index));
        let strength = if mark.strength.is_finite() { mark.strength.clamp(0.0, 1.0) } else { 0.0 };
        let thin = match mark.shape {
            MarkShape::Disc(_, radius) | MarkShape::Band(_, _, radius) => view.length(radius, 0.0) < THIN,
            MarkShape::Circle(..) | MarkShape::Cone(..) => false,
        };
        let opacity = if thin { 0.1 + 0.6 * strength } else { 0.02 + 0.14 * strength * strength };
        let opacity = format!("{opacity:.2}");
        drawn_mark(mark, colour.into(), &opacity, view).into_iter().for_each(|it| own.push(it));
    }
    group().child(world).child(own)
}

/// A mark; `None` if its place is invalid.
fn drawn_mark(mark: &LayerMark, paint: Paint, opacity: &str, view: &Viewport) -> Option<Element> {
    Some(match &mark.shape {
        MarkShape::Circle(at, radius) => {
            let ((x, y), radius) = (view.at(*at)?, view.length(*radius, 0.0));
            circle(x, y, radius).with("fill", "none").stroke(paint, 1.0).with("stroke-opacity", "0.7")
        }
        MarkShape::Disc(at, radius) => {
            let ((x, y), radius) = (view.at(*at)?, view.length(*radius, 0.0));
            circle(x, y, radius).fill(paint).with("fill-opacity", opacity)
        }
        MarkShape::Band(from, to, radius) => {
            let width = 2.0 * view.length(*radius, THINNEST);
            line(view.at(*from)?, view.at(*to)?)
                .stroke(paint, width)
                .with("stroke-opacity", opacity)
                .with("stroke-linecap", "round")
        }
        MarkShape::Cone(from, to, radius) => {
            let (tip, middle) = (view.at(*from)?, view.at(*to)?);
            cone(tip, middle, view.length(*radius, 0.0))
                .fill(paint)
                .with("fill-opacity", "0.3")
                .stroke(paint, 1.0)
        }
    })
}

/// The triangle from a tip to the diameter of a disc.
fn cone(tip: Point, middle: Point, radius: f64) -> Element {
    let (dx, dy) = (middle.0 - tip.0, middle.1 - tip.1);
    let length = libm::hypot(dx, dy).max(1e-6);
    let (across_x, across_y) = (-dy / length * radius, dx / length * radius);
    let corners =
        [tip, (middle.0 + across_x, middle.1 + across_y), (middle.0 - across_x, middle.1 - across_y)];
    let mut path = Path::polyline(&corners);
    path.close();
    path.area()
}

/// The legend of what is drawn.
fn entries(figure: &LayersFigure) -> Vec<LegendEntry> {
    let entry =
        |symbol: Element, text: &str| LegendEntry { symbol, symbol_width: 14.0, text: text.to_owned() };
    let mut entries = vec![entry(circle(7.0, 0.0, 5.5).fill(Ink::Muted), "robot")];
    if figure.plans.iter().any(|plan| !plan.is_empty()) {
        let dots = line((0.0, 0.0), (14.0, 0.0)).stroke(Ink::Muted, 2.0);
        entries.push(entry(dots.with("stroke-dasharray", "1 4").with("stroke-linecap", "round"), "plan"));
    }
    for (place, layer) in figure.layers.iter().enumerate() {
        let Some(first) = layer.marks.first() else { continue };
        let about_world = first.robot.is_none();
        let colour = figure.coloured.then(|| task_colour(place));
        let muted = colour.map_or(Ink::Muted.into(), Paint::from);
        let symbol = match first.shape {
            MarkShape::Circle(..) => {
                let paint = if about_world { Ink::Text.into() } else { muted };
                circle(7.0, 0.0, 6.0).with("fill", "none").stroke(paint, 1.0)
            }
            MarkShape::Cone(..) => cone((0.0, 0.0), (13.0, 0.0), 5.0)
                .fill(Ink::Muted)
                .with("fill-opacity", "0.3")
                .stroke(Ink::Muted, 1.0),
            _ if colour.is_some() => circle(7.0, 0.0, 6.0).fill(muted).with("fill-opacity", "0.8"),
            _ if about_world => circle(7.0, 0.0, 6.0).fill(Ink::Alert).with("fill-opacity", "0.25"),
            _ => circle(7.0, 0.0, 6.0).fill(muted).with("fill-opacity", "0.25"),
        };
        entries.push(entry(symbol, &layer.title));
    }
    entries.extend(world::ground_entries(&figure.map));
    entries
}
