//! Noise over the map.

use serde::{Deserialize, Serialize};

use super::airspace::{self, Airspace};
use super::axis::{nice_step, tick_label, ticks, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::placement::Placement;
use super::ramp::NOISE;
use super::svg::{Element, Path, circle, document, group};
use super::theme::Ink;
use super::viewport::Viewport;
use super::world::{self, WorldFigure};

/// Shades of the map.
const SHADES: usize = 40;

/// A map of noise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoiseFigure {
    /// Shown above the map.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// The map, with the robots where they were.
    pub map: WorldFigure,
    /// Walls and jammers.
    pub airspace: Airspace,
    /// The noise.
    pub field: NoiseField,
}

/// Noise on a grid that covers the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoiseField {
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from bottom to top.
    pub rows: usize,
    /// Levels in the middles of the cells, row by row from the lower left corner [dBm].
    pub levels: Vec<f64>,
}

impl NoiseField {
    /// The lowest and the highest level; `None` if there is none [dBm].
    pub fn range(&self) -> Option<(f64, f64)> {
        let levels = self.levels.iter().copied().filter(|level| usable(*level));
        levels.fold(None, |range: Option<(f64, f64)>, level| {
            Some(range.map_or((level, level), |(low, high)| (low.min(level), high.max(level))))
        })
    }
}

/// Draws the map as an SVG document.
pub fn draw(figure: &NoiseFigure) -> String {
    let width = Viewport::figure_width(&figure.map);
    let heading = Heading::new(&figure.title, &figure.subtitle, width);
    let view = Viewport::new(&figure.map, heading.bottom + 12.0);
    let (low, high) = figure.field.range().unwrap_or((-100.0, -90.0));
    // A minimum range of a few decibels keeps small differences from looking large.
    let step = nice_step((high - low).max(6.0), 5);
    let low = (low / step).floor() * step;
    let high = ((high / step).ceil() * step).max(low + step);
    let bar_top = view.bottom() + 32.0;
    let mut entries = airspace::entries(&figure.airspace);
    if !figure.map.robots.is_empty() {
        let symbol = circle(7.0, 0.0, 5.5).fill(Ink::Muted);
        entries.insert(0, LegendEntry { symbol, symbol_width: 14.0, text: "robot".into() });
    }
    let (legend, legend_bottom) = legend::flow(entries, MARGIN, bar_top + 36.0, width - 2.0 * MARGIN);
    let summary = format!("Noise from {low:.0} to {high:.0} dBm");
    let mut svg = document(width, legend_bottom + 14.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(view.window().child(field(&figure.field, &figure.map, &view, (low, high))));
    svg.push(world::contents(&figure.map, &view, airspace::walls(&figure.airspace, &view)));
    svg.push(airspace::jammers(&figure.airspace, &view));
    svg.push(view.axes());
    svg.push(names(figure, &view));
    let marks: Vec<(f64, String)> = ticks(low, high, step)
        .into_iter()
        .map(|level| ((level - low) / (high - low), tick_label(level, step)))
        .collect();
    svg.push(NOISE.bar("noise [dBm]", (MARGIN + 92.0, bar_top, (width - 180.0).min(360.0)), &marks));
    svg.push(legend);
    svg.render()
}

fn names(figure: &NoiseFigure, view: &Viewport) -> Element {
    let mut placement = Placement::new(view.bounds());
    airspace::reserve(&figure.airspace, view, &mut placement);
    let names = world::names(&figure.map, view, &mut placement);
    group().child(names).child(airspace::labels(&figure.airspace, view, &mut placement))
}

/// One path per shade, runs of equal cells joined.
fn field(field: &NoiseField, map: &WorldFigure, view: &Viewport, (low, high): (f64, f64)) -> Element {
    let mut drawn = group().with("shape-rendering", "crispEdges");
    if field.columns.checked_mul(field.rows).is_none_or(|cells| cells == 0 || cells > field.levels.len()) {
        return drawn;
    }
    let shade = |level: &f64| {
        let share = if usable(*level) { (level - low) / (high - low) } else { 0.0 };
        (share.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize
    };
    let raster: Vec<usize> = field.levels.iter().map(shade).collect();
    let side = [map.size[0] / field.columns as f64, map.size[1] / field.rows as f64];
    for level in 0..SHADES {
        let mut path = Path::default();
        for (row, cells) in raster.chunks(field.columns).take(field.rows).enumerate() {
            let mut start = 0;
            for run in cells.chunk_by(|one, two| one == two) {
                let end = start + run.len();
                if run.first() == Some(&level) {
                    rectangle(&mut path, [start, end], row, side, view);
                }
                start = end;
            }
        }
        if !path.is_empty() {
            drawn.push(path.area().fill(NOISE.at(level as f64 / (SHADES - 1) as f64)));
        }
    }
    drawn
}

fn rectangle(path: &mut Path, columns: [usize; 2], row: usize, side: [f64; 2], view: &Viewport) {
    let [left, bottom] = view.origin();
    let corner =
        |column: usize, row: usize| view.at([left + column as f64 * side[0], bottom + row as f64 * side[1]]);
    if let (Some(low), Some(high)) = (corner(columns[0], row), corner(columns[1], row + 1)) {
        path.move_to(low.0, low.1);
        path.horizontal_to(high.0);
        path.vertical_to(high.1);
        path.horizontal_to(low.0);
        path.close();
    }
}
