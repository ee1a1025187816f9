//! A legend that flows from left to right and wraps.

use super::svg::{Element, group, label, moved};
use super::text;
use super::theme::Ink;

const FONT: f64 = 11.5;
const LINE: f64 = 18.0;
const GAP: f64 = 18.0;

/// Largest number of lines of a legend; further entries are only counted.
const MOST_LINES: usize = 8;

/// One entry: a symbol drawn around the middle of its left edge, and its meaning.
pub struct LegendEntry {
    /// Drawn between 0 and `symbol_width`, centred on y = 0.
    pub symbol: Element,
    /// Room for the symbol [px].
    pub symbol_width: f64,
    /// The explanation.
    pub text: String,
}

/// Lays out a legend below `top` and returns it with its lower edge.
pub fn flow(entries: Vec<LegendEntry>, left: f64, top: f64, width: f64) -> (Element, f64) {
    let mut legend = group().fill(Ink::Muted);
    if entries.is_empty() {
        return (legend, top);
    }
    let (mut x, mut line, count) = (0.0, 0, entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let shown = text::shorten(&entry.text, FONT, width.min(260.0) - entry.symbol_width);
        let taken = entry.symbol_width + 6.0 + text::width(&shown, FONT);
        if x > 0.0 && x + taken > width {
            x = 0.0;
            line += 1;
        }
        if line == MOST_LINES {
            let rest = format!("and {} more", count - index);
            legend.push(label(left, top + LINE * (line as f64 + 0.75), FONT, "start", &rest));
            line += 1;
            break;
        }
        let place = moved(left + x, top + LINE * (line as f64 + 0.5));
        let words = label(entry.symbol_width + 6.0, 4.0, FONT, "start", &shown);
        let words = if shown == entry.text { words } else { words.tooltip(&entry.text) };
        legend.push(place.child(entry.symbol).child(words));
        x += taken + GAP;
    }
    let lines = if line > MOST_LINES { line } else { line + 1 };
    (legend, top + LINE * lines as f64)
}
