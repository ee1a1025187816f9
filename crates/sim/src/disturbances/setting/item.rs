//! Properties of items that disturbances override.

use super::super::scene::Scene;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};
use std::mem::{discriminant, replace};

/// A property of an item with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum ItemSetting {
    /// Whether it exists. An item that comes back lies where it was.
    Present(bool),
    /// Where it lies. A held item is taken out of the hand.
    Position(Vec2),
    /// The value of an aspect, if it has one of this name.
    Aspect(String, f64),
}

impl ItemSetting {
    pub(super) fn same_property(&self, other: &ItemSetting) -> bool {
        match (self, other) {
            (ItemSetting::Aspect(one, _), ItemSetting::Aspect(other, _)) => one == other,
            _ => discriminant(self) == discriminant(other),
        }
    }

    pub(super) fn swap(&self, item: u32, scene: &mut Scene) -> Option<ItemSetting> {
        let there = scene.state.world.items.get_mut(item as usize)?;
        let (present, place) = (there.present, there.position);
        Some(match self {
            ItemSetting::Present(wanted) => {
                match *wanted {
                    true if !present => put(item, place, scene),
                    false => hide(item, scene),
                    _ => {}
                }
                ItemSetting::Present(present)
            }
            ItemSetting::Position(position) => {
                // An absent item stays away, and comes back at this place if it comes back.
                if present {
                    put(item, *position, scene);
                } else {
                    there.position = *position;
                }
                ItemSetting::Position(place)
            }
            ItemSetting::Aspect(name, wanted) => {
                ItemSetting::Aspect(name.clone(), replace(there.properties.value_mut(name)?, *wanted))
            }
        })
    }
}

/// Takes an item out of the world, out of a gripper too.
fn hide(item: u32, scene: &mut Scene) {
    let world = &mut scene.state.world;
    if let Some(holder) = world.items[item as usize].holder.take() {
        let holder = &mut world.bodies[holder];
        (holder.holding, holder.offer) = (None, None);
    }
    world.items[item as usize].present = false;
    world.items_changed();
}

/// Puts an item on the floor somewhere.
fn put(item: u32, position: Vec2, scene: &mut Scene) {
    hide(item, scene);
    let there = &mut scene.state.world.items[item as usize];
    (there.position, there.present, there.keeper) = (position, true, None);
}
