//! Disturbances. Each kind is one file in [`kinds`] and one line in its registry; *when* it happens ([`When`]), to *whom*
//! ([`Target`]) and how it is undone (`layers.rs`) is the same for all.

pub mod about;
mod condition;
mod inventory;
pub mod kinds;
mod layers;
mod plain;
mod scene;
mod schedule;
mod setting;
mod spec;
pub mod stress;
mod target;
mod when;

pub use about::About;
pub use condition::{Condition, Fact};
use inventory::among;
pub use inventory::{Complaint, Inventory};
pub use kinds::{AnyDisturbance, DisturbanceKind, KINDS};
pub use scene::{Attempt, Done, Scene};
pub(crate) use schedule::Occasion;
pub use schedule::Schedule;
pub use spec::{DisturbanceSpec, Timing};
pub use target::Target;
pub use when::When;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stress::{Ground, Stressor};

/// A kind of disturbance. Its fields are its parameters, as in the scenario.
pub trait Disturb: Clone + Serialize + DeserializeOwned + JsonSchema {
    /// Its self-description.
    const ABOUT: About;

    /// Refuses parameters that can never work.
    fn check(&self, inventory: &Inventory) -> Result<(), Complaint>;

    /// Applies it.
    fn apply(&self, scene: &mut Scene) -> Attempt;

    /// Default duration; permanent if `None`. [s]
    fn lasts(&self) -> Option<f64> {
        None
    }

    /// The name of an object or area that it adds, so that other disturbances can refer to it.
    fn adds(&self) -> Option<&str> {
        None
    }

    /// The ways in which it can hit a scenario, if `crewlab break` tries it.
    fn stressors(_ground: &Ground) -> Vec<Stressor> {
        Vec::new()
    }
}

/// A disturbance, checked and ready to happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// When.
    pub when: When,
    /// Its duration; permanent if `None`. [s]
    pub lasts: Option<f64>,
    /// Largest number of occurrences; unlimited if `None`.
    pub times: Option<u32>,
    /// What.
    pub what: AnyDisturbance,
}
