//! A measure over time: one number of a mission.

use super::axis::{time_label, usable};
use super::chart::{self, Axis, WIDTH, colour, extent, titled};
use super::heading::{Heading, MARGIN, spoken};
use super::mark::Mark;
use super::svg::{Path, document, label, line};
use super::theme::Ink;
use serde::{Deserialize, Serialize};

/// The height of the plot [px].
const PLOT_HEIGHT: f64 = 160.0;

/// One figure of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasureFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// The measure, for the axis.
    pub what: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Length of the time axis [s].
    pub duration_s: f64,
    /// Time [s] and value, where it is defined.
    pub samples: Vec<(f64, f64)>,
    /// Dotted lines.
    pub marks: Vec<Mark>,
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &MeasureFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let (top, bottom) = (heading.bottom + 4.0, heading.bottom + 4.0 + PLOT_HEIGHT);
    let values = Axis::new(extent(figure.samples.iter().map(|sample| sample.1)), (bottom, top), 4);
    let (left, right) = (chart::gutter(&values), WIDTH - MARGIN - 12.0);
    let time = Axis::along(Some((0.0, figure.duration_s.max(1e-3))), (left, right), false);
    let summary = format!("{} over {}", figure.what, time_label(figure.duration_s));
    let mut svg = document(WIDTH, bottom + 48.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(values.upright(left, right, &titled(&figure.what, &figure.unit)));
    svg.push(time.ticked(left, right, bottom, "time [s]"));
    for x in figure.marks.iter().filter_map(|mark| time.at(mark.at_s)) {
        svg.push(line((x, top), (x, bottom)).stroke(Ink::Muted, 1.0).with("stroke-dasharray", "2 3"));
    }
    let drawable = figure.samples.iter().filter(|(at, value)| usable(*at) && usable(*value));
    let points: Vec<(f64, f64)> =
        drawable.filter_map(|(at, value)| Some((time.at(*at)?, values.at(*value)?))).collect();
    match points.as_slice() {
        [] => svg.push(label(left + 8.0, top + 20.0, chart::SMALL, "start", "no values").fill(Ink::Muted)),
        points => svg.push(Path::polyline(points).outline().stroke(colour(0), 2.0)),
    }
    svg.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wellformed::check;

    fn figure(samples: Vec<(f64, f64)>) -> MeasureFigure {
        MeasureFigure {
            title: "Floor cleaned".into(),
            subtitle: "seed 1".into(),
            what: "floor cleaned".into(),
            unit: "m²".into(),
            duration_s: 100.0,
            samples,
            marks: vec![Mark { at_s: 40.0, label: "blue stops".into() }],
        }
    }

    #[test]
    fn a_line_is_drawn_where_there_are_values() {
        let drawn = draw(&figure(vec![(0.0, 0.0), (50.0, f64::NAN), (100.0, 12.5)]));
        check(&drawn);
        assert!(
            drawn.contains("floor cleaned [m²]") && !drawn.contains("no values") && !drawn.contains("NaN")
        );
        let empty = draw(&figure(Vec::new()));
        check(&empty);
        assert!(empty.contains("no values"));
    }
}
