//! What happened and why, as plain data. The code that reports an event fills in fields; [`Event::sentence`] makes the sentence.

pub mod key;
mod kind;
mod plight;
mod reason;
mod sentence;

pub use kind::{EventKind, Topic};
pub use plight::Plight;
pub use reason::{Cause, Reason};
pub use sentence::{Names, span};

use crate::geometry::Vec2;
use crate::robot_id::RobotId;
use crate::task::{BehaviourId, Piece, Subject, TaskId};
use serde::Serialize;
use std::borrow::Cow;

/// A named number that went into a decision: a motivation, a rate, a distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Term {
    /// Its name: one of [`key`] if other code reads it, otherwise a word of the code that reports it.
    pub name: &'static str,
    /// The robot that it is about, if it is not the one that the event is about.
    pub of: Option<RobotId>,
    /// Its value.
    pub value: f64,
}

/// A robot's bid for a part of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bid {
    /// Who bids.
    pub robot: RobotId,
    /// For which part: the task itself, or a part of one of its plans.
    pub part: TaskId,
    /// The reward that the robot expects. [s]
    pub value: f64,
    /// True if it got the part.
    pub won: bool,
}

/// Something that happened and is worth reporting.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The behaviour set concerned.
    pub behaviour: Option<BehaviourId>,
    /// The task concerned.
    pub task: Option<TaskId>,
    /// The piece of the task; 0 if it is not divided.
    pub subject: Subject,
    /// The team-mate concerned.
    pub other: Option<RobotId>,
    /// The name of the thing concerned: an area, an object, a person.
    pub thing: Option<String>,
    /// Where. [m]
    pub place: Option<Vec2>,
    /// All bids of an auction.
    pub bids: Vec<Bid>,
    /// Why, if the kind alone does not say it.
    pub reason: Option<Reason>,
    /// The numbers behind it.
    pub terms: Vec<Term>,
    /// What only the reporting code can say: a disturbance what it did, a mission what it found, a team-mate what went wrong. It
    /// is for people: not part of the result hash, and not read by any program.
    pub words: Cow<'static, str>,
}

impl Event {
    /// An event of this kind.
    pub fn new(kind: EventKind) -> Event {
        Event {
            kind,
            behaviour: None,
            task: None,
            subject: 0,
            other: None,
            thing: None,
            place: None,
            bids: Vec::new(),
            reason: None,
            terms: Vec::new(),
            words: Cow::Borrowed(""),
        }
    }

    /// With these words.
    pub fn saying(mut self, words: impl Into<Cow<'static, str>>) -> Event {
        self.words = words.into();
        self
    }

    /// For this reason.
    pub fn reason(mut self, reason: Reason) -> Event {
        self.reason = Some(reason);
        self
    }

    /// About this behaviour set and its task.
    pub fn about(mut self, behaviour: BehaviourId, task: TaskId) -> Event {
        self.behaviour = Some(behaviour);
        self.task = Some(task);
        self
    }

    /// About this piece of work.
    pub fn piece(mut self, piece: Piece) -> Event {
        (self.task, self.subject) = (Some(piece.task), piece.subject);
        self
    }

    /// About this part of its task.
    pub fn subject(mut self, subject: Subject) -> Event {
        self.subject = subject;
        self
    }

    /// Because of this team-mate.
    pub fn by(mut self, other: RobotId) -> Event {
        self.other = Some(other);
        self
    }

    /// About the thing of this name.
    pub fn thing(mut self, name: impl Into<String>) -> Event {
        self.thing = Some(name.into());
        self
    }

    /// At this place.
    pub fn at(mut self, place: Vec2) -> Event {
        self.place = Some(place);
        self
    }

    /// With one more number.
    pub fn with(mut self, name: &'static str, value: f64) -> Event {
        self.terms.push(Term { name, of: None, value });
        self
    }

    /// The number of this name.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.terms.iter().find(|term| term.name == name && term.of.is_none()).map(|term| term.value)
    }

    /// Everything that goes into a result hash: all but the words.
    pub fn facts(&self) -> impl Serialize + '_ {
        let Event { kind, behaviour, task, subject, other, thing, place, bids, reason, terms, words: _ } =
            self;
        ((kind, behaviour, task, subject, other), (thing, place, bids, reason, terms))
    }
}
