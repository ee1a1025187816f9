//! Motivation levels over time: all behaviour sets of one robot, or one task over all robots.

use serde::{Deserialize, Serialize};

use super::axis::{self, Scale, tick_label, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::mark::{Mark, Marks};
use super::palette::{robot_colour, robot_dash};
use super::rows::Rows;
use super::strip;
use super::svg::{Element, Path, document, group, label, line, rect};
use super::text;
use super::theme::Ink;
use super::thin::{self, Point};

const WIDTH: f64 = 960.0;
const LEFT: f64 = 64.0;
const PLOT_HEIGHT: f64 = 280.0;

/// One motivation figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotivationFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// Length of the time axis [s].
    pub duration_s: f64,
    /// The name of the levels: motivations, bids.
    pub what: String,
    /// Level at which a behaviour set may become active; NaN if there is none.
    pub threshold: f64,
    /// One line and one row each.
    pub curves: Vec<Curve>,
    /// Dotted lines with labels.
    pub marks: Vec<Mark>,
}

/// The motivation of one behaviour set in one robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Shown beside the row.
    pub label: String,
    /// Name and index in the team (or in the list of behaviour sets), for [`robot_colour`].
    pub colour_key: (String, usize),
    /// Time [s] and level.
    pub samples: Vec<(f64, f64)>,
    /// When the behaviour set was active or waiting.
    pub bands: Vec<Band>,
}

/// A period in one state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Start [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
    /// The state of the behaviour set.
    pub state: BandState,
}

/// The state of a behaviour set above its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BandState {
    /// It controls the robot.
    Active,
    /// It waits for another robot to give the task up.
    Waiting,
}

/// The layout.
struct Plan {
    time: Scale,
    level: Scale,
    marks: Marks,
    top: f64,
    bottom: f64,
    right: f64,
    rows: Rows,
    height: f64,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &MotivationFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let plan = Plan::new(figure, heading.bottom);
    let summary = format!("{} over time, {} curves", figure.what, figure.curves.len());
    let mut svg = document(WIDTH, plan.height, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(plan.axes(&figure.what));
    svg.push(strip::tracks(plan.rows, plan.time));
    svg.push(plan.marks.lines(plan.top, plan.rows.bottom()));
    svg.push(plan.threshold(figure.threshold));
    svg.push(plan.lines(&figure.curves));
    svg.push(strip::bands(&figure.curves, plan.rows, plan.time));
    svg.push(strip::names(&figure.curves, plan.rows, plan.right + 12.0, WIDTH - 8.0));
    if !figure.curves.is_empty() {
        svg.push(strip::key(plan.right + 12.0, plan.rows.top - 12.0));
    }
    svg.push(plan.marks.labels(plan.top));
    svg.render()
}

impl Plan {
    fn new(figure: &MotivationFigure, heading_bottom: f64) -> Self {
        let names = figure.curves.iter().map(|curve| text::width(&curve.label, 12.0));
        let names_width = names.fold(100.0, f64::max).min(205.0) + 50.0;
        let right = WIDTH - names_width;
        let time = Scale::of_time(duration(figure), LEFT, right);
        let marks = Marks::arrange(&figure.marks, time, WIDTH - MARGIN);
        let top = heading_bottom + marks.height() + 2.0;
        let bottom = top + PLOT_HEIGHT;
        let rows = Rows::new(figure.curves.len(), bottom + 30.0, 20.0, 720.0);
        let level = Scale::new(levels(figure), (bottom, top));
        Self { time, level, marks, top, bottom, right, rows, height: rows.bottom() + 14.0 }
    }

    fn axes(&self, what: &str) -> Element {
        let (low, high) = self.level.domain();
        let step = axis::nice_step(high - low, 6);
        let values = axis::ticks(low, high, step);
        let middle = (self.top + self.bottom) / 2.0;
        let title = label(0.0, 0.0, 11.5, "middle", what).fill(Ink::Muted);
        group()
            .child(axis::time_grid(self.time, self.top, self.bottom))
            .child(axis::level_axis(self.level, &values, step, LEFT, self.right))
            .child(
                rect(LEFT, self.top, self.right - LEFT, PLOT_HEIGHT)
                    .with("fill", "none")
                    .stroke(Ink::Frame, 1.0),
            )
            .child(axis::time_labels(self.time, self.bottom + 17.0))
            .child(
                title.with("transform", format!("translate(20 {}) rotate(-90)", super::svg::number(middle))),
            )
    }

    fn threshold(&self, threshold: f64) -> Element {
        if !usable(threshold) {
            return group();
        }
        let y = self.level.clamped(threshold);
        let words = text::shorten(
            &format!("threshold {}", threshold_label(threshold)),
            11.5,
            WIDTH - self.right - 20.0,
        );
        group()
            .child(
                line((LEFT, y), (self.right + 6.0, y))
                    .stroke(Ink::Alert, 1.3)
                    .with("stroke-dasharray", "7 4"),
            )
            .child(label(self.right + 12.0, y + 4.0, 11.5, "start", &words).fill(Ink::Alert))
    }

    fn lines(&self, curves: &[Curve]) -> Element {
        let (width, opacity) = if curves.len() > 12 { (1.0, "0.65") } else { (1.9, "1") };
        let budget = (thin::BUDGET / curves.len().max(1)).min(3000);
        let mut lines = group().with("stroke-linejoin", "round").with("stroke-opacity", opacity);
        let mut empty = true;
        for curve in curves {
            let points = thin::curve(&self.points(&curve.samples), self.right - LEFT, budget);
            empty &= points.is_empty();
            if points.is_empty() {
                continue;
            }
            let (name, index) = &curve.colour_key;
            let drawn = self.path(&points).outline().stroke(robot_colour(name, *index), width);
            let dashed = match robot_dash(name, *index) {
                Some(dash) => drawn.with("stroke-dasharray", dash),
                None => drawn,
            };
            lines.push(dashed.tooltip(&curve.label));
        }
        if empty {
            let (x, y) = ((LEFT + self.right) / 2.0, (self.top + self.bottom) / 2.0 + 4.0);
            lines.push(label(x, y, 13.0, "middle", "nothing was recorded").fill(Ink::Muted));
        }
        lines
    }

    /// The line through the points. Stretches at level zero are not drawn: the axis is there, and the colour of the last curve
    /// would hide all others.
    fn path(&self, points: &[Point]) -> Path {
        let zero = self.level.at(0.0);
        let rests = |point: &Point| (point.1 - zero).abs() < 0.01;
        let mut path = Path::default();
        for piece in points.chunk_by(|one, two| !(rests(one) && rests(two))).filter(|piece| piece.len() > 1) {
            path.add(&Path::polyline(piece));
        }
        path
    }

    /// The samples that can be drawn, in order of time [px].
    fn points(&self, samples: &[(f64, f64)]) -> Vec<Point> {
        let drawable = samples.iter().filter(|(time, level)| self.time.contains(*time) && usable(*level));
        let mut points: Vec<Point> =
            drawable.map(|&(time, level)| (self.time.clamped(time), self.level.at(level))).collect();
        if !points.is_sorted_by(|one, two| one.0 <= two.0) {
            points.sort_by(|one, two| one.0.total_cmp(&two.0));
        }
        points
    }
}

/// The given duration, or the last sample's time if that was not a time.
fn duration(figure: &MotivationFigure) -> f64 {
    if usable(figure.duration_s) && figure.duration_s > 0.0 {
        return figure.duration_s;
    }
    let times = figure.curves.iter().flat_map(|curve| curve.samples.iter().map(|sample| sample.0));
    times.filter(|time| usable(*time)).fold(0.0, f64::max)
}

/// The range of the level axis: from zero (or below) to a little above all levels and the threshold.
fn levels(figure: &MotivationFigure) -> (f64, f64) {
    let samples = figure.curves.iter().flat_map(|curve| curve.samples.iter().map(|sample| sample.1));
    let all = samples.chain([figure.threshold]).filter(|level| usable(*level));
    let (low, high) =
        all.fold((0.0, 0.0), |(low, high): (f64, f64), level| (low.min(level), high.max(level)));
    let room = (high - low) * 0.06;
    (if low < 0.0 { low - room } else { 0.0 }, high + room)
}

fn threshold_label(threshold: f64) -> String {
    if threshold.fract() == 0.0 { tick_label(threshold, 1.0) } else { tick_label(threshold, 0.01) }
}
