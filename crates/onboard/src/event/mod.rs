//! Events: explanations of a robot's actions, as plain data.

mod kind;

pub use kind::{EventKind, Topic};

use crate::hardware::RobotId;
use crate::task::{BehaviourId, TaskId};
use serde::Serialize;
use std::borrow::Cow;

/// A named number that went into a decision: a motivation, a rate, a distance, a bid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: f64,
}

/// Something that happened on board and is worth reporting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The reason as text.
    pub why: Cow<'static, str>,
    /// The behaviour set concerned.
    pub behaviour: Option<BehaviourId>,
    /// The task concerned.
    pub task: Option<TaskId>,
    /// The team-mate concerned.
    pub other: Option<RobotId>,
    /// The numbers behind it.
    pub terms: Vec<Term>,
}

impl Event {
    /// An event of this kind.
    pub fn new(kind: EventKind, why: impl Into<Cow<'static, str>>) -> Event {
        Event { kind, why: why.into(), behaviour: None, task: None, other: None, terms: Vec::new() }
    }

    /// About this behaviour set and its task.
    pub fn about(mut self, behaviour: BehaviourId, task: TaskId) -> Event {
        self.behaviour = Some(behaviour);
        self.task = Some(task);
        self
    }

    /// Because of this team-mate.
    pub fn by(mut self, other: RobotId) -> Event {
        self.other = Some(other);
        self
    }

    /// With one more number.
    pub fn with(mut self, name: &'static str, value: f64) -> Event {
        self.terms.push(Term { name: name.into(), value });
        self
    }
}
