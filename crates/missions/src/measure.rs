//! Measures: named numbers that a referee reads off the world, besides progress.

use serde::{Deserialize, Serialize};

/// The unit of shares from 0 to 1, which are shown in per cent.
pub const SHARE: &str = "share";

/// Which direction of a number is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Less is better.
    Less,
    /// More is better.
    More,
    /// Neither.
    Neither,
}

/// A measure of a mission. Declared once, it is in the summary, the tables, the figures, the live charts, and the metrics of
/// experiments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasureSpec {
    /// Its name: the column in tables, such as `floor_cleaned_m2`. Missions that measure the same thing use the same name.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// Its unit; empty for counts, `share` for shares from 0 to 1.
    pub unit: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Which direction is better.
    pub better: Better,
}
