//! Marked pieces of floor: spills, deposits, report sites, what a person can reach.

use crate::properties::Properties;
use crate::shape::Outline;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A marked piece of floor. Robots drive over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its name.
    pub name: Arc<str>,
    /// Its purpose: `spill`, `deposit`, `report-site`, ...
    pub kind: Arc<str>,
    /// Where it is.
    pub outline: Outline,
    /// False before it is added to the world and after it was removed.
    pub present: bool,
    /// When it comes into the world; `None` once that has happened.
    pub arrives: Option<Time>,
    /// The kind of item that is taken here from a robot's hand: a person sits here who wants it.
    pub wants: Option<Arc<str>>,
    /// True once it was given what it wants.
    pub given: bool,
    /// Time that it was in the world and wanted something. [s]
    pub waited: f64,
    /// Its stocks, states and aspects.
    pub properties: Properties,
}

impl Area {
    /// An area without any properties.
    pub fn new(name: &str, kind: &str, outline: Outline) -> Area {
        Area {
            name: name.into(),
            kind: kind.into(),
            outline,
            present: true,
            arrives: None,
            wants: None,
            given: false,
            waited: 0.0,
            properties: Properties::default(),
        }
    }
}
