//! The activity strip below a motivation plot: one row per curve, which doubles as the legend.

use super::axis::{Scale, time_label, usable};
use super::motivation::{Band, BandState, Curve};
use super::palette::{robot_colour, robot_dash};
use super::rows::Rows;
use super::svg::{Element, Path, group, label, line};
use super::text;
use super::theme::Ink;
use super::thin::BUDGET;

/// A bar of at least this width shows up [px].
const THINNEST: f64 = 1.0;

/// Empty rows behind the bands.
pub fn tracks(rows: Rows, time: Scale) -> Element {
    let (left, right) = time.range();
    let mut path = Path::default();
    for row in 0..rows.count {
        path.move_to(left, rows.middle(row));
        path.horizontal_to(right);
    }
    if path.is_empty() { group() } else { path.outline().stroke(Ink::Track, rows.bar()) }
}

/// The bands of all curves.
pub fn bands(curves: &[Curve], rows: Rows, time: Scale) -> Element {
    let (left, right) = time.range();
    let gap = ((right - left) * 2.0 * curves.len() as f64 / BUDGET as f64).max(0.4);
    let mut strip = group();
    for (row, curve) in curves.iter().enumerate() {
        let colour = robot_colour(&curve.colour_key.0, curve.colour_key.1);
        let waiting = bars(&curve.bands, BandState::Waiting, time, gap, rows.middle(row));
        if !waiting.is_empty() {
            let hatched = waiting.outline().stroke(colour, rows.bar()).with("stroke-dasharray", "1.6 2.4");
            strip.push(hatched.tooltip(&summary(curve, BandState::Waiting)));
        }
        let active = bars(&curve.bands, BandState::Active, time, gap, rows.middle(row));
        if !active.is_empty() {
            strip.push(
                active.outline().stroke(colour, rows.bar()).tooltip(&summary(curve, BandState::Active)),
            );
        }
    }
    strip
}

/// Names with a sample of the line, right of the rows.
pub fn names(curves: &[Curve], rows: Rows, left: f64, limit: f64) -> Element {
    let mut names = group().fill(Ink::Text);
    for (row, curve) in curves.iter().enumerate().filter(|(row, _)| rows.names(*row)) {
        let (name, index) = &curve.colour_key;
        let y = rows.middle(row);
        let sample = line((left, y), (left + 22.0, y)).stroke(robot_colour(name, *index), 2.4);
        names.push(match robot_dash(name, *index) {
            Some(dash) => sample.with("stroke-dasharray", dash),
            None => sample,
        });
        let shown = text::squeeze(&curve.label, rows.font(), limit - left - 28.0);
        let words = label(left + 28.0, y + rows.font() * 0.34, rows.font(), "start", &shown);
        names.push(if shown == curve.label { words } else { words.tooltip(&curve.label) });
    }
    names
}

/// What solid and hatched bars mean.
pub fn key(left: f64, y: f64) -> Element {
    let bar = |x: f64| line((left + x, y), (left + x + 16.0, y)).stroke(Ink::Muted, 9.0);
    group()
        .fill(Ink::Muted)
        .child(bar(0.0))
        .child(label(left + 20.0, y + 3.7, 11.0, "start", "active"))
        .child(bar(64.0).with("stroke-dasharray", "1.6 2.4"))
        .child(label(left + 84.0, y + 3.7, 11.0, "start", "waiting"))
}

/// The bands of one state as one path; bands closer than `gap` [px] are joined.
fn bars(bands: &[Band], state: BandState, time: Scale, gap: f64, y: f64) -> Path {
    let mut extents: Vec<(f64, f64)> = bands
        .iter()
        .filter(|band| band.state == state && usable(band.from_s) && usable(band.to_s))
        .filter(|band| band.from_s <= band.to_s && band.to_s >= 0.0 && band.from_s <= time.end())
        .map(|band| (time.clamped(band.from_s), time.clamped(band.to_s)))
        .collect();
    extents.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for (from, to) in extents {
        match joined.last_mut() {
            Some(last) if from <= last.1 + gap => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    let mut path = Path::default();
    for (from, to) in joined {
        path.move_to(from, y);
        path.horizontal_to(to.max(from + THINNEST));
    }
    path
}

fn summary(curve: &Curve, state: BandState) -> String {
    let times = curve.bands.iter().filter(|band| band.state == state);
    let total: f64 = times.map(|band| band.to_s - band.from_s).filter(|time| usable(*time)).sum();
    let word = match state {
        BandState::Active => "active",
        BandState::Waiting => "waiting",
    };
    format!("{}: {word} for {} in all", curve.label, time_label(total.round()))
}
