//! Tasks and the behaviour sets that perform them.

use serde::{Deserialize, Serialize};

/// A task's number in the mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId(pub u16);

/// A behaviour set's number on one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BehaviourId(pub u8);

/// What exactly is worked on where that is finer than the task: a frequency, an object, a quadrant. 0 if the task
/// is not divided.
pub type Subject = u32;

/// Something that must get done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskSpec {
    /// Its name.
    pub name: String,
    /// What it is about, in one line.
    pub summary: String,
    /// One robot at a time if true; otherwise several may work on it.
    pub exclusive: bool,
}

/// How robots of one type perform a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BehaviourSpec {
    /// The behaviour set's name.
    pub name: String,
    /// The task it performs, h_i(a_ij).
    pub task: TaskId,
}
