//! Tasks per robot over time, with the mission's progress on top.

use serde::{Deserialize, Serialize};

use super::auctions::{self, AuctionMark};
use super::axis::{self, Scale, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::mark::{Mark, Marks};
use super::palette::{robot_colour, task_colour};
use super::rows::Rows;
use super::spans;
use super::svg::{Element, Path, circle, document, group, label, line, rect};
use super::text;
use super::theme::Ink;
use super::thin::{self, Point};

const WIDTH: f64 = 960.0;
const RIGHT: f64 = WIDTH - 28.0;
const PROGRESS_HEIGHT: f64 = 44.0;

/// One task figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskFigure {
    /// Shown above the figure.
    pub title: String,
    /// Length of the time axis [s].
    pub duration_s: f64,
    /// One row each, in the order of the team.
    pub robots: Vec<TaskRow>,
    /// Order of the legend and of the colours. Tasks that only occur in spans follow.
    pub tasks: Vec<String>,
    /// Dotted lines across all rows.
    pub marks: Vec<Mark>,
    /// Time [s] and mission progress [%] from there on.
    pub progress: Vec<(f64, f64)>,
    /// Auctions, in their order; they have their own lane above the rows.
    pub auctions: Vec<AuctionMark>,
}

/// The work of one robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// The robot's name.
    pub name: String,
    /// Periods of work, in any order.
    pub spans: Vec<TaskSpan>,
}

/// A period on one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSpan {
    /// Name of the task.
    pub task: String,
    /// Start [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
}

/// The layout.
struct Plan {
    time: Scale,
    left: f64,
    marks: Marks,
    legend: Element,
    progress: Option<(f64, f64)>,
    /// The middle of the lane of auctions.
    auctions: Option<f64>,
    top: f64,
    rows: Rows,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &TaskFigure) -> String {
    let tasks = spans::all_tasks(figure);
    let heading = Heading::new(&figure.title, "", WIDTH);
    let mut plan = Plan::new(figure, &tasks, heading.bottom);
    let summary = format!("Tasks of {} robots over time", figure.robots.len());
    let mut svg = document(WIDTH, plan.rows.bottom() + 32.0, &spoken(&figure.title, "", &summary));
    svg.push(heading.element);
    svg.push(std::mem::replace(&mut plan.legend, group()));
    svg.push(plan.background(figure));
    svg.push(plan.progress(figure));
    svg.push(spans::draw(figure, &tasks, plan.rows, plan.time));
    svg.push(plan.marks.lines(plan.top, plan.rows.bottom()));
    if let Some(middle) = plan.auctions {
        svg.push(auctions::draw(&figure.auctions, plan.time, plan.rows, middle));
    }
    svg.push(plan.names(figure));
    svg.push(axis::time_labels(plan.time, plan.rows.bottom() + 18.0));
    svg.push(plan.marks.labels(plan.top));
    svg.render()
}

impl Plan {
    fn new(figure: &TaskFigure, tasks: &[&str], heading_bottom: f64) -> Self {
        let names = figure.robots.iter().map(|robot| text::width(&robot.name, 12.0));
        let left = names.fold(56.0, f64::max).min(170.0) + MARGIN + 24.0;
        let entries = tasks.iter().enumerate().map(|(index, task)| entry(index, task));
        let entries = entries.chain(auctions::legend(&figure.auctions)).collect();
        let (legend, legend_bottom) =
            legend::flow(entries, MARGIN, heading_bottom - 4.0, WIDTH - 2.0 * MARGIN);
        let time = Scale::of_time(duration(figure), left, RIGHT);
        let marks = Marks::arrange(&figure.marks, time, WIDTH - 8.0);
        let top = legend_bottom + 8.0 + marks.height();
        let has_progress = figure.progress.iter().any(|(time, share)| usable(*time) && usable(*share));
        let progress = has_progress.then_some((top, top + PROGRESS_HEIGHT));
        let first_row = progress.map_or(top, |(_, bottom)| bottom + 12.0);
        let lane = figure.auctions.iter().any(|auction| time.contains(auction.at_s));
        let auctions = lane.then_some(first_row + auctions::LANE / 2.0);
        let first_row = if lane { first_row + auctions::LANE + 6.0 } else { first_row };
        let rows = Rows::new(figure.robots.len(), first_row, 28.0, 760.0);
        let rows = if rows.count == 0 { Rows { count: 1, ..rows } } else { rows };
        Self { time, left, marks, legend, progress, auctions, top, rows }
    }

    fn background(&self, figure: &TaskFigure) -> Element {
        let bottom = self.rows.bottom();
        let mut background = group();
        background
            .push(rect(self.left, self.rows.top, RIGHT - self.left, self.rows.height()).fill(Ink::Track));
        background.push(axis::time_grid(self.time, self.top, bottom));
        background.push(line((self.left, bottom), (RIGHT, bottom)).stroke(Ink::Frame, 1.0));
        if let Some(middle) = self.auctions {
            background.push(auctions::lane(self.left, RIGHT, middle));
        }
        if figure.robots.is_empty() {
            let middle = (self.left + RIGHT) / 2.0;
            background
                .push(label(middle, self.rows.middle(0) + 4.0, 13.0, "middle", "no robots").fill(Ink::Muted));
        }
        background
    }

    fn progress(&self, figure: &TaskFigure) -> Element {
        let Some((top, bottom)) = self.progress else {
            return group();
        };
        let share = Scale::new((0.0, 100.0), (bottom, top));
        let points = steps(&figure.progress, self.time, share);
        let points = thin::curve(&points, RIGHT - self.left, thin::BUDGET / 6);
        let tick = |y: f64, words: &str| label(self.left - 8.0, y + 4.0, 10.5, "end", words).fill(Ink::Muted);
        let mut area = points.clone();
        area.extend([(RIGHT, bottom), (points.first().map_or(RIGHT, |point| point.0), bottom)]);
        group()
            .child(
                rect(self.left, top, RIGHT - self.left, bottom - top)
                    .with("fill", "none")
                    .stroke(Ink::Grid, 1.0),
            )
            .child(tick(top, "100 %"))
            .child(tick(bottom, "0 %"))
            .child(label(MARGIN, (top + bottom) / 2.0 + 4.0, 11.5, "start", "progress").fill(Ink::Muted))
            .child(Path::polyline(&area).area().fill(Ink::Muted).with("fill-opacity", "0.14"))
            .child(Path::polyline(&points).outline().stroke(Ink::Muted, 1.6).with("stroke-linejoin", "round"))
    }

    fn names(&self, figure: &TaskFigure) -> Element {
        let mut names = group().fill(Ink::Text).with("text-anchor", "end");
        let size = self.rows.font();
        for (row, robot) in figure.robots.iter().enumerate().filter(|(row, _)| self.rows.names(*row)) {
            let y = self.rows.middle(row);
            let shown = text::squeeze(&robot.name, size, self.left - MARGIN - 20.0);
            let words = label(self.left - 20.0, y + size * 0.35, size, "end", &shown);
            names.push(if shown == robot.name { words } else { words.tooltip(&robot.name) });
            names.push(circle(self.left - 10.0, y, size * 0.32).fill(robot_colour(&robot.name, row)));
        }
        names
    }
}

fn entry(index: usize, task: &str) -> LegendEntry {
    let symbol = rect(0.0, -5.5, 13.0, 11.0).with("rx", "2").fill(task_colour(index));
    LegendEntry { symbol, symbol_width: 13.0, text: task.to_owned() }
}

/// The given duration, or the last span's end if that was not a time.
fn duration(figure: &TaskFigure) -> f64 {
    if usable(figure.duration_s) && figure.duration_s > 0.0 {
        return figure.duration_s;
    }
    let ends = figure.robots.iter().flat_map(|robot| robot.spans.iter().map(|span| span.to_s));
    ends.filter(|time| usable(*time)).fold(0.0, f64::max)
}

/// A staircase: each value holds until the next one, the last one until the end.
fn steps(progress: &[(f64, f64)], time: Scale, share: Scale) -> Vec<Point> {
    let drawable = progress.iter().filter(|(at, value)| time.contains(*at) && usable(*value));
    let mut values: Vec<Point> =
        drawable.map(|&(at, value)| (time.clamped(at), share.clamped(value))).collect();
    values.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut points: Vec<Point> = Vec::new();
    for (x, y) in values {
        points.extend(points.last().map(|last| (x, last.1)));
        points.push((x, y));
    }
    points.extend(points.last().map(|last| (time.range().1, last.1)));
    points
}
