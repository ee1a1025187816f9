//! Controllers: from "go there" to wheel speeds, using percepts only.

pub mod avoidance;
pub mod costs;
pub mod helm;
pub mod pilot;

pub use avoidance::{Avoidance, Goal, Limits, Scan};
pub use costs::CostField;
pub use helm::Helm;
pub use pilot::Pilot;
