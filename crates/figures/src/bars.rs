//! Groups of bars: the same quantities side by side for several cases.

use super::chart::{self, Axis, WIDTH, colour, extent, spoken_value};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{LegendEntry, flow};
use super::svg::{document, label, line, rect};
use super::text;
use super::theme::Ink;

/// Height of one bar and room between two groups [px].
const BAR: f64 = 9.0;
const GAP: f64 = 8.0;

/// Room for the names of the groups [px].
const NAMES: f64 = 300.0;

/// One figure with groups of bars.
#[derive(Debug, Clone, PartialEq)]
pub struct BarsFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title.
    pub subtitle: String,
    /// What the length of a bar is.
    pub what: String,
    /// The cases, each with its own colour.
    pub cases: Vec<String>,
    /// The groups: a name and a value per case.
    pub groups: Vec<(String, Vec<f64>)>,
}

/// Draws the bars.
pub fn draw(figure: &BarsFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let entry = |(place, name): (usize, &String)| LegendEntry {
        symbol: rect(0.0, -5.0, 14.0, 10.0).fill(colour(place)),
        symbol_width: 14.0,
        text: name.clone(),
    };
    let entries = figure.cases.iter().enumerate().map(entry).collect();
    let (legend, top) = flow(entries, MARGIN, heading.bottom, WIDTH - 2.0 * MARGIN);
    let height = BAR * figure.cases.len().max(1) as f64 + GAP;
    let (left, right) = (MARGIN + NAMES, WIDTH - MARGIN - 60.0);
    let bottom = top + 8.0 + height * figure.groups.len() as f64;
    let values = figure.groups.iter().flat_map(|(_, values)| values.iter().copied());
    let axis = Axis::along(extent(values.chain([0.0])), (left, right), false);
    let summary = format!("{} for {} groups", figure.what, figure.groups.len());
    let mut svg = document(WIDTH, bottom + 50.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(legend);
    svg.push(axis.level(top, bottom, &figure.what));
    for (number, (name, values)) in figure.groups.iter().enumerate() {
        let y = top + 4.0 + height * number as f64;
        let shown = text::squeeze(name, 12.0, NAMES - 14.0);
        svg.push(label(left - 10.0, y + (height - GAP) / 2.0 + 4.0, 12.0, "end", &shown).fill(Ink::Text));
        for (place, value) in values.iter().enumerate().take(figure.cases.len()) {
            let (Some(zero), Some(end)) = (axis.at(0.0), axis.at(*value)) else { continue };
            let bar = rect(zero.min(end), y + BAR * place as f64, (end - zero).abs(), BAR - 1.5);
            let words = format!("{name}, {}: {}", figure.cases[place], spoken_value(*value));
            svg.push(bar.fill(chart::colour(place)).tooltip(&words));
        }
    }
    svg.push(line((left, top), (left, bottom)).stroke(Ink::Frame, 1.0));
    svg.render()
}
