//! An area is moved.

use super::super::{AreaChange, Cast, Complaint, Disturb, Outcome, Scene, Undo};
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
    /// Where its centre goes.
    #[schemars(extend("x-unit" = "m"))]
    pub to: [f64; 2],
}

impl Disturb for AreaMoved {
    const SUMMARY: &'static str = "an area, such as the deposit, is moved; what lies in it stays";
    const EXAMPLE: &'static str = "{at: 5 min, area-moved: {area: deposit, to: [9 m, 3 m]}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.area("area", &self.area)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let index = or_wait!(scene.area(&self.area));
        let area = &mut scene.state.world.areas[index];
        let (center, _) = area.outline.bounding_circle();
        let outline = area.outline.moved(vec2(self.to[0], self.to[1]) - center);
        let before = AreaChange { outline: Some(outline), ..AreaChange::default() }.swap_into(area);
        Outcome::done(format!("{} is moved", self.area), Undo::RestoreArea(index, before))
    }
}
