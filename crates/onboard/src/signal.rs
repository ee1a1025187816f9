//! Signals: what on-board software offers to the conditions and bids of a team's plan.

/// A number that a mission's software on a robot offers by name; 0 and 1 mean false and true. See [`crate::Skills::signal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalSpec {
    /// Its name in conditions, such as `sees-colour`.
    pub name: &'static str,
    /// What it means and its unit, in one line.
    pub summary: &'static str,
}
