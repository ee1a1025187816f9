//! An object changes: a can is suddenly empty, a door opens, a heater warms up.

use super::super::about::{About, Subject};
use super::super::setting::{ObjectSetting, Quantity, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Properties of an object that change; those that are not given stay the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectChange {
    /// Amounts on it or in it by name, such as `garbage: 0`.
    #[serde(default)]
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0.0}, "x-amounts" = true))]
    pub stocks: BTreeMap<String, f64>,
    /// Heat it gives off at a distance of 1 m.
    #[serde(default)]
    pub heat: Option<f64>,
    /// Penetrability: up to 0.1 nothing passes; below 1 robots are slower; 1 has no effect; above 1 they are faster.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub penetrability: Option<f64>,
    /// Its height.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: Option<f64>,
    /// Damping of radio signals that pass through it, per crossing.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 200.0), extend("x-unit" = "dB"))]
    pub damping: Option<f64>,
}

impl ObjectChange {
    /// The changes. Penetrability comes first, because only that may have to wait.
    fn numbers(&self) -> impl Iterator<Item = (Quantity, f64)> {
        let all = [
            (Quantity::Penetrability, self.penetrability),
            (Quantity::Heat, self.heat),
            (Quantity::Height, self.height),
            (Quantity::Damping, self.damping),
        ];
        let stocks = self.stocks.iter().map(|(name, amount)| (Quantity::Stock(name.clone()), *amount));
        all.into_iter().filter_map(|(quantity, value)| value.map(|value| (quantity, value))).chain(stocks)
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
    const ABOUT: About = About::new(
        Subject::Object,
        "an object changes: a can is suddenly empty, furniture dusty again, a door open; `stocks`, `heat`, `penetrability`, `height` and `damping` can change",
        "{at: 90 s, object-changed: {object: can 1, stocks: {garbage: 0}}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        if self.change == ObjectChange::default() {
            let message = "nothing changes: give `stocks`, `heat`, `penetrability`, `height` or `damping`";
            return Err(Complaint::new("", message));
        }
        inventory.object("object", &self.object)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let id = or_wait!(scene.object(&self.object)).id;
        for (quantity, value) in self.change.numbers() {
            or_wait!(scene.set(Setting::Object(id, ObjectSetting::Number(quantity, value))));
        }
        let what = match self.change.stocks.first_key_value() {
            Some((stock, 0.0)) => format!("has no {stock} left"),
            Some((stock, amount)) => format!("has {amount} of {stock}"),
            None => "changes".into(),
        };
        Attempt::done(format!("{} {what}", self.object))
    }
}
