//! A robot's memory of its team-mates' statements about tasks: only what the formulas need, not the messages.

use crewlab_onboard::{Body, Message, RobotId, Subject, TaskId, TaskSpec, Time, WorkState};
use serde::{Deserialize, Serialize};

/// What was heard from one team-mate about one task and subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heard {
    key: (TaskId, Subject, RobotId),
    /// When it was first heard about it.
    pub first: Time,
    /// When it was last heard working on it, unless it said since that it ended.
    pub working: Option<Time>,
    /// When it last said that it wants it.
    pub wanting: Option<Time>,
    /// Its fixed priority, if known.
    pub priority: i32,
}

impl Heard {
    /// The team-mate.
    pub(crate) fn from(&self) -> RobotId {
        self.key.2
    }

    /// comm_received(i, k, j, now - span, now): heard about the task, working or wanting, within the span. [s]
    pub(crate) fn within(&self, now: Time, span: f64) -> bool {
        self.working_within(now, span) || self.wanting.is_some_and(|at| now.within(at, span))
    }

    /// Heard working within the span. [s]
    pub(crate) fn working_within(&self, now: Time, span: f64) -> bool {
        self.working.is_some_and(|at| now.within(at, span))
    }
}

/// Largest number of entries, so that no sequence of messages can exhaust the memory: then the one silent for longest is
/// forgotten.
const MOST: usize = 65_536;

/// All that was heard, ordered by task, subject and team-mate. Its size is bounded by tasks x subjects x team-mates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hearing {
    entries: Vec<Heard>,
}

impl Hearing {
    /// Processes one message. Unknown tasks are ignored.
    pub(crate) fn note(&mut self, now: Time, tasks: &[TaskSpec], message: &Message) {
        match message.body {
            Body::Heartbeat { task, .. } | Body::Want { task, .. } if usize::from(task.0) >= tasks.len() => {}
            Body::Heartbeat { task, subject, state: WorkState::Ended, .. } => {
                // The end of work is not a statement about working on it, so it does not count as a first contact.
                if let Ok(place) = self.find((task, subject, message.from)) {
                    self.entries[place].working = None;
                }
            }
            Body::Heartbeat { task, subject, priority, .. } => {
                if let Some(heard) = self.entry((task, subject, message.from), now) {
                    heard.working = Some(now);
                    // It has the task now, so it no longer wants it.
                    heard.wanting = None;
                    heard.priority = priority;
                }
            }
            Body::Want { task, subject } => {
                if let Some(heard) = self.entry((task, subject, message.from), now) {
                    heard.wanting = Some(now);
                }
            }
            Body::Order { .. }
            | Body::Answer { .. }
            | Body::Knowledge(_)
            | Body::Coordination(_)
            | Body::Motion(_) => {}
        }
    }

    fn find(&self, key: (TaskId, Subject, RobotId)) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&key, |heard| heard.key)
    }

    fn entry(&mut self, key: (TaskId, Subject, RobotId), now: Time) -> Option<&mut Heard> {
        let place = match self.find(key) {
            Ok(place) => place,
            Err(_) if self.entries.len() >= MOST => {
                let latest = |heard: &Heard| heard.working.max(heard.wanting).unwrap_or(heard.first);
                let (silent, _) = self.entries.iter().enumerate().min_by_key(|(_, heard)| latest(heard))?;
                self.entries.remove(silent);
                return self.entry(key, now);
            }
            Err(place) => {
                self.entries
                    .insert(place, Heard { key, first: now, working: None, wanting: None, priority: 0 });
                place
            }
        };
        Some(&mut self.entries[place])
    }

    /// What was heard about a task and subject, by team-mate.
    pub(crate) fn about(&self, task: TaskId, subject: Subject) -> &[Heard] {
        let start = self.entries.partition_point(|h| (h.key.0, h.key.1) < (task, subject));
        let end = self.entries.partition_point(|h| (h.key.0, h.key.1) <= (task, subject));
        &self.entries[start..end]
    }
}

/// True if a robot with this priority and number keeps an exclusive task that `other` took as well.
pub(crate) fn keeps(priority: i32, me: RobotId, other: &Heard) -> bool {
    (priority, me) < (other.priority, other.from())
}
