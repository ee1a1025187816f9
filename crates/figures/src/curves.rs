//! Curves over steps, such as acceptance ratios of a Markov chain.

use super::chart::{self, Axis, End, WIDTH, extent, names_at_ends, room_for_names, stroked};
use super::heading::{Heading, MARGIN, spoken};
use super::svg::{Path, document};

/// The height of the plot, and the most points of a curve.
const PLOT_HEIGHT: f64 = 220.0;
const MOST_POINTS: usize = 800;

/// One figure of curves.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvesFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title.
    pub subtitle: String,
    /// What is along the bottom, and what is drawn over it.
    pub along: String,
    /// The title of the upright axis.
    pub what: String,
    /// The curves: a name and a value per step.
    pub curves: Vec<(String, Vec<f64>)>,
}

/// Draws the curves, with their names at their ends.
pub fn draw(figure: &CurvesFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let (top, bottom) = (heading.bottom + 4.0, heading.bottom + 4.0 + PLOT_HEIGHT);
    let values = Axis::new(
        extent(figure.curves.iter().flat_map(|(_, values)| values.iter().copied())),
        (bottom, top),
        5,
    );
    let room = room_for_names(figure.curves.iter().map(|(name, _)| name.as_str()), 240.0);
    let (left, right) = (chart::gutter(&values), WIDTH - MARGIN - room);
    let steps = figure.curves.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let along = Axis::along(Some((0.0, steps.max(1) as f64)), (left, right), false);
    let summary = format!("{} curves over {steps} steps", figure.curves.len());
    let mut svg = document(WIDTH, bottom + 48.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(values.upright(left, right, &figure.what));
    svg.push(along.ticked(left, right, bottom, &figure.along));
    let mut ends = Vec::new();
    for (place, (name, curve)) in figure.curves.iter().enumerate() {
        let every = (curve.len() / MOST_POINTS).max(1);
        let point = |(step, value): (usize, &f64)| Some((along.at((step + 1) as f64)?, values.at(*value)?));
        let points: Vec<(f64, f64)> = curve.iter().enumerate().step_by(every).filter_map(point).collect();
        ends.extend(points.last().map(|at| End { place, name: name.clone(), at: *at }));
        svg.push(stroked(Path::polyline(&points).outline(), place, 1.8));
    }
    svg.push(names_at_ends(&ends, right, room, top, bottom));
    svg.render()
}
