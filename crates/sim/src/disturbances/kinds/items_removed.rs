//! Items disappear.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Items that lie on the floor disappear; which ones is chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemsRemoved {
    /// Their kind.
    pub item: String,
    /// How many; as many as there are if there are fewer.
    #[serde(default = "super::one")]
    #[schemars(range(min = 1, max = 10000))]
    pub count: u32,
    /// Only from this area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
}

/// Random items of a kind that lie on the floor, in an area if one is given.
pub(super) fn pick(
    scene: &mut Scene,
    kind: &str,
    count: u32,
    area: Option<&str>,
) -> Result<Vec<u32>, String> {
    let area = area.map(|name| scene.area(name)).transpose()?;
    let world = &scene.state.world;
    let within = |at| area.is_none_or(|index| world.areas[index].outline.contains(at));
    let items = world.items.iter().enumerate();
    let mut lying: Vec<u32> = items
        .filter(|(_, item)| item.lies() && &*item.kind == kind && within(item.position))
        .map(|(index, _)| index as u32)
        .collect();
    if lying.is_empty() {
        return Err(format!("no {kind} lies there"));
    }
    let mut picked = Vec::new();
    while picked.len() < count as usize && !lying.is_empty() {
        picked.push(lying.swap_remove(scene.random.below(lying.len())));
    }
    Ok(picked)
}

impl Disturb for ItemsRemoved {
    const SUMMARY: &'static str = "items disappear from the floor";
    const EXAMPLE: &'static str = "{at: 5 min, items-removed: {item: waste, count: 5, area: top spill}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.item("item", &self.item)?;
        self.area.as_ref().map_or(Ok(()), |area| cast.area("area", area))
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let picked = super::or_wait!(pick(scene, &self.item, self.count, self.area.as_deref()));
        let before =
            picked.iter().map(|&item| (item, scene.state.world.items[item as usize].position)).collect();
        picked.iter().for_each(|item| scene.hide_item(*item));
        Outcome::done(format!("{} {} removed", picked.len(), self.item), Undo::PutItems(before))
    }
}
