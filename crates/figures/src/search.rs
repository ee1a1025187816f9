//! The course of a search for better parameters: one dot per candidate, and the best so far.

use super::axis::usable;
use super::chart::{self, Axis, WIDTH, colour, extent, titled, with_unit};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::placement::{Extent, Placement, beside};
use super::svg::{Element, Path, circle, document, group, label, line};
use super::text;
use super::theme::Ink;
use serde::{Deserialize, Serialize};

/// One figure of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// The measure to improve, for the axis.
    pub what: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether lower is better.
    pub lower_is_better: bool,
    /// Whether the axis of values is logarithmic; only if all of them are above 0.
    pub logarithmic: bool,
    /// In the order tried; `None` if a candidate has no value (it failed, or was stopped early).
    pub candidates: Vec<Option<f64>>,
    /// The candidate with the default parameters.
    pub default: Option<usize>,
    /// The chosen candidate.
    pub chosen: Option<usize>,
}

const PLOT_HEIGHT: f64 = 320.0;

/// Indices of the colours.
const TRIED: usize = 0;
const MARKED: usize = 1;

/// The layout.
struct Plan<'a> {
    figure: &'a SearchFigure,
    order: Axis,
    values: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &SearchFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let (legend, top) = legend::flow(entries(figure), MARGIN, heading.bottom - 4.0, WIDTH - 2.0 * MARGIN);
    let plan = Plan::new(figure, top + 12.0);
    let (notes, bottom) = chart::notes(&plan.notes(), plan.bottom + 44.0);
    let summary = format!("{} of {} candidates in the order tried", figure.what, figure.candidates.len());
    let mut svg = document(WIDTH, bottom, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(legend);
    svg.push(plan.values.upright(plan.left, plan.right, &titled(&figure.what, &figure.unit)));
    svg.push(plan.order.ticked(plan.left, plan.right, plan.bottom, "candidate, in the order tried"));
    svg.push(plan.dots());
    svg.push(plan.best());
    svg.push(plan.marks());
    svg.push(notes);
    svg.render()
}

fn has_value(value: Option<f64>) -> Option<f64> {
    value.filter(|value| usable(*value))
}

fn default_mark(x: f64, y: f64) -> Element {
    chart::mark(1, x, y, 5.2).fill(Ink::Surface).stroke(Ink::Text, 2.0)
}

fn chosen_mark(x: f64, y: f64) -> Element {
    chart::mark(3, x, y, 6.0).fill(colour(MARKED)).stroke(Ink::Surface, 1.2)
}

fn failed_mark(x: f64, y: f64) -> Path {
    let mut cross = Path::polyline(&[(x - 3.0, y - 3.0), (x + 3.0, y + 3.0)]);
    cross.add(&Path::polyline(&[(x - 3.0, y + 3.0), (x + 3.0, y - 3.0)]));
    cross
}

fn entries(figure: &SearchFigure) -> Vec<LegendEntry> {
    let entry = |symbol: Element, symbol_width: f64, text: &str| LegendEntry {
        symbol,
        symbol_width,
        text: text.to_owned(),
    };
    let dot = circle(6.0, 0.0, 3.0).fill(colour(TRIED)).with("fill-opacity", "0.75");
    let stroke = line((0.0, 0.0), (24.0, 0.0)).stroke(colour(TRIED), 2.2);
    let mut entries = vec![entry(dot, 12.0, "a candidate"), entry(stroke, 24.0, "the best so far")];
    let shown = |which: Option<usize>| which.is_some_and(|which| figure.candidates.get(which).is_some());
    if shown(figure.default) {
        entries.push(entry(default_mark(7.0, 0.0), 14.0, "default"));
    }
    if shown(figure.chosen) {
        entries.push(entry(chosen_mark(8.0, 0.0), 16.0, "chosen"));
    }
    if figure.candidates.iter().any(|value| has_value(*value).is_none()) {
        entries.push(entry(failed_mark(6.0, 0.0).outline().stroke(Ink::Muted, 1.4), 12.0, "without a value"));
    }
    entries
}

impl<'a> Plan<'a> {
    fn new(figure: &'a SearchFigure, top: f64) -> Self {
        let bottom = top + PLOT_HEIGHT;
        let known = extent(figure.candidates.iter().filter_map(|value| has_value(*value)));
        let values = match figure.logarithmic {
            true => Axis::logarithmic(known, (bottom - 14.0, top + 8.0), 6),
            // Candidates differ by little: an axis from 0 would hide it.
            false => Axis::exactly(known.unwrap_or((0.0, 1.0)), (bottom - 14.0, top + 8.0), 6),
        };
        let (left, right) = (chart::gutter(&values), WIDTH - MARGIN - 12.0);
        let count = figure.candidates.len().max(1) as f64;
        let every = super::axis::nice_step(count, 12).max(1.0);
        let inside = super::axis::ticks(1.0, count, every).into_iter().filter(|tick| *tick > 1.0);
        let ticks = [1.0].into_iter().chain(inside).map(|tick| (tick, format!("{tick:.0}"))).collect();
        let order = Axis::with_ticks((0.4, count + 0.6), (left, right), ticks);
        Self { figure, order, values, left, right, top, bottom }
    }

    /// The candidates that have a value: number and place [px].
    fn places(&self) -> Vec<(usize, f64, f64)> {
        let numbered = self.figure.candidates.iter().enumerate();
        numbered
            .filter_map(|(index, value)| Some((index, self.x(index)?, self.values.at(has_value(*value)?)?)))
            .collect()
    }

    fn x(&self, index: usize) -> Option<f64> {
        self.order.at(index as f64 + 1.0)
    }

    fn dots(&self) -> Element {
        let every = self.figure.candidates.len().div_ceil(chart::MOST_DOTS).max(1);
        let mut dots = group().fill(colour(TRIED)).with("fill-opacity", "0.75");
        for (_, x, y) in self.places().into_iter().step_by(every) {
            dots.push(circle(x, y, if self.figure.candidates.len() > 300 { 2.0 } else { 3.0 }));
        }
        let mut crosses = Path::default();
        let failed =
            self.figure.candidates.iter().enumerate().filter(|(_, value)| has_value(**value).is_none());
        for (index, _) in failed.step_by(every) {
            if let Some(x) = self.x(index) {
                crosses.add(&failed_mark(x, self.bottom - 5.0));
            }
        }
        match crosses.is_empty() {
            true => dots,
            false => group().child(dots).child(crosses.outline().stroke(Ink::Muted, 1.4)),
        }
    }

    fn best(&self) -> Element {
        let stairs = self.stairs();
        if stairs.is_empty() {
            return group();
        }
        Path::polyline(&stairs).outline().stroke(colour(TRIED), 2.2).with("stroke-linejoin", "round")
    }

    /// Through the candidates that were better than all before, and on to the right edge.
    fn stairs(&self) -> Vec<(f64, f64)> {
        let mut stairs: Vec<(f64, f64)> = Vec::new();
        let mut best = None;
        for (index, x, y) in self.places() {
            let Some(value) = self.figure.candidates[index] else { continue };
            let better =
                best.is_none_or(|best| if self.figure.lower_is_better { value < best } else { value > best });
            if better {
                stairs.extend(stairs.last().map(|&(_, before)| (x, before)));
                stairs.push((x, y));
                best = Some(value);
            }
        }
        stairs.extend(stairs.last().map(|&(_, last)| (self.right, last)));
        stairs
    }

    /// Default and chosen, with their values where there is room.
    fn marks(&self) -> Element {
        let places = self.places();
        let place_of = |which: Option<usize>| places.iter().find(|(index, _, _)| Some(*index) == which);
        let (default, chosen) = (place_of(self.figure.default), place_of(self.figure.chosen));
        let marked = match (default, chosen) {
            (Some(one), Some(two)) if one == two => vec![("default and chosen", one)],
            _ => default
                .map(|place| ("default", place))
                .into_iter()
                .chain(chosen.map(|place| ("chosen", place)))
                .collect(),
        };
        let mut drawn = group();
        let mut placement = self.taken(&places);
        for (_, (_, x, y)) in &marked {
            placement.reserve(Extent::around(*x, *y, 14.0, 14.0));
        }
        for (name, &(index, x, y)) in marked {
            drawn.push(if name == "default" { default_mark(x, y) } else { chosen_mark(x, y) });
            let value = self.figure.candidates[index].unwrap_or(f64::NAN);
            let words = format!("{name}: {}", with_unit(value, &self.figure.unit));
            // Bold text is a little wider than estimated.
            let spots = [10.0, 24.0, 44.0]
                .map(|away| beside(x, y, away, text::width(&words, 12.0) * 1.1, 15.0))
                .concat();
            let free = placement.choose(&spots).or_else(|| self.nothing_taken().choose(&spots));
            if let Some(spot) = free.and_then(|chosen| spots.get(chosen)) {
                let (x, y) = ((spot.left + spot.right) / 2.0, (spot.top + spot.bottom) / 2.0);
                drawn.push(
                    label(x, y + 4.0, 12.0, "middle", &words)
                        .fill(Ink::Text)
                        .with("font-weight", "600")
                        .halo(),
                );
            }
        }
        drawn
    }

    fn nothing_taken(&self) -> Placement {
        // Candidates without a value are drawn along the bottom.
        let bottom = self.bottom - 11.0;
        Placement::new(Extent { left: self.left, top: self.top, right: self.right + 12.0, bottom })
    }

    /// Labels stay clear of the best so far and, if there are not too many, of dots.
    fn taken(&self, places: &[(usize, f64, f64)]) -> Placement {
        let mut placement = self.nothing_taken();
        for pair in self.stairs().windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            let middle = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
            placement.reserve(Extent::around(
                middle.0,
                middle.1,
                (x2 - x1).abs() + 3.0,
                (y2 - y1).abs() + 3.0,
            ));
        }
        for (_, x, y) in places.iter().filter(|_| places.len() <= 300) {
            placement.reserve(Extent::around(*x, *y, 6.0, 6.0));
        }
        placement
    }

    fn notes(&self) -> Vec<String> {
        let better = if self.figure.lower_is_better { "lower" } else { "higher" };
        let mut notes = vec![format!("{} is better.", if better == "lower" { "Lower" } else { "Higher" })];
        if !self.values.shows_zero() && !self.values.is_logarithmic() {
            notes.push("The axis of values does not show 0.".into());
        }
        if self.values.is_logarithmic() {
            notes.push("The axis of values is logarithmic.".into());
        }
        notes
    }
}
