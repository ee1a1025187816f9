//! Another coordinator takes over.

use super::super::about::{About, Subject};
use super::super::setting::Setting;
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, among};
use super::or_wait;
use crewlab_teams::{KINDS, Missing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// From now on another coordinator runs on all robots, including those that restart or join later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Coordinator(pub String);

/// An error message for missing parameters of a coordinator.
fn told(missing: &BTreeSet<Missing>) -> String {
    let one = |missing: &Missing| match &missing.behaviour {
        Some(set) => format!("`{}` for {set}", missing.key),
        None => format!("`{}`", missing.key),
    };
    missing.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Disturb for Coordinator {
    const ABOUT: About = About::new(
        Subject::Team,
        "another coordinator takes over on all robots, including those that restart or join later; robots keep their knowledge of the mission",
        "{at: 3 min, coordinator: alliance}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        among("", "coordinator", &self.0, &known)?;
        let Some(model) = inventory.model else { return Ok(()) };
        let booted = model.robots().filter_map(|robot| model.coordinate(robot, &self.0, false));
        let missing: BTreeSet<Missing> = booted.filter_map(Result::err).flatten().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let (name, missing) = (&self.0, told(&missing));
        let message = format!("{name} cannot take over: the scenario lacks {missing} under `team.{name}`");
        Err(Complaint::new("", message))
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        or_wait!(scene.set(Setting::Coordinator(Some(self.0.clone()))));
        Attempt::done(format!("{} coordinates the robots", self.0))
    }
}
