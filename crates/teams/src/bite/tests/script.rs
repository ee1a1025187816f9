//! Robots whose every answer a test sets, and a network that delivers at once.

use crate::bite::council::Member;
use crate::bite::graph::NodeId;
use crate::bite::plan::{Known, Plan, PlanSpec, compile};
use crate::bite::protocols::Own;
use crate::bite::talk::{BiteMessage, Offer, Talk};
use crate::bite::team::Frame;
use crate::bite::teamwork::{End, Local, Pace, Teamwork};
use crewlab_onboard::{RobotId, Stream, StreamKind, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

pub const PACE: Pace = Pace { status: 0.5, silence: 3.0, retry: 0.3, collect: 0.5, answer: 2.0 };

/// A plan from its text; it has to be right.
pub fn plan(text: serde_json::Value, robots: &[&str]) -> Arc<Plan> {
    let spec: PlanSpec = serde_json::from_value(text).expect("a plan");
    let known = Known { robots, sets: &[], tasks: &[], signals: &["colour", "head-angle"], equipment: None };
    let mut findings = Vec::new();
    Arc::new(compile(&spec, &known, &mut findings).unwrap_or_else(|| panic!("{findings:?}")))
}

/// What a robot answers.
#[derive(Default)]
pub struct Answers {
    /// Behaviours that it has ended.
    pub ended: Vec<NodeId>,
    /// Behaviours that it cannot begin.
    pub unable: Vec<NodeId>,
    /// What it would pay for behaviours.
    pub costs: BTreeMap<NodeId, f64>,
    pub signals: BTreeMap<&'static str, f64>,
    pub taken: bool,
    /// Preconditions that do not hold.
    pub disabled: Vec<NodeId>,
    /// Behaviours with the precondition `count < N`.
    pub at_most: BTreeMap<NodeId, u16>,
    /// Questions that it has asked, and those that it took back.
    pub asked: Vec<String>,
    pub withdrawn: Vec<u32>,
}

pub struct Scripted<'a> {
    pub answers: &'a mut Answers,
    pub random: Stream,
}

impl Own for Scripted<'_> {
    fn cost(&mut self, option: NodeId) -> Option<f64> {
        self.answers.costs.get(&option).copied()
    }

    fn cost_again(&mut self, _: NodeId) -> Option<f64> {
        None
    }

    fn signal(&mut self, name: &str) -> Option<f64> {
        self.answers.signals.get(name).copied()
    }

    fn random(&mut self) -> &mut Stream {
        &mut self.random
    }
}

impl Local for Scripted<'_> {
    fn end(&mut self, frame: &Frame, _: bool, _: f64, _: u16) -> Option<End> {
        if self.answers.ended.contains(&frame.node) {
            return Some(End::Done);
        }
        self.answers.unable.contains(&frame.node).then_some(End::Unable)
    }

    fn enables(&mut self, node: NodeId, count: u16) -> bool {
        let often = self.answers.at_most.get(&node).is_some_and(|most| count >= *most);
        !self.answers.disabled.contains(&node) && !often
    }

    fn offers(&mut self, _: &Frame, _: &mut Vec<Offer>) {}

    fn is_taken(&self) -> bool {
        self.answers.taken
    }

    fn ask(&mut self, text: &str, _: &[&str]) -> u32 {
        self.answers.asked.push(text.into());
        self.answers.asked.len() as u32
    }

    fn withdraw(&mut self, question: u32) {
        self.answers.withdrawn.push(question);
    }
}

/// A team whose messages arrive in the next tick of 0.1 s.
pub struct Crew {
    pub plan: Arc<Plan>,
    pub engines: Vec<Teamwork>,
    pub answers: Vec<Answers>,
    /// Robots that do not run.
    pub stopped: Vec<usize>,
    /// Robots that hear nothing, but are heard.
    pub deaf: Vec<usize>,
    pub said: Vec<Vec<Talk>>,
    /// The operator's answers in the next tick, by robot.
    pub told: Vec<Vec<(u32, u8)>>,
    pub tick: u64,
}

impl Crew {
    pub fn new(plan: Arc<Plan>, robots: usize) -> Crew {
        let roster: Vec<RobotId> = RobotId::team(robots).collect();
        let engine =
            |robot: &RobotId| Teamwork::new(Member { robot: *robot, life: 0 }, &roster, plan.clone(), PACE);
        Crew {
            engines: roster.iter().map(engine).collect(),
            answers: roster.iter().map(|_| Answers::default()).collect(),
            stopped: Vec::new(),
            deaf: Vec::new(),
            said: vec![Vec::new(); robots],
            told: vec![Vec::new(); robots],
            plan,
            tick: 0,
        }
    }

    pub fn node(&self, name: &str) -> NodeId {
        self.plan.graph.find(name).expect(name)
    }

    pub fn step(&mut self) {
        let now = Time::from_seconds(self.tick as f64 * 0.1);
        let heard = std::mem::replace(&mut self.said, vec![Vec::new(); self.engines.len()]);
        for place in 0..self.engines.len() {
            if self.stopped.contains(&place) {
                continue;
            }
            let (engine, mut say) = (&mut self.engines[place], Vec::new());
            let hears = |from: usize| from != place && !self.deaf.contains(&place);
            for (from, talks) in heard.iter().enumerate().filter(|(from, _)| hears(*from)) {
                for talk in talks {
                    let message = BiteMessage { plan: self.plan.graph.version, life: 0, talk: talk.clone() };
                    // As bytes, as over the radio.
                    let message = BiteMessage::of(&message.body()).expect("a message");
                    engine.hear(now, RobotId(from as u16), message, &mut say);
                }
            }
            let random = Stream::new(3, StreamKind::Decisions, place as u32, self.tick);
            let answers = std::mem::take(&mut self.told[place]);
            engine.tick(now, &answers, &mut Scripted { answers: &mut self.answers[place], random }, &mut say);
            self.said[place] = say;
        }
        self.tick += 1;
    }

    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    /// The stacks by name, as each robot knows its own; what it has ended and waits with is not on it.
    pub fn stacks(&self) -> Vec<String> {
        let name = |frame: &Frame| self.plan.graph.node(frame.node).name.clone();
        let stack = |engine: &Teamwork| engine.executed().map(name).collect::<Vec<_>>().join(" > ");
        self.engines.iter().map(stack).collect()
    }
}
