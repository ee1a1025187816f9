//! The title block of a figure.

use super::svg::{Element, group, label};
use super::text;
use super::theme::Ink;

/// Space left of everything [px].
pub const MARGIN: f64 = 16.0;

/// A drawn title block and its height.
pub struct Heading {
    /// What to draw.
    pub element: Element,
    /// The lower edge [px].
    pub bottom: f64,
}

impl Heading {
    /// Title and subtitle on a figure of the given width [px]; either may be empty.
    pub fn new(title: &str, subtitle: &str, width: f64) -> Self {
        let room = width - 2.0 * MARGIN;
        let mut element = group();
        let mut baseline = 10.0;
        for line in text::wrap(title, 16.0, room, 2) {
            baseline += 19.0;
            element.push(
                label(MARGIN, baseline, 16.0, "start", &line).fill(Ink::Text).with("font-weight", "600"),
            );
        }
        baseline += 1.0;
        for line in text::wrap(subtitle, 12.5, room, 3) {
            baseline += 17.0;
            element.push(label(MARGIN, baseline, 12.5, "start", &line).fill(Ink::Muted));
        }
        Self { element, bottom: baseline + 12.0 }
    }
}

/// The description of a figure for screen readers.
pub fn spoken(title: &str, subtitle: &str, summary: &str) -> String {
    let parts = [title, subtitle, summary].map(|part| part.trim().trim_end_matches('.'));
    let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}.", said.join(". "))
}
