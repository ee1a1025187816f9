//! A robot that a person drove is returned to its software.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns a robot to its software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Release(pub String);

impl Disturb for Release {
    const ABOUT: About = About::new(
        Subject::Robot,
        "a robot that a person took over is returned to its software",
        "{at: 2 min, release: blue}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.robot("", &self.0).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let Some(robot) = scene.model.robot(&self.0) else {
            return Attempt::NotYet(format!("there is no robot {}", self.0));
        };
        // Only a release can wait, not a take-over.
        let driven = scene.state.robots[robot].faults.release();
        let end = if driven { "is given back to its software" } else { "is free already" };
        scene.done_to(&[robot], |name| format!("{name} {end}"))
    }
}
