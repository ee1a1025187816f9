//! A jammer is switched, moved or changed.

use super::super::scene::inherit;
use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use crewlab_onboard::geometry::Pose;
use crewlab_world::Object;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::mem::replace;

/// What changes about a jammer; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JammerChange {
    /// Whether it is on.
    pub on: Option<bool>,
    /// Its power. [dBm]
    pub power: Option<f64>,
}

impl JammerChange {
    /// Takes over from an earlier change what it found, where both change the same.
    pub(in super::super) fn inherit(&mut self, earlier: &mut JammerChange) {
        inherit(&mut self.on, &mut earlier.on);
        inherit(&mut self.power, &mut earlier.power);
    }

    /// Makes the change; gives the one that takes it back.
    pub(in super::super) fn swap_into(&self, object: &mut Object) -> JammerChange {
        let Some(jammer) = &mut object.jammer else { return JammerChange::default() };
        JammerChange {
            on: self.on.map(|on| replace(&mut jammer.on, on)),
            power: self.power.map(|power| replace(&mut jammer.power, power)),
        }
    }
}

/// A jammer is switched, moved or changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Jammer {
    /// The name of the object it is on.
    pub object: String,
    /// Whether it is on.
    #[serde(default = "yes")]
    pub on: bool,
    /// Where its centre goes; it stays where it is without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Its power; as before without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -60.0, max = 80.0), extend("x-unit" = "dBm"))]
    pub power: Option<f64>,
}

fn yes() -> bool {
    true
}

impl Disturb for Jammer {
    const SUMMARY: &'static str =
        "a jammer, that is an object with `jammer`, is switched on or off, moved, or gets another power";
    const EXAMPLE: &'static str =
        "{at: 2 min, for: 1 min, jammer: {object: jammer, at: [4 m, 4 m], power: 10 dBm}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.physical_radio()?;
        cast.jammer("object", &self.object)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let object = or_wait!(scene.object(&self.object));
        if object.jammer.is_none() {
            return Outcome::NotYet(format!("`{}` is no jammer", self.object));
        }
        let (id, before) = (object.id, object.pose);
        let mut undo = Vec::new();
        if let Some([x, y]) = self.at {
            or_wait!(scene.move_object(id, Pose::new(x, y, before.heading)));
            undo.push(Undo::MoveBack(id, before));
        }
        let back = scene.tune(id, &JammerChange { on: Some(self.on), power: self.power });
        undo.push(Undo::TuneBack(id, back));
        let word = if self.on { "jams" } else { "is switched off" };
        Outcome::done(format!("{} {word}", self.object), Undo::All(undo))
    }
}
