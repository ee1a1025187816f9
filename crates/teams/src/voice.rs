//! A robot's statements about one task: that it works on it, wants it, or drops it.

use crewlab_onboard::{Body, Output, Situation, Subject, TaskId, Time, WorkState};
use serde::{Deserialize, Serialize};

/// The last statement and its time. Repeats at the broadcast rate and no faster; a new voice sends at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Voice {
    said: Option<Time>,
}

impl Voice {
    /// "I work on this", at the broadcast rate. [1/s]
    pub(crate) fn work(
        &mut self,
        task: TaskId,
        subject: Subject,
        rate: f64,
        situation: &Situation,
        out: &mut Output,
    ) {
        let state = if self.said.is_none() { WorkState::Started } else { WorkState::Working };
        if self.due(rate, situation) {
            out.say(Body::Heartbeat { task, subject, state, priority: situation.me.priority });
        }
    }

    /// "I want this", at the broadcast rate. [1/s]
    pub(crate) fn want(
        &mut self,
        task: TaskId,
        subject: Subject,
        rate: f64,
        situation: &Situation,
        out: &mut Output,
    ) {
        if self.due(rate, situation) {
            out.say(Body::Want { task, subject });
        }
    }

    /// "I have dropped it."
    pub(crate) fn end(&mut self, task: TaskId, subject: Subject, situation: &Situation, out: &mut Output) {
        self.said = None;
        let (state, priority) = (WorkState::Ended, situation.me.priority);
        out.say(Body::Heartbeat { task, subject, state, priority });
    }

    /// True if it is time to send; then it counts as sent.
    fn due(&mut self, rate: f64, situation: &Situation) -> bool {
        let due = self.said.is_none_or(|said| {
            // Half a tick of slack, so that a period that is a whole number of ticks is met exactly. A time in the future is from
            // before the robot's clock was set back.
            said > situation.now || (situation.now.since(said) + situation.dt / 2.0) * rate >= 1.0
        });
        if due {
            self.said = Some(situation.now);
        }
        due
    }
}
