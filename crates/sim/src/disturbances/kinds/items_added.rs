//! Items appear.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use super::place::Place;
use crewlab_world::Item;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Radius of an item. [m]
const RADIUS: f64 = 0.05;

/// Items appear on the floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ItemsAdded {
    /// Their kind.
    pub item: String,
    /// How many.
    #[serde(default = "super::one")]
    #[schemars(range(min = 1, max = 10000))]
    pub count: u32,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
}

impl Disturb for ItemsAdded {
    const SUMMARY: &'static str = "items appear on the floor";
    const EXAMPLE: &'static str = "{at: 5 min, items-added: {item: waste, count: 5, area: top spill}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.item("item", &self.item)?;
        self.place.check(cast)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let disc = or_wait!(self.place.disc(scene));
        let first = scene.state.world.items.len() as u32;
        for _ in 0..self.count {
            let position = scene.spot_in(disc);
            scene.state.world.items.push(Item::new(&self.item, position, RADIUS));
        }
        scene.state.world.items_changed();
        let added = (first..first + self.count).collect();
        Outcome::done(format!("{} {} added", self.count, self.item), Undo::HideItems(added))
    }
}
