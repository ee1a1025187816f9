//! An object changes: a can is suddenly empty, a door opens, a heater warms up.

use super::super::scene::inherit;
use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use crewlab_world::Object;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::mem::replace;

/// Properties of an object that change; what is left out stays as it is. Part of the state, in which no field may be
/// skipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectChange {
    /// Amounts of something on it or in it by name, such as `garbage: 0`.
    #[serde(default)]
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0.0}, "x-amounts" = true))]
    pub stocks: BTreeMap<String, f64>,
    /// Heat it gives off at a distance of 1 m.
    #[serde(default)]
    pub heat: Option<f64>,
    /// Up to 0.1 nothing passes; below 1 slows; 1 has no effect; above 1 speeds up.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub penetrability: Option<f64>,
    /// Its height.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: Option<f64>,
    /// How much it damps radio signals that pass through it, per crossing.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 200.0), extend("x-unit" = "dB"))]
    pub damping: Option<f64>,
}

impl ObjectChange {
    /// Takes over from an earlier change what it found, where both change the same.
    pub(in super::super) fn inherit(&mut self, earlier: &mut ObjectChange) {
        for (name, mine) in &mut self.stocks {
            if let Some(found) = earlier.stocks.remove(name) {
                *mine = found;
            }
        }
        inherit(&mut self.heat, &mut earlier.heat);
        inherit(&mut self.penetrability, &mut earlier.penetrability);
        inherit(&mut self.height, &mut earlier.height);
        inherit(&mut self.damping, &mut earlier.damping);
    }

    /// Makes the change; gives the one that takes it back.
    pub(in super::super) fn swap_into(&self, object: &mut Object) -> ObjectChange {
        let swap = |new: Option<f64>, old: &mut f64| new.map(|new| replace(old, new));
        ObjectChange {
            stocks: self
                .stocks
                .iter()
                .map(|(name, new)| {
                    (name.clone(), replace(object.properties.stocks.amount_mut(name), *new))
                })
                .collect(),
            heat: swap(self.heat, &mut object.heat),
            penetrability: swap(self.penetrability, &mut object.penetrability),
            height: swap(self.height, &mut object.height),
            damping: swap(self.damping, &mut object.damping),
        }
    }
}

/// An object changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectChanged {
    /// Its name.
    pub object: String,
    /// What changes.
    #[serde(flatten)]
    pub change: ObjectChange,
}

impl Disturb for ObjectChanged {
    const SUMMARY: &'static str =
        "an object changes: a can is suddenly empty, furniture dusty again, a door open";
    const EXAMPLE: &'static str = "{at: 90 s, object-changed: {object: can 1, stocks: {garbage: 0}}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        if self.change == ObjectChange::default() {
            let message =
                "nothing changes: give `stocks`, `heat`, `penetrability`, `height` or `damping`";
            return Err(Complaint::new("", message));
        }
        cast.object("object", &self.object)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let id = or_wait!(scene.object(&self.object)).id;
        let back = or_wait!(scene.change_object(id, &self.change));
        let what = match self.change.stocks.first_key_value() {
            Some((stock, 0.0)) => format!("has no {stock} left"),
            Some((stock, amount)) => format!("has {stock} {amount}"),
            None => "changes".into(),
        };
        Outcome::done(format!("{} {what}", self.object), Undo::ChangeBack(id, back))
    }
}
