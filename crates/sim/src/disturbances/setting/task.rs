//! The operator's orders about tasks that disturbances override.

use super::super::scene::Scene;
use serde::{Deserialize, Serialize};

/// The operator's order about a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum TaskSetting {
    /// Whether it is wanted.
    Open(bool),
    /// How urgent it is.
    Weight(f64),
}

impl TaskSetting {
    pub(super) fn swap(&self, task: usize, scene: &mut Scene) -> Option<TaskSetting> {
        let (now, operator) = (scene.now, &mut scene.state.operator);
        let before = operator.word(task)?;
        Some(match *self {
            TaskSetting::Open(open) => {
                operator.order(now, task, Some(open), None);
                TaskSetting::Open(before.open)
            }
            TaskSetting::Weight(weight) => {
                operator.order(now, task, None, Some(weight));
                TaskSetting::Weight(before.weight)
            }
        })
    }
}
