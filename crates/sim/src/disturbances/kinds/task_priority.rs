//! The operator changes the urgency of a task.

use super::super::about::{About, Subject};
use super::super::setting::{Setting, TaskSetting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator changes the urgency of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TaskPriority {
    /// The task.
    pub task: String,
    /// Its urgency: 1 for an ordinary task; at 2, robots accept twice the cost.
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0.0))]
    pub weight: f64,
}

impl Disturb for TaskPriority {
    const ABOUT: About = About::new(
        Subject::Task,
        "the operator makes a task more or less urgent",
        "{at: 2 min, task-priority: {task: move-spill-bottom, weight: 3}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.task("task", &self.task).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let task = or_wait!(scene.task(&self.task));
        or_wait!(scene.set(Setting::Task(task, TaskSetting::Weight(self.weight))));
        Attempt::done(format!("task {} has weight {}", self.task, self.weight))
    }
}
