//! BITE: a teamwork engine. Every robot runs its own copy of three linked structures: a behaviour [`graph`], an [`organisation`], and
//! social behaviours, the [`protocols`] by which robots decide, allocate and end together.
//!
//! - [`plan`]: from what a scenario writes to these structures.
//! - [`council`]: how the team agrees on one record although messages are lost, robots stop and the network splits.
//! - [`team`]: what the record means: which group executes which behaviour.
//! - [`teamwork`]: the engine on one robot; `chair.rs` is what its leader does, `account.rs` what it can tell about itself.
//! - `robot.rs`, `resources.rs`, this file: the robot that follows its stack.

mod account;
mod chair;
pub mod council;
pub mod graph;
mod mates;
mod notices;
pub mod organisation;
mod params;
pub mod plan;
pub mod protocols;
pub mod rehearsal;
mod resources;
mod robot;
mod snapshot;
pub mod talk;
pub mod team;
pub mod teamwork;
#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests;

pub use params::BiteParams;

use crate::picture::{Picture, Standing};
use crate::progress::Progress;
use crate::voice::Voice;
use crate::{Boot, FileContent, GaugeWords, IndicatorSpec, Missing, Plugin, Preparation};
use council::Member;
use crewlab_onboard::event::key;
use crewlab_onboard::{
    BehaviourId, Body, Choice, Coordinator, Event, EventKind, Gauge, GaugeState, Message, Outcome, Output,
    RobotId, Situation, Skills, Subject, TaskSpec, Time,
};
use graph::Work;
use params::Habits;
use plan::{Known, Plan, compile};
use resources::Turns;
use robot::RobotNow;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use talk::{BiteMessage, Talk};
use team::{Frame, FrameId};
use teamwork::Teamwork;

/// The work of the innermost behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Current {
    frame: FrameId,
    choice: Choice,
    /// What it was last expected to cost. [s]
    cost: f64,
}

/// BITE on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bite {
    habits: Habits,
    plan: Arc<Plan>,
    me: RobotId,
    roster: Vec<RobotId>,
    restarted: bool,
    signals: Vec<String>,
    sets: Vec<Option<BehaviourId>>,
    engine: Option<Teamwork>,
    current: Option<Current>,
    /// Work that is being wound up, although the engine is done with it.
    halting: Option<Choice>,
    beside: Vec<Choice>,
    turns: Turns,
    progress: Progress,
    /// Time since boot, unaffected by clock faults.
    uptime: Time,
    voice: Voice,
    spoken_of: Option<Choice>,
    messages: u64,
    /// Messages of coordinators that could not be read.
    damaged: u64,
    waited: f64,
    #[serde(skip)]
    subjects: Vec<Subject>,
    #[serde(skip)]
    talks: Vec<Talk>,
}

impl Plugin for Bite {
    const SUMMARY: &'static str = "a teamwork engine: a behaviour graph, an organisation and protocols by which robots decide, \
                                   allocate and end together (BITE)";
    const GAUGE: GaugeWords = GaugeWords {
        name: "bid",
        plural: "bids",
        unit: "s",
        meaning: "The time that each robot last expected to need for a task.",
    };
    const INDICATORS: &'static [IndicatorSpec] = &[
        IndicatorSpec {
            name: "waiting-time",
            title: "time spent waiting for the team",
            unit: "s",
            summary: "how long a robot has stood at barriers and points so far, with nothing to do until the team goes on",
        },
        IndicatorSpec {
            name: "teamwork-messages",
            title: "messages of the teamwork engine",
            unit: "",
            summary: "messages that a robot's engine has sent so far",
        },
        IndicatorSpec {
            name: "decisions",
            title: "entries of the team's record",
            unit: "",
            summary: "how many entries of the team's record a robot knows",
        },
        IndicatorSpec {
            name: "splits",
            title: "split decisions",
            unit: "",
            summary: "how often robots of one group have gone different ways by protocols that do not communicate",
        },
        IndicatorSpec {
            name: "refused-messages",
            title: "messages that were refused",
            unit: "",
            summary: "messages that a robot could not use so far: damaged, about another plan, or about behaviours that do not exist",
        },
    ];
    const CONTENT: Option<FileContent> = Some(plan::GRAPH_FILE);
    type Params = BiteParams;

    fn boot(params: &BiteParams, boot: &Boot) -> Result<Bite, Vec<Missing>> {
        let robots: Vec<&str> = boot.roster.iter().map(|(name, _)| name.as_str()).collect();
        let signals: Vec<&str> = boot.signals.iter().map(|signal| signal.name).collect();
        let named = |graph: &plan::GraphSpec| {
            graph.nodes.0.iter().filter_map(|(_, node)| node.r#do.clone()).collect()
        };
        let sets: Vec<String> = params.plan.graph.as_ref().map(named).unwrap_or_default();
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        let known =
            Known { robots: &robots, sets: &sets, tasks: boot.tasks, signals: &signals, equipment: None };
        // A scenario's plan was checked before.
        let plan = compile(&params.plan, &known, &mut Vec::new())
            .ok_or_else(|| vec![Missing { key: "graph".into(), behaviour: None }])?;
        let set = |work: &Work| match work {
            Work::Set(name) => boot.me.behaviours().find(|(_, spec)| spec.name == *name).map(|(id, _)| id),
            Work::Task(task) => boot.me.behaviours().find(|(_, spec)| spec.task == *task).map(|(id, _)| id),
            Work::None => None,
        };
        let sets = plan.graph.nodes.iter().map(|node| set(&node.work)).collect();
        Ok(Bite {
            habits: params.habits(),
            plan: Arc::new(plan),
            me: boot.me.id,
            roster: boot
                .roster
                .iter()
                .map(|(_, robot)| *robot)
                .filter(|id| !boot.reserve.contains(id))
                .collect(),
            // Whoever joins later is no member of the first view either. A robot that is the whole team, for good, begins anew after a
            // restart: nobody else remembers anything.
            restarted: (boot.restarted && boot.roster.len() > 1) || boot.reserve.contains(&boot.me.id),
            signals: signals.into_iter().map(String::from).collect(),
            sets,
            engine: None,
            current: None,
            halting: None,
            beside: Vec::new(),
            turns: Turns::default(),
            progress: Progress::default(),
            uptime: Time::ZERO,
            voice: Voice::default(),
            spoken_of: None,
            messages: 0,
            damaged: 0,
            waited: 0.0,
            subjects: Vec::new(),
            talks: Vec::new(),
        })
    }

    fn prepare(said: &mut Value, preparation: &mut Preparation) {
        // Invalid values are reported when all parameters are read.
        if let Ok(params) = serde_json::from_value::<BiteParams>(said.clone()) {
            plan::prepare(&params.plan, preparation);
            preparation.findings.extend(params.hasty());
        }
    }

    fn picture(params: &BiteParams, tasks: &[TaskSpec]) -> Option<Picture> {
        Some(plan::picture(&params.plan, tasks))
    }

    fn standing(&self) -> Option<Standing> {
        self.engine.as_ref().map(Teamwork::standing)
    }

    fn withdrawn(&self) -> bool {
        self.engine.as_ref().is_some_and(|engine| !engine.is_steady())
    }

    fn indicators(&self, _now: Time) -> Vec<Option<f64>> {
        let engine = self.engine.as_ref();
        vec![
            Some(self.waited),
            Some(self.messages as f64),
            engine.map(|engine| f64::from(engine.council().slot())),
            engine.map(|engine| f64::from(engine.team().splits())),
            engine.map(|engine| (self.damaged + engine.foreign()) as f64),
        ]
    }
}

impl Coordinator for Bite {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        let mut engine = self.engine.take().unwrap_or_else(|| {
            let life = if self.restarted { 1 + out.random.bits() as u32 % (u32::MAX - 1) } else { 0 };
            let me = Member { robot: self.me, life };
            Teamwork::new(me, &self.roster, self.plan.clone(), self.habits.pace)
        });
        let mut talks = std::mem::take(&mut self.talks);
        let mut answers = Vec::new();
        for message in inbox {
            match &message.body {
                Body::Answer { question, choice, .. } => answers.push((*question, *choice)),
                body @ Body::Coordination(_) => match BiteMessage::of(body) {
                    Some(heard) => engine.hear(situation.now, message.from, heard, &mut talks),
                    None => self.damaged += 1,
                },
                _ => {}
            }
        }
        let now = situation.now;
        let stalled = self.give_up(situation, skills);
        let mut robot = RobotNow {
            situation,
            skills,
            out: &mut *out,
            graph: &self.plan.graph,
            signals: &self.signals,
            sets: &self.sets,
            choice: self.current.map(|current| (current.frame, current.choice)),
            given_up: &self.progress,
            uptime: self.uptime,
            gives_up: stalled.is_some(),
            subjects: &mut self.subjects,
        };
        engine.tick(now, &answers, &mut robot, &mut talks);
        self.messages += talks.len() as u64;
        let life = engine.council().me().life;
        for talk in talks.drain(..) {
            out.say(BiteMessage { plan: self.plan.graph.version, life, talk }.body());
        }
        self.talks = talks;
        notices::explain(&mut engine, out);
        let choice = self.act(&engine, stalled, situation, skills, out);
        if choice.is_none() && engine.council().is_member() && !engine.team().is_over() {
            self.waited += situation.dt;
        }
        self.engine = Some(engine);
        self.speak(choice, situation, out);
        choice
    }

    fn beside(&self) -> &[Choice] {
        &self.beside
    }

    fn halting(&self) -> bool {
        self.halting.is_some()
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        let Some(current) = self.current else { return };
        let state = GaugeState::Active;
        out.push(Gauge { behaviour: current.choice.behaviour, level: current.cost, state });
    }
}

impl Bite {
    /// The engine, once the robot has run.
    pub fn engine(&self) -> Option<&Teamwork> {
        self.engine.as_ref()
    }

    /// What the robot does: the work of the innermost behaviour, and beside it that of those around it.
    fn act(
        &mut self,
        engine: &Teamwork,
        stalled: Option<f64>,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) -> Option<Choice> {
        self.beside.clear();
        let before = self.current;
        let wanted = self.follow(engine, situation, skills, out);
        if let Some(before) = before.filter(|before| wanted.is_none_or(|choice| choice != before.choice)) {
            self.leave(before, stalled, situation, out);
            // Winding up may take several ticks; until then nothing else begins.
            if !skills.halted(before.choice, situation) {
                self.halting = Some(before.choice);
            }
        }
        if let Some(choice) = self.halting {
            if !skills.halted(choice, situation) && wanted != Some(choice) {
                return Some(choice);
            }
            self.halting = None;
        }
        wanted
    }

    /// The work of the robot's stack.
    fn follow(
        &mut self,
        engine: &Teamwork,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) -> Option<Choice> {
        let now = situation.now;
        let Some(leaf) = engine.executed().last().filter(|leaf| engine.works(leaf.node)) else {
            self.current = None;
            return None;
        };
        // A behaviour above those that have work of their own waits for them.
        if !engine.plan().graph.node(leaf.node).children.is_empty()
            && engine.team().below(leaf.id).next().is_none()
        {
            self.current = None;
            return None;
        }
        if self.current.is_none_or(|current| current.frame != leaf.id) {
            let mut robot = RobotNow {
                situation,
                skills,
                out,
                graph: &self.plan.graph,
                signals: &self.signals,
                sets: &self.sets,
                choice: None,
                given_up: &Progress::default(),
                uptime: self.uptime,
                gives_up: false,
                subjects: &mut self.subjects,
            };
            let best = robot.best(leaf.node, Some(leaf.subject)).or_else(|| robot.best(leaf.node, None));
            let found = best.or_else(|| robot.repeated(leaf.node));
            self.current = found.map(|(choice, cost)| Current { frame: leaf.id, choice, cost });
            if let Some(Current { choice, cost, .. }) = self.current {
                let task = situation.me.behaviour(choice.behaviour).task;
                let name = self.plan.graph.node(leaf.node).name.clone();
                let event =
                    Event::new(EventKind::Activated).about(choice.behaviour, task).subject(choice.subject);
                out.explain(event.thing(name).with("cost", cost));
            }
        }
        let choice = self.current?.choice;
        let leaf = leaf.id;
        let has_work = |frame: &Frame| frame.id != leaf && self.sets[frame.node.index()].is_some();
        if engine.executed().any(has_work) {
            let stack: Vec<(FrameId, &[String])> = engine
                .executed()
                .map(|frame| (frame.id, self.plan.graph.node(frame.node).needs.as_slice()))
                .collect();
            let mut holds = Vec::new();
            self.turns.hold(&stack, now, self.habits.standby, &mut holds);
            for (frame, holds) in engine.executed().zip(holds) {
                if frame.id != leaf
                    && holds
                    && let Some(id) = self.sets[frame.node.index()]
                {
                    self.beside.push(Choice { behaviour: id, subject: frame.subject });
                }
            }
        }
        Some(choice)
    }

    /// Gives up the robot's work if it fails, or stalls for too long, before the robot tells the others what it could do next. Gives
    /// for how long it has stalled. [s]
    fn give_up(&mut self, situation: &Situation, skills: &dyn Skills) -> Option<f64> {
        self.uptime = self.uptime.after(Time::from_seconds(situation.dt).0);
        let Some(current) = &mut self.current else {
            self.progress.rest();
            return None;
        };
        let (choice, piece) = (current.choice, situation.piece(current.choice));
        current.cost = skills.cost(choice, situation);
        let stalled = self.progress.look(piece, current.cost, self.uptime, self.habits.patience);
        // What makes no sense any more is no failure of the robot.
        let mut is_possible = || {
            skills.possible(choice.behaviour, situation, &mut self.subjects);
            self.subjects.contains(&choice.subject)
        };
        match skills.outcome(choice, situation) {
            Outcome::Done => self.progress.forgive(piece),
            _ if self.progress.pauses(piece, self.uptime) => {}
            Outcome::Failed(_) if stalled.is_some() || is_possible() => {
                self.progress.give_up(piece, self.uptime, self.habits.aversion);
            }
            Outcome::Ongoing if stalled.is_some() => {
                self.progress.give_up(piece, self.uptime, self.habits.aversion);
            }
            Outcome::Failed(_) | Outcome::Ongoing | Outcome::Unwanted => {}
        }
        stalled
    }

    /// The robot leaves its work.
    fn leave(&mut self, before: Current, stalled: Option<f64>, situation: &Situation, out: &mut Output) {
        let task = situation.me.behaviour(before.choice.behaviour).task;
        let event = match stalled {
            Some(seconds) => Event::new(EventKind::LeftToOthers).with(key::SECONDS, seconds),
            None => Event::new(EventKind::Ended),
        };
        out.explain(event.about(before.choice.behaviour, task).subject(before.choice.subject));
        if self.current.is_some_and(|current| current.frame == before.frame) {
            self.current = None;
        }
    }

    /// Announces work that other tasks go along with.
    fn speak(&mut self, choice: Option<Choice>, situation: &Situation, out: &mut Output) {
        let choice = choice.filter(|choice| situation.accompanied(situation.piece(*choice).task));
        let task = |choice: Choice| situation.me.behaviour(choice.behaviour).task;
        if let Some(before) = self.spoken_of.filter(|before| Some(*before) != choice) {
            self.voice.end(task(before), before.subject, situation, out);
        }
        self.spoken_of = choice;
        if let Some(choice) = choice {
            self.voice.work(task(choice), choice.subject, 1.0 / self.habits.pace.status, situation, out);
        }
    }
}
