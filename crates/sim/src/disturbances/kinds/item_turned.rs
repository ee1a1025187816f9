//! An item is turned, so that it points elsewhere.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::items_removed::pick;
use super::or_wait;
use crewlab_world::item::DIRECTION;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::mem::replace;

/// An item that nobody holds is turned; which one of its kind is chance. One without a direction looks as before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemTurned {
    /// Its kind.
    pub item: String,
    /// Direction in which it points then; any without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub to: Option<f64>,
    /// The aspect of the item that is its direction.
    #[serde(default = "direction")]
    pub aspect: String,
}

fn direction() -> String {
    DIRECTION.into()
}

impl Disturb for ItemTurned {
    const SUMMARY: &'static str = "an item is turned, so that it points elsewhere";
    const EXAMPLE: &'static str = "{at: 1 min, item-turned: {item: waste, to: 90 deg}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.item("item", &self.item)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let picked = or_wait!(pick(scene, &self.item, 1, None));
        let to = self.to.unwrap_or_else(|| scene.random.between(-PI, PI));
        let mut before = Vec::new();
        for &item in &picked {
            let properties = &mut scene.state.world.items[item as usize].properties;
            if let Some(value) = properties.value_mut(&self.aspect) {
                before.push((item, replace(value, to)));
            }
        }
        Outcome::done(format!("a {} is turned", self.item), Undo::TurnItems(self.aspect.clone(), before))
    }
}
