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

/// What a robot works on: a behaviour set, and which piece of its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Choice {
    /// The behaviour set.
    pub behaviour: BehaviourId,
    /// What exactly of its task.
    pub subject: Subject,
}

/// Something that must get done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskSpec {
    /// Its name.
    pub name: String,
    /// What it is about, in one line.
    pub summary: String,
    /// One robot at a time per subject if true; otherwise several may work on it.
    pub exclusive: bool,
    /// Tasks that must be finished before this one makes sense.
    pub after: Vec<TaskId>,
    /// Tasks of which one must be in progress while this one is worked on.
    pub during: Vec<TaskId>,
    /// Time after which a finished task is due again; never without it. [s]
    pub every: Option<f64>,
    /// True if it is to be done from the start; the operator may open or cancel it later.
    pub open: bool,
    /// How urgent the operator finds it, 1 for an ordinary task.
    pub weight: f64,
}

impl TaskSpec {
    /// A task without any order: exclusive, open, of ordinary weight.
    pub fn new(name: &str, summary: &str) -> TaskSpec {
        TaskSpec {
            name: name.into(),
            summary: summary.into(),
            exclusive: true,
            after: Vec::new(),
            during: Vec::new(),
            every: None,
            open: true,
            weight: 1.0,
        }
    }

    /// The same task, for several robots at a time.
    pub fn shared(mut self) -> TaskSpec {
        self.exclusive = false;
        self
    }

    /// The same task, once another is finished.
    pub fn after(mut self, task: TaskId) -> TaskSpec {
        self.after.push(task);
        self
    }

    /// The same task, while another is in progress.
    pub fn during(mut self, task: TaskId) -> TaskSpec {
        self.during.push(task);
        self
    }

    /// The same task, due again some time after it was finished. [s]
    pub fn every(mut self, seconds: f64) -> TaskSpec {
        self.every = Some(seconds);
        self
    }
}

/// How robots of one type perform a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BehaviourSpec {
    /// The behaviour set's name.
    pub name: String,
    /// The task it performs, h_i(a_ij).
    pub task: TaskId,
}
