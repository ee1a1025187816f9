//! Properties of objects that disturbances override.

use super::super::scene::Scene;
use crewlab_onboard::geometry::Pose;
use crewlab_world::{Object, ObjectId};
use serde::{Deserialize, Serialize};
use std::mem::{discriminant, replace};

/// A property of an object with a value. Objects that are out of the world change like others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum ObjectSetting {
    /// Whether it is in the world.
    Present(bool),
    /// Where it is.
    Pose(Pose),
    /// A number.
    Number(Quantity, f64),
    /// Whether its jammer is on.
    JammerOn(bool),
    /// The power of its jammer. [dBm]
    JammerPower(f64),
}

/// A numeric property of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Quantity {
    /// The amount of a stock.
    Stock(String),
    /// Heat it gives off.
    Heat,
    /// How easy it is to drive through.
    Penetrability,
    /// Its height. [m]
    Height,
    /// How much it damps radio signals. [dB]
    Damping,
}

impl Quantity {
    /// Writes the value into an object; gives the one that it replaces.
    fn replace(&self, object: &mut Object, value: f64) -> f64 {
        let place = match self {
            Quantity::Stock(name) => return object.properties.stocks.replace(name, value),
            Quantity::Heat => &mut object.heat,
            Quantity::Penetrability => &mut object.penetrability,
            Quantity::Height => &mut object.height,
            Quantity::Damping => &mut object.damping,
        };
        replace(place, value)
    }
}

impl ObjectSetting {
    pub(super) fn same_property(&self, other: &ObjectSetting) -> bool {
        match (self, other) {
            (ObjectSetting::Number(one, _), ObjectSetting::Number(other, _)) => one == other,
            _ => discriminant(self) == discriminant(other),
        }
    }

    pub(super) fn swap(&self, id: ObjectId, scene: &mut Scene) -> Result<Option<ObjectSetting>, String> {
        if let ObjectSetting::Present(present) = *self {
            let before = scene.state.world.object(id).is_some();
            if present {
                restore(id, scene)?
            } else {
                take_away(id, scene)
            }
            return Ok(Some(ObjectSetting::Present(before)));
        }
        if let Some(object) = scene.state.world.object(id) {
            self.room(object, scene)?;
        }
        let Scene { state, layers, .. } = scene;
        let object = state.world.object_mut(id).or_else(|| layers.away_mut(id));
        Ok(object.and_then(|object| self.write(object)))
    }

    /// Fails while something stands where this must go.
    fn room(&self, object: &Object, scene: &Scene) -> Result<(), String> {
        match self {
            ObjectSetting::Pose(pose) => scene.room_for(object, pose, Some(object.id)),
            ObjectSetting::Number(Quantity::Penetrability, value) => {
                let changed = Object { penetrability: *value, ..object.clone() };
                scene.room_for(&changed, &object.pose, Some(object.id))
            }
            _ => Ok(()),
        }
    }

    /// Writes the value into an object; returns the replaced one.
    fn write(&self, object: &mut Object) -> Option<ObjectSetting> {
        Some(match self {
            ObjectSetting::Present(_) => return None,
            ObjectSetting::Pose(pose) => {
                let before = object.pose;
                object.place(*pose);
                ObjectSetting::Pose(before)
            }
            ObjectSetting::Number(quantity, value) => {
                ObjectSetting::Number(quantity.clone(), quantity.replace(object, *value))
            }
            ObjectSetting::JammerOn(on) => {
                ObjectSetting::JammerOn(replace(&mut object.jammer.as_mut()?.on, *on))
            }
            ObjectSetting::JammerPower(power) => {
                ObjectSetting::JammerPower(replace(&mut object.jammer.as_mut()?.power, *power))
            }
        })
    }
}

/// Takes an object out of the world.
fn take_away(id: ObjectId, scene: &mut Scene) {
    if let Some(object) = scene.state.world.remove_object(id) {
        scene.layers.keep(object);
    }
}

/// Puts an object back into the world.
fn restore(id: ObjectId, scene: &mut Scene) -> Result<(), String> {
    if let Some(object) = scene.layers.away(id) {
        scene.room_for(object, &object.pose, None)?;
    }
    if let Some(object) = scene.layers.take(id) {
        scene.state.world.restore_object(object);
    }
    Ok(())
}
