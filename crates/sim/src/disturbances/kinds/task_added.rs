//! The operator wants a task that was not wanted before.

use super::super::about::{About, Subject};
use super::super::setting::{Setting, TaskSetting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator wants the task of this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TaskAdded(pub String);

impl Disturb for TaskAdded {
    const ABOUT: About = About::new(
        Subject::Task,
        "the operator wants a task that was cancelled, or that is `open: false` at the start",
        "{at: 5 min, task-added: report-progress}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.task("", &self.0).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let task = or_wait!(scene.task(&self.0));
        or_wait!(scene.set(Setting::Task(task, TaskSetting::Open(true))));
        Attempt::done(format!("task {} is added", self.0))
    }
}
