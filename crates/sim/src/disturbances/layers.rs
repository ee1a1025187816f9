//! The overrides of lasting disturbances, and the values that come back when they end.
//!
//! Each overridden property has a stack: the value before, and a layer for each disturbance that is still active. The topmost
//! layer applies. The end of a disturbance removes its layers, wherever they are in the stacks.

use super::scene::Scene;
use super::setting::{ObjectSetting, Setting};
use crate::faults::FOR_GOOD;
use crewlab_world::{Object, ObjectId};
use serde::{Deserialize, Serialize};

/// All overridden properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Layers {
    stacks: Vec<Stack>,
    /// Objects that are outside the world and may come back.
    away: Vec<Object>,
}

/// An overridden property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stack {
    /// The value before the first layer.
    before: Setting,
    /// Tokens of disturbances and their values, the latest last. A value that changes by itself, such as the pose of an object on a
    /// path, is saved in its layer when the next one covers it.
    layers: Vec<(u32, Setting)>,
}

impl Stack {
    /// Removes the layer with this token. If it was the topmost, the next one applies again; if that must wait, the layer stays.
    fn end(&mut self, token: u32, scene: &mut Scene) -> Result<(), String> {
        let Some(place) = self.layers.iter().position(|(by, _)| *by == token) else { return Ok(()) };
        if place + 1 == self.layers.len() {
            let below = place.checked_sub(1).map_or(&self.before, |below| &self.layers[below].1);
            below.swap(scene)?;
        }
        self.layers.remove(place);
        Ok(())
    }
}

impl Layers {
    /// An object that is outside the world.
    pub(super) fn away(&self, id: ObjectId) -> Option<&Object> {
        self.away.iter().find(|object| object.id == id)
    }

    /// An object that is outside the world, mutable.
    pub(super) fn away_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.away.iter_mut().find(|object| object.id == id)
    }

    /// Stores an object that was taken out of the world.
    pub(super) fn keep(&mut self, object: Object) {
        self.away.push(object);
    }

    /// Returns an object that was taken out of the world.
    pub(super) fn take(&mut self, id: ObjectId) -> Option<Object> {
        let place = self.away.iter().position(|object| object.id == id)?;
        Some(self.away.remove(place))
    }

    /// Records a value set by a disturbance. A permanent value covers everything below it forever, so no layer of that property
    /// is kept.
    pub(super) fn note(&mut self, token: u32, before: Setting, setting: Setting) {
        let place = self.stacks.iter().position(|stack| stack.before.same_property(&setting));
        match place {
            Some(place) if token == FOR_GOOD => {
                self.stacks.remove(place);
            }
            None if token == FOR_GOOD => {}
            Some(place) => {
                let layers = &mut self.stacks[place].layers;
                if let Some((_, covered)) = layers.last_mut() {
                    *covered = before;
                }
                layers.push((token, setting));
            }
            None => self.stacks.push(Stack { before, layers: vec![(token, setting)] }),
        }
        self.forget();
    }

    /// Forgets objects that cannot come back.
    fn forget(&mut self) {
        let stacks = &self.stacks;
        self.away.retain(|object| {
            let presence = Setting::Object(object.id, ObjectSetting::Present(true));
            stacks.iter().any(|stack| stack.before.same_property(&presence))
        });
    }
}

/// Ends the overrides of the disturbance with the scene's token, or tells why some must wait. Those that wait do not delay
/// the rest.
pub(super) fn end(scene: &mut Scene) -> Result<(), String> {
    let token = scene.token;
    let mut stacks = std::mem::take(&mut scene.layers.stacks);
    let ended: Vec<Result<(), String>> = stacks.iter_mut().map(|stack| stack.end(token, scene)).collect();
    stacks.retain(|stack| !stack.layers.is_empty());
    scene.layers.stacks = stacks;
    scene.layers.forget();
    ended.into_iter().collect()
}
