//! Paired differences: one row per comparison, with its interval, and on which side of zero it lies.

use super::axis::usable;
use super::chart::{self, Axis, SMALL, WIDTH, colour, extent, painted, titled};
use super::heading::{Heading, MARGIN, spoken};
use super::rows::Rows;
use super::svg::{Element, document, group, label, line, rect};
use super::text;
use super::theme::Ink;
use crewlab_statistics::Interval;
use serde::{Deserialize, Serialize};

/// One figure of comparisons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForestFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// What the differences are of, for the axis.
    pub what: String,
    /// Their unit; may be empty.
    pub unit: String,
    /// What differences below zero mean, such as `faster`.
    pub below: String,
    /// What differences above zero mean, such as `slower`.
    pub above: String,
    /// The name of the p values, such as `p (Holm)`.
    pub p_label: String,
    /// One row each.
    pub rows: Vec<ForestRow>,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForestRow {
    /// The two levels compared.
    pub name: String,
    /// The mean difference; `None` if there are no pairs to compare.
    pub estimate: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// The adjusted p value.
    pub p: Option<f64>,
    /// Whether the difference is significant.
    pub significant: bool,
    /// Number of pairs.
    pub pairs: usize,
}

/// Room for the numbers on the right [px].
const NUMBERS: f64 = 170.0;
const PROBABILITY: f64 = 74.0;
const PAIRS: f64 = 48.0;

/// The layout.
struct Plan<'a> {
    figure: &'a ForestFigure,
    axis: Axis,
    rows: Rows,
    left: f64,
    right: f64,
    /// Decimals of the numbers beside the plot, the same for all.
    decimals: usize,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &ForestFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let plan = Plan::new(figure, heading.bottom + 26.0);
    let mut sentences = vec!["Diamond: the mean difference over pairs; line: its 95 % interval.".to_owned()];
    if figure.rows.iter().any(|row| row.estimate.is_some()) {
        sentences.push("Filled: the difference is significant; hollow: it may be chance.".into());
    }
    let (notes, bottom) = chart::notes(&sentences, plan.rows.bottom() + 44.0);
    let summary = format!("{}, {} comparisons", figure.what, figure.rows.len());
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(plan.frame());
    for (place, row) in figure.rows.iter().enumerate() {
        svg.push(plan.row(place, row));
    }
    svg.push(notes);
    svg.render()
}

impl<'a> Plan<'a> {
    fn new(figure: &'a ForestFigure, top: f64) -> Self {
        let names = figure.rows.iter().map(|row| text::width(&row.name, 12.0));
        let left = MARGIN + names.fold(24.0, f64::max).min(260.0) + 14.0;
        let right = WIDTH - MARGIN - NUMBERS - PROBABILITY - PAIRS;
        let ends = figure.rows.iter().flat_map(|row| {
            let interval = row.interval.map(|interval| [interval.low, interval.high]);
            interval.into_iter().flatten().chain(row.estimate)
        });
        let reach = extent(ends.chain([0.0])).unwrap_or((0.0, 0.0));
        // Room on both sides of zero, for what they mean.
        let room = (reach.1 - reach.0) * 0.12;
        let known = Some((reach.0.min(-room), reach.1.max(room)));
        let decimals = match known.map_or(1.0, |(low, high)| high - low) {
            span if span >= 100.0 => 0,
            span if span >= 10.0 => 1,
            span if span >= 1.0 => 2,
            _ => 4,
        };
        let count = figure.rows.len();
        Self {
            figure,
            decimals,
            axis: Axis::along(known, (left, right), false),
            rows: Rows::new(count.max(1), top, 30.0, 640.0f64.max(20.0 * count as f64)),
            left,
            right,
        }
    }

    fn frame(&self) -> Element {
        let (top, bottom) = (self.rows.top, self.rows.bottom());
        let mut frame = group();
        for row in (0..self.figure.rows.len()).skip(1).step_by(2) {
            let above = self.rows.middle(row) - self.rows.pitch / 2.0;
            frame.push(rect(MARGIN, above, WIDTH - 2.0 * MARGIN, self.rows.pitch).fill(Ink::Track));
        }
        frame.push(self.axis.level(top, bottom, &titled(&self.figure.what, &self.figure.unit)));
        if let Some(zero) = self.axis.at(0.0) {
            frame.push(line((zero, top - 4.0), (zero, bottom)).stroke(Ink::Text, 1.4));
        }
        let room = (self.right - self.left) / 2.0 - 24.0;
        let side = |x: f64, anchor: &'static str, words: String| {
            label(x, top - 10.0, 12.0, anchor, &words).fill(Ink::Text).with("font-weight", "600")
        };
        let (below, above) = (&self.figure.below, &self.figure.above);
        if !below.is_empty() {
            frame.push(side(self.left, "start", format!("← {}", text::shorten(below, 12.0, room))));
        }
        if !above.is_empty() {
            frame.push(side(self.right, "end", format!("{} →", text::shorten(above, 12.0, room))));
        }
        let head = |x: f64, words: &str| label(x, top - 10.0, SMALL, "end", words).fill(Ink::Muted);
        let difference = titled("difference", &self.figure.unit);
        frame
            .child(head(self.right + PAIRS, "pairs"))
            .child(head(self.right + PAIRS + NUMBERS, &text::shorten(&difference, SMALL, NUMBERS - 10.0)))
            .child(head(WIDTH - MARGIN - 4.0, &text::shorten(&self.figure.p_label, SMALL, PROBABILITY - 8.0)))
    }

    fn row(&self, place: usize, row: &ForestRow) -> Element {
        let y = self.rows.middle(place);
        let shown = text::squeeze(&row.name, 12.0, self.left - MARGIN - 14.0);
        let name = label(self.left - 12.0, y + 4.0, 12.0, "end", &shown).fill(Ink::Text);
        let paint = colour(0);
        let mut drawn = group().child(if shown == row.name { name } else { name.tooltip(&row.name) });
        if let Some(interval) = row.interval {
            let ends = (self.axis.at(interval.low), self.axis.at(interval.high));
            if let Some(path) = chart::whisker(ends.0, ends.1, y, false, 4.0) {
                drawn.push(path.outline().stroke(paint, 1.8));
            }
        }
        if let Some(x) = row.estimate.and_then(|estimate| self.axis.at(estimate)) {
            drawn.push(painted(chart::mark(3, x, y, 4.6), paint, !row.significant).tooltip(&self.told(row)));
        }
        let number = |x: f64, words: &str| label(x, y + 4.0, 11.5, "end", words);
        drawn.push(number(self.right + PAIRS, &row.pairs.to_string()).fill(Ink::Muted));
        drawn.push(number(self.right + PAIRS + NUMBERS, &self.difference(row)).fill(Ink::Text));
        let p = number(WIDTH - MARGIN - 4.0, &probability(row.p)).fill(Ink::Text);
        drawn.child(if row.significant { p.with("font-weight", "600") } else { p })
    }

    /// The difference with its interval.
    fn difference(&self, row: &ForestRow) -> String {
        let signed = |value: f64| signed(value, self.decimals);
        match (row.estimate, row.interval) {
            (Some(estimate), Some(interval)) => {
                format!("{} ({} to {})", signed(estimate), signed(interval.low), signed(interval.high))
            }
            (Some(estimate), None) => signed(estimate),
            _ => "–".to_owned(),
        }
    }

    fn told(&self, row: &ForestRow) -> String {
        let word = match row.estimate {
            Some(estimate) if estimate < 0.0 => &self.figure.below,
            Some(estimate) if estimate > 0.0 => &self.figure.above,
            _ => return format!("{}: no difference", row.name),
        };
        let sure = if row.significant { "" } else { ", perhaps by chance" };
        format!("{}: {} {} {word}{sure}", row.name, self.difference(row), self.figure.unit)
    }
}

/// A number with its sign.
fn signed(value: f64, decimals: usize) -> String {
    if !usable(value) {
        return "–".to_owned();
    }
    let words = format!("{value:+.decimals$}");
    let zero = words.chars().all(|letter| !('1'..='9').contains(&letter));
    if zero { words.trim_start_matches(['+', '-']).to_owned() } else { words.replace('-', "−") }
}

/// A p value with the usual number of digits.
fn probability(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) if p < 0.1 => format!("{p:.3}"),
        Some(p) if p <= 1.0 => format!("{p:.2}"),
        _ => "–".to_owned(),
    }
}
