//! Mission time against the number of the run, with confidence bands: the benefit of a team's learning.

use super::axis::{self, Scale, tick_label, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::palette::Colour;
use super::svg::{Element, Path, circle, document, group, label, line, number, rect};
use super::theme::Ink;
use serde::{Deserialize, Serialize};

const WIDTH: f64 = 960.0;
const LEFT: f64 = 76.0;
const PLOT_HEIGHT: f64 = 340.0;

/// The colours of the first and the further trends; they stay apart under the common kinds of colour blindness.
const COLOURS: [Colour; 4] =
    [Colour::new(0x0072b2), Colour::new(0xd55e00), Colour::new(0x009570), Colour::new(0xb9589a)];

/// One learning figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearningFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// One line with its band each.
    pub trends: Vec<Trend>,
}

/// A mean from run to run, with its confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// Shown in the legend.
    pub label: String,
    /// One per run, in order.
    pub points: Vec<TrendPoint>,
}

/// The mean of all teams in one run. [s]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrendPoint {
    /// The lower end of the confidence interval.
    pub low_s: f64,
    /// The mean.
    pub mean_s: f64,
    /// The upper end of the confidence interval.
    pub high_s: f64,
}

/// The layout.
struct Plan {
    runs: Scale,
    time: Scale,
    count: usize,
    top: f64,
    bottom: f64,
    right: f64,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &LearningFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let entries = figure.trends.iter().enumerate().map(|(place, trend)| entry(place, &trend.label));
    let (legend, top) = legend::flow(entries.collect(), MARGIN, heading.bottom - 4.0, WIDTH - 2.0 * MARGIN);
    let plan = Plan::new(figure, top + 12.0);
    let summary = format!("Mission time against run number, {} lines with bands", figure.trends.len());
    let mut svg = document(WIDTH, plan.bottom + 48.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(legend);
    svg.push(plan.axes());
    // All bands below all lines, so that no band hides a line.
    for (place, trend) in figure.trends.iter().enumerate().rev() {
        svg.push(plan.band(place, trend));
    }
    for (place, trend) in figure.trends.iter().enumerate().rev() {
        svg.push(plan.line(place, trend));
    }
    svg.render()
}

fn colour(place: usize) -> Colour {
    COLOURS[place % COLOURS.len()]
}

/// Every second trend has hollow points, so that the figure can be read without colours.
fn point(place: usize, x: f64, y: f64) -> Element {
    let dot = circle(x, y, 3.4);
    match place % 2 {
        0 => dot.fill(colour(place)),
        _ => dot.fill(Ink::Surface).stroke(colour(place), 1.8),
    }
}

fn entry(place: usize, text: &str) -> LegendEntry {
    let band = rect(0.0, -6.0, 30.0, 12.0).fill(colour(place)).with("fill-opacity", "0.18");
    let stroke = line((0.0, 0.0), (30.0, 0.0)).stroke(colour(place), 2.2);
    let symbol = group().child(band).child(stroke).child(point(place, 15.0, 0.0));
    LegendEntry { symbol, symbol_width: 30.0, text: text.to_string() }
}

impl Plan {
    fn new(figure: &LearningFigure, top: f64) -> Self {
        let count = figure.trends.iter().map(|trend| trend.points.len()).max().unwrap_or(0);
        let (right, bottom) = (WIDTH - MARGIN - 8.0, top + PLOT_HEIGHT);
        let last = count.max(2) as f64;
        Self {
            runs: Scale::new((1.0 - 0.03 * last, last * 1.03), (LEFT, right)),
            time: Scale::new(extent(figure), (bottom, top)),
            count,
            top,
            bottom,
            right,
        }
    }

    fn axes(&self) -> Element {
        let (low, high) = self.time.domain();
        let step = axis::nice_step(high - low, 6);
        let middle = (self.top + self.bottom) / 2.0;
        let title = |text: &str| label(0.0, 0.0, 11.5, "middle", text).fill(Ink::Muted);
        let frame = rect(LEFT, self.top, self.right - LEFT, PLOT_HEIGHT).with("fill", "none");
        let mut axes = group()
            .child(axis::level_axis(self.time, &axis::ticks(low, high, step), step, LEFT, self.right))
            .child(frame.stroke(Ink::Frame, 1.0));
        let every = axis::nice_step(self.count as f64, 20).max(1.0);
        let inside = axis::ticks(1.0, self.count as f64, every);
        for run in [1.0].into_iter().chain(inside.into_iter().filter(|run| *run > 1.0)) {
            let x = self.runs.at(run);
            axes.push(line((x, self.bottom), (x, self.bottom + 4.0)).stroke(Ink::Frame, 1.0));
            axes.push(label(x, self.bottom + 17.0, 11.0, "middle", &tick_label(run, 1.0)).fill(Ink::Muted));
        }
        let under = (LEFT + self.right) / 2.0;
        axes.child(title("run of the team").with("transform", place(under, self.bottom + 36.0, "")))
            .child(title("mission time [s]").with("transform", place(20.0, middle, " rotate(-90)")))
    }

    /// The runs that can be drawn: number, place [px] and values.
    fn points<'a>(
        &'a self,
        trend: &'a Trend,
    ) -> impl DoubleEndedIterator<Item = (usize, f64, &'a TrendPoint)> {
        let sound = |point: &TrendPoint| [point.low_s, point.mean_s, point.high_s].into_iter().all(usable);
        let numbered = trend.points.iter().enumerate().filter(move |(_, point)| sound(point));
        numbered.map(|(place, point)| (place + 1, self.runs.at(place as f64 + 1.0), point))
    }

    fn band(&self, place: usize, trend: &Trend) -> Element {
        let upper = self.points(trend).map(|(_, x, point)| (x, self.time.clamped(point.high_s)));
        let lower = self.points(trend).rev().map(|(_, x, point)| (x, self.time.clamped(point.low_s)));
        let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
        if outline.len() < 4 {
            return group();
        }
        let mut path = Path::polyline(&outline);
        path.close();
        path.area().fill(colour(place)).with("fill-opacity", "0.18")
    }

    fn line(&self, place: usize, trend: &Trend) -> Element {
        let at = |x: f64, values: &TrendPoint| (x, self.time.clamped(values.mean_s));
        let way: Vec<(f64, f64)> = self.points(trend).map(|(_, x, values)| at(x, values)).collect();
        let stroke = Path::polyline(&way).outline().stroke(colour(place), 2.2);
        let mut drawn = group().child(stroke.with("stroke-linejoin", "round"));
        for (run, x, values) in self.points(trend) {
            let half = values.high_s - values.mean_s;
            let words = format!("{}, run {run}: {:.1} ± {half:.1} s", trend.label, values.mean_s);
            drawn.push(point(place, x, at(x, values).1).tooltip(&words));
        }
        drawn
    }
}

fn place(x: f64, y: f64, turn: &str) -> String {
    format!("translate({} {}){turn}", number(x), number(y))
}

/// The range of all bands with a margin.
fn extent(figure: &LearningFigure) -> (f64, f64) {
    let points = figure.trends.iter().flat_map(|trend| &trend.points);
    let values = points.flat_map(|point| [point.low_s, point.mean_s, point.high_s]).filter(|v| usable(*v));
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let room = ((high - low) * 0.08).max(1.0);
    ((low - room).max(0.0), high + room)
}

#[cfg(test)]
mod tests {
    use super::super::wellformed;
    use super::*;

    fn figure(points: Vec<TrendPoint>) -> LearningFigure {
        let trend = |label: &str| Trend { label: label.into(), points: points.clone() };
        LearningFigure {
            title: "Learning <on> the job".into(),
            subtitle: "20 teams & 20 runs".into(),
            trends: vec![trend("learned"), trend("hand-set")],
        }
    }

    fn at(mean_s: f64, half: f64) -> TrendPoint {
        TrendPoint { low_s: mean_s - half, mean_s, high_s: mean_s + half }
    }

    #[test]
    fn the_figure_is_sound_for_any_numbers() {
        let odd = TrendPoint { low_s: f64::NEG_INFINITY, mean_s: f64::NAN, high_s: f64::INFINITY };
        for points in [
            vec![],
            vec![at(500.0, 0.0)],
            vec![odd],
            vec![at(600.0, 20.0), odd, at(520.0, 8.0)],
            (0..500).map(|run| at(900.0 - f64::from(run), 5.0)).collect(),
        ] {
            let svg = draw(&figure(points));
            wellformed::check(&svg);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn every_run_says_its_numbers() {
        let svg = draw(&figure(vec![at(600.0, 20.0), at(520.0, 8.0)]));
        assert!(
            svg.contains("learned, run 1: 600.0 ± 20.0 s") && svg.contains("hand-set, run 2: 520.0 ± 8.0 s")
        );
        assert!(svg.contains("mission time [s]") && svg.contains("run of the team"));
    }
}
