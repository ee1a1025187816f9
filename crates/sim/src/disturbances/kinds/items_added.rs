//! Items appear.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use super::place::Place;
use crewlab_onboard::geometry::Vec2;
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
    /// Their number.
    #[serde(default = "super::one")]
    #[schemars(range(min = 1, max = 10000))]
    pub count: u32,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
}

impl Disturb for ItemsAdded {
    const ABOUT: About = About::new(
        Subject::Item,
        "items appear on the floor",
        "{at: 5 min, items-added: {item: waste, count: 5, area: top spill}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.item("item", &self.item)?;
        self.place.check(inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let disc = or_wait!(self.place.disc(scene));
        let spots: Vec<Vec2> = (0..self.count).map(|_| scene.spot_in(disc)).collect();
        scene.add_items(spots.into_iter().map(|spot| Item::new(&self.item, spot, RADIUS)));
        Attempt::done(format!("{} {} added", self.count, self.item))
    }
}
