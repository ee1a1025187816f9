//! Furniture is moved.

use super::super::about::{About, Subject};
use super::super::setting::{ObjectSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An object is moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ObjectMoved {
    /// Its name.
    pub object: String,
    /// The new position of its centre.
    #[schemars(extend("x-unit" = "m"))]
    pub to: [f64; 2],
    /// Its new heading. Default: unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: Option<f64>,
}

impl Disturb for ObjectMoved {
    const ABOUT: About = About::new(
        Subject::Object,
        "an obstacle or a piece of furniture is moved; waits while a robot stands there",
        "{at: 4 min, object-moved: {object: desk, to: [3 m, 2 m], heading: 90 deg}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.object("object", &self.object)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let object = or_wait!(scene.object(&self.object));
        let (id, heading) = (object.id, object.pose.heading);
        let pose = Pose::new(self.to[0], self.to[1], self.heading.unwrap_or(heading));
        or_wait!(scene.set(Setting::Object(id, ObjectSetting::Pose(pose))));
        Attempt::done(format!("{} is moved", self.object))
    }
}
