//! The target of a mishap.

use super::place::Spot;

/// A target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whom {
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

impl Whom {
    /// Number of robots; a place or items count as one.
    pub fn count(&self) -> usize {
        match self {
            Whom::All(count) => *count,
            _ => 1,
        }
    }

    /// The robot's name, as disturbances expect it.
    pub fn robot(&self) -> &str {
        match self {
            Whom::Robot(name) => name,
            _ => "all",
        }
    }

    /// The place, if it is one.
    pub fn spot(&self) -> Spot {
        match self {
            Whom::Place(spot) => spot.clone(),
            _ => Spot::default(),
        }
    }

    /// A description: `blue`.
    pub fn words(&self) -> String {
        match self {
            Whom::Robot(name) => name.clone(),
            Whom::All(_) => "every robot".into(),
            Whom::Place(spot) => spot.words(),
            Whom::Items { kind, area: None } => kind.clone(),
            Whom::Items { kind, area: Some(area) } => format!("{kind} of {area}"),
        }
    }
}
