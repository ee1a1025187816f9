//! An obstacle, a can, a piece of furniture appears.

use super::super::about::{About, Breaking, Subject};
use super::super::stress::{CRATE, Ground, Spot, Stressor, Whom, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_world::ObjectSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An object appears. It is described as under `world.objects`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ObjectAdded(pub Box<ObjectSpec>);

impl Disturb for ObjectAdded {
    const ABOUT: About = About {
        breaking: Breaking::by_name(
            "a crate of 90 x 90 cm in each place; with a physical radio also a jammer of 30 dBm",
        ),
        ..About::new(
            Subject::Object,
            "an obstacle, a can, a piece of furniture appears; waits while a robot stands there",
            "{at: 1 min, for: 3 min, object-added: {name: crate, rectangle: [1 m, 0.5 m], at: [6 m, 4 m]}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let types: Vec<&str> =
            inventory.team.iter().map(|member| member.identity.robot_type.as_str()).collect();
        if let Some(name) = self.0.passable_for.keys().find(|name| !types.contains(&name.as_str())) {
            let message = format!("no robot of the team is of the type `{name}`");
            return Err(Complaint::new("passable-for", message));
        }
        self.0.build().map(|_| ()).map_err(|message| Complaint::new("", message))
    }

    fn adds(&self) -> Option<&str> {
        Some(&self.0.name)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let jammer = |spot: &Spot| {
            let (at, there) = (spot.entry(), spot.words());
            let put_up = |level| {
                let jammer = json!({"power": format!("{level} dBm")});
                let entry = json!({"name": "jammer", "circle": "0.1 m", "at": at, "penetrability": 1, "jammer": jammer});
                (entry, format!("a jammer of {level} dBm is put up {there}"))
            };
            Stressor::graded("jammer", 2, Whom::Place(spot.clone()), up_to(30), put_up)
        };
        let put_down = |spot: &Spot| {
            let (at, there) = (spot.entry(), spot.words());
            let put_down = |level| {
                let side = format!("{} m", f64::from(level) / 100.0);
                let entry = json!({"name": "crate", "rectangle": [side, side], "at": at});
                (entry, format!("a crate {level} cm wide is put down {there}"))
            };
            let lasts = if spot.needed { ground.end } else { None };
            Stressor::graded("crate", 1, Whom::Place(spot.clone()), up_to(CRATE), put_down).lasting(lasts)
        };
        // An obstacle that could defeat any team must be temporary.
        let crates = ground.spots.iter().filter(|spot| !spot.needed || ground.end.is_some()).map(put_down);
        let jammers = ground.spots.iter().filter(|_| ground.can_be_drowned()).map(jammer);
        crates.chain(jammers).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let object = or_wait!(self.0.build());
        or_wait!(scene.room_for(&object, &object.pose, None));
        let name = if object.name.is_empty() { "an object".to_string() } else { object.name.clone() };
        scene.add_walker(object);
        Attempt::done(format!("{name} appears"))
    }
}
