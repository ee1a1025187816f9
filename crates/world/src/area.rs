//! Marked pieces of floor: spills, deposits, report sites.

use crate::person::Person;
use crate::shape::Outline;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an area shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AreaState {
    /// Nothing special.
    #[default]
    Quiet,
    /// A robot reported here; the sign stays lit until then.
    Lit {
        /// When it goes dark again.
        until: Time,
    },
}

/// A marked piece of floor. Robots drive over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its name.
    pub name: Arc<str>,
    /// What it is for: `spill`, `deposit`, `report-site`, ...
    pub kind: Arc<str>,
    /// Where it is.
    pub outline: Outline,
    /// What it shows.
    pub state: AreaState,
    /// How often its sign was lit.
    pub reports: u32,
    /// False before it comes into the world and once it was taken out of it.
    pub present: bool,
    /// The person who sits here; the area is what the person can reach.
    pub person: Option<Person>,
}

impl Area {
    /// A quiet area.
    pub fn new(name: &str, kind: &str, outline: Outline) -> Area {
        let state = AreaState::Quiet;
        Area { name: name.into(), kind: kind.into(), outline, state, reports: 0, present: true, person: None }
    }
}
