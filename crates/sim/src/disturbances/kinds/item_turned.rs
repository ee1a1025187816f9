//! An item is turned and points elsewhere.

use super::super::about::{About, Subject};
use super::super::setting::{ItemSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::items_removed::pick;
use super::or_wait;
use crewlab_world::item::DIRECTION;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A random item of a kind that nobody holds is turned. An item without a direction does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemTurned {
    /// Its kind.
    pub item: String,
    /// Its new direction. Default: random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub to: Option<f64>,
    /// The aspect of the item that represents its direction.
    #[serde(default = "direction")]
    pub aspect: String,
}

fn direction() -> String {
    DIRECTION.into()
}

impl Disturb for ItemTurned {
    const ABOUT: About = About::new(
        Subject::Item,
        "an item is turned: its handle, or another `aspect` of it, points `to` a direction, or in a random one",
        "{at: 1 min, item-turned: {item: waste, to: 90 deg}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.item("item", &self.item)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let picked = or_wait!(pick(scene, &self.item, 1, None));
        let to = self.to.unwrap_or_else(|| scene.random.between(-PI, PI));
        for item in picked {
            or_wait!(scene.set(Setting::Item(item, ItemSetting::Aspect(self.aspect.clone(), to))));
        }
        Attempt::done(format!("a {} is turned", self.item))
    }
}
