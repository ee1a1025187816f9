//! The target of a mishap.

use super::place::Spot;

/// A target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MishapTarget {
    /// One robot.
    Robot(String),
    /// All robots of a team of this size.
    All(usize),
    /// Every robot that comes to a place.
    Place(Spot),
    /// Items of a kind: those in an area, or all.
    Items {
        /// Their kind.
        kind: String,
        /// The area they lie in.
        area: Option<String>,
    },
}

impl MishapTarget {
    /// Number of robots; a place or items count as one.
    pub fn count(&self) -> usize {
        match self {
            MishapTarget::All(count) => *count,
            _ => 1,
        }
    }

    /// The robot's name, as disturbances expect it.
    pub fn robot(&self) -> &str {
        match self {
            MishapTarget::Robot(name) => name,
            _ => "all",
        }
    }

    /// The place, if it is one.
    pub fn spot(&self) -> Spot {
        match self {
            MishapTarget::Place(spot) => spot.clone(),
            _ => Spot::default(),
        }
    }

    /// A description: `blue`.
    pub fn words(&self) -> String {
        match self {
            MishapTarget::Robot(name) => name.clone(),
            MishapTarget::All(_) => "every robot".into(),
            MishapTarget::Place(spot) => spot.words(),
            MishapTarget::Items { kind, area: None } => kind.clone(),
            MishapTarget::Items { kind, area: Some(area) } => format!("{kind} of {area}"),
        }
    }
}
