//! An object changes: a can is suddenly empty, a door opens, a heater warms up.

use super::super::about::{About, Subject};
use super::super::setting::{ObjectSetting, Quantity, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Properties of an object that change; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectChange {
    /// Garbage in it.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub garbage: Option<f64>,
    /// Dust on it.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub dust: Option<f64>,
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
    /// What changes. Penetrability comes first, because only that may have to wait.
    fn numbers(&self) -> impl Iterator<Item = (Quantity, f64)> {
        let all = [
            (Quantity::Penetrability, self.penetrability),
            (Quantity::Garbage, self.garbage),
            (Quantity::Dust, self.dust),
            (Quantity::Heat, self.heat),
            (Quantity::Height, self.height),
            (Quantity::Damping, self.damping),
        ];
        all.into_iter().filter_map(|(quantity, value)| value.map(|value| (quantity, value)))
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
        "an object changes: a can is suddenly empty, furniture dusty again, a door open",
        "{at: 90 s, object-changed: {object: can 1, garbage: 0}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        if self.change == ObjectChange::default() {
            let message =
                "nothing changes: give `garbage`, `dust`, `heat`, `penetrability`, `height` or `damping`";
            return Err(Complaint::new("", message));
        }
        inventory.object("object", &self.object)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let id = or_wait!(scene.object(&self.object)).id;
        for (quantity, value) in self.change.numbers() {
            or_wait!(scene.set(Setting::Object(id, ObjectSetting::Number(quantity, value))));
        }
        let what = match &self.change {
            ObjectChange { garbage: Some(garbage), .. } if *garbage == 0.0 => "is empty",
            ObjectChange { garbage: Some(_), .. } => "is full",
            ObjectChange { dust: Some(dust), .. } if *dust > 0.0 => "is dusty",
            _ => "changes",
        };
        Attempt::done(format!("{} {what}", self.object))
    }
}
