//! The operator: the person who orders tasks and sets their urgency. Robots learn the orders by radio.

use crate::radio::{AnyRadio, Radio};
use crewlab_onboard::{Body, Message, OPERATOR, RobotId, TaskId, TaskSpec, Time, Vec2};
use serde::{Deserialize, Serialize};

/// Changed orders are repeated at this interval, for robots that missed them, joined or forgot. [s]
const REPEAT: f64 = 10.0;

/// Number of times that an answer is sent, ...
const ANSWERS: u32 = 8;
/// ... with this interval. Even if half of the messages are lost, 99.6 % of answers arrive. [s]
const AGAIN: f64 = 1.0;

/// An answer to a robot's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    to: RobotId,
    question: u32,
    choice: u8,
    /// Remaining transmissions, and the time of the next.
    left: u32,
    next: Time,
}

/// The operator's order about one task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// True if the task is wanted.
    pub open: bool,
    /// Its urgency, 1 for an ordinary task.
    pub weight: f64,
    /// True once it was changed during the run.
    changed: bool,
}

/// The operator's orders and answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operator {
    words: Vec<Order>,
    open: Vec<bool>,
    said: u32,
    next: Option<Time>,
    answers: Vec<Answer>,
}

impl Operator {
    /// An operator with the scenario's initial orders.
    pub(crate) fn new(tasks: &[TaskSpec]) -> Operator {
        let word = |task: &TaskSpec| Order { open: task.open, weight: task.weight, changed: false };
        let words: Vec<Order> = tasks.iter().map(word).collect();
        Operator {
            open: words.iter().map(|word| word.open).collect(),
            words,
            said: 0,
            next: None,
            answers: Vec::new(),
        }
    }

    /// Which tasks are wanted.
    pub fn open(&self) -> &[bool] {
        &self.open
    }

    /// True if a task is wanted.
    pub fn wants(&self, task: usize) -> bool {
        self.open.get(task).copied().unwrap_or(false)
    }

    /// The order about a task.
    pub fn word(&self, task: usize) -> Option<Order> {
        self.words.get(task).copied()
    }

    /// Changes the order about a task, as far as given; robots are told at once.
    pub(crate) fn order(&mut self, now: Time, task: usize, open: Option<bool>, weight: Option<f64>) {
        if let Some(word) = self.words.get_mut(task) {
            let (open, weight) = (open.unwrap_or(word.open), weight.unwrap_or(word.weight));
            *word = Order { open, weight, changed: true };
            self.open[task] = open;
            self.next = Some(now);
        }
    }

    /// Answers a robot's question, at once and a few times more.
    pub(crate) fn answer(&mut self, now: Time, to: RobotId, question: u32, choice: u8) {
        self.answers.retain(|answer| (answer.to, answer.question) != (to, question));
        self.answers.push(Answer { to, question, choice, left: ANSWERS, next: now });
    }

    /// Cancels answers to a robot that has forgotten its questions.
    pub(crate) fn forget(&mut self, robot: RobotId) {
        self.answers.retain(|answer| answer.to != robot);
    }

    /// Sends due messages from a place.
    pub(crate) fn speak(&mut self, now: Time, from: Vec2, radio: &mut AnyRadio) {
        for answer in self.answers.iter_mut().filter(|answer| answer.next <= now) {
            let Answer { to, question, choice, .. } = *answer;
            self.said += 1;
            let body = Body::Answer { to, question, choice };
            let message = Message { from: OPERATOR, number: self.said, lamport: u64::from(self.said), body };
            radio.announce(now.0, [from.x, from.y], message.encode());
            answer.left = answer.left.saturating_sub(1);
            answer.next = Time::from_seconds(now.seconds() + AGAIN);
        }
        self.answers.retain(|answer| answer.left > 0);
        if self.next.is_none_or(|next| next > now) {
            return;
        }
        for (task, word) in self.words.iter().enumerate().filter(|(_, word)| word.changed) {
            let body = Body::Order { task: TaskId(task as u16), open: word.open, weight: word.weight };
            self.said += 1;
            let message = Message { from: OPERATOR, number: self.said, lamport: u64::from(self.said), body };
            radio.announce(now.0, [from.x, from.y], message.encode());
        }
        self.next = Some(Time::from_seconds(now.seconds() + REPEAT));
    }
}
