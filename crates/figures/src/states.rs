//! Discretised values over samples: a row per variable, a shade per state.

use super::chart::WIDTH;
use super::heading::{Heading, MARGIN, spoken};
use super::ramp::NOISE;
use super::svg::{Path, document, group, label, line, rect};
use super::text;
use super::theme::Ink;

/// Height of a row and of the strip in it [px].
const ROW: f64 = 26.0;
const STRIP: f64 = 18.0;

/// Room for names [px].
const NAMES: f64 = 190.0;

/// One figure of states over samples.
#[derive(Debug, Clone, PartialEq)]
pub struct StatesFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title.
    pub subtitle: String,
    /// For every variable its name, its number of states, and the state in every sample.
    pub rows: Vec<(String, usize, Vec<Option<usize>>)>,
    /// Where something changes: before which sample, and what begins there.
    pub changes: Vec<(usize, String)>,
}

/// Draws the strips. Of several samples per pixel, the first one is drawn.
pub fn draw(figure: &StatesFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let top = heading.bottom + 18.0;
    let bottom = top + ROW * figure.rows.len() as f64;
    let (left, right) = (MARGIN + NAMES, WIDTH - MARGIN);
    let samples = figure.rows.iter().map(|(_, _, states)| states.len()).max().unwrap_or(0);
    let summary = format!("{} variables over {samples} samples", figure.rows.len());
    let mut svg = document(WIDTH, bottom + 66.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    let x = |sample: usize| left + (right - left) * sample as f64 / samples.max(1) as f64;
    for (number, (name, count, states)) in figure.rows.iter().enumerate() {
        let y = top + ROW * number as f64;
        let shown = text::squeeze(name, 12.0, NAMES - 14.0);
        svg.push(label(left - 10.0, y + STRIP / 2.0 + 4.0, 12.0, "end", &shown).fill(Ink::Text));
        svg.push(rect(left, y, right - left, STRIP).fill(Ink::Track));
        // One path per state keeps the file small.
        let mut paths = vec![Path::default(); *count];
        let step = (samples / (right - left) as usize).max(1);
        let mut sample = 0;
        while sample < states.len() {
            let state = states[sample];
            let same =
                states[sample..].iter().step_by(step).take_while(|other| **other == state).count().max(1);
            let end = (sample + same * step).min(states.len());
            if let Some(path) = state.and_then(|state| paths.get_mut(state)) {
                path.move_to(x(sample), y);
                path.horizontal_to(x(end));
                path.vertical_to(y + STRIP);
                path.horizontal_to(x(sample));
                path.close();
            }
            sample = end;
        }
        for (state, path) in paths.into_iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            svg.push(path.area().fill(NOISE.at(shade(state, *count))));
        }
    }
    for (sample, name) in &figure.changes {
        svg.push(line((x(*sample), top - 6.0), (x(*sample), bottom)).stroke(Ink::Alert, 1.5));
        svg.push(label(x(*sample) + 4.0, top - 5.0, 11.0, "start", name).fill(Ink::Alert).halo());
    }
    let mut key = group();
    for (place, word) in ["lowest state", "middle", "highest state"].iter().enumerate() {
        let at = left + 150.0 * place as f64;
        key.push(rect(at, bottom + 14.0, 16.0, 11.0).fill(NOISE.at(shade(place, 3))));
        key.push(label(at + 22.0, bottom + 24.0, 11.0, "start", word).fill(Ink::Muted));
    }
    svg.push(key);
    svg.push(
        label(
            (left + right) / 2.0,
            bottom + 48.0,
            11.5,
            "middle",
            &format!("{samples} samples, run after run"),
        )
        .fill(Ink::Muted),
    );
    svg.render()
}

/// The share of the colour scale for a state.
fn shade(state: usize, count: usize) -> f64 {
    if count < 2 { 0.2 } else { 0.15 + 0.75 * state as f64 / (count - 1) as f64 }
}
