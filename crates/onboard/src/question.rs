//! Questions of a robot's software to the operator. It continues until an answer comes, which may be never.

use crate::agenda::OPERATOR;
use crate::event::{Event, EventKind, Reason, key};
use crate::message::{Body, Message};
use crate::robot_id::RobotId;
use crate::task::TaskId;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// Largest number of open questions: then the oldest is dropped.
const MOST_OPEN: usize = 16;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number on this robot, from 1.
    pub number: u32,
    /// The text.
    pub text: String,
    /// The possible answers.
    pub choices: Vec<String>,
    /// The task that it is about.
    pub task: Option<TaskId>,
    /// When it was asked, by the robot's clock.
    pub asked: Time,
}

/// The questions of one robot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Questions {
    open: Vec<Question>,
    asked: u32,
}

impl Questions {
    /// The open questions, the oldest first.
    pub fn open(&self) -> &[Question] {
        &self.open
    }

    /// Asks a question; returns its number and the event.
    pub(crate) fn ask(
        &mut self,
        now: Time,
        text: String,
        choices: &[&str],
        task: Option<TaskId>,
    ) -> (u32, Event) {
        self.asked = self.asked.wrapping_add(1);
        let number = self.asked;
        let choices: Vec<String> = choices.iter().map(|choice| choice.to_string()).collect();
        let event =
            Event::new(EventKind::Question).saying(text.clone()).reason(Reason::Choices(choices.clone()));
        let event = Event { task, ..event.with(key::QUESTION, f64::from(number)) };
        if self.open.len() >= MOST_OPEN {
            self.open.remove(0);
        }
        self.open.push(Question { number, text, choices, task, asked: now });
        (number, event)
    }

    /// Closes the question of this number; false if it was not open.
    pub(crate) fn close(&mut self, number: u32) -> Option<Question> {
        let place = self.open.iter().position(|question| question.number == number)?;
        Some(self.open.remove(place))
    }

    /// Closes all questions: the software that asked is gone.
    pub(crate) fn close_all(&mut self) {
        self.open.clear();
    }

    /// Drops texts that are only for people.
    pub(crate) fn forget_words(&mut self) {
        self.open.iter_mut().for_each(|question| question.text.clear());
    }

    /// Processes answers. Only those to open questions stay in the inbox, so that software gets each once.
    pub(crate) fn hear(&mut self, me: RobotId, inbox: &mut Vec<Message>, events: &mut Vec<Event>) {
        inbox.retain(|message| {
            let Body::Answer { to, question, choice } = message.body else { return true };
            if message.from != OPERATOR || to != me {
                return false;
            }
            let fits = |open: &&Question| open.number == question && usize::from(choice) < open.choices.len();
            if !self.open.iter().any(|open| fits(&open)) {
                return false;
            }
            if let Some(answered) = self.close(question) {
                let word = answered.choices[usize::from(choice)].clone();
                let event =
                    Event::new(EventKind::Answered).saying(answered.text).reason(Reason::Answer(word));
                let event = Event { task: answered.task, ..event };
                events.push(event.with(key::QUESTION, f64::from(question)).with("choice", f64::from(choice)));
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Names;
    use std::borrow::Cow;

    /// Sentences about questions need no names.
    struct Nobody;

    impl Names for Nobody {
        fn robot(&self, robot: RobotId) -> Cow<'_, str> {
            format!("robot {robot}").into()
        }

        fn task(&self, task: TaskId) -> Cow<'_, str> {
            format!("task {}", task.0).into()
        }
    }

    fn answer(from: RobotId, to: u16, question: u32, choice: u8) -> Message {
        let body = Body::Answer { to: RobotId(to), question, choice };
        Message { from, number: 0, lamport: 0, body }
    }

    #[test]
    fn an_answer_is_heard_once_and_only_if_it_fits() {
        let mut questions = Questions::default();
        let (number, event) = questions.ask(Time::ZERO, "this way?".into(), &["yes", "no"], Some(TaskId(3)));
        assert_eq!(
            (number, event.kind.name(), &*event.words, event.task),
            (1, "question", "this way?", Some(TaskId(3)))
        );
        assert_eq!(event.number(key::QUESTION), Some(1.0));
        assert_eq!(event.sentence(&Nobody), "this way? (yes / no)");
        let mut heard = |message: Message| {
            let (mut inbox, mut events) = (vec![message], Vec::new());
            questions.hear(RobotId(4), &mut inbox, &mut events);
            (inbox.len(), events.first().map(|event| event.sentence(&Nobody)))
        };
        assert_eq!(heard(answer(OPERATOR, 5, 1, 0)), (0, None), "for another robot");
        assert_eq!(heard(answer(RobotId(2), 4, 1, 0)), (0, None), "from a robot");
        assert_eq!(heard(answer(OPERATOR, 4, 2, 0)), (0, None), "to another question");
        assert_eq!(heard(answer(OPERATOR, 4, 1, 2)), (0, None), "no choice");
        let told = Some("the operator's answer is `no` to: this way?".to_string());
        assert_eq!(heard(answer(OPERATOR, 4, 1, 1)), (1, told));
        assert_eq!(heard(answer(OPERATOR, 4, 1, 1)), (0, None), "said again");
    }

    #[test]
    fn questions_are_bounded_and_numbered_consecutively() {
        let mut questions = Questions::default();
        for _ in 0..100 {
            questions.ask(Time::ZERO, "?".into(), &["yes"], None);
        }
        assert_eq!(questions.open().len(), MOST_OPEN);
        assert_eq!(questions.open().last().map(|question| question.number), Some(100));
        assert_eq!(questions.close(1), None);
        assert!(questions.close(100).is_some());
        questions.close_all();
        assert_eq!(questions.ask(Time::ZERO, "?".into(), &["yes"], None).0, 101);
    }
}
