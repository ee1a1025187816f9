//! An obstacle disappears.

use super::super::about::{About, Subject};
use super::super::setting::{ObjectSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Removes the object of this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ObjectRemoved(pub String);

impl Disturb for ObjectRemoved {
    const ABOUT: About = About::new(
        Subject::Object,
        "an obstacle, a can, a piece of furniture is removed",
        "{at: 2 min, object-removed: crate}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.object("", &self.0)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let id = or_wait!(scene.object(&self.0)).id;
        or_wait!(scene.set(Setting::Object(id, ObjectSetting::Present(false))));
        Attempt::done(format!("{} is taken away", self.0))
    }
}
