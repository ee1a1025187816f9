//! The inks of a figure: light values for a figure opened alone, dark ones for a dark page.

use std::fmt::Write;

/// A colour that depends on whether the page is light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// The figure's background.
    Surface,
    /// Titles and names.
    Text,
    /// Tick labels and notes.
    Muted,
    /// Lines behind the data.
    Grid,
    /// Axis lines and frames.
    Frame,
    /// The empty track of a row.
    Track,
    /// Thresholds and marks.
    Alert,
}

impl Ink {
    const ALL: [Self; 7] =
        [Self::Surface, Self::Text, Self::Muted, Self::Grid, Self::Frame, Self::Track, Self::Alert];

    /// The colour on a light surface.
    pub fn light(self) -> &'static str {
        match self {
            Self::Surface => "#ffffff",
            Self::Text => "#1d2530",
            Self::Muted => "#566070",
            Self::Grid => "#e6e9ee",
            Self::Frame => "#a9b1bd",
            Self::Track => "#f1f3f6",
            Self::Alert => "#b3261e",
        }
    }

    /// The colour on a dark surface.
    pub fn dark(self) -> &'static str {
        match self {
            Self::Surface => "#171c23",
            Self::Text => "#e8ebf0",
            Self::Muted => "#a3adbb",
            Self::Grid => "#2a313b",
            Self::Frame => "#5a6472",
            Self::Track => "#20262f",
            Self::Alert => "#ff8a80",
        }
    }

    /// The class of a shape filled with this ink.
    pub fn fill_class(self) -> &'static str {
        match self {
            Self::Surface => "fill-surface",
            Self::Text => "fill-text",
            Self::Muted => "fill-muted",
            Self::Grid => "fill-grid",
            Self::Frame => "fill-frame",
            Self::Track => "fill-track",
            Self::Alert => "fill-alert",
        }
    }

    /// The class of a shape outlined with this ink.
    pub fn stroke_class(self) -> &'static str {
        match self {
            Self::Surface => "stroke-surface",
            Self::Text => "stroke-text",
            Self::Muted => "stroke-muted",
            Self::Grid => "stroke-grid",
            Self::Frame => "stroke-frame",
            Self::Track => "stroke-track",
            Self::Alert => "stroke-alert",
        }
    }
}

/// Style rules that turn inlined figures dark. They win over the figures' own attributes, which hold the light values.
pub fn dark_rules() -> String {
    let mut rules = String::new();
    for ink in Ink::ALL {
        let (fill, stroke, dark) = (ink.fill_class(), ink.stroke_class(), ink.dark());
        // Writing to a string cannot fail.
        let _ = writeln!(rules, "svg .{fill} {{ fill: {dark}; }}\nsvg .{stroke} {{ stroke: {dark}; }}");
    }
    rules
}
