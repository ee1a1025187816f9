//! Messages between robots. They travel as bytes; their size costs airtime.

use crate::robot_id::RobotId;
use crate::task::{Subject, TaskId};
use serde::{Deserialize, Serialize};

/// The state of a robot's work on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkState {
    /// It has just taken the task.
    Started,
    /// It is working on it.
    Working,
    /// It has stopped working on it.
    Ended,
}

/// Where a robot is and how it moves, in the coordinates that the team shares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Where its centre is. [m]
    pub at: [f32; 2],
    /// Its velocity. [m/s]
    pub velocity: [f32; 2],
    /// Radius of its body. [m]
    pub radius: f32,
    /// Its priority where only one can pass; the lower number goes first.
    pub priority: i32,
}

/// A message's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// "This is what I do." Repeated at the broadcast rate.
    Heartbeat {
        /// The task.
        task: TaskId,
        /// The piece of it.
        subject: Subject,
        /// The sender's state.
        state: WorkState,
        /// The sender's fixed priority, used when two robots take an exclusive task at once.
        priority: i32,
    },
    /// "I want this task", sent while another robot has it.
    Want {
        /// The task.
        task: TaskId,
        /// The piece of it.
        subject: Subject,
    },
    /// The operator's order about a task. Robots do not send this.
    Order {
        /// The task.
        task: TaskId,
        /// True if it is to be done, false if it is cancelled.
        open: bool,
        /// How urgent it is, 1 for an ordinary task.
        weight: f64,
    },
    /// A message between the mission's robots, in the mission's own encoding.
    Knowledge(Vec<u8>),
    /// A message between coordinators, in the coordinator's own encoding.
    Coordination(Vec<u8>),
    /// The operator's answer to a robot's question. Robots do not send this.
    Answer {
        /// The robot that asked.
        to: RobotId,
        /// The question's number.
        question: u32,
        /// Index of the chosen answer.
        choice: u8,
    },
    /// "Here I am", for robots that would run into the sender.
    Motion(Motion),
}

impl Body {
    /// A short name for records.
    pub fn kind(&self) -> &'static str {
        match self {
            Body::Heartbeat { .. } => "heartbeat",
            Body::Want { .. } => "want",
            Body::Order { .. } => "order",
            Body::Knowledge(_) => "knowledge",
            Body::Coordination(_) => "coordination",
            Body::Answer { .. } => "answer",
            Body::Motion(_) => "motion",
        }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The sender.
    pub from: RobotId,
    /// The sender's message count: unique together with `from`.
    pub number: u32,
    /// The sender's Lamport time.
    pub lamport: u64,
    /// The content.
    pub body: Body,
}

impl Message {
    /// The bytes on the air.
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into a growing vector cannot fail; an empty frame would be counted as undecodable.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Decodes a message; `None` if the bytes are not exactly one message.
    pub fn decode(bytes: &[u8]) -> Option<Message> {
        match postcard::take_from_bytes(bytes) {
            Ok((message, [])) => Some(message),
            _ => None,
        }
    }
}

/// An encoded message and its receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// One robot, or `None` for all that hear it.
    pub to: Option<RobotId>,
    /// The message.
    pub bytes: Vec<u8>,
}

/// Times further ahead than this are ignored: no team sends so many messages while one member hears nothing.
const BELIEVED: u64 = 1 << 32;

/// Lamport's logical clock, slightly modified: implausible times do not advance it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LamportClock(u64);

impl LamportClock {
    /// Advances for a local event such as sending, and returns its time.
    pub fn tick(&mut self) -> u64 {
        self.0 = self.0.saturating_add(1);
        self.0
    }

    /// The current time.
    pub fn time(&self) -> u64 {
        self.0
    }

    /// Advances past a received time. An implausible one, from a corrupt message, counts as any other event: it must not push the
    /// clocks of the whole team to their end.
    pub fn witness(&mut self, other: u64) {
        let believed = other <= self.0.saturating_add(BELIEVED);
        self.0 = if believed { self.0.max(other) } else { self.0 }.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heartbeat() -> Message {
        let body = Body::Heartbeat { task: TaskId(3), subject: 900, state: WorkState::Working, priority: -1 };
        Message { from: RobotId(300), number: 70_000, lamport: 1 << 40, body }
    }

    #[test]
    fn messages_survive_the_air() {
        assert_eq!(Message::decode(&heartbeat().encode()), Some(heartbeat()));
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = heartbeat().encode();
        for cut in 0..bytes.len() {
            assert_eq!(Message::decode(&bytes[..cut]), None);
        }
        let mut longer = bytes;
        longer.push(0);
        assert_eq!(Message::decode(&longer), None);
    }

    #[test]
    fn lamport_time_respects_cause_and_effect() {
        let (mut a, mut b) = (LamportClock::default(), LamportClock::default());
        for _ in 0..5 {
            a.tick();
        }
        let sent = a.tick();
        b.witness(sent);
        assert!(b.tick() > sent);
    }

    #[test]
    fn an_implausible_time_is_ignored() {
        let mut clock = LamportClock::default();
        clock.witness(1 << 32);
        assert_eq!(clock, LamportClock((1 << 32) + 1));
        for nonsense in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 33) + 9] {
            let before = clock.0;
            clock.witness(nonsense);
            assert_eq!(clock.0, before + 1, "{nonsense}");
        }
    }
}
