//! ALLIANCE: motivational behaviours with impatience and acquiescence.
//!
//! Formula numbers are those of ALLIANCE-SIM, chapter 2.2. One instance runs on every robot; nothing is central.

mod motivation;
mod params;
mod properties;

pub use motivation::{Factors, SetSettings, Toward};
pub use params::{AllianceParams, Patch, TowardPatch};
pub use properties::{Properties, PropertiesError};

use crate::hearing::Hearing;
use crate::voice::Voice;
use crate::{Boot, Missing, Plugin};
use crewlab_onboard::{
    BehaviourId, Coordinator, Event, Gauge, GaugeState, Message, Output, RobotId, Situation, Skills, Subject,
    TaskId, Time,
};
use motivation::{Ear, factors};
use serde::{Deserialize, Serialize};

/// One behaviour set with its motivational behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BehaviourSet {
    settings: SetSettings,
    motivation: f64,
    state: GaugeState,
    /// When it became active or waiting.
    since: Time,
    /// What it says about its task.
    voice: Voice,
    /// True while a team-mate slows its impatience.
    slowed: bool,
}

/// ALLIANCE on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alliance {
    threshold: f64,
    sets: Vec<BehaviourSet>,
    active: Option<BehaviourId>,
    hearing: Hearing,
}

impl Plugin for Alliance {
    const SUMMARY: &'static str =
        "motivations grow with impatience and fall by acquiescence; fully distributed, fault tolerant";
    type Params = AllianceParams;

    fn boot(params: &AllianceParams, boot: &Boot) -> Result<Alliance, Vec<Missing>> {
        let (threshold, settings) = params.settings(boot)?;
        Ok(Alliance::new(threshold, settings))
    }
}

impl Alliance {
    /// ALLIANCE with these settings, one per behaviour set.
    pub fn new(threshold: f64, settings: Vec<SetSettings>) -> Alliance {
        let set = |settings| BehaviourSet {
            settings,
            motivation: 0.0,
            state: GaugeState::Hibernating,
            since: Time::ZERO,
            voice: Voice::default(),
            slowed: false,
        };
        Alliance {
            threshold,
            sets: settings.into_iter().map(set).collect(),
            active: None,
            hearing: Hearing::default(),
        }
    }

    /// θ, the motivation at which a set becomes active.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Computes one set's motivation (2.7) and acts on the result.
    fn consider(
        &mut self,
        id: BehaviourId,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) {
        let place = usize::from(id.0);
        let task = situation.me.behaviour(id).task;
        let subject = skills.subject(id);
        let set = &self.sets[place];
        let ear = Ear {
            heard: self.hearing.about(task, subject),
            inbox,
            task,
            subject,
            me: situation.me.id,
            priority: situation.me.priority,
            exclusive: situation.tasks[usize::from(task.0)].exclusive,
        };
        let active_since = (set.state == GaugeState::Active).then_some(set.since);
        let suppressed = self.active.is_some_and(|active| active != id);
        let factors = factors(
            &set.settings,
            &ear,
            situation,
            active_since,
            skills.applicable(id, situation),
            suppressed,
        );
        let before = set.motivation;
        let level = factors.motivation(before, situation.dt, self.threshold);
        explain_patience(set, &factors, id, task, before, out);
        let set = &mut self.sets[place];
        set.motivation = level;
        set.slowed = factors.slowed_by.is_some();
        let next = match (level >= self.threshold, set.state) {
            (false, _) => GaugeState::Hibernating,
            (true, GaugeState::Active) => GaugeState::Active,
            (true, _) if factors.worker.is_some() => GaugeState::Waiting,
            (true, _) => GaugeState::Active,
        };
        let change = Change { id, task, subject, before, factors };
        self.enter(next, &change, situation, out);
    }

    /// Moves a set to a state, tells the team and explains it.
    fn enter(&mut self, next: GaugeState, change: &Change, situation: &Situation, out: &mut Output) {
        let set = &mut self.sets[usize::from(change.id.0)];
        let previous = std::mem::replace(&mut set.state, next);
        if previous == next {
            // A reset while hibernating is worth telling too: it is why a robot starts again from nothing.
            if change.factors.reset_by.is_some() && change.before > 0.0 {
                out.explain(change.event("reset", set.motivation));
            }
            return;
        }
        set.since = situation.now;
        let mut voice = std::mem::take(&mut set.voice);
        if previous == GaugeState::Active {
            self.active = None;
            voice.end(change.task, change.subject, situation, out);
        }
        let kind = match next {
            GaugeState::Active => {
                self.active = Some(change.id);
                "activated"
            }
            GaugeState::Waiting => "waiting",
            GaugeState::Hibernating => change.factors.end_kind(),
        };
        out.explain(change.event(kind, self.sets[usize::from(change.id.0)].motivation));
    }

    /// Says what must be said: an active robot states its task, a waiting one its wish, at the broadcast rate ρ.
    fn speak(&mut self, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        for (id, spec) in situation.me.behaviours() {
            let set = &mut self.sets[usize::from(id.0)];
            let (task, subject, rate) = (spec.task, skills.subject(id), set.settings.broadcast_rate);
            match set.state {
                GaugeState::Active => set.voice.work(task, subject, rate, situation, out),
                GaugeState::Waiting => set.voice.want(task, subject, rate, situation, out),
                GaugeState::Hibernating => {}
            }
        }
    }
}

impl Coordinator for Alliance {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<BehaviourId> {
        for message in inbox {
            self.hearing.note(situation.now, situation.tasks, message);
        }
        for (id, _) in situation.me.behaviours() {
            self.consider(id, situation, skills, inbox, out);
        }
        self.speak(situation, skills, out);
        self.active
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        let gauge = |(i, set): (usize, &BehaviourSet)| Gauge {
            behaviour: BehaviourId(i as u8),
            level: set.motivation,
            state: set.state,
        };
        out.extend(self.sets.iter().enumerate().map(gauge));
    }
}

/// A set's change of state and what led to it.
struct Change {
    id: BehaviourId,
    task: TaskId,
    subject: Subject,
    before: f64,
    factors: Factors,
}

impl Change {
    fn event(&self, kind: &'static str, motivation: f64) -> Event {
        let factors = &self.factors;
        let flag = |on: bool| f64::from(u8::from(on));
        let event = Event::new(kind, factors.reason(kind))
            .about(self.id, self.task)
            .with("before", self.before)
            .with("motivation", motivation)
            .with("impatience", factors.impatience)
            .with("sensory", flag(factors.sensory))
            .with("suppression", flag(!factors.suppressed))
            .with("reset", flag(factors.reset_by.is_none()))
            .with("acquiescence", flag(!factors.acquiesces()));
        match factors.because_of(kind) {
            Some(other) => event.by(other),
            None => event,
        }
    }
}

/// Tells when a set begins or ceases to be slowed by a team-mate.
fn explain_patience(
    set: &BehaviourSet,
    factors: &Factors,
    id: BehaviourId,
    task: TaskId,
    before: f64,
    out: &mut Output,
) {
    if !factors.sensory || factors.suppressed || set.state == GaugeState::Active {
        return;
    }
    let event = match (set.slowed, factors.slowed_by) {
        (false, Some(other)) => Event::new("patient", "a team-mate is heard working on the task").by(other),
        (true, None) => {
            let other: Option<RobotId> = factors.ignored;
            let event = match other {
                Some(_) => {
                    Event::new("impatient", "the team-mate has had the task for longer than it is given")
                }
                None => Event::new("impatient", "nobody is heard working on the task any more"),
            };
            match other {
                Some(other) => event.by(other),
                None => event,
            }
        }
        _ => return,
    };
    out.explain(event.about(id, task).with("motivation", before).with("impatience", factors.impatience));
}

#[cfg(test)]
mod tests;
