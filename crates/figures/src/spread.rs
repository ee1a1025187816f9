//! The spread of a measure from run to run: one row per group, one dot per run, with the middle half, the median and the mean.

use super::chart::{self, Axis, SMALL, WIDTH, colour, extent, strewn, titled, with_unit};
use super::heading::{Heading, MARGIN, spoken};
use super::rows::Rows;
use super::svg::{Element, circle, document, group, label, line, rect};
use super::text;
use super::theme::Ink;
use crewlab_statistics::{Interval, quantile};
use serde::{Deserialize, Serialize};

/// One figure of spreads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpreadFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// What is measured, for the axis.
    pub what: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether values are of completed runs only and the others are counted separately. Otherwise every run has a value.
    pub censored: bool,
    /// The time limit of runs that were not completed, in that unit. Without it they are counted but not drawn.
    pub limit: Option<f64>,
    /// One row each.
    pub groups: Vec<SpreadGroup>,
}

/// The runs of one coordinator or one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpreadGroup {
    /// Left of the row.
    pub name: String,
    /// One per completed run.
    pub values: Vec<f64>,
    /// How many runs were not completed; their value is not known.
    pub unfinished: usize,
    /// The mean, over runs that the caller selects.
    pub mean: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

/// The size of a hollow mark at the limit [px], and the columns around it in the order in which they fill up.
const MARK: f64 = 6.2;
const COLUMNS: [f64; 3] = [0.0, -1.0, 1.0];

/// The layout.
struct Plan<'a> {
    figure: &'a SpreadFigure,
    axis: Axis,
    rows: Rows,
    left: f64,
    right: f64,
    /// Every n-th dot is drawn.
    every: usize,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &SpreadFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let plan = Plan::new(figure, heading.bottom + 24.0);
    let (notes, bottom) = chart::notes(&plan.notes(), plan.rows.bottom() + 44.0);
    let summary = format!("{} by group, {} rows", figure.what, figure.groups.len());
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(plan.stripes());
    svg.push(plan.axis.level(plan.rows.top, plan.rows.bottom(), &titled(&figure.what, &figure.unit)));
    svg.push(plan.limit());
    let head = if figure.censored { "completed" } else { "runs" };
    svg.push(label(plan.right + 20.0, plan.rows.top - 8.0, SMALL, "start", head).fill(Ink::Muted));
    for (place, group) in figure.groups.iter().enumerate() {
        svg.push(plan.row(place, group));
    }
    svg.push(notes);
    svg.render()
}

impl<'a> Plan<'a> {
    fn new(figure: &'a SpreadFigure, top: f64) -> Self {
        let names = figure.groups.iter().map(|group| text::width(&group.name, 12.0));
        let left = MARGIN + names.fold(24.0, f64::max).min(220.0) + 16.0;
        let right = WIDTH - MARGIN - 118.0;
        let stopped = figure.limit.filter(|_| figure.groups.iter().any(|group| group.unfinished > 0));
        let shown = figure.groups.iter().flat_map(|group| {
            let ends = group.interval.map(|interval| [interval.low, interval.high]);
            group.values.iter().copied().chain(group.mean).chain(ends.into_iter().flatten())
        });
        let dots: usize = figure.groups.iter().map(|group| group.values.len()).sum();
        Self {
            figure,
            axis: Axis::along(extent(shown.chain(stopped)), (left, right), false),
            rows: Rows::new(
                figure.groups.len().max(1),
                top,
                64.0,
                1020.0f64.max(30.0 * figure.groups.len() as f64),
            ),
            left,
            right,
            every: dots.div_ceil(chart::MOST_DOTS).max(1),
        }
    }

    /// Every second row has a background, as a guide for the eye.
    fn stripes(&self) -> Element {
        let mut stripes = group();
        for row in (0..self.figure.groups.len()).skip(1).step_by(2) {
            let top = self.rows.middle(row) - self.rows.pitch / 2.0;
            stripes.push(rect(self.left, top, self.right - self.left, self.rows.pitch).fill(Ink::Track));
        }
        stripes
    }

    fn limit(&self) -> Element {
        let Some(limit) = self.figure.limit.filter(|_| self.unfinished() > 0) else { return group() };
        let Some(x) = self.axis.at(limit) else { return group() };
        let words = format!("stopped at {}", with_unit(limit, &self.figure.unit));
        let half = text::width(&words, SMALL) / 2.0;
        let stroke = line((x, self.rows.top - 4.0), (x, self.rows.bottom())).stroke(Ink::Alert, 1.2);
        let words = label(x.min(self.right + 8.0 - half), self.rows.top - 8.0, SMALL, "middle", &words);
        group().child(stroke.with("stroke-dasharray", "1.5 3")).child(words.fill(Ink::Alert))
    }

    fn row(&self, place: usize, runs: &SpreadGroup) -> Element {
        let middle = self.rows.middle(place);
        let shown = text::squeeze(&runs.name, 12.0, self.left - MARGIN - 12.0);
        let name = label(self.left - 12.0, middle + 4.0, 12.0, "end", &shown).fill(Ink::Text);
        let name = if shown == runs.name { name } else { name.tooltip(&runs.name) };
        group()
            .child(name)
            .child(self.count(place, runs))
            .child(self.dots(place, runs))
            .child(self.hollow(place, runs))
            .child(self.middle(place, runs))
    }

    /// How many runs were completed, beside the box, and how many were not, beside their marks.
    fn count(&self, place: usize, runs: &SpreadGroup) -> Element {
        let (x, middle) = (self.right + 20.0, self.rows.middle(place));
        let all = runs.values.len().saturating_add(runs.unfinished);
        let words = match self.figure.censored {
            true => format!("{} of {all}", runs.values.len()),
            false => runs.values.len().to_string(),
        };
        let completed = |y: f64| label(x, y, 12.0, "start", &words).fill(Ink::Text);
        if runs.unfinished == 0 {
            return completed(middle + 4.0);
        }
        let words = format!("{} not completed", runs.unfinished);
        let missing = label(x, middle + 11.0, SMALL, "start", &words).fill(Ink::Muted);
        group().child(completed(middle - 2.0)).child(missing)
    }

    /// The lower part of a row holds the dots, the upper part box and mean.
    fn dots(&self, place: usize, runs: &SpreadGroup) -> Element {
        let mut sorted = runs.values.clone();
        sorted.sort_by(f64::total_cmp);
        let mut dots = group().fill(colour(place)).with("fill-opacity", "0.7");
        for (index, value) in sorted.iter().enumerate().step_by(self.every) {
            let Some(x) = self.axis.at(*value) else { continue };
            dots.push(circle(x, self.strewn(place, index), 2.3));
        }
        dots
    }

    fn hollow(&self, place: usize, runs: &SpreadGroup) -> Element {
        let mut marks = group().fill(Ink::Surface).stroke(colour(place), 1.3);
        let Some(x) = self.figure.limit.and_then(|limit| self.axis.at(limit)) else { return marks };
        // Side by side in the band of the dots; the number beside them counts them all.
        let lines = self.lines();
        let shown = runs.unfinished.min(lines * COLUMNS.len());
        for index in 0..shown {
            let y = self.rows.middle(place) + self.rows.pitch * 0.12 + MARK * (index % lines) as f64 + 2.0;
            marks.push(circle(x + MARK * COLUMNS[index / lines % COLUMNS.len()], y, 2.4));
        }
        marks
    }

    /// Hollow marks one below the other.
    fn lines(&self) -> usize {
        ((self.rows.pitch * 0.3 / MARK).floor() as usize).max(1)
    }

    fn strewn(&self, place: usize, index: usize) -> f64 {
        self.rows.middle(place) + self.rows.pitch * (0.12 + 0.27 * strewn(index))
    }

    /// Box, median and mean.
    fn middle(&self, place: usize, runs: &SpreadGroup) -> Element {
        let y = self.rows.middle(place) - self.rows.pitch * 0.17;
        let half = (self.rows.pitch * 0.15).min(8.0);
        let at = |share: f64| quantile(&runs.values, share).and_then(|value| self.axis.at(value));
        let mut drawn = group();
        if let (Some(first), Some(low), Some(median), Some(high), Some(last)) =
            (at(0.0), at(0.25), at(0.5), at(0.75), at(1.0))
        {
            let paint = colour(place);
            drawn.push(line((first, y), (last, y)).stroke(paint, 1.2));
            let frame = rect(low, y - half, (high - low).max(1.0), 2.0 * half).fill(Ink::Surface);
            drawn.push(frame.stroke(paint, 1.6).tooltip(&self.told(runs)));
            drawn.push(line((median, y - half), (median, y + half)).stroke(paint, 3.0));
        }
        if let Some(interval) = runs.interval {
            let ends = (self.axis.at(interval.low), self.axis.at(interval.high));
            if let Some(path) = chart::whisker(ends.0, ends.1, y, false, 3.0) {
                drawn.push(path.outline().stroke(Ink::Text, 1.4));
            }
        }
        if let Some(x) = runs.mean.and_then(|mean| self.axis.at(mean)) {
            drawn.push(chart::mark(3, x, y, 3.2).fill(Ink::Text));
        }
        drawn
    }

    fn told(&self, runs: &SpreadGroup) -> String {
        let value = |share: f64| {
            quantile(&runs.values, share).map_or("–".into(), |value| with_unit(value, &self.figure.unit))
        };
        let mean = runs.mean.map_or("–".into(), |mean| with_unit(mean, &self.figure.unit));
        format!(
            "{}: median {}, middle half {} to {}, mean {mean}",
            runs.name,
            value(0.5),
            value(0.25),
            value(0.75)
        )
    }

    fn unfinished(&self) -> usize {
        self.figure.groups.iter().map(|group| group.unfinished).fold(0, usize::saturating_add)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![match self.every {
            1 => "Dots: one completed run each; their height has no meaning.".to_owned(),
            every => format!("Dots: every {every}th completed run; their height has no meaning."),
        }];
        notes.push(
            "Box: the middle half, with the median; coloured line: from the lowest to the highest.".into(),
        );
        if self.figure.groups.iter().any(|group| group.mean.is_some()) {
            notes.push("Diamond: the mean with its 95 % interval.".into());
        }
        if self.unfinished() > 0 {
            let room = self.lines() * COLUMNS.len();
            let crowded = self.figure.groups.iter().any(|group| group.unfinished > room);
            let which = if crowded { ", as many as fit" } else { "" };
            notes.push(format!("Hollow: runs that were not completed{which}; they are not in the box."));
        }
        if !self.axis.shows_zero() {
            notes.push("The axis does not begin at 0.".into());
        }
        notes
    }
}
