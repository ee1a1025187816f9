//! The coloured spans of a task figure.

use super::axis::{Scale, time_label, usable};
use super::gantt::{TaskFigure, TaskSpan};
use super::palette::task_colour;
use super::rows::Rows;
use super::svg::{Element, Path, group, label, rect};
use super::text;

/// Up to this many spans each is drawn on its own, with tooltip and label.
const FEW: usize = 800;

/// Largest number of spans in a figure; shorter ones are left out first.
const MOST: usize = 9000;

/// A span on the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bar {
    row: usize,
    task: usize,
    /// Extent [px].
    from: f64,
    to: f64,
    /// Extent [s].
    from_s: f64,
    to_s: f64,
}

/// The listed tasks, followed by those that only occur in spans, in order of appearance.
pub fn all_tasks(figure: &TaskFigure) -> Vec<&str> {
    let mut tasks: Vec<&str> = figure.tasks.iter().map(String::as_str).collect();
    let mut latest = "";
    for span in figure.robots.iter().flat_map(|robot| &robot.spans) {
        if span.task != latest && !tasks.contains(&span.task.as_str()) {
            tasks.push(&span.task);
        }
        latest = &span.task;
    }
    tasks
}

/// Draws the spans of all robots.
pub fn draw(figure: &TaskFigure, tasks: &[&str], rows: Rows, time: Scale) -> Element {
    let all = bars(figure, tasks, time);
    let mut resolution = 0.4;
    let mut kept = visible(&all, resolution);
    while kept.len() > MOST {
        resolution *= 1.5;
        kept = visible(&all, resolution);
    }
    if kept.len() <= FEW {
        one_by_one(figure, tasks, &kept, rows)
    } else {
        task_by_task(&kept, tasks.len(), rows)
    }
}

fn bars(figure: &TaskFigure, tasks: &[&str], time: Scale) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (row, robot) in figure.robots.iter().enumerate() {
        let first = bars.len();
        for span in robot.spans.iter().filter(|span| drawable(span, time)) {
            let Some(task) = tasks.iter().position(|task| *task == span.task) else { continue };
            let (from_s, to_s) = (span.from_s.max(0.0), span.to_s.min(time.end()));
            bars.push(Bar { row, task, from: time.clamped(from_s), to: time.clamped(to_s), from_s, to_s });
        }
        if let Some(of_row) = bars.get_mut(first..) {
            of_row.sort_by(|one: &Bar, two: &Bar| one.from.total_cmp(&two.from));
        }
    }
    bars
}

fn drawable(span: &TaskSpan, time: Scale) -> bool {
    usable(span.from_s)
        && usable(span.to_s)
        && span.from_s <= span.to_s
        && span.to_s >= 0.0
        && span.from_s <= time.end()
}

/// Joins touching spans of one task, and leaves out spans shorter than `resolution` [px] right after another one.
fn visible(bars: &[Bar], resolution: f64) -> Vec<Bar> {
    let mut kept: Vec<Bar> = Vec::new();
    for bar in bars {
        match kept.last_mut().filter(|last| last.row == bar.row && bar.from - last.to < resolution) {
            Some(last) if last.task == bar.task => {
                last.to = last.to.max(bar.to);
                last.to_s = last.to_s.max(bar.to_s);
            }
            Some(_) if bar.to - bar.from < resolution => {}
            _ => kept.push(Bar { to: bar.to.max(bar.from + resolution), ..*bar }),
        }
    }
    kept
}

fn one_by_one(figure: &TaskFigure, tasks: &[&str], bars: &[Bar], rows: Rows) -> Element {
    let mut drawn = group();
    let height = rows.bar();
    for bar in bars {
        let (y, width) = (rows.middle(bar.row), bar.to - bar.from);
        let name = figure.robots.get(bar.row).map_or("", |robot| robot.name.as_str());
        let task = tasks.get(bar.task).copied().unwrap_or_default();
        let (from, to) = (time_label(bar.from_s.round()), time_label(bar.to_s.round()));
        let shape = rect(bar.from, y - height / 2.0, width, height).fill(task_colour(bar.task));
        let shape = if height > 8.0 && width > 4.0 { shape.with("rx", "2") } else { shape };
        drawn.push(shape.tooltip(&format!("{name}: {task}, {from} to {to}")));
        if height >= 13.0 && text::width(task, 11.0) + 10.0 <= width {
            let middle = (bar.from + bar.to) / 2.0;
            let words = label(middle, y + 3.8, 11.0, "middle", task);
            drawn.push(words.fill(task_colour(bar.task).ink()).with("pointer-events", "none"));
        }
    }
    drawn
}

/// One path per task: a tenth of the size, without tooltips.
fn task_by_task(bars: &[Bar], tasks: usize, rows: Rows) -> Element {
    let mut drawn = group();
    for task in 0..tasks {
        let mut path = Path::default();
        for bar in bars.iter().filter(|bar| bar.task == task) {
            path.move_to(bar.from, rows.middle(bar.row));
            path.horizontal_to(bar.to);
        }
        if !path.is_empty() {
            drawn.push(path.outline().stroke(task_colour(task), rows.bar()));
        }
    }
    drawn
}
