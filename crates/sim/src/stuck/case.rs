//! Something that is stuck.

use crate::log::Logged;
use crewlab_missions::Remains;
use crewlab_onboard::event::key;
use crewlab_onboard::{BehaviourId, Event, EventKind, Plight, Reason, RobotId, Subject, TaskId, Time, Vec2};
use serde::{Deserialize, Serialize};

/// Who or what is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Whose {
    /// A robot.
    Robot(RobotId),
    /// Something that is left to do.
    Thing(Remains),
    /// A task.
    Task(TaskId),
    /// The mission.
    Mission,
}

/// Who or what is stuck, how, where and since when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StuckCase {
    /// Who or what.
    pub whose: Whose,
    /// How.
    pub plight: Plight,
    /// Since when.
    pub since: Time,
    /// When it was over; `None` if it is not.
    pub until: Option<Time>,
    /// The robot's behaviour set.
    pub behaviour: Option<BehaviourId>,
    /// The task concerned.
    pub task: Option<TaskId>,
    /// The piece of the task.
    pub subject: Subject,
    /// The robot in the way.
    pub other: Option<RobotId>,
    /// The area where it is, the object in the way, or the kind or name of the thing.
    pub thing: Option<String>,
    /// Where. [m]
    pub place: Option<Vec2>,
    /// Number of further things in the same plight that have no case of their own.
    pub more: u32,
}

impl StuckCase {
    /// A case without details.
    pub(super) fn new(whose: Whose, plight: Plight, since: Time) -> StuckCase {
        StuckCase {
            whose,
            plight,
            since,
            until: None,
            behaviour: None,
            task: None,
            subject: 0,
            other: None,
            thing: None,
            place: None,
            more: 0,
        }
    }

    /// The robot that is stuck; `None` for a thing, a task or the mission.
    pub fn robot(&self) -> Option<RobotId> {
        match self.whose {
            Whose::Robot(robot) => Some(robot),
            _ => None,
        }
    }

    /// How long it has lasted at a moment. [s]
    pub fn lasted(&self, now: Time) -> f64 {
        self.until.unwrap_or(now).since(self.since)
    }

    /// The event that tells of it, as it is at a moment.
    pub fn told(&self, kind: EventKind, now: Time) -> Event {
        let event = Event::new(kind).reason(Reason::Stuck(self.plight.clone())).subject(self.subject);
        let event = event.with(key::SECONDS, self.lasted(now));
        let mut event = Event {
            behaviour: self.behaviour,
            task: self.task,
            other: self.other,
            thing: self.thing.clone(),
            place: self.place,
            ..event
        };
        if let Whose::Thing(Remains::Item(item)) = self.whose {
            event = event.with(key::ITEM, f64::from(item));
        }
        if self.more > 0 {
            event = event.with(key::MORE, f64::from(self.more));
        }
        event
    }

    /// The log entry that tells of it.
    pub(super) fn event(&self, kind: EventKind, now: Time) -> Logged {
        Logged { time: now, robot: self.robot(), event: self.told(kind, now) }
    }
}
