//! The use of the medium by each robot.

use serde::{Deserialize, Serialize};

use super::axis::{Scale, nice_step, tick_label, ticks, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::palette::robot_colour;
use super::rows::Rows;
use super::svg::{Element, circle, document, group, label, line, number, rect};
use super::text;
use super::theme::Ink;

const WIDTH: f64 = 960.0;
const RIGHT: f64 = WIDTH - 28.0;

/// Largest number of robots with their own row; the rest shares one.
const MOST: usize = 40;

/// The use of the medium by each robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AirtimeFigure {
    /// Shown above the figure.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// Length of the run [s].
    pub duration_s: f64,
    /// The robots, in the order of the team.
    pub robots: Vec<AirtimeRow>,
}

/// One robot's use of the medium.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AirtimeRow {
    /// Its name.
    pub name: String,
    /// Its index in the team.
    pub index: usize,
    /// Time spent sending [s].
    pub sending_s: f64,
    /// Time spent receiving [s].
    pub receiving_s: f64,
}

/// The unit of shares of time: a team that sends little is shown in microseconds per second.
#[derive(Clone, Copy)]
struct Unit {
    /// Number of these units in the whole time.
    whole: f64,
    /// The suffix of a number.
    short: &'static str,
    /// The label of the axis.
    long: &'static str,
}

const PERCENT: Unit = Unit { whole: 100.0, short: "%", long: "share of the run spent sending [%]" };
const MICROSECONDS: Unit =
    Unit { whole: 1e6, short: "µs/s", long: "mean sending time per second of the run [µs/s]" };

/// Shares from this on are shown in per cent.
const MUCH: f64 = 0.005;

/// A row as it is drawn.
struct Bar {
    name: String,
    index: Option<usize>,
    share: f64,
    tooltip: String,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &AirtimeFigure) -> String {
    let bars = bars(figure);
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let names = bars.iter().map(|bar| text::width(&bar.name, 12.0));
    let left = names.fold(56.0, f64::max).min(190.0) + MARGIN + 24.0;
    let rows = Rows::new(bars.len().max(1), heading.bottom + 8.0, 26.0, 820.0);
    let most = bars.iter().map(|bar| bar.share).fold(0.0, f64::max);
    let unit = if most < MUCH && most > 0.0 { MICROSECONDS } else { PERCENT };
    let most = if most > 0.0 { most * unit.whole } else { unit.whole };
    let step = nice_step(most, 6);
    let scale = Scale::new((0.0, most * 1.12), (left, RIGHT));
    let summary = format!("Airtime of {} robots", figure.robots.len());
    let mut svg = document(WIDTH, rows.bottom() + 46.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(axis(scale, step, rows, unit));
    svg.push(drawn(&bars, scale, rows, unit));
    svg.render()
}

fn share(figure: &AirtimeFigure, seconds: f64) -> f64 {
    let duration = figure.duration_s;
    let share = if usable(duration) && duration > 0.0 { seconds / duration } else { 0.0 };
    if usable(share) { share.max(0.0) } else { 0.0 }
}

/// The robots with the most airtime, and the rest together.
fn bars(figure: &AirtimeFigure) -> Vec<Bar> {
    let bar = |row: &AirtimeRow| Bar {
        name: row.name.clone(),
        index: Some(row.index),
        share: share(figure, row.sending_s),
        tooltip: format!(
            "{}: sent for {} ms, received for {} ms",
            row.name,
            number(row.sending_s * 1e3),
            number(row.receiving_s * 1e3)
        ),
    };
    if figure.robots.len() <= MOST {
        return figure.robots.iter().map(bar).collect();
    }
    let mut sorted: Vec<&AirtimeRow> = figure.robots.iter().collect();
    sorted.sort_by(|one, two| two.sending_s.total_cmp(&one.sending_s).then(one.index.cmp(&two.index)));
    let (first, rest) = sorted.split_at(MOST);
    let mut bars: Vec<Bar> = first.iter().map(|row| bar(row)).collect();
    let mean = rest.iter().map(|row| share(figure, row.sending_s)).sum::<f64>() / rest.len() as f64;
    let name = format!("mean of {} others", rest.len());
    bars.push(Bar { tooltip: name.clone(), name, index: None, share: mean });
    bars
}

fn axis(scale: Scale, step: f64, rows: Rows, unit: Unit) -> Element {
    let (left, right) = scale.range();
    let mut axis = group();
    axis.push(rect(left, rows.top, right - left, rows.height()).fill(Ink::Track));
    for value in ticks(0.0, scale.end(), step) {
        let x = scale.at(value);
        axis.push(line((x, rows.top), (x, rows.bottom())).stroke(Ink::Grid, 1.0));
        axis.push(label(x, rows.bottom() + 16.0, 11.0, "middle", &tick_label(value, step)).fill(Ink::Muted));
    }
    axis.push(line((left, rows.bottom()), (right, rows.bottom())).stroke(Ink::Frame, 1.0));
    axis.child(label((left + right) / 2.0, rows.bottom() + 34.0, 11.5, "middle", unit.long).fill(Ink::Muted))
}

fn drawn(bars: &[Bar], scale: Scale, rows: Rows, unit: Unit) -> Element {
    let mut drawn = group();
    let left = scale.range().0;
    let size = rows.font();
    let step = nice_step(scale.end(), 60).max(0.01);
    for (row, bar) in bars.iter().enumerate() {
        let y = rows.middle(row);
        let colour = bar.index.map(|index| robot_colour(&bar.name, index));
        let shape = rect(left, y - rows.bar() / 2.0, scale.at(bar.share * unit.whole) - left, rows.bar());
        let shape = match colour {
            Some(colour) => shape.fill(colour),
            None => shape.fill(Ink::Muted),
        };
        drawn.push(shape.tooltip(&bar.tooltip));
        if !rows.names(row) {
            continue;
        }
        let shown = text::squeeze(&bar.name, size, left - MARGIN - 20.0);
        drawn.push(label(left - 20.0, y + size * 0.35, size, "end", &shown).fill(Ink::Text));
        if let Some(colour) = colour {
            drawn.push(circle(left - 10.0, y, size * 0.32).fill(colour));
        }
        let words = format!("{} {}", tick_label(bar.share * unit.whole, step), unit.short);
        drawn.push(
            label(scale.at(bar.share * unit.whole) + 6.0, y + size * 0.35, size, "start", &words)
                .fill(Ink::Muted),
        );
    }
    if bars.is_empty() {
        let middle = (left + RIGHT) / 2.0;
        drawn.push(label(middle, rows.middle(0) + 4.0, 13.0, "middle", "no robots").fill(Ink::Muted));
    }
    drawn
}
