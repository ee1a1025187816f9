//! An area is moved.

use super::super::about::{About, Subject};
use super::super::setting::{AreaSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An area is moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaMoved {
    /// Its name.
    pub area: String,
    /// The new position of its centre.
    #[schemars(extend("x-unit" = "m"))]
    pub to: [f64; 2],
}

impl Disturb for AreaMoved {
    const ABOUT: About = About::new(
        Subject::Area,
        "an area, such as the deposit, is moved; items in it stay",
        "{at: 5 min, area-moved: {area: deposit, to: [9 m, 3 m]}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.area("area", &self.area)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let index = or_wait!(scene.area(&self.area));
        let outline = &scene.state.world.areas[index].outline;
        let (center, _) = outline.bounding_circle();
        let outline = outline.moved(vec2(self.to[0], self.to[1]) - center);
        or_wait!(scene.set(Setting::Area(index, AreaSetting::Outline(outline))));
        Attempt::done(format!("{} is moved", self.area))
    }
}
