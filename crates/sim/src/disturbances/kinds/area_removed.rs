//! An area disappears.

use super::super::about::{About, Subject};
use super::super::setting::{AreaSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Removes the area of this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AreaRemoved(pub String);

impl Disturb for AreaRemoved {
    const ABOUT: About = About::new(
        Subject::Area,
        "an area is removed; items in it stay",
        "{at: 5 min, for: 2 min, area-removed: report site}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.area("", &self.0)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let index = or_wait!(scene.area(&self.0));
        or_wait!(scene.set(Setting::Area(index, AreaSetting::Present(false))));
        Attempt::done(format!("{} is taken away", self.0))
    }
}
