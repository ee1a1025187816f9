//! Items are moved.

use super::super::about::{About, Breaking, Subject};
use super::super::setting::{ItemSetting, Setting};
use super::super::stress::{Ground, Stressor};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::items_removed::{Group, Meant, groups};
use super::or_wait;
use super::place::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Random items on the floor are moved. Or a single item given by its number, even out of a gripper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ItemsMoved {
    /// Their kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The number of a single item, instead of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// How many; all of them if there are fewer.
    #[serde(default = "super::one")]
    #[schemars(range(min = 1, max = 10000))]
    pub count: u32,
    /// Only from this area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Their destination.
    #[serde(flatten)]
    pub place: Place,
}

impl ItemsMoved {
    fn meant(&self) -> Meant<'_> {
        let from = ("from", self.from.as_deref());
        Meant { item: self.item.as_deref(), number: self.number, count: self.count, area: from }
    }
}

impl Disturb for ItemsMoved {
    const ABOUT: About = About {
        breaking: Breaking::by_name("the same items are moved to the middle of the floor"),
        ..About::new(
            Subject::Item,
            "items are moved: random items of a kind, or one item by its `number`, also out of a gripper",
            "{at: 5 min, items-moved: {item: waste, count: 3, from: top spill, area: bottom spill}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.meant().check(inventory)?;
        self.place.check(inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let Some(middle) = ground.spots.first() else { return Vec::new() };
        let moved = |group: Group| {
            let rung = |level| {
                let entry = group.entry("from", level, Some(middle.entry()));
                (entry, format!("{} moved {}", group.words(level), middle.words()))
            };
            Stressor::graded("", 1, group.whom(), 1..=group.count, rung)
        };
        groups(&ground.state.world).into_iter().map(moved).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let disc = or_wait!(self.place.disc(scene));
        let picked = or_wait!(self.meant().pick(scene));
        for item in &picked {
            let position = scene.spot_in(disc);
            or_wait!(scene.set(Setting::Item(*item, ItemSetting::Position(position))));
        }
        Attempt::done(self.meant().told(picked.len(), "moved"))
    }
}
