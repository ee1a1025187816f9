//! A measure against a level that was varied (messages lost, robots that fail): one line with intervals per group.

use super::axis::usable;
use super::chart::{self, Axis, End, WIDTH, colour, extent, painted, stroked, titled, with_unit};
use super::heading::{Heading, MARGIN, spoken};
use super::svg::{Element, Path, document, group, label};
use super::theme::Ink;
use crewlab_statistics::Interval;
use serde::{Deserialize, Serialize};

/// One figure over the levels, with one panel per measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DegradationFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// What was varied, for the axis.
    pub level: String,
    /// Its unit; may be empty.
    pub level_unit: String,
    /// Side by side, two in a row.
    pub panels: Vec<DegradationPanel>,
    /// A note below; may be empty.
    pub note: String,
}

/// One measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DegradationPanel {
    /// What was measured.
    pub what: String,
    /// Its unit; may be empty, and is % for shares.
    pub unit: String,
    /// Whether values are shares from 0 to 1, shown from 0 to 100 %.
    pub share: bool,
    /// One line each. A group has the same place, and so the same colour, in all panels.
    pub groups: Vec<DegradationGroup>,
}

/// The values of one coordinator or one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DegradationGroup {
    /// Beside the line.
    pub name: String,
    /// One per level, in any order; a level without a value has none.
    pub points: Vec<DegradationPoint>,
}

/// The value at one level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DegradationPoint {
    /// The level.
    pub level: f64,
    /// What was measured there.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// Whether runs are missing in it (not completed): it is drawn hollow.
    pub partial: bool,
}

const PLOT_HEIGHT: f64 = 260.0;

/// From the lower edge of a plot to the upper edge of the next [px].
const BETWEEN: f64 = 76.0;

/// With more groups than this, intervals would cover each other.
const MOST_INTERVALS: usize = 8;

/// One panel with its axes.
struct Plan<'a> {
    panel: &'a DegradationPanel,
    levels: Axis,
    all_levels: &'a [f64],
    values: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    names: f64,
    /// Offset between lines at the same level [px].
    gap: f64,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &DegradationFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let levels = levels(figure);
    let columns = figure.panels.len().clamp(1, 2);
    let width = WIDTH / columns as f64;
    let groups = figure.panels.iter().map(|panel| panel.groups.len()).max().unwrap_or(0);
    let height = chart::tall_enough(groups, PLOT_HEIGHT);
    let rows = figure.panels.len().div_ceil(columns);
    let top = heading.bottom + 22.0;
    let plans: Vec<Plan> = figure
        .panels
        .iter()
        .enumerate()
        .map(|(place, panel)| {
            let (column, row) = (place % columns, place / columns);
            let top = top + (height + BETWEEN) * row as f64;
            Plan::new(
                panel,
                &levels,
                (width * column as f64, width * (column + 1) as f64),
                (top, top + height),
            )
        })
        .collect();
    let plots = top + (height + BETWEEN) * rows as f64;
    let (notes, bottom) = chart::notes(&notes(figure, &plans), plots - 34.0);
    let summary = format!("{} panels over {}", figure.panels.len(), figure.level);
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    for plan in &plans {
        svg.push(plan.draw(figure));
    }
    svg.push(notes);
    svg.render()
}

fn notes(figure: &DegradationFigure, plans: &[Plan]) -> Vec<String> {
    let points = || figure.panels.iter().flat_map(|panel| &panel.groups).flat_map(|group| &group.points);
    let mut notes = Vec::new();
    let groups = figure.panels.iter().map(|panel| panel.groups.len()).max().unwrap_or(0);
    if groups > MOST_INTERVALS {
        notes.push("There are too many lines to show their 95 % intervals.".to_owned());
    } else if points().any(|point| point.interval.is_some()) {
        notes.push("Bars: 95 % intervals.".to_owned());
    }
    if groups > 1 {
        notes.push("Points of the same level are drawn side by side, so that none hides another.".to_owned());
    }
    if points().any(|point| point.partial) {
        notes.push("Hollow: not all runs were completed.".to_owned());
    }
    if plans.iter().any(|plan| !plan.values.shows_zero()) {
        notes.push("The axis of values does not always begin at 0.".to_owned());
    }
    notes.push(figure.note.clone());
    notes
}

/// All levels, in their order.
fn levels(figure: &DegradationFigure) -> Vec<f64> {
    let points = figure.panels.iter().flat_map(|panel| &panel.groups).flat_map(|group| &group.points);
    let mut levels: Vec<f64> = points.map(|point| point.level).filter(|level| usable(*level)).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

impl<'a> Plan<'a> {
    fn new(
        panel: &'a DegradationPanel,
        all_levels: &'a [f64],
        (from, to): (f64, f64),
        (top, bottom): (f64, f64),
    ) -> Self {
        let ends = |point: &DegradationPoint| {
            let interval = point.interval.map(|interval| [interval.low, interval.high]);
            [point.value].into_iter().chain(interval.into_iter().flatten())
        };
        let values = if panel.share {
            let ticks = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0].map(|tick| (tick, format!("{tick:.0}")));
            Axis::with_levels((0.0, 100.0), (bottom, top), ticks.to_vec())
        } else {
            let all = panel.groups.iter().flat_map(|group| &group.points).flat_map(ends);
            Axis::new(extent(all), (bottom, top), 5)
        };
        let names =
            chart::room_for_names(panel.groups.iter().map(|group| group.name.as_str()), (to - from) * 0.36);
        let (left, right) = (from + chart::gutter(&values), to - MARGIN - names);
        // Room for the lines that stand beside the first and the last level.
        let levels = level_axis(all_levels, (left + 14.0, right - 14.0));
        let places: Vec<f64> = all_levels.iter().filter_map(|level| levels.at(*level)).collect();
        let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(60.0, f64::min);
        let gap = (0.45 * nearest.min(60.0) / panel.groups.len().max(1) as f64).min(3.5);
        Self { panel, levels, all_levels, values, left, right, top, bottom, names, gap }
    }

    fn draw(&self, figure: &DegradationFigure) -> Element {
        let unit = if self.panel.share { "%" } else { &self.panel.unit };
        let mut drawn = group();
        let title = label(self.left, self.top - 10.0, 12.5, "start", &titled(&self.panel.what, unit));
        drawn.push(title.fill(Ink::Text).with("font-weight", "600"));
        drawn.push(self.values.upright(self.left, self.right, ""));
        let title = titled(&figure.level, &figure.level_unit);
        drawn.push(self.levels.ticked(self.left, self.right, self.bottom, &title));
        let mut ends = Vec::new();
        for (place, curve) in self.panel.groups.iter().enumerate() {
            let (lines, end) = self.curve(place, curve, figure);
            drawn.push(lines);
            ends.extend(end.map(|at| End { place, name: curve.name.clone(), at }));
        }
        drawn.child(chart::names_at_ends(&ends, self.right, self.names, self.top + 2.0, self.bottom - 2.0))
    }

    /// The line of a group, and its end.
    fn curve(
        &self,
        place: usize,
        curve: &DegradationGroup,
        figure: &DegradationFigure,
    ) -> (Element, Option<(f64, f64)>) {
        let mut points: Vec<&DegradationPoint> =
            curve.points.iter().filter(|point| usable(point.level) && usable(point.value)).collect();
        points.sort_by(|one, two| one.level.total_cmp(&two.level));
        // Side by side, so that equal values do not hide each other.
        let aside = self.gap * (place as f64 - self.panel.groups.len().saturating_sub(1) as f64 / 2.0);
        let at = |point: &DegradationPoint| {
            Some((self.levels.at(point.level)? + aside, self.values.at(self.shown(point.value))?))
        };
        let mut drawn = group();
        let mut lines = Path::default();
        for pair in points.windows(2) {
            // No line across levels without a value.
            let neighbours = self.place_of(pair[0].level) + 1 == self.place_of(pair[1].level);
            if let (true, Some(one), Some(two)) = (neighbours, at(pair[0]), at(pair[1])) {
                lines.add(&Path::polyline(&[one, two]));
            }
        }
        if !lines.is_empty() {
            drawn.push(stroked(lines.outline(), place, 2.0));
        }
        for point in &points {
            let Some((x, y)) = at(point) else { continue };
            if let Some(interval) = point.interval.filter(|_| self.panel.groups.len() <= MOST_INTERVALS) {
                let ends = [interval.low, interval.high].map(|end| self.values.at(self.shown(end)));
                if let Some(path) = chart::whisker(ends[0], ends[1], x, true, 2.0) {
                    drawn.push(path.outline().stroke(colour(place), 1.2));
                }
            }
            let size = if self.panel.groups.len() > MOST_INTERVALS { 2.6 } else { 3.6 };
            let mark = painted(chart::mark(place, x, y, size), colour(place), point.partial);
            drawn.push(mark.tooltip(&self.told(curve, point, figure)));
        }
        (drawn, points.last().and_then(|point| at(point)))
    }

    fn told(&self, curve: &DegradationGroup, point: &DegradationPoint, figure: &DegradationFigure) -> String {
        let unit = if self.panel.share { "%" } else { &self.panel.unit };
        let value = |value: f64| with_unit(self.shown(value), unit);
        let interval =
            point.interval.map(|interval| format!(" ({} to {})", value(interval.low), value(interval.high)));
        let level = with_unit(point.level, &figure.level_unit);
        format!("{} at {level}: {}{}", curve.name, value(point.value), interval.unwrap_or_default())
    }

    fn shown(&self, value: f64) -> f64 {
        if self.panel.share { 100.0 * value } else { value }
    }

    fn place_of(&self, level: f64) -> usize {
        self.all_levels.partition_point(|other| *other < level)
    }
}

/// All levels as ticks where their labels have room, else round numbers.
fn level_axis(levels: &[f64], range: (f64, f64)) -> Axis {
    let (Some(&first), Some(&last)) = (levels.first(), levels.last()) else {
        return Axis::along(None, range, false);
    };
    let ticks: Vec<(f64, String)> =
        levels.iter().map(|level| (*level, chart::spoken_value(*level))).collect();
    let domain = if last > first { (first, last) } else { (first - 1.0, first + 1.0) };
    let all = Axis::with_ticks(domain, range, ticks);
    if all.tick_count() == levels.len() || levels.len() <= 3 {
        return all;
    }
    let step = super::axis::nice_step(domain.1 - domain.0, ((range.1 - range.0) / 48.0).max(2.0) as usize);
    let round = super::axis::ticks(domain.0, domain.1, step);
    Axis::with_ticks(
        domain,
        range,
        round.into_iter().map(|tick| (tick, super::axis::tick_label(tick, step))).collect(),
    )
}
