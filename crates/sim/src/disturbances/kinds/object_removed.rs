//! An obstacle disappears.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Takes the object of this name away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ObjectRemoved(pub String);

impl Disturb for ObjectRemoved {
    const SUMMARY: &'static str = "an obstacle, a can, a piece of furniture is taken away";
    const EXAMPLE: &'static str = "{at: 2 min, object-removed: crate}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.object("", &self.0)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let id = or_wait!(scene.object(&self.0)).id;
        match scene.state.world.remove_object(id) {
            Some(object) => {
                Outcome::done(format!("{} is taken away", self.0), Undo::PutBack(Box::new(object)))
            }
            None => Outcome::NotYet(format!("there is no object {}", self.0)),
        }
    }
}
