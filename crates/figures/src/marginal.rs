//! The effect of each parameter on a measure: one small plot per parameter, one dot per candidate.

use super::axis::usable;
use super::chart::{self, Axis, SMALL, WIDTH, colour, extent, spoken_value, titled, with_unit};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::svg::{Element, circle, document, group, label, rect};
use super::text;
use super::theme::Ink;
use serde::{Deserialize, Serialize};

/// One figure of parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarginalFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// What was measured, for the axes.
    pub what: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether the axes of values are logarithmic; only if all values are above 0.
    pub logarithmic: bool,
    /// The value of each candidate; `None` without a value.
    pub values: Vec<Option<f64>>,
    /// One plot each.
    pub parameters: Vec<MarginalParameter>,
    /// Which candidate is the best.
    pub best: Option<usize>,
    /// The candidate with the default parameters.
    pub default: Option<usize>,
}

/// One parameter that was varied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarginalParameter {
    /// Below its plot.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether its axis is logarithmic; only if all settings are above 0.
    pub logarithmic: bool,
    /// The setting of each candidate, in the order of the values; indices of choices if there are any.
    pub settings: Vec<f64>,
    /// The choices of a parameter that is not a number; empty otherwise.
    pub choices: Vec<String>,
}

const PLOT_HEIGHT: f64 = 170.0;

/// From the lower edge of a plot to the upper edge of the next [px].
const BETWEEN: f64 = 62.0;

/// Plots in a row.
const COLUMNS: usize = 3;

/// Dots per plot, so that a figure of many parameters stays small.
fn most_dots(parameters: usize) -> usize {
    (chart::MOST_DOTS / parameters.max(1)).max(20)
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &MarginalFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let (legend, below) = legend::flow(entries(figure), MARGIN, heading.bottom - 4.0, WIDTH - 2.0 * MARGIN);
    let top = below + 14.0;
    let columns = figure.parameters.len().clamp(1, COLUMNS);
    let rows = figure.parameters.len().max(1).div_ceil(columns);
    let plots = top + (PLOT_HEIGHT + BETWEEN) * rows as f64;
    let (notes, bottom) = chart::notes(&notes(figure), plots - BETWEEN + 44.0);
    let summary = format!("{} against {} parameters", figure.what, figure.parameters.len());
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(legend);
    let gutter = chart::gutter(&values_axis(figure, 0.0));
    let width = (WIDTH - gutter - MARGIN) / columns as f64;
    for (place, parameter) in figure.parameters.iter().enumerate() {
        let (column, row) = (place % columns, place / columns);
        let (left, top) = (gutter + width * column as f64, top + (PLOT_HEIGHT + BETWEEN) * row as f64);
        svg.push(plot(figure, parameter, left, left + width - 22.0, top, column == 0));
    }
    svg.push(notes);
    svg.render()
}

fn best_mark(x: f64, y: f64) -> Element {
    chart::mark(3, x, y, 5.4).fill(colour(1)).stroke(Ink::Surface, 1.2)
}

fn default_mark(x: f64, y: f64) -> Element {
    chart::mark(1, x, y, 4.4).fill(Ink::Surface).stroke(Ink::Text, 1.8)
}

fn entries(figure: &MarginalFigure) -> Vec<LegendEntry> {
    let dot = circle(6.0, 0.0, 3.0).fill(colour(0)).with("fill-opacity", "0.7");
    let mut entries = vec![LegendEntry { symbol: dot, symbol_width: 12.0, text: "a candidate".into() }];
    let told =
        |which: Option<usize>| figure.values.get(which?).copied().flatten().filter(|value| usable(*value));
    if let Some(value) = told(figure.default) {
        let text = format!("default: {}", with_unit(value, &figure.unit));
        entries.push(LegendEntry { symbol: default_mark(7.0, 0.0), symbol_width: 14.0, text });
    }
    if let Some(value) = told(figure.best) {
        let text = format!("best: {}", with_unit(value, &figure.unit));
        entries.push(LegendEntry { symbol: best_mark(8.0, 0.0), symbol_width: 16.0, text });
    }
    entries
}

/// The axis that all plots share.
fn values_axis(figure: &MarginalFigure, top: f64) -> Axis {
    let known = extent(figure.values.iter().flatten().copied());
    let range = (top + PLOT_HEIGHT - 6.0, top + 6.0);
    match figure.logarithmic {
        true => Axis::logarithmic(known, range, 4),
        // Candidates differ by little: an axis from 0 would hide it.
        false => Axis::exactly(known.unwrap_or((0.0, 1.0)), range, 4),
    }
}

fn plot(
    figure: &MarginalFigure,
    parameter: &MarginalParameter,
    left: f64,
    right: f64,
    top: f64,
    first: bool,
) -> Element {
    let bottom = top + PLOT_HEIGHT;
    let values = values_axis(figure, top);
    let settings = settings_axis(parameter, left + 10.0, right - 10.0);
    let mut drawn = group();
    if first {
        drawn.push(values.upright(left, right, &titled(&figure.what, &figure.unit)));
    } else {
        drawn.push(values.lines(left, right));
    }
    drawn.push(settings.ticked(left, right, bottom, ""));
    let name = text::shorten(&titled(&parameter.name, &parameter.unit), 12.0, right - left + 10.0);
    let title = label((left + right) / 2.0, bottom + 33.0, 12.0, "middle", &name).fill(Ink::Text);
    drawn.push(title.with("font-weight", "600"));
    drawn.push(rect(left, top, right - left, PLOT_HEIGHT).with("fill", "none").stroke(Ink::Frame, 1.0));
    let many = !parameter.choices.is_empty();
    let at = |index: usize| {
        let (setting, value) =
            (parameter.settings.get(index)?, figure.values.get(index)?.filter(|value| usable(*value))?);
        Some((settings.at(*setting)?, values.at(value)?))
    };
    let every = figure.values.len().div_ceil(most_dots(figure.parameters.len())).max(1);
    let mut dots = group().fill(colour(0)).with("fill-opacity", "0.7");
    for index in (0..figure.values.len()).step_by(every) {
        let Some((x, y)) = at(index) else { continue };
        // Choices are positions without a width: dots are jittered around them.
        let aside = if many { (chart::strewn(index) - 0.5) * 16.0 } else { 0.0 };
        dots.push(circle(x + aside, y, 2.6));
    }
    drawn.push(dots);
    drawn.push(figure.default.and_then(at).map_or_else(group, |(x, y)| default_mark(x, y)));
    drawn.child(figure.best.and_then(at).map_or_else(group, |(x, y)| best_mark(x, y)))
}

fn settings_axis(parameter: &MarginalParameter, left: f64, right: f64) -> Axis {
    if !parameter.choices.is_empty() {
        let last = parameter.choices.len() as f64 - 1.0;
        let room = (right - left) / parameter.choices.len() as f64 - 8.0;
        let named = parameter.choices.iter().enumerate();
        let ticks =
            named.map(|(index, name)| (index as f64, text::squeeze(name, SMALL, room.max(12.0)))).collect();
        return Axis::with_ticks((-0.5, last + 0.5), (left, right), ticks);
    }
    let known = extent(parameter.settings.iter().copied());
    if parameter.logarithmic {
        return Axis::along(known, (left, right), true);
    }
    // The searched range is more informative than an axis from 0.
    let Some((low, high)) = known else { return Axis::along(None, (left, right), false) };
    Axis::exactly((low, high), (left, right), 4).thinned()
}

fn notes(figure: &MarginalFigure) -> Vec<String> {
    let values = values_axis(figure, 0.0);
    let mut notes = vec!["All plots have the same axis of values.".to_owned()];
    if values.is_logarithmic() {
        notes.push("It is logarithmic.".into());
    } else if !values.shows_zero() {
        notes.push("It does not show 0.".into());
    }
    let missing = figure.values.iter().filter(|value| value.is_none_or(|value| !usable(value))).count();
    if missing > 0 {
        notes.push(format!("{} candidates without a value are left out.", spoken_value(missing as f64)));
    }
    notes
}
