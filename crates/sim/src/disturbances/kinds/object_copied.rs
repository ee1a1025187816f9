//! Another object like one that exists appears: one more can, one more desk.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_world::Object;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A copy of an object appears, with everything that the original has at that moment, stocks and states included. It
/// stands still, even if the original moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ObjectCopied {
    /// The name of the original.
    pub object: String,
    /// The name of the copy.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Where the centre of the copy is.
    #[schemars(extend("x-unit" = "m"))]
    pub at: [f64; 2],
}

impl Disturb for ObjectCopied {
    const ABOUT: About = About::new(
        Subject::Object,
        "another object like one that exists appears, with the same stocks and states; waits while a robot stands there",
        "{at: 1 min, object-copied: {object: can 1, name: can 9, at: [3 m, 2 m]}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.object("object", &self.object)
    }

    fn adds(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let original = or_wait!(scene.object(&self.object)).clone();
        let pose = Pose { position: vec2(self.at[0], self.at[1]), heading: original.pose.heading };
        let outline = original.shape.at(&pose);
        let copy = Object { name: self.name.clone(), pose, outline, script: None, ..original };
        or_wait!(scene.room_for(&copy, &pose, None));
        scene.add_object(copy);
        Attempt::done(format!("{} appears, a copy of {}", self.name, self.object))
    }
}
