//! Controllers: from "go there" to wheel speeds, using percepts only.

pub mod avoidance;
pub mod pilot;

pub use avoidance::{Avoidance, Goal, Limits, Scan};
pub use pilot::Pilot;
