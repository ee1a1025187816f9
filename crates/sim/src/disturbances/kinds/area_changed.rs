//! An area changes its size or its kind.

use super::super::about::{About, Subject};
use super::super::setting::{AreaSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_world::Outline;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An area changes; properties that are not given stay the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaChanged {
    /// Its name.
    pub area: String,
    /// Its new radius; the area becomes round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: Option<f64>,
    /// Its new purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl Disturb for AreaChanged {
    const ABOUT: About = About::new(
        Subject::Area,
        "an area changes its size or its purpose",
        "{at: 5 min, area-changed: {area: deposit, radius: 0.6 m}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        if self.radius.is_none() && self.kind.is_none() {
            return Err(Complaint::new("", "nothing changes: give `radius` or `kind`"));
        }
        inventory.area("area", &self.area)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let index = or_wait!(scene.area(&self.area));
        let (center, _) = scene.state.world.areas[index].outline.bounding_circle();
        if let Some(radius) = self.radius {
            let outline = Outline::Circle { center, radius };
            or_wait!(scene.set(Setting::Area(index, AreaSetting::Outline(outline))));
        }
        if let Some(kind) = self.kind.as_deref() {
            or_wait!(scene.set(Setting::Area(index, AreaSetting::Kind(kind.into()))));
        }
        Attempt::done(format!("{} changes", self.area))
    }
}
