//! The operator no longer wants a task.

use super::super::about::{About, Subject};
use super::super::setting::{Setting, TaskSetting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator cancels the task of this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TaskCancelled(pub String);

impl Disturb for TaskCancelled {
    const ABOUT: About = About::new(
        Subject::Task,
        "the operator cancels a task; robots receive the order by radio, at once and then every 10 s, and the referee no longer counts the task",
        "{at: 5 min, for: 3 min, task-cancelled: move-spill-top}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.task("", &self.0).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let task = or_wait!(scene.task(&self.0));
        or_wait!(scene.set(Setting::Task(task, TaskSetting::Open(false))));
        Attempt::done(format!("task {} is cancelled", self.0))
    }
}
