//! A team in memory, for tests: robots with any coordinator and scripted skills that pass messages as bytes.
//!
//! Shared by the unit tests of the crate and by its integration tests, so not every test binary uses all of it.
#![allow(dead_code)]

use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Body, Choice, Command, Coordinator, Datasheet, Duty, Event, Gauge,
    GaugeState, Identity, Message, Names, NoRadio, Output, Percept, Performer, RobotId, Situation, Skills,
    Software, Step, Stream, StreamKind, Subject, TaskId, TaskSpec, Time, WorkState,
};
use std::borrow::Cow;
use std::sync::Arc;

/// Robots and tasks by their numbers.
pub struct Numbers;

impl Names for Numbers {
    fn robot(&self, robot: RobotId) -> Cow<'_, str> {
        format!("robot {robot}").into()
    }

    fn task(&self, task: TaskId) -> Cow<'_, str> {
        format!("task {}", task.0).into()
    }
}

/// Skills that do nothing, with applicability, cost and subject from tables that tests change between ticks.
#[derive(Clone, Debug)]
pub struct Script {
    pub applicable: Vec<bool>,
    pub cost: Vec<f64>,
    pub subjects: Vec<Vec<Subject>>,
    /// How many ticks work still takes to wind up, once it is to.
    pub winds_up: u32,
}

impl Skills for Script {
    fn applicable(&self, behaviour: BehaviourId, _: &Situation) -> bool {
        self.applicable[usize::from(behaviour.0)]
    }

    fn cost(&self, choice: Choice, _: &Situation) -> f64 {
        self.cost[usize::from(choice.behaviour.0)]
    }

    fn subjects(&self, behaviour: BehaviourId, _: &Situation, subjects: &mut Vec<Subject>) {
        subjects.extend(&self.subjects[usize::from(behaviour.0)]);
    }

    fn halted(&self, _: Choice, _: &Situation) -> bool {
        self.winds_up == 0
    }
}

impl Performer for Script {
    fn learn(&mut self, _: &Situation, _: &[Message], _: &mut Output) {}

    fn act(&mut self, duty: Duty, _: &Situation, _: &mut Output) -> Command {
        self.winds_up = self.winds_up.saturating_sub(u32::from(duty.halting));
        Command::stop()
    }

    fn skills(&self) -> &dyn Skills {
        self
    }
}

/// A robot that performs these tasks, with one behaviour set each: `set0`, `set1`, ...
pub fn identity(id: u16, priority: i32, tasks: &[u16]) -> Identity {
    let behaviour = |(i, task): (usize, &u16)| BehaviourSpec::new(&format!("set{i}"), TaskId(*task));
    let datasheet = Datasheet {
        radius: 0.1,
        max_speed: 1.0,
        max_turn: 1.0,
        sensors: Vec::new(),
        effectors: Vec::new(),
        further: Vec::new(),
    };
    Identity {
        id: RobotId(id),
        name: format!("r{id}"),
        robot_type: "rover".into(),
        priority,
        datasheet: Arc::new(datasheet),
        behaviours: tasks.iter().enumerate().map(behaviour).collect(),
        floor_plan: Default::default(),
        slam: Default::default(),
    }
}

/// Tasks, each exclusive or shared.
pub fn tasks(exclusive: &[bool]) -> Vec<TaskSpec> {
    let task = |(i, exclusive): (usize, &bool)| TaskSpec {
        exclusive: *exclusive,
        ..TaskSpec::new(&format!("task{i}"), "")
    };
    exclusive.iter().enumerate().map(task).collect()
}

/// "I do this task in this way", with priority 0.
pub fn heartbeat(task: u16, state: WorkState) -> Body {
    Body::Heartbeat { task: TaskId(task), subject: 0, state, priority: 0 }
}

/// "I want this task."
pub fn want(task: u16) -> Body {
    Body::Want { task: TaskId(task), subject: 0 }
}

/// When robots hear each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Visibility {
    /// In the next tick.
    EndOfTick,
    /// At once, if the speaker comes before the listener; else in the next tick.
    SameTick,
}

/// One robot and all its messages and explanations.
pub struct Robot<C> {
    pub identity: Identity,
    pub software: Software<C, Script>,
    /// False while its radio does not send.
    pub sends: bool,
    /// How far its clock is behind.
    pub behind: Time,
    pub said: Vec<(Time, Body)>,
    pub events: Vec<(Time, Event)>,
    frames: Vec<Vec<u8>>,
    step: Step,
}

impl<C: Coordinator> Robot<C> {
    fn new(identity: Identity, coordinator: C) -> Robot<C> {
        let sets = identity.behaviours.len();
        let script = Script {
            applicable: vec![true; sets],
            cost: vec![1.0; sets],
            subjects: vec![vec![0]; sets],
            winds_up: 0,
        };
        Robot {
            identity,
            software: Software::new(coordinator, script),
            sends: true,
            behind: Time::ZERO,
            said: Vec::new(),
            events: Vec::new(),
            frames: Vec::new(),
            step: Step::default(),
        }
    }

    /// The active behaviour set.
    pub fn active(&self) -> Option<usize> {
        self.software.active.map(|id| usize::from(id.behaviour.0))
    }

    /// The task of the active behaviour set.
    pub fn active_task(&self) -> Option<usize> {
        self.software.active.map(|id| usize::from(self.identity.behaviour(id.behaviour).task.0))
    }

    /// Number of messages that it does or wants a task.
    pub fn claims(&self) -> usize {
        let claim = |body: &Body| matches!(body, Body::Heartbeat { .. } | Body::Want { .. });
        self.said.iter().filter(|(_, body)| claim(body)).count()
    }

    /// The levels and states behind the last choice.
    pub fn gauges(&self) -> Vec<Gauge> {
        let mut gauges = Vec::new();
        self.software.coordinator.gauges(&mut gauges);
        gauges
    }

    /// The level of one behaviour set.
    pub fn level(&self, set: usize) -> f64 {
        self.gauges()[set].level
    }

    /// The state of one behaviour set.
    pub fn state(&self, set: usize) -> GaugeState {
        self.gauges()[set].state
    }

    /// Which of the behaviour sets are applicable.
    pub fn applicable(&mut self) -> &mut [bool] {
        &mut self.software.performer.applicable
    }

    /// Kinds of the events so far, with the times. [s]
    pub fn kinds(&self) -> Vec<(f64, &str)> {
        self.events.iter().map(|(at, event)| (seconds(*at), event.kind.name())).collect()
    }
}

/// A team and the channel between its robots.
pub struct Team<C> {
    pub robots: Vec<Robot<C>>,
    pub tasks: Vec<TaskSpec>,
    pub visibility: Visibility,
    /// Whether a frame is lost on its way, given tick, sender and listener.
    pub lost: Box<dyn FnMut(u64, usize, usize) -> bool>,
    pub seed: u64,
    tick: u64,
    tick_nanoseconds: u64,
    ghost_messages: u32,
}

impl<C: Coordinator> Team<C> {
    /// A team whose first tick is at time 0, with end-of-tick visibility. The tick is in seconds.
    pub fn new(tick: f64, tasks: Vec<TaskSpec>, robots: Vec<(Identity, C)>) -> Team<C> {
        Team {
            robots: robots.into_iter().map(|(identity, c)| Robot::new(identity, c)).collect(),
            tasks,
            visibility: Visibility::EndOfTick,
            lost: Box::new(|_, _, _| false),
            seed: 1,
            tick: 0,
            tick_nanoseconds: Time::from_seconds(tick).0,
            ghost_messages: 0,
        }
    }

    /// The time of the next tick. [s]
    pub fn now(&self) -> f64 {
        seconds(self.moment())
    }

    fn moment(&self) -> Time {
        Time(self.tick * self.tick_nanoseconds)
    }

    /// Transmits bytes that one robot hears in its next tick.
    pub fn inject(&mut self, listener: usize, frame: Vec<u8>) {
        self.robots[listener].frames.push(frame);
    }

    /// Lets one robot hear, in its next tick, a message from a robot that is not part of the team.
    pub fn tell(&mut self, listener: usize, from: u16, body: Body) {
        self.ghost_messages += 1;
        let (number, lamport) = (self.ghost_messages, u64::from(self.ghost_messages));
        self.inject(listener, Message { from: RobotId(from), number, lamport, body }.encode());
    }

    /// One tick of all robots, in their order.
    pub fn step(&mut self) {
        let mut spoken = Vec::new();
        for speaker in 0..self.robots.len() {
            self.step_robot(speaker);
            let robot = &self.robots[speaker];
            let frames = if robot.sends { robot.step.frames.clone() } else { Vec::new() };
            for listener in (0..self.robots.len()).filter(|listener| *listener != speaker) {
                let heard_by = self.robots[listener].identity.id;
                for frame in frames.iter().filter(|frame| frame.to.is_none_or(|to| to == heard_by)) {
                    if !(self.lost)(self.tick, speaker, listener) {
                        spoken.push((listener, frame.bytes.clone()));
                    }
                }
            }
            if self.visibility == Visibility::SameTick {
                self.deliver(&mut spoken);
            }
        }
        self.deliver(&mut spoken);
        self.tick += 1;
    }

    /// Several ticks.
    pub fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    fn deliver(&mut self, spoken: &mut Vec<(usize, Vec<u8>)>) {
        for (listener, frame) in spoken.drain(..) {
            self.robots[listener].frames.push(frame);
        }
    }

    fn step_robot(&mut self, place: usize) {
        let now = self.moment();
        let robot = &mut self.robots[place];
        let situation = Situation {
            now: Time(now.0.saturating_sub(robot.behind.0)),
            dt: self.tick_nanoseconds as f64 / 1e9,
            me: &robot.identity,
            tasks: &self.tasks,
            percept: &Percept::default(),
            radio: &NoRadio,
        };
        let mut random = Stream::of_robot(self.seed, StreamKind::Decisions, robot.identity.id, self.tick);
        let frames = std::mem::take(&mut robot.frames);
        let receive = |hear: &mut dyn FnMut(&[u8])| frames.iter().for_each(|frame| hear(frame));
        robot.software.step(&situation, receive, &mut random, &mut robot.step);
        let said =
            robot.step.frames.iter().map(|frame| Message::decode(&frame.bytes).expect("says only messages"));
        robot.said.extend(said.map(|message| (now, message.body)));
        robot.events.extend(robot.step.events.iter().map(|event| (now, event.clone())));
    }
}

/// Seconds, the nearest number to the nanoseconds.
pub fn seconds(time: Time) -> f64 {
    time.0 as f64 / 1e9
}

/// The value of a named number of an event.
pub fn term(event: &Event, name: &str) -> f64 {
    let found = event.terms.iter().find(|term| term.name == name);
    found.unwrap_or_else(|| panic!("no term `{name}` in {event:?}")).value
}
