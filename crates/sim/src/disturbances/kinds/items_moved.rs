//! Items are moved.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::items_removed::pick;
use super::or_wait;
use super::place::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Items that lie on the floor are moved; which ones is chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ItemsMoved {
    /// Their kind.
    pub item: String,
    /// How many; as many as there are if there are fewer.
    #[serde(default = "super::one")]
    #[schemars(range(min = 1, max = 10000))]
    pub count: u32,
    /// Only from this area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where to.
    #[serde(flatten)]
    pub place: Place,
}

impl Disturb for ItemsMoved {
    const SUMMARY: &'static str = "items on the floor are moved";
    const EXAMPLE: &'static str =
        "{at: 5 min, items-moved: {item: waste, count: 3, from: top spill, area: bottom spill}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.item("item", &self.item)?;
        self.from.as_ref().map_or(Ok(()), |area| cast.area("from", area))?;
        self.place.check(cast)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let disc = or_wait!(self.place.disc(scene));
        let picked = or_wait!(pick(scene, &self.item, self.count, self.from.as_deref()));
        let before =
            picked.iter().map(|&item| (item, scene.state.world.items[item as usize].position)).collect();
        for item in &picked {
            let position = scene.spot_in(disc);
            scene.put_item(*item, position);
        }
        Outcome::done(format!("{} {} moved", picked.len(), self.item), Undo::MoveItems(before))
    }
}
