//! Persons: objects of which sensors can tell that they are people, and who stop to talk.

use crate::object::Object;

/// The state of an object that is a person.
pub const PERSON: &str = "person";
/// The state of a person who is spoken to and stands still.
pub const TALKING: &str = "talking";
/// The state of a person who points somewhere: in the direction of the aspect of this name, in the world. [rad]
pub const POINTING: &str = "pointing";
/// The state of a person who was asked the way and does not know it.
pub const CLUELESS: &str = "clueless";

impl Object {
    /// True for a person.
    pub fn is_person(&self) -> bool {
        self.properties.states.has(PERSON)
    }

    /// True for a person who stands still because a robot speaks with it.
    pub(crate) fn is_addressed(&self) -> bool {
        [TALKING, POINTING].iter().any(|state| self.properties.states.has(state))
    }
}
