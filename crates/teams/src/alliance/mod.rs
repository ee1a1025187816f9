//! ALLIANCE: motivational behaviours with impatience and acquiescence.
//!
//! Formula numbers are those of ALLIANCE-SIM, chapter 2.2. One instance runs on every robot; nothing is central.

pub mod learning;
mod motivation;
mod params;
mod prepare;
mod properties;

pub use learning::LearningParams;
pub use motivation::{Factors, SetSettings, Toward};
pub use params::{AllianceParams, Patch, TowardPatch};
pub use properties::{Properties, PropertiesError};

use crate::hearing::Hearing;
use crate::voice::Voice;
use crate::{
    Boot, GaugeWords, Guarantee, LearningStrategy, Lesson, Memories, Missing, PlainTable, Plugin, Preparation,
};
use crewlab_onboard::{
    BehaviourId, Choice, Coordinator, Event, EventKind, Gauge, GaugeState, Level, Message, Output, Situation,
    Skills, Subject, TaskId, Time,
};
use learning::{Learned, Learner, Phase, Start, Strategy};
use motivation::{Ear, factors};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The urge to work on one subject of a behaviour set's task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Motive {
    subject: Subject,
    motivation: f64,
    state: GaugeState,
    /// When it became active or waiting.
    since: Time,
    /// Its statements about the task.
    voice: Voice,
    /// True while a team-mate slows its impatience.
    slowed: bool,
}

impl Motive {
    fn new(subject: Subject) -> Motive {
        Motive {
            subject,
            motivation: 0.0,
            state: GaugeState::Hibernating,
            since: Time::ZERO,
            voice: Voice::default(),
            slowed: false,
        }
    }
}

/// One behaviour set with its motivational behaviour: one motive per subject that it could work on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BehaviourSet {
    settings: SetSettings,
    motives: Vec<Motive>,
}

/// ALLIANCE on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alliance {
    threshold: f64,
    sets: Vec<BehaviourSet>,
    active: Option<Choice>,
    hearing: Hearing,
    /// Only if the scenario enables learning.
    learner: Option<Box<Learner>>,
    /// Subjects of one set; a reusable buffer.
    #[serde(skip)]
    possible: Vec<Subject>,
}

impl Plugin for Alliance {
    const SUMMARY: &'static str =
        "motivations grow with impatience and fall by acquiescence; fully distributed, fault tolerant";
    const GAUGE: GaugeWords = GaugeWords {
        name: "motivation",
        plural: "motivations",
        unit: "",
        meaning: "A robot's motivation for a task grows while the task is left undone: slowly while a team-mate is \
                  heard working on it, fast otherwise. At the threshold the robot takes the task, or asks for it if \
                  somebody has it.",
    };
    const FILE: Option<&'static str> = Some("properties");
    const STRATEGIES: &'static [LearningStrategy] = learning::STRATEGIES;
    type Params = AllianceParams;

    fn boot(params: &AllianceParams, boot: &Boot) -> Result<Alliance, Vec<Missing>> {
        let (threshold, settings) = params.settings(boot)?;
        let learner = params
            .learning
            .as_ref()
            .map(|learning| Learner::new(learning, threshold, settings.clone(), boot));
        Ok(Alliance { learner: learner.map(Box::new), ..Alliance::new(threshold, settings) })
    }

    fn prepare(said: &mut Value, preparation: &mut Preparation) {
        prepare::prepare(said, preparation);
    }

    fn threshold(params: &AllianceParams) -> Option<f64> {
        params.threshold
    }

    fn guarantee(params: &AllianceParams, team: &[Boot]) -> Guarantee {
        params.guarantee(team)
    }

    fn memory(&self, boot: &Boot, now: Time) -> Option<Value> {
        self.learned(boot, now).and_then(|learned| serde_json::to_value(learned).ok())
    }

    fn strategy(params: &AllianceParams) -> Option<&'static str> {
        params.learning.as_ref().map(|learning| learning.strategy.name())
    }

    fn teach(params: &mut AllianceParams, lesson: &Lesson) {
        let learning = params.learning.get_or_insert_default();
        let chosen = |strategy: &Strategy| lesson.strategy == Some(strategy.name());
        learning.strategy = Strategy::ALL.into_iter().find(chosen).unwrap_or(learning.strategy);
        if let Some(memories) = lesson.memories {
            if learning.start != Start::HandSet {
                learning.start = Start::Learned;
            }
            let one = |(name, value): (&String, &Value)| {
                Some((name.clone(), learning::memory_of(name, value.clone()).ok()?))
            };
            learning.values = memories.robots.iter().filter_map(one).collect();
        }
        if lesson.explore {
            learning.phase = Phase::Active;
        }
    }

    fn unteach(params: &mut AllianceParams) {
        params.learning = None;
    }

    fn remembered(memories: &Memories) -> Option<PlainTable> {
        Some(learning::table(memories))
    }
}

impl Alliance {
    /// ALLIANCE with these settings, one per behaviour set.
    pub fn new(threshold: f64, settings: Vec<SetSettings>) -> Alliance {
        Alliance {
            threshold,
            sets: settings
                .into_iter()
                .map(|settings| BehaviourSet { settings, motives: Vec::new() })
                .collect(),
            active: None,
            hearing: Hearing::default(),
            learner: None,
            possible: Vec::new(),
        }
    }

    /// What the robot has learned so far, at the end of a run; `None` if it does not learn.
    pub fn learned(&self, boot: &Boot, now: Time) -> Option<Learned> {
        let active = self.active.map(|choice| usize::from(choice.behaviour.0));
        self.learner.as_ref().map(|learner| learner.learned(boot, active, now))
    }

    /// Updates the learner, and applies its settings.
    fn learn(&mut self, situation: &Situation, skills: &dyn Skills, inbox: &[Message], out: &mut Output) {
        let Some(learner) = &mut self.learner else { return };
        learner.attend(situation, skills, inbox, self.active, out);
        for (set, settings) in self.sets.iter_mut().zip(learner.news().unwrap_or_default()) {
            set.settings = settings;
        }
    }

    /// True if the learner leaves a set's task to others for now.
    fn hides(&self, motive: &Motive, set: BehaviourId, ear: &Ear, now: Time) -> bool {
        let Some(learner) = self.learner.as_ref().filter(|_| motive.state != GaugeState::Active) else {
            return false;
        };
        let place = usize::from(set.0);
        let patience = self.sets[place].settings.time_allowed_till_ceased;
        learner.hides(place, ear.worker(now, patience).is_some(), now)
    }

    /// θ, the motivation at which a set becomes active.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Updates the motive of every subject that a set could work on, and once more those of subjects that it no longer can.
    fn consider_set(
        &mut self,
        id: BehaviourId,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) {
        let mut possible = std::mem::take(&mut self.possible);
        skills.possible(id, situation, &mut possible);
        if let Some(learner) = &mut self.learner {
            learner.look(usize::from(id.0), !possible.is_empty(), situation.now);
        }
        let motives = &mut self.sets[usize::from(id.0)].motives;
        for &subject in &possible {
            if !motives.iter().any(|motive| motive.subject == subject) {
                motives.push(Motive::new(subject));
            }
        }
        // The most promising first, so that it wins ties; impossible ones before that, so that they are dropped.
        let rank = |motive: &Motive| possible.iter().position(|subject| *subject == motive.subject);
        motives.sort_by_key(rank);
        let urgency = skills.urgency(situation.me.behaviour(id).task);
        for place in 0..motives.len() {
            let subject = self.sets[usize::from(id.0)].motives[place].subject;
            let choice = Choice { behaviour: id, subject };
            let sensory = possible.contains(&subject);
            self.consider(choice, place, Senses { sensory, urgency, inbox }, situation, out);
        }
        let motives = &mut self.sets[usize::from(id.0)].motives;
        motives.retain(|motive| possible.contains(&motive.subject));
        // Left empty, so that it does not count when two robots are compared.
        possible.clear();
        self.possible = possible;
    }

    /// Computes one motivation (2.7) and acts on the result.
    fn consider(
        &mut self,
        choice: Choice,
        place: usize,
        senses: Senses,
        situation: &Situation,
        out: &mut Output,
    ) {
        let set = &self.sets[usize::from(choice.behaviour.0)];
        let motive = &set.motives[place];
        let task = situation.me.behaviour(choice.behaviour).task;
        let ear = Ear {
            heard: self.hearing.about(task, choice.subject),
            inbox: senses.inbox,
            task,
            subject: choice.subject,
            me: situation.me.id,
            priority: situation.me.priority,
            exclusive: situation.tasks[usize::from(task.0)].exclusive,
        };
        let active_since = (motive.state == GaugeState::Active).then_some(motive.since);
        let suppressed = self.active.is_some_and(|active| active != choice);
        let mut factors = factors(&set.settings, &ear, situation, active_since, senses.sensory, suppressed);
        factors.impatience *= senses.urgency;
        factors.hidden = self.hides(motive, choice.behaviour, &ear, situation.now);
        let before = motive.motivation;
        let level = factors.motivation(before, situation.dt, self.threshold);
        explain_patience(motive, &factors, choice.behaviour, task, out);
        let motive = &mut self.sets[usize::from(choice.behaviour.0)].motives[place];
        motive.motivation = level;
        motive.slowed = factors.slowed_by.is_some();
        let next = match (level >= self.threshold, motive.state) {
            (false, _) => GaugeState::Hibernating,
            (true, GaugeState::Active) => GaugeState::Active,
            (true, _) if factors.worker.is_some() => GaugeState::Waiting,
            (true, _) => GaugeState::Active,
        };
        let change = Change { choice, task, before, factors };
        self.enter(next, place, &change, situation, out);
    }

    /// Changes the state of a motive, and announces and explains it.
    fn enter(
        &mut self,
        next: GaugeState,
        place: usize,
        change: &Change,
        situation: &Situation,
        out: &mut Output,
    ) {
        let motive = &mut self.sets[usize::from(change.choice.behaviour.0)].motives[place];
        let previous = std::mem::replace(&mut motive.state, next);
        if previous == next {
            // A reset while hibernating is reported too: it explains why a robot starts from zero.
            if change.factors.reset_by.is_some() && change.before > 0.0 {
                out.explain(change.event(EventKind::Reset, motive.motivation));
            }
            return;
        }
        motive.since = situation.now;
        if let Some(learner) = &mut self.learner {
            if previous == GaugeState::Active {
                learner.stop(change.choice, !change.factors.sensory, situation, out);
            }
            if next == GaugeState::Active {
                learner.begin(change.choice, situation);
            }
        }
        let mut voice = std::mem::take(&mut motive.voice);
        if previous == GaugeState::Active {
            self.active = None;
            voice.end(change.task, change.choice.subject, situation, out);
        }
        let kind = match next {
            GaugeState::Active => {
                self.active = Some(change.choice);
                EventKind::Activated
            }
            GaugeState::Waiting => EventKind::Waiting,
            GaugeState::Hibernating => change.factors.end_kind(),
        };
        out.explain(change.event(kind, motive.motivation));
    }

    /// Sends the due statements: an active robot states its task, a waiting one its wish, at the broadcast rate ρ.
    fn speak(&mut self, situation: &Situation, out: &mut Output) {
        for (id, spec) in situation.me.behaviours() {
            let set = &mut self.sets[usize::from(id.0)];
            let rate = set.settings.broadcast_rate;
            for motive in &mut set.motives {
                match motive.state {
                    GaugeState::Active => motive.voice.work(spec.task, motive.subject, rate, situation, out),
                    GaugeState::Waiting => motive.voice.want(spec.task, motive.subject, rate, situation, out),
                    GaugeState::Hibernating => {}
                }
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
    ) -> Option<Choice> {
        for message in inbox {
            self.hearing.note(situation.now, situation.tasks, message);
        }
        self.learn(situation, skills, inbox, out);
        for (id, _) in situation.me.behaviours() {
            self.consider_set(id, situation, skills, inbox, out);
        }
        self.speak(situation, out);
        self.active
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        // A set is as motivated as its strongest motive.
        let gauge = |(i, set): (usize, &BehaviourSet)| {
            let strongest = set
                .motives
                .iter()
                .max_by(|a, b| a.state.cmp(&b.state).then(a.motivation.total_cmp(&b.motivation)));
            gauge_of(BehaviourId(i as u8), strongest)
        };
        out.extend(self.sets.iter().enumerate().map(gauge));
    }

    fn levels(&self, out: &mut Vec<Level>) {
        for (i, set) in self.sets.iter().enumerate() {
            let id = BehaviourId(i as u8);
            let level =
                |motive: &Motive| Level { subject: motive.subject, gauge: gauge_of(id, Some(motive)) };
            if set.motives.is_empty() {
                out.push(Level { subject: 0, gauge: gauge_of(id, None) });
            }
            let before = out.len();
            out.extend(set.motives.iter().map(level));
            out[before..].sort_by_key(|level| level.subject);
        }
    }
}

/// The gauge of a motive; of none, nothing.
fn gauge_of(behaviour: BehaviourId, motive: Option<&Motive>) -> Gauge {
    Gauge {
        behaviour,
        level: motive.map_or(0.0, |motive| motive.motivation),
        state: motive.map_or(GaugeState::Hibernating, |motive| motive.state),
    }
}

/// The inputs of a motive besides the situation.
#[derive(Clone, Copy)]
struct Senses<'a> {
    sensory: bool,
    /// The operator's weight of the task: motivations grow that much faster.
    urgency: f64,
    inbox: &'a [Message],
}

/// A motive's change of state and its causes.
struct Change {
    choice: Choice,
    task: TaskId,
    before: f64,
    factors: Factors,
}

impl Change {
    fn event(&self, kind: EventKind, motivation: f64) -> Event {
        let factors = &self.factors;
        let flag = |on: bool| f64::from(u8::from(on));
        let event =
            Event { reason: factors.reason(kind), other: factors.because_of(kind), ..Event::new(kind) };
        event
            .about(self.choice.behaviour, self.task)
            .subject(self.choice.subject)
            .with("before", self.before)
            .with("motivation", motivation)
            .with("impatience", factors.impatience)
            .with("sensory", flag(factors.sensory))
            .with("suppression", flag(!factors.suppressed))
            .with("reset", flag(factors.reset_by.is_none()))
            .with("acquiescence", flag(!factors.acquiesces()))
    }
}

/// Reports when a team-mate starts or stops slowing a motive.
fn explain_patience(motive: &Motive, factors: &Factors, id: BehaviourId, task: TaskId, out: &mut Output) {
    if !factors.sensory || factors.suppressed || motive.state == GaugeState::Active {
        return;
    }
    let event = match (motive.slowed, factors.slowed_by) {
        (false, Some(other)) => Event::new(EventKind::Patient).by(other),
        (true, None) => Event { other: factors.ignored, ..Event::new(EventKind::Impatient) },
        _ => return,
    };
    let event = event.about(id, task).with("motivation", motive.motivation);
    out.explain(event.with("impatience", factors.impatience));
}

#[cfg(test)]
mod tests;
