//! The operator finds a task more or less urgent.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator finds a task more or less urgent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TaskPriority {
    /// The task.
    pub task: String,
    /// How urgent it is: 1 for an ordinary task, 2 for one that is worth twice the way.
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0.0))]
    pub weight: f64,
}

impl Disturb for TaskPriority {
    const SUMMARY: &'static str = "the operator finds a task more or less urgent";
    const EXAMPLE: &'static str = "{at: 2 min, task-priority: {task: move-spill-bottom, weight: 3}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.task("task", &self.task).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let what = format!("task {} has weight {}", self.task, self.weight);
        scene.order(&self.task, None, Some(self.weight), what)
    }
}
