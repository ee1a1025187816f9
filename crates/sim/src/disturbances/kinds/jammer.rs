//! A jammer is switched, moved or changed.

use super::super::about::{About, Breaking, Need, Subject};
use super::super::setting::{ObjectSetting, Setting};
use super::super::stress::{Ground, Spot, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A jammer is switched, moved or changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Jammer {
    /// The name of the object it is on.
    pub object: String,
    /// Whether it is on.
    #[serde(default = "yes")]
    pub on: bool,
    /// The new position of its centre. Default: unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Its new power. Default: unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -60.0, max = 80.0), extend("x-unit" = "dBm"))]
    pub power: Option<f64>,
}

fn yes() -> bool {
    true
}

impl Disturb for Jammer {
    const ABOUT: About = About {
        needs: &[Need::PhysicalRadio],
        breaking: Breaking::by_name("each jammer of the scenario that is off is switched on"),
        ..About::new(
            Subject::Air,
            "an object with `jammer` is switched `on: true` or `false`, moved to `at`, or gets another `power`",
            "{at: 2 min, for: 1 min, jammer: {object: jammer, at: [4 m, 4 m], power: 10 dBm}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.jammer("object", &self.object)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let objects = ground.state.world.objects().iter().filter(|_| ground.can_be_drowned());
        let off = objects.filter(|object| object.jammer.as_ref().is_some_and(|jammer| !jammer.on));
        let on = |object: &crewlab_world::Object| {
            let name = object.name.as_str();
            let whom = Whom::Place(Spot::at(name, object.pose.position));
            Stressor::new(name, 2, whom, json!({"object": name}), format!("{name} jams the radio"))
        };
        off.filter(|object| !object.name.is_empty()).map(on).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let object = or_wait!(scene.object(&self.object));
        if object.jammer.is_none() {
            return Attempt::NotYet(format!("`{}` is not a jammer", self.object));
        }
        let (id, heading) = (object.id, object.pose.heading);
        if let Some([x, y]) = self.at {
            let pose = Pose::new(x, y, heading);
            or_wait!(scene.set(Setting::Object(id, ObjectSetting::Pose(pose))));
        }
        or_wait!(scene.set(Setting::Object(id, ObjectSetting::JammerOn(self.on))));
        if let Some(power) = self.power {
            or_wait!(scene.set(Setting::Object(id, ObjectSetting::JammerPower(power))));
        }
        let word = if self.on { "jams" } else { "is switched off" };
        Attempt::done(format!("{} {word}", self.object))
    }
}
