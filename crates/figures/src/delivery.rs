//! The fate of messages over time: the share that arrived, their latency, and the reasons of losses.

use serde::{Deserialize, Serialize};

use super::axis::{self, Scale, nice_step, ticks, time_label, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::mark::{Mark, Marks};
use super::palette::task_colour;
use super::svg::{Element, Path, document, group, label, line, rect};
use super::theme::Ink;

const WIDTH: f64 = 960.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 28.0;
const GAP: f64 = 34.0;
const HEIGHT: f64 = 110.0;

/// The fate of messages over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeliveryFigure {
    /// Shown above the figure.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// Length of the time axis [s].
    pub duration_s: f64,
    /// Bins of time, in order.
    pub bins: Vec<DeliveryBin>,
    /// Reasons of losses: the order of the legend and of `lost`.
    pub reasons: Vec<String>,
    /// Dotted lines across all panels.
    pub marks: Vec<Mark>,
}

/// The copies of messages sent in one bin of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeliveryBin {
    /// Start [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
    /// Copies that arrived.
    pub delivered: u64,
    /// Their mean latency [ms].
    pub latency_ms: Option<f64>,
    /// Copies that were lost, by reason.
    pub lost: Vec<u64>,
}

impl DeliveryBin {
    fn lost_in_all(&self) -> u64 {
        self.lost.iter().sum()
    }

    /// Share of the copies that arrived [%].
    fn ratio(&self) -> Option<f64> {
        let all = self.delivered + self.lost_in_all();
        (all > 0).then(|| self.delivered as f64 / all as f64 * 100.0)
    }

    fn drawable(&self, time: Scale) -> bool {
        usable(self.from_s) && usable(self.to_s) && self.from_s < self.to_s && self.from_s < time.end()
    }
}

/// A panel: its heading, its extent and its scale.
struct Panel<'a> {
    name: &'a str,
    top: f64,
    level: Scale,
    step: f64,
}

impl<'a> Panel<'a> {
    fn new(name: &'a str, top: f64, highest: f64) -> Self {
        let highest = if usable(highest) && highest > 0.0 { highest.max(0.02) } else { 1.0 };
        let step = nice_step(highest, 4);
        let ceiling = (highest / step - 1e-9).ceil() * step;
        Self { name, top, level: Scale::new((0.0, ceiling), (top + HEIGHT, top)), step }
    }

    fn bottom(&self) -> f64 {
        self.top + HEIGHT
    }

    fn frame(&self, time: Scale) -> Element {
        let values = ticks(0.0, self.level.end(), self.step);
        group()
            .child(label(MARGIN, self.top - 8.0, 12.0, "start", self.name).fill(Ink::Text))
            .child(axis::time_grid(time, self.top, self.bottom()))
            .child(axis::level_axis(self.level, &values, self.step, LEFT, RIGHT))
            .child(line((LEFT, self.bottom()), (RIGHT, self.bottom())).stroke(Ink::Frame, 1.0))
    }

    /// A line of steps through values that hold for whole bins; bins without a value leave a gap.
    fn steps(&self, bins: &[&DeliveryBin], time: Scale, value: impl Fn(&DeliveryBin) -> Option<f64>) -> Path {
        let mut path = Path::default();
        let mut pen: Vec<(f64, f64)> = Vec::new();
        for bin in bins {
            let (from, to) = (time.clamped(bin.from_s), time.clamped(bin.to_s));
            match value(bin).filter(|value| usable(*value)) {
                Some(value) => {
                    let y = self.level.clamped(value);
                    pen.extend([(from, y), (to, y)]);
                }
                None => path.add(&Path::polyline(&std::mem::take(&mut pen))),
            }
        }
        path.add(&Path::polyline(&pen));
        path
    }
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &DeliveryFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let time = Scale::of_time(duration(figure), LEFT, RIGHT);
    let bins: Vec<&DeliveryBin> = figure.bins.iter().filter(|bin| bin.drawable(time)).collect();
    let marks = Marks::arrange(&figure.marks, time, WIDTH - 8.0);
    let top = heading.bottom + marks.height() + 24.0;
    let slowest = bins.iter().filter_map(|bin| bin.latency_ms).filter(|ms| usable(*ms)).fold(0.0, f64::max);
    let most_lost = bins.iter().map(|bin| bin.lost_in_all() as f64).fold(0.0, f64::max);
    let ratio = Panel::new("copies delivered [%]", top, 100.0);
    let latency = Panel::new("mean time from sending to arrival [ms]", ratio.bottom() + GAP, slowest);
    let lost_name = format!("copies lost in every {}, by reason", length(&bins));
    let losses = Panel::new(&lost_name, latency.bottom() + GAP, most_lost);
    let any_lost = bins.iter().any(|bin| bin.lost_in_all() > 0);
    let bottom = if any_lost { losses.bottom() } else { latency.bottom() };
    let entries = if any_lost { entries(figure, &bins) } else { Vec::new() };
    let (legend, legend_bottom) = legend::flow(entries, LEFT, bottom + 28.0, RIGHT - LEFT);

    let summary = summary(&bins);
    let mut svg = document(WIDTH, legend_bottom + 12.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(ratio.frame(time));
    svg.push(ratio_panel(&ratio, &bins, time));
    svg.push(latency.frame(time));
    let line = latency.steps(&bins, time, |bin| bin.latency_ms);
    if !line.is_empty() {
        svg.push(line.outline().stroke(task_colour(3), 1.8).with("stroke-linejoin", "round"));
    }
    if any_lost {
        svg.push(losses.frame(time));
        svg.push(loss_panel(&losses, figure, &bins, time));
    }
    svg.push(marks.lines(top - 18.0, bottom));
    svg.push(axis::time_labels(time, bottom + 18.0));
    svg.push(marks.labels(top - 18.0));
    svg.push(legend);
    svg.render()
}

fn ratio_panel(panel: &Panel, bins: &[&DeliveryBin], time: Scale) -> Element {
    let mut drawn = group();
    let mut area = Path::default();
    for bin in bins {
        let Some(ratio) = bin.ratio() else { continue };
        let (from, to) = (time.clamped(bin.from_s), time.clamped(bin.to_s));
        area.move_to(from, panel.bottom());
        area.vertical_to(panel.level.clamped(ratio));
        area.horizontal_to(to);
        area.vertical_to(panel.bottom());
        area.close();
    }
    if !area.is_empty() {
        drawn.push(area.area().fill(task_colour(2)).with("fill-opacity", "0.14"));
    }
    let line = panel.steps(bins, time, DeliveryBin::ratio);
    if !line.is_empty() {
        drawn.push(line.outline().stroke(task_colour(2), 1.8).with("stroke-linejoin", "round"));
    }
    drawn
}

/// One path per reason, each on top of those before it.
fn loss_panel(panel: &Panel, figure: &DeliveryFigure, bins: &[&DeliveryBin], time: Scale) -> Element {
    let mut drawn = group().with("shape-rendering", "crispEdges");
    for (reason, name) in figure.reasons.iter().enumerate() {
        let mut path = Path::default();
        for bin in bins {
            let count = bin.lost.get(reason).copied().unwrap_or(0);
            if count == 0 {
                continue;
            }
            let below: u64 = bin.lost.iter().take(reason).sum();
            let (from, to) = (time.clamped(bin.from_s), time.clamped(bin.to_s));
            let (low, high) = (panel.level.at(below as f64), panel.level.at((below + count) as f64));
            path.move_to(from, low);
            path.vertical_to(high);
            path.horizontal_to(to.max(from + 1.0));
            path.vertical_to(low);
            path.close();
        }
        if !path.is_empty() {
            drawn.push(path.area().fill(task_colour(reason)).tooltip(name));
        }
    }
    drawn
}

/// The reasons that occur.
fn entries(figure: &DeliveryFigure, bins: &[&DeliveryBin]) -> Vec<LegendEntry> {
    let count = |reason: usize| -> u64 { bins.iter().filter_map(|bin| bin.lost.get(reason)).sum() };
    let occurring = figure.reasons.iter().enumerate().filter(|(reason, _)| count(*reason) > 0);
    let entry = |(reason, name): (usize, &String)| LegendEntry {
        symbol: rect(0.0, -5.5, 13.0, 11.0).with("rx", "2").fill(task_colour(reason)),
        symbol_width: 13.0,
        text: format!("{name} ({})", count(reason)),
    };
    occurring.map(entry).collect()
}

fn summary(bins: &[&DeliveryBin]) -> String {
    let delivered: u64 = bins.iter().map(|bin| bin.delivered).sum();
    let lost: u64 = bins.iter().map(|bin| bin.lost_in_all()).sum();
    format!("{delivered} copies delivered and {lost} lost, in steps of {}", length(bins))
}

/// The length of a bin as text.
fn length(bins: &[&DeliveryBin]) -> String {
    time_label(bins.first().map_or(0.0, |bin| bin.to_s - bin.from_s))
}

/// The given duration, or the last bin's end if that was not a time.
fn duration(figure: &DeliveryFigure) -> f64 {
    if usable(figure.duration_s) && figure.duration_s > 0.0 {
        return figure.duration_s;
    }
    figure.bins.iter().map(|bin| bin.to_s).filter(|time| usable(*time)).fold(0.0, f64::max)
}
