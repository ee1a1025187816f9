//! A run in snapshots: small maps side by side, each with its time and the robots' work.

use serde::{Deserialize, Serialize};

use super::axis::time_label;
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::palette::robot_colour;
use super::svg::{Element, circle, document, group, label, rect};
use super::team::Trails;
use super::text;
use super::theme::Ink;
use super::viewport::Viewport;
use super::world::{self, WorldFigure};

/// Width of the whole figure [px].
const WIDTH: f64 = 960.0;
/// Room between two frames [px].
const GAP: f64 = 14.0;
/// Height of a line of text below a frame [px].
const LINE: f64 = 13.0;
/// With more robots than this, their work is left out.
const MOST_LINES: usize = 4;

/// A run in snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoryFigure {
    /// Shown above the frames.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// The snapshots, in the order of time.
    pub frames: Vec<Frame>,
}

/// One snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// When [s].
    pub at_s: f64,
    /// The map. A robot's start is its place in the frame before, its trail the path since then.
    pub map: WorldFigure,
    /// The work of each robot; empty if none.
    pub tasks: Vec<String>,
}

/// Draws the snapshots as an SVG document.
pub fn draw(figure: &StoryFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let size = figure.frames.first().map_or([1.0, 1.0], |frame| frame.map.size);
    let columns = columns(size).min(figure.frames.len().max(1));
    let width = (WIDTH - 2.0 * MARGIN - GAP * (columns - 1) as f64) / columns as f64;
    let lines = figure.frames.iter().map(|frame| frame.tasks.len()).max().unwrap_or(0);
    let lines = if lines > MOST_LINES { 0 } else { lines };
    let height = Viewport::within(&[0.0, 0.0], size, MARGIN, 0.0, width).bottom();
    let row = LINE + 5.0 + height + LINE * lines as f64 + GAP;
    let rows = figure.frames.len().div_ceil(columns);
    let bottom = heading.bottom + row * rows as f64;
    let robots = figure.frames.first().map_or(&[][..], |frame| &frame.map.robots);
    let entries = robots.iter().take(24).map(|robot| LegendEntry {
        symbol: circle(7.0, 0.0, 5.0).fill(robot_colour(&robot.name, robot.index)),
        symbol_width: 14.0,
        text: robot.name.clone(),
    });
    let (legend, legend_bottom) = legend::flow(entries.collect(), MARGIN, bottom + 8.0, WIDTH - 2.0 * MARGIN);
    let summary = format!("{} snapshots of {} robots", figure.frames.len(), robots.len());
    let mut svg = document(WIDTH, legend_bottom + 14.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    for (index, frame) in figure.frames.iter().enumerate() {
        let left = MARGIN + (width + GAP) * (index % columns) as f64;
        let top = heading.bottom + row * (index / columns) as f64;
        svg.push(snapshot(frame, left, top, width, lines));
    }
    svg.push(legend);
    svg.render()
}

/// Wide worlds get fewer frames side by side.
fn columns([width, height]: [f64; 2]) -> usize {
    match width / height.max(1e-9) {
        wide if wide > 2.2 => 2,
        wide if wide > 0.9 => 3,
        _ => 4,
    }
}

fn snapshot(frame: &Frame, left: f64, top: f64, width: f64, lines: usize) -> Element {
    let view = Viewport::within(&frame.map.origin, frame.map.size, left, top + LINE + 5.0, width);
    let trails = Trails::new(&frame.map.robots, &view);
    let room = view.bounds();
    let walls = rect(room.left, room.top, room.right - room.left, room.bottom - room.top);
    let time = label(left, top + LINE, 12.0, "start", &time_label(frame.at_s));
    let mut drawn = group().child(time.fill(Ink::Text).with("font-weight", "600"));
    drawn.push(world::contents(&frame.map, &view, trails.element));
    drawn.push(walls.with("fill", "none").stroke(Ink::Muted, 1.2));
    for (line, (robot, task)) in frame.map.robots.iter().zip(&frame.tasks).enumerate().take(lines) {
        let y = view.bottom() + LINE * (line + 1) as f64;
        let words = if task.is_empty() { "idle" } else { task };
        let shown = text::shorten(&format!("{}: {words}", robot.name), 10.0, width);
        drawn.push(label(left, y, 10.0, "start", &shown).fill(Ink::Muted));
    }
    drawn
}
