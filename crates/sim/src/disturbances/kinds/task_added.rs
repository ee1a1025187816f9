//! The operator wants a task done that was not wanted before.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator wants the task of this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TaskAdded(pub String);

impl Disturb for TaskAdded {
    const SUMMARY: &'static str =
        "the operator wants a task that was cancelled, or that is `open: false` at the start";
    const EXAMPLE: &'static str = "{at: 5 min, task-added: report-progress}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        cast.task("", &self.0).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        scene.order(&self.0, Some(true), None, format!("task {} is added", self.0))
    }
}
