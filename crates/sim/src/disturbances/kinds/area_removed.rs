//! An area disappears.

use super::super::{AreaChange, Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Takes the area of this name away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AreaRemoved(pub String);

impl Disturb for AreaRemoved {
    const SUMMARY: &'static str = "an area is taken away; what lies in it stays";
    const EXAMPLE: &'static str = "{at: 5 min, for: 2 min, area-removed: report site}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.area("", &self.0)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let index = or_wait!(scene.area(&self.0));
        let gone = AreaChange { present: Some(false), ..AreaChange::default() };
        let before = gone.swap_into(&mut scene.state.world.areas[index]);
        Outcome::done(format!("{} is taken away", self.0), Undo::RestoreArea(index, before))
    }
}
