//! Items disappear.

use super::super::about::{About, Breaking, Subject};
use super::super::setting::{ItemSetting, Setting};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_world::World;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Random items on the floor disappear. Or a single item given by its number, even out of a gripper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemsRemoved {
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

/// The affected items: a number of a kind, or one by its number.
pub(super) struct Meant<'a> {
    pub item: Option<&'a str>,
    pub number: Option<u32>,
    pub count: u32,
    /// The area they are taken from, and its key.
    pub area: (&'static str, Option<&'a str>),
}

impl Meant<'_> {
    pub(super) fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.item.map_or(Ok(()), |kind| inventory.item("item", kind))?;
        self.area.1.map_or(Ok(()), |area| inventory.area(self.area.0, area))?;
        match (self.item, self.number) {
            (None, None) => Err(Complaint::new("", "choose items with `item` (their kind) or with `number`")),
            (Some(_), None) => Ok(()),
            (_, Some(_)) if self.count != 1 => {
                Err(Complaint::new("count", "`number` means one item: leave `count` out"))
            }
            (_, Some(_)) if self.area.1.is_some() => {
                let key = self.area.0;
                Err(Complaint::new(
                    key,
                    format!("`number` means one item, wherever it is: leave `{key}` out"),
                ))
            }
            (_, Some(number)) => inventory.item_number("number", number),
        }
    }

    /// The affected items now, or why there are none.
    pub(super) fn pick(&self, scene: &mut Scene) -> Result<Vec<u32>, String> {
        let Some(number) = self.number else {
            return pick(scene, self.item.unwrap_or_default(), self.count, self.area.1);
        };
        let there = scene.state.world.items.get(number as usize).filter(|item| item.present);
        let there = there.filter(|item| self.item.is_none_or(|kind| kind == &*item.kind));
        let what = self.item.unwrap_or("item");
        there.map(|_| vec![number]).ok_or_else(|| format!("there is no {what} {number} now"))
    }

    /// A description for the log.
    pub(super) fn told(&self, count: usize, end: &str) -> String {
        match self.number {
            Some(number) => format!("{} {number} is {end}", self.item.unwrap_or("item")),
            None => format!("{count} {} {end}", self.item.unwrap_or_default()),
        }
    }
}

/// Largest number of item groups that are considered.
const MOST_GROUPS: usize = 4;
/// The largest number of items that a disturbance can affect.
const MOST_ITEMS: u32 = 10_000;

/// Items of a kind that lie in an area, or all of a kind that lie somewhere.
pub(super) struct Group {
    kind: String,
    area: Option<String>,
    pub count: u32,
}

impl Group {
    /// Its form as a stressor's target.
    pub(super) fn whom(&self) -> Whom {
        Whom::Items { kind: self.kind.clone(), area: self.area.clone() }
    }

    /// The entry for this many of them, and their destination.
    pub(super) fn entry(&self, key: &str, count: u32, place: Option<Value>) -> Value {
        let mut entry = serde_json::Map::new();
        entry.insert("item".into(), json!(self.kind));
        entry.insert("count".into(), json!(count));
        entry.extend(self.area.iter().map(|area| (key.to_string(), json!(area))));
        entry.extend(place.map(|place| ("place".to_string(), place)));
        Value::Object(entry)
    }

    /// The beginning of a description, with the right verb.
    pub(super) fn words(&self, count: u32) -> String {
        format!("{count} {} {}", self.whom().words(), if count == 1 { "is" } else { "are" })
    }
}

/// Groups of items: all in an area, or all of a kind if some are in no area.
pub(super) fn groups(world: &World) -> Vec<Group> {
    let mut groups: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for item in world.present_items().filter(|item| item.lies()) {
        let area = world.present_areas().find(|area| area.outline.contains(item.position));
        let group = (item.kind.to_string(), area.map(|area| area.name.to_string()));
        *groups.entry(group).or_default() += 1;
        *kinds.entry(item.kind.to_string()).or_default() += 1;
    }
    let group = |((kind, area), count): ((String, Option<String>), u32)| {
        let count = if area.is_none() { kinds[&kind] } else { count };
        Group { kind, area, count: count.min(MOST_ITEMS) }
    };
    groups.into_iter().take(MOST_GROUPS).map(group).collect()
}

impl ItemsRemoved {
    fn meant(&self) -> Meant<'_> {
        let area = ("area", self.area.as_deref());
        Meant { item: self.item.as_deref(), number: self.number, count: self.count, area }
    }
}

impl Disturb for ItemsRemoved {
    const ABOUT: About = About {
        breaking: Breaking::by_name(
            "all items of a kind in an area (or all of a kind, if some are in no area) are removed, and come back",
        ),
        ..About::new(
            Subject::Item,
            "items disappear from the floor: random items of a kind, or one item by its `number`, also out of a gripper",
            "{at: 5 min, items-removed: {item: waste, count: 5, area: top spill}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.meant().check(inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        // Items that never come back would defeat anybody.
        let Some(end) = ground.end else { return Vec::new() };
        let taken = |group: Group| {
            let rung =
                |level| (group.entry("area", level, None), format!("{} taken away", group.words(level)));
            Stressor::graded("", 2, group.whom(), 1..=group.count, rung).lasting(Some(end))
        };
        groups(&ground.state.world).into_iter().map(taken).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let picked = or_wait!(self.meant().pick(scene));
        for item in &picked {
            or_wait!(scene.set(Setting::Item(*item, ItemSetting::Present(false))));
        }
        Attempt::done(self.meant().told(picked.len(), "removed"))
    }
}
