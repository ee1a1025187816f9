//! A map that a robot made: cells, the estimated path, odometry and the reference.

use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::palette::task_colour;
use super::svg::{Element, Path, document, group, line, rect};
use super::theme::Ink;
use super::viewport::Viewport;
use super::world::WorldFigure;

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Never seen.
    Unknown,
    /// Free.
    Free,
    /// Occupied.
    Occupied,
}

/// A map and the paths on it.
#[derive(Debug, Clone, PartialEq)]
pub struct SurveyFigure {
    /// Shown above the map.
    pub title: String,
    /// Cells from left to right.
    pub columns: usize,
    /// Side of a cell [m].
    pub resolution: f64,
    /// The lower left corner [m].
    pub origin: [f64; 2],
    /// Row by row from the lower left one.
    pub cells: Vec<CellKind>,
    /// The estimated path [m].
    pub path: Vec<[f64; 2]>,
    /// The path by odometry alone [m].
    pub odometry: Vec<[f64; 2]>,
    /// The reference; may be empty [m].
    pub reference: Vec<[f64; 2]>,
}

/// Draws the map as an SVG document.
pub fn draw(figure: &SurveyFigure) -> String {
    let world = extent(figure);
    let width = Viewport::figure_width(&world);
    let heading = Heading::new(&figure.title, "", width);
    let view = Viewport::new(&world, heading.bottom + 12.0);
    let mut inside = view.window();
    inside.push(cells(figure, CellKind::Free, &view).fill(Ink::Grid));
    inside.push(cells(figure, CellKind::Occupied, &view).fill(Ink::Text));
    let styles = [
        (&figure.odometry, "odometry alone", 1, Some("2 3"), 1.2),
        (&figure.reference, "reference", 2, None, 3.0),
        (&figure.path, "estimated path", 0, None, 1.2),
    ];
    let mut entries = vec![
        entry(rect(1.0, -5.5, 12.0, 11.0).fill(Ink::Text), "occupied"),
        entry(rect(1.0, -5.5, 12.0, 11.0).fill(Ink::Grid), "free"),
    ];
    for (points, name, colour, dash, thickness) in styles {
        if points.is_empty() {
            continue;
        }
        let styled = |element: Element| {
            let element = element.with("stroke", task_colour(colour).hex()).with("stroke-width", thickness);
            let element = element.with("stroke-linejoin", "round");
            if let Some(dash) = dash { element.with("stroke-dasharray", dash) } else { element }
        };
        let points: Vec<(f64, f64)> = points.iter().filter_map(|point| view.at(*point)).collect();
        inside.push(styled(Path::polyline(&points).outline()));
        entries.push(entry(styled(line((0.0, 0.0), (14.0, 0.0))), name));
    }
    let (legend, bottom) = legend::flow(entries, MARGIN, view.bottom() + 28.0, width - 2.0 * MARGIN);
    let summary = format!("Map with {} poses", figure.path.len());
    let mut svg = document(width, bottom + 14.0, &spoken(&figure.title, "", &summary));
    svg.push(heading.element);
    svg.push(inside);
    svg.push(view.axes());
    svg.push(legend);
    svg.render()
}

fn entry(symbol: Element, text: &str) -> LegendEntry {
    LegendEntry { symbol: group().child(symbol), symbol_width: 14.0, text: text.to_owned() }
}

/// The map's extent, as a world without contents; odometry may leave it.
fn extent(figure: &SurveyFigure) -> WorldFigure {
    let rows = figure.cells.len() / figure.columns.max(1);
    WorldFigure {
        title: String::new(),
        size: [figure.columns as f64 * figure.resolution, rows as f64 * figure.resolution],
        origin: figure.origin,
        objects: Vec::new(),
        terrain: None,
        areas: Vec::new(),
        items: Vec::new(),
        robots: Vec::new(),
        marks: Vec::new(),
    }
}

/// All cells of a kind as one shape: a rectangle per run in a row.
fn cells(figure: &SurveyFigure, kind: CellKind, view: &Viewport) -> Element {
    let mut path = Path::default();
    let corner = |column: usize, row: usize| {
        let at = |axis: usize, cells: usize| figure.origin[axis] + cells as f64 * figure.resolution;
        view.at([at(0, column), at(1, row)]).unwrap_or_default()
    };
    for (row, cells) in figure.cells.chunks(figure.columns.max(1)).enumerate() {
        let mut column = 0;
        while column < cells.len() {
            let run = cells[column..].iter().take_while(|cell| **cell == kind).count();
            if run > 0 {
                let ((left, bottom), (right, top)) = (corner(column, row), corner(column + run, row + 1));
                path.move_to(left, bottom);
                path.horizontal_to(right);
                path.vertical_to(top);
                path.horizontal_to(left);
                path.close();
            }
            column += run.max(1);
        }
    }
    path.area().with("shape-rendering", "crispEdges")
}
