//! An obstacle, a can, a piece of furniture appears.

use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_world::ObjectSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An object appears. It is described as under `world.objects`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ObjectAdded(pub Box<ObjectSpec>);

impl Disturb for ObjectAdded {
    const SUMMARY: &'static str =
        "an obstacle, a can, a piece of furniture appears; it waits while a robot stands there";
    const EXAMPLE: &'static str =
        "{at: 1 min, for: 3 min, object-added: {name: crate, rectangle: [1 m, 0.5 m], at: [6 m, 4 m]}}";

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

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let object = or_wait!(self.0.build());
        or_wait!(scene.no_robot_at(&object, &object.pose));
        let name = if object.name.is_empty() { "an object".to_string() } else { object.name.clone() };
        scene.add_walker(object);
        Attempt::done(format!("{name} appears"))
    }
}
