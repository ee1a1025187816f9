//! The share of completed runs over time, with censoring: Kaplan-Meier curves, upside down.

use super::axis::{self, Scale, time_label, usable};
use super::chart::{self, Axis, End, SMALL, WIDTH, colour, stroked};
use super::heading::{Heading, MARGIN, spoken};
use super::svg::{Element, Path, document, group, label, line};
use super::text;
use super::theme::Ink;
use crewlab_statistics::{KaplanMeier, Lifetime};
use serde::{Deserialize, Serialize};

/// One figure of completion over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurvivalFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// Where the time axis ends: the time limit of the runs. [s]
    pub until_s: f64,
    /// One curve each.
    pub groups: Vec<SurvivalGroup>,
}

/// The runs of one coordinator or one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurvivalGroup {
    /// Beside the curve.
    pub name: String,
    /// How long each run took [s], and whether it was completed then or stopped.
    pub lifetimes: Vec<Lifetime>,
}

/// With more groups than this, bands would cover each other.
const MOST_BANDS: usize = 6;

/// The height of a row of numbers below the axis [px].
const ROW: f64 = 15.0;

/// The estimate from a time on.
struct Level {
    time: f64,
    share: f64,
    low: f64,
    high: f64,
}

/// The layout.
struct Plan {
    time: Scale,
    share: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    names: f64,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &SurvivalFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let plan = Plan::new(figure, heading.bottom + 8.0);
    let curves: Vec<Option<KaplanMeier>> =
        figure.groups.iter().map(|group| KaplanMeier::of(&group.lifetimes)).collect();
    let known = |place: usize| curves.get(place).and_then(Option::as_ref);
    let banded = figure.groups.len() <= MOST_BANDS;
    let below = plan.bottom + 44.0;
    let table_bottom = below + 16.0 + ROW * figure.groups.len() as f64;
    let (notes, bottom) = chart::notes(&notes(figure, banded), table_bottom + 8.0);
    let summary = format!("Share of runs completed over time, {} curves", figure.groups.len());
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(plan.axes());
    let mut ends = Vec::new();
    for (place, group) in figure.groups.iter().enumerate().filter(|_| banded) {
        svg.push(
            known(place).map_or_else(group_of_nothing, |curve| plan.band(place, &levels(curve), last(group))),
        );
    }
    for (place, group) in figure.groups.iter().enumerate() {
        let Some(curve) = known(place) else { continue };
        let (drawn, end) = plan.curve(place, group, curve);
        svg.push(drawn);
        ends.push(End { place, name: group.name.clone(), at: end });
    }
    svg.push(chart::names_at_ends(&ends, plan.right, plan.names, plan.top + 2.0, plan.bottom - 2.0));
    svg.push(plan.at_risk(figure, &curves, below));
    svg.push(notes);
    svg.render()
}

fn group_of_nothing() -> Element {
    group()
}

fn notes(figure: &SurvivalFigure, banded: bool) -> Vec<String> {
    let mut notes =
        vec!["Kaplan and Meier's estimate of the share of runs completed by a given time.".to_owned()];
    if figure.groups.iter().flat_map(|group| &group.lifetimes).any(|lifetime| !lifetime.observed) {
        notes.push("Ticks: runs that were stopped before they were completed.".into());
    }
    notes.push(match banded {
        true => "Bands: 95 % intervals (log-log).".into(),
        false => "There are too many curves to show their 95 % intervals.".into(),
    });
    notes
}

/// The end of a group's last run.
fn last(group: &SurvivalGroup) -> f64 {
    group.lifetimes.iter().map(|lifetime| lifetime.time).filter(|time| usable(*time)).fold(0.0, f64::max)
}

/// The curve from time 0. Once all runs are completed there is no interval; its last lower end is kept.
fn levels(curve: &KaplanMeier) -> Vec<Level> {
    let mut levels = vec![Level { time: 0.0, share: 0.0, low: 0.0, high: 0.0 }];
    for step in curve.steps() {
        let low = match step.interval {
            Some(interval) => 1.0 - interval.high,
            None => levels.last().map_or(0.0, |level| level.low),
        };
        let high = step.interval.map_or(1.0, |interval| 1.0 - interval.low);
        levels.push(Level { time: step.time, share: 1.0 - step.survival, low, high });
    }
    levels
}

impl Plan {
    fn new(figure: &SurvivalFigure, top: f64) -> Self {
        let names = chart::room_for_names(figure.groups.iter().map(|group| group.name.as_str()), 200.0);
        let bottom = top + chart::tall_enough(figure.groups.len(), 320.0);
        let ticks = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0].map(|tick| (tick, format!("{tick:.0}")));
        let share = Axis::with_levels((0.0, 100.0), (bottom, top), ticks.to_vec());
        // The names also label the rows of numbers below the axis.
        let widest = figure.groups.iter().map(|group| text::width(&group.name, SMALL)).fold(0.0, f64::max);
        let left = chart::gutter(&share).max(MARGIN + widest.min(150.0) + 40.0);
        let right = WIDTH - MARGIN - names;
        let until = match figure.until_s {
            until if usable(until) && until > 0.0 => until,
            _ => figure.groups.iter().map(last).fold(1.0, f64::max),
        };
        Self { time: Scale::of_time(until, left, right), share, left, right, top, bottom, names }
    }

    fn axes(&self) -> Element {
        let title =
            label((self.left + self.right) / 2.0, self.bottom + 34.0, 11.5, "middle", "time since the start");
        group()
            .child(axis::time_grid(self.time, self.top, self.bottom))
            .child(self.share.upright(self.left, self.right, "runs completed [%]"))
            .child(line((self.left, self.bottom), (self.right, self.bottom)).stroke(Ink::Frame, 1.0))
            .child(axis::time_labels(self.time, self.bottom + 16.0))
            .child(title.fill(Ink::Muted))
    }

    fn y(&self, share: f64) -> f64 {
        self.share.at(100.0 * share).unwrap_or(self.bottom)
    }

    /// The end of a curve: the last run's end, or the right edge once all are completed.
    fn reach(&self, levels: &[Level], last: f64) -> f64 {
        let all = levels.last().is_some_and(|level| level.share >= 1.0);
        self.time.clamped(if all { self.time.end() } else { last })
    }

    /// The corners of a staircase over the levels.
    fn stairs(&self, levels: &[Level], height: impl Fn(&Level) -> f64, reach: f64) -> Vec<(f64, f64)> {
        // Steps within half a pixel are one step, so that a figure of thousands of runs stays small.
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for level in levels {
            let (x, y) = (self.time.clamped(level.time), self.y(height(level)));
            match steps.last_mut() {
                Some(last) if x - last.0 < 0.5 => last.1 = y,
                _ => steps.push((x, y)),
            }
        }
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for (x, y) in steps {
            corners.extend(corners.last().map(|&(_, before)| (x, before)));
            corners.push((x, y));
        }
        corners.extend(corners.last().map(|&(x, y)| (reach.max(x), y)));
        corners
    }

    fn band(&self, place: usize, levels: &[Level], last: f64) -> Element {
        // No estimate beyond the last run.
        let reach = self.time.clamped(last);
        let mut outline = self.stairs(levels, |level| level.high, reach);
        outline.extend(self.stairs(levels, |level| level.low, reach).into_iter().rev());
        let mut path = Path::polyline(&outline);
        path.close();
        path.area().fill(colour(place)).with("fill-opacity", "0.14")
    }

    /// The curve with its ticks, and where it ends.
    fn curve(&self, place: usize, runs: &SurvivalGroup, curve: &KaplanMeier) -> (Element, (f64, f64)) {
        let levels = levels(curve);
        let corners = self.stairs(&levels, |level| level.share, self.reach(&levels, last(runs)));
        let end = corners.last().copied().unwrap_or((self.left, self.bottom));
        let mut stopped: Vec<f64> = runs
            .lifetimes
            .iter()
            .filter(|run| !run.observed)
            .map(|run| run.time)
            .filter(|t| self.time.contains(*t))
            .collect();
        stopped.sort_by(f64::total_cmp);
        let mut ticks = Path::default();
        let mut previous = f64::NEG_INFINITY;
        for time in stopped {
            let (x, y) = (self.time.clamped(time), self.y(1.0 - curve.at(time)));
            if x - previous >= 0.5 {
                ticks.add(&Path::polyline(&[(x, y - 5.0), (x, y + 5.0)]));
                previous = x;
            }
        }
        let median = curve.median().map_or("more than half were not completed".into(), |time| {
            format!("median {}", time_label(time))
        });
        let words = format!("{}: {} runs, {median}", runs.name, curve.count());
        let stroke = stroked(Path::polyline(&corners).outline(), place, 2.2).with("stroke-linejoin", "round");
        let mut drawn = group().child(stroke.tooltip(&words));
        if !ticks.is_empty() {
            drawn.push(ticks.outline().stroke(colour(place), 1.6));
        }
        (drawn, end)
    }

    /// The number at risk at the times of the axis.
    fn at_risk(&self, figure: &SurvivalFigure, curves: &[Option<KaplanMeier>], top: f64) -> Element {
        let mut table = group();
        table.push(label(self.left, top + 4.0, SMALL, "start", "runs in progress").fill(Ink::Muted));
        for (place, (runs, curve)) in figure.groups.iter().zip(curves).enumerate() {
            let baseline = top + 4.0 + ROW * (place as f64 + 1.0);
            let shown = text::squeeze(&runs.name, SMALL, self.left - MARGIN - 38.0);
            table.push(chart::mark(0, self.left - 24.0, baseline - 4.0, 3.4).fill(colour(place)));
            table.push(label(self.left - 32.0, baseline, SMALL, "end", &shown).fill(Ink::Text));
            for time in axis::time_ticks(self.time) {
                let count = curve.as_ref().map_or(0, |curve| curve.at_risk(time));
                let x = self.time.at(time);
                table.push(label(x, baseline, SMALL, "middle", &count.to_string()).fill(Ink::Muted));
            }
        }
        table
    }
}
