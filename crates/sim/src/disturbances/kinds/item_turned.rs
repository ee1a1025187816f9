//! An item is turned, so that its handle points elsewhere.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// An item with a handle that nobody holds is turned; which one of its kind is chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemTurned {
    /// Its kind.
    pub item: String,
    /// Direction in which its handle points then; any without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub to: Option<f64>,
}

impl Disturb for ItemTurned {
    const SUMMARY: &'static str = "an item is turned, so that its handle points elsewhere";
    const EXAMPLE: &'static str = "{at: 1 min, item-turned: {item: waste, to: 90 deg}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.item("item", &self.item)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let items = scene.state.world.items.iter().enumerate();
        let turnable: Vec<usize> = items
            .filter(|(_, item)| item.lies() && item.handle.is_some() && *item.kind == *self.item)
            .map(|(index, _)| index)
            .collect();
        let Some(&index) = turnable.get(scene.random.below(turnable.len())) else {
            return Outcome::NotYet(format!("no {} with a handle stands there", self.item));
        };
        let to = self.to.unwrap_or_else(|| scene.random.between(-PI, PI));
        let before = scene.state.world.items[index].handle.replace(to);
        Outcome::done(format!("a {} is turned", self.item), Undo::TurnItems(vec![(index as u32, before)]))
    }
}
