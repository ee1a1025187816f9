//! Numbers that on-board software gives about how its work goes.

/// A number that a coordinator or a mission gives about how its work goes on one robot: in a table and a figure over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndicatorSpec {
    /// Its name in tables.
    pub name: &'static str,
    /// Its name for people, such as `pledge margin`.
    pub title: &'static str,
    /// The unit; empty without one.
    pub unit: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
}
