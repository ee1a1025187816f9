//! The factors of the motivation formula, one function each.

use crate::hearing::{Heard, keeps};
use crewlab_onboard::{
    Body, EventKind, Message, Reason, RobotId, Situation, Subject, TaskId, Time, WorkState,
};
use serde::{Deserialize, Serialize};

/// The effect of one team-mate's statements on a set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Toward {
    /// δslow_ij(k): growth while k is heard working on the task. [1/s]
    pub slow_impatience: f64,
    /// φ_ij(k): how long k's statements may slow the growth. [s]
    pub time_willing_to_affect: f64,
}

/// The parameters of one motivational behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetSettings {
    /// ρ_i: how often an active robot states what it does. [1/s]
    pub broadcast_rate: f64,
    /// τ_i: silence after which a team-mate counts as gone. [s]
    pub time_allowed_till_ceased: f64,
    /// δfast_ij: growth while nobody is heard on the task. [1/s]
    pub fast_impatience: f64,
    /// ψ_ij: active time after which the robot yields to one that wants the task. [s]
    pub time_before_yielding: f64,
    /// λ_ij: active time after which the robot gives the task up anyway. [s]
    pub time_before_giving_up: f64,
    /// δslow and φ towards team-mates without values of their own.
    pub anyone: Toward,
    /// δslow and φ towards particular team-mates.
    pub toward: Vec<(RobotId, Toward)>,
}

impl SetSettings {
    pub(super) fn toward(&self, other: RobotId) -> Toward {
        self.toward.iter().find(|(robot, _)| *robot == other).map_or(self.anyone, |(_, toward)| *toward)
    }

    /// Gives one team-mate values of its own.
    pub(super) fn set_toward(&mut self, other: RobotId, toward: Toward) {
        match self.toward.iter_mut().find(|(robot, _)| *robot == other) {
            Some((_, known)) => *known = toward,
            None => self.toward.push((other, toward)),
        }
    }
}

/// The messages heard about one set's task.
pub(super) struct Ear<'a> {
    pub heard: &'a [Heard],
    pub inbox: &'a [Message],
    pub task: TaskId,
    pub subject: Subject,
    pub me: RobotId,
    pub priority: i32,
    pub exclusive: bool,
}

impl Ear<'_> {
    /// A team-mate heard working on the task within τ.
    pub(super) fn worker(&self, now: Time, span: f64) -> Option<RobotId> {
        self.heard.iter().find(|h| h.working_within(now, span)).map(Heard::from)
    }

    /// True if a message of this tick says that `other` works on the task.
    fn says_it_works(&self, other: RobotId) -> bool {
        let last = self.inbox.iter().rev().find_map(|m| match m.body {
            Body::Heartbeat { task, subject, state, .. }
                if m.from == other && task == self.task && subject == self.subject =>
            {
                Some(state != WorkState::Ended)
            }
            _ => None,
        });
        last.unwrap_or(false)
    }
}

/// The factors of (2.7) for one set in one tick, and the team-mates behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// impatience_ij(t). [1/s]
    pub impatience: f64,
    /// The team-mate that slows the growth most.
    pub slowed_by: Option<RobotId>,
    /// A team-mate that is heard working but has used up its φ.
    pub ignored: Option<RobotId>,
    /// sensory_feedback_ij(t).
    pub sensory: bool,
    /// True if another set is active: activity_suppression_ij(t) = 0.
    pub suppressed: bool,
    /// The team-mate whose first statement makes impatience_reset_ij(t) = 0.
    pub reset_by: Option<RobotId>,
    /// The team-mate the robot yields to after ψ.
    pub yields_to: Option<RobotId>,
    /// True if λ is over.
    pub gives_up: bool,
    /// The team-mate that took the task at the same time and keeps it.
    pub outranked_by: Option<RobotId>,
    /// The team-mate that has the exclusive task now.
    pub worker: Option<RobotId>,
    /// True if the learner leaves the task to others (L-ALLIANCE).
    pub hidden: bool,
}

impl Factors {
    /// True if acquiescence_ij(t) = 0, by (2.6) or because another robot keeps a task taken at the same time.
    pub fn acquiesces(&self) -> bool {
        self.gives_up || self.yields_to.is_some() || self.outranked_by.is_some()
    }

    /// m_ij(t) from m_ij(t-1) (2.7), capped at the threshold.
    pub fn motivation(&self, before: f64, dt: f64, threshold: f64) -> f64 {
        let held = self.suppressed || self.hidden || self.reset_by.is_some() || self.acquiesces();
        if self.sensory && !held { (before + self.impatience * dt).min(threshold) } else { 0.0 }
    }

    /// The team-mate behind an event of this kind, if any.
    pub(super) fn because_of(&self, kind: EventKind) -> Option<RobotId> {
        match kind {
            EventKind::Reset => self.reset_by,
            EventKind::Yielded => self.outranked_by.or(self.yields_to),
            EventKind::Waiting => self.worker,
            _ => None,
        }
    }

    /// The kind of event when an active or waiting set falls back to hibernation.
    pub(super) fn end_kind(&self) -> EventKind {
        if !self.sensory {
            EventKind::Ended
        } else if self.reset_by.is_some() {
            EventKind::Reset
        } else if self.outranked_by.is_some() || self.yields_to.is_some() {
            EventKind::Yielded
        } else if self.gives_up {
            EventKind::LeftToOthers
        } else if self.hidden {
            EventKind::Hidden
        } else {
            EventKind::Inhibited
        }
    }

    /// The reason behind an event of this kind, if the kind alone does not say it.
    pub(super) fn reason(&self, kind: EventKind) -> Option<Reason> {
        match kind {
            EventKind::Activated => Some(Reason::ThresholdReached),
            EventKind::Ended => Some(Reason::NoLongerApplicable),
            EventKind::Reset => Some(Reason::SpokenOf),
            EventKind::Yielded if self.outranked_by.is_some() => Some(Reason::TakenAtOnce),
            EventKind::Yielded => Some(Reason::TimeToYield),
            EventKind::LeftToOthers => Some(Reason::TimeToGiveUp),
            _ => None,
        }
    }
}

/// All factors of one set in this tick.
pub(super) fn factors(
    settings: &SetSettings,
    ear: &Ear,
    situation: &Situation,
    active_since: Option<Time>,
    sensory: bool,
    suppressed: bool,
) -> Factors {
    let now = situation.now;
    let (impatience, slowed_by, ignored) = impatience(settings, ear, now);
    let active_for = active_since.map(|since| now.since(since));
    let overlap = overlap(settings, ear, situation, active_for);
    Factors {
        impatience,
        slowed_by,
        ignored,
        sensory,
        suppressed,
        reset_by: reset(ear, now, &overlap.kept_from),
        yields_to: yields_to(settings, ear, now, active_for),
        gives_up: active_for.is_some_and(|active| active > settings.time_before_giving_up),
        outranked_by: overlap.lost_to,
        worker: ear.worker(now, settings.time_allowed_till_ceased).filter(|_| ear.exclusive),
        hidden: false,
    }
}

/// impatience_ij(t): the least δslow of those heard within τ whose φ is not over, else δfast (2.4, corrected).
fn impatience(settings: &SetSettings, ear: &Ear, now: Time) -> (f64, Option<RobotId>, Option<RobotId>) {
    let (mut slowest, mut ignored) = (None, None);
    for heard in ear.heard {
        if !heard.working_within(now, settings.time_allowed_till_ceased) {
            continue;
        }
        let toward = settings.toward(heard.from());
        // comm_received(i, k, j, 0, t - φ) = 0: nothing was heard from k before t - φ.
        if now.since(heard.first) > toward.time_willing_to_affect {
            ignored = Some(heard.from());
        } else if slowest.is_none_or(|(rate, _)| toward.slow_impatience < rate) {
            slowest = Some((toward.slow_impatience, heard.from()));
        }
    }
    match slowest {
        Some((rate, robot)) => (rate, Some(robot), ignored),
        None => (settings.fast_impatience, None, ignored),
    }
}

/// impatience_reset_ij(t): the team-mate heard about the task in this tick for the first time ever (2.5).
/// Those whose simultaneous start was turned down do not count. A task that several robots may do at a time has room for the
/// newcomer, so nobody starts again because of it.
fn reset(ear: &Ear, now: Time, turned_down: &[RobotId]) -> Option<RobotId> {
    if !ear.exclusive {
        return None;
    }
    ear.heard
        .iter()
        .filter(|heard| heard.first == now)
        .map(Heard::from)
        .find(|robot| !turned_down.contains(robot))
}

/// The first half of (2.6): active for longer than ψ, and some x heard about the task within τ.
fn yields_to(settings: &SetSettings, ear: &Ear, now: Time, active_for: Option<f64>) -> Option<RobotId> {
    if active_for? <= settings.time_before_yielding {
        return None;
    }
    ear.heard.iter().find(|h| h.within(now, settings.time_allowed_till_ceased)).map(Heard::from)
}

#[derive(Default)]
struct Overlap {
    lost_to: Option<RobotId>,
    kept_from: Vec<RobotId>,
}

/// Two robots that work on one exclusive task hear each other: the lower priority, then the lower number, keeps it. This does not
/// apply to a robot long at work that hears another for the first time: there the reset rule decides. Nor does it apply to a
/// robot that hears another whose φ is over: it took the task because it no longer waits for that one, and with a lossy radio it
/// would otherwise yield to it again and again.
fn overlap(settings: &SetSettings, ear: &Ear, situation: &Situation, active_for: Option<f64>) -> Overlap {
    let mut overlap = Overlap::default();
    let Some(active_for) = active_for else { return overlap };
    if !ear.exclusive {
        return overlap;
    }
    // Both started in the same tick and hear of it in the next; half a tick more for rounding.
    let at_once = active_for <= 1.5 * situation.dt;
    let mut winner: Option<&Heard> = None;
    for heard in ear.heard.iter().filter(|h| ear.says_it_works(h.from())) {
        let known_for = situation.now.since(heard.first);
        let acquainted = heard.first != situation.now;
        let patient = known_for <= settings.toward(heard.from()).time_willing_to_affect;
        if !(at_once || acquainted && patient) {
            continue;
        }
        if keeps(ear.priority, ear.me, heard) {
            overlap.kept_from.push(heard.from());
        } else if winner.is_none_or(|best| keeps(heard.priority, heard.from(), best)) {
            winner = Some(heard);
        }
    }
    overlap.lost_to = winner.map(Heard::from);
    overlap
}
