//! Tasks and the behaviour sets that perform them.

use crate::capability::Constraint;
use crate::robot_id::RobotId;
use serde::{Deserialize, Serialize};

/// A task's number in the mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId(pub u16);

/// A behaviour set's number on one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BehaviourId(pub u8);

/// A part of a task: a frequency, an object, a quadrant. 0 if the task is not divided.
pub type Subject = u32;

/// A robot's work: a behaviour set, and a piece of its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Choice {
    /// The behaviour set.
    pub behaviour: BehaviourId,
    /// The piece of its task.
    pub subject: Subject,
}

/// A piece of work that has to be done by somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// The task.
    pub task: TaskId,
    /// The piece of it.
    pub subject: Subject,
}

/// A team-mate that does another part of the same plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partner {
    /// The team-mate.
    pub robot: RobotId,
    /// Its part.
    pub part: TaskId,
}

/// The state of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is something left to do.
    Ongoing,
    /// It is done.
    Done,
    /// It is impossible in this way.
    Failed(&'static str),
    /// It may not be worked on now: it is cancelled, or another task comes first.
    Unwanted,
}

/// An action of a plan that has just failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setback {
    /// What happened.
    pub why: &'static str,
    /// The capability that failed, if the robot itself caused the failure.
    pub capability: Option<String>,
}

/// Something that must get done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskSpec {
    /// Its name.
    pub name: String,
    /// A one-line description.
    pub summary: String,
    /// One robot at a time per subject if true; otherwise several may work on it.
    pub exclusive: bool,
    /// Tasks that must be finished before this one makes sense.
    pub after: Vec<TaskId>,
    /// Tasks of which one must be in progress while this one is worked on.
    pub during: Vec<TaskId>,
    /// Time after which a finished task is due again; `None` for never. [s]
    pub every: Option<f64>,
    /// True if it is to be done from the start; the operator may open or cancel it later.
    pub open: bool,
    /// The operator's urgency, 1 for an ordinary task.
    pub weight: f64,
    /// Its utility: the seconds of work that would be worth spending on it. [s]
    pub utility: f64,
    /// The utility of the best way to do it alone. Filled in when a run is set up. [s]
    pub most: f64,
    /// True if it is only a part of another task's plan, with partners.
    pub part: bool,
    /// Ways to do it together.
    pub plans: Vec<TaskPlan>,
    /// What a robot needs to do it alone: one of the ways of [`BehaviourSpec`]. Filled in when a run is set up.
    pub needs: Constraint,
}

/// The default utility of a task. [s]
pub const UTILITY: f64 = 600.0;

/// A way to do a task together: one part per robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskPlan {
    /// Its name.
    pub name: String,
    /// Its parts, at least two, one robot each.
    pub parts: Vec<TaskId>,
}

impl TaskSpec {
    /// A task without ordering constraints: exclusive, open, of ordinary urgency.
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
            utility: UTILITY,
            most: UTILITY,
            part: false,
            plans: Vec::new(),
            needs: Constraint::All(Vec::new()),
        }
    }

    /// The same task with this utility. [s]
    pub fn worth(mut self, utility: f64) -> TaskSpec {
        (self.utility, self.most) = (utility, utility);
        self
    }

    /// The same task, as a mere part of another one's plan.
    pub fn as_part(mut self) -> TaskSpec {
        self.part = true;
        self
    }

    /// The same task, with one more way to do it together.
    pub fn together(mut self, name: &str, parts: &[TaskId]) -> TaskSpec {
        self.plans.push(TaskPlan { name: name.into(), parts: parts.to_vec() });
        self
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

/// One step of an action plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionSpec {
    /// Its name.
    pub name: String,
    /// Its requirements.
    pub needs: Constraint,
}

/// A behaviour set: one robot's way to do a task, as an action plan. A robot has those that it is equipped for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BehaviourSpec {
    /// The behaviour set's name.
    pub name: String,
    /// The task it performs, h_i(a_ij).
    pub task: TaskId,
    /// Its actions, in order.
    pub actions: Vec<ActionSpec>,
    /// The utility of the task if it is done in this way, where that differs from the task's own. [s]
    pub utility: Option<f64>,
}

impl BehaviourSpec {
    /// A way to do a task, without any action yet.
    pub fn new(name: &str, task: TaskId) -> BehaviourSpec {
        BehaviourSpec { name: name.into(), task, actions: Vec::new(), utility: None }
    }

    /// The same way, with one more action at its end.
    pub fn action(mut self, name: &str, needs: Constraint) -> BehaviourSpec {
        self.actions.push(ActionSpec { name: name.into(), needs });
        self
    }

    /// The same way with this utility. [s]
    pub fn worth(mut self, utility: f64) -> BehaviourSpec {
        self.utility = Some(utility);
        self
    }

    /// Its requirements: those of all its actions.
    pub fn needs(&self) -> Constraint {
        let all = self.actions.iter().map(|action| action.needs.clone());
        all.fold(Constraint::All(Vec::new()), Constraint::and)
    }
}
