//! A stage for skills without a coordinator: a script tells every robot what to do, and with whom.

use super::scenario;
use crewlab_lab::sim::Model;
use crewlab_lab::sim::control::AnyController;
use crewlab_lab::sim::onboard::{
    Choice, Coordinator, Event, Frame, Message, NoRadio, Outcome, Output, Partner, Percept, RobotId, Sense,
    Setback, Situation, Skills, Software, Step, Stream, StreamKind, Time,
};
use crewlab_lab::sim::skills::AnySkills;
use crewlab_lab::sim::world::effectors::Grasp;
use crewlab_lab::sim::world::motion::{Motion, MotionInput};
use crewlab_lab::sim::world::sensors::SensorSuite;
use crewlab_lab::sim::world::{World, WorldEvent};
use std::sync::Arc;

/// Does what it is told, and records the reports of the skills.
pub struct Scripted {
    told: Option<Choice>,
    partners: Vec<Partner>,
    pub outcome: Option<Outcome>,
    pub setbacks: Vec<Setback>,
    /// The remaining actions by their indices, and the time they take.
    pub left: Vec<(usize, f64)>,
}

impl Coordinator for Scripted {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        _: &[Message],
        _: &mut Output,
    ) -> Option<Choice> {
        let choice = self.told?;
        self.outcome = Some(skills.outcome(choice, situation));
        self.setbacks.extend(skills.setback(choice, situation));
        self.left.clear();
        skills.action_costs(choice, situation, &mut self.left);
        let sum: f64 = self.left.iter().map(|(_, time)| time).sum();
        let cost = skills.cost(choice, situation);
        assert!(cost == sum || (cost - sum).abs() < 1e-9, "a cost is the sum of its parts");
        Some(choice)
    }

    fn partners(&self) -> &[Partner] {
        &self.partners
    }
}

/// One robot on the stage.
pub struct Actor {
    pub software: Software<Scripted, AnySkills>,
    pub percept: Percept,
    pub events: Vec<Event>,
    step: Step,
    heard: Vec<Vec<u8>>,
}

/// The whole stage.
pub struct Stage {
    pub model: Arc<Model>,
    pub world: World,
    pub actors: Vec<Actor>,
    pub happened: Vec<WorldEvent>,
    /// Share of the messages that are lost.
    pub loss: f64,
    motion: Motion,
    tick: u64,
}

impl Stage {
    /// The world and the robots of a scenario.
    pub fn new(name: &str, seed: u64, sets: &[&str]) -> Stage {
        let (model, state) = scenario(name, seed, sets).start;
        let actors = model.team.iter().map(|member| {
            let controller = AnyController::boot(&member.controller, &model.controllers, &member.identity)
                .expect("registered");
            let skills = model.briefing.boot(&member.identity, controller);
            let script = Scripted {
                told: None,
                partners: Vec::new(),
                outcome: None,
                setbacks: Vec::new(),
                left: Vec::new(),
            };
            Actor {
                software: Software::new(script, skills),
                percept: Percept {
                    senses: vec![Sense::default(); member.hardware.sensors.len()],
                    feedback: vec![0.0; member.hardware.effectors.len()],
                    stopped: false,
                },
                events: Vec::new(),
                step: Step::default(),
                heard: Vec::new(),
            }
        });
        Stage {
            actors: actors.collect(),
            model,
            world: state.world,
            happened: Vec::new(),
            loss: 0.0,
            motion: Motion::default(),
            tick: 0,
        }
    }

    pub fn now(&self) -> Time {
        Time(self.tick * self.model.tick)
    }

    pub fn robot(&self, name: &str) -> RobotId {
        self.model.robot(name).expect("a robot of the team")
    }

    pub fn actor(&self, name: &str) -> &Actor {
        &self.actors[self.robot(name)]
    }

    /// Tells a robot to do something with a person, with these partners in these parts.
    pub fn tell(&mut self, name: &str, set: &str, person: u32, partners: &[(&str, &str)]) {
        let robot = self.robot(name);
        let mut sets = self.model.team[robot].identity.behaviours();
        let (behaviour, _) = sets.find(|(_, spec)| spec.name == set).expect("a set that it has");
        let task = |name: &str| self.model.tasks.iter().position(|task| task.name == name).expect("a task");
        let partners = partners.iter().map(|(name, part)| Partner {
            robot: self.robot(name),
            part: crewlab_lab::sim::onboard::TaskId(task(part) as u16),
        });
        let partners = partners.collect();
        let script = &mut self.actors[robot].software.coordinator;
        (script.told, script.partners, script.outcome) =
            (Some(Choice { behaviour, subject: person }), partners, None);
    }

    /// Tells a robot to do nothing.
    pub fn rest(&mut self, name: &str) {
        let robot = self.robot(name);
        let script = &mut self.actors[robot].software.coordinator;
        (script.told, script.partners, script.outcome) = (None, Vec::new(), None);
    }

    pub fn outcome(&self, name: &str) -> Option<Outcome> {
        self.actor(name).software.coordinator.outcome
    }

    /// Continues until a condition holds; fails if that takes longer than this. [s]
    #[track_caller]
    pub fn until(&mut self, limit: f64, what: &str, holds: impl Fn(&Stage) -> bool) {
        let end = self.now().seconds() + limit;
        while !holds(self) {
            assert!(self.now().seconds() < end, "after {limit} s not yet: {what}");
            self.tick();
        }
    }

    /// One tick: think, move, use tools.
    pub fn tick(&mut self) {
        let (now, dt) = (self.now(), self.model.dt());
        self.world.reindex();
        for me in self.model.robots() {
            self.think(me, now);
        }
        self.speak();
        let (model, actors, tick) = (&self.model, &self.actors, self.tick);
        let order = |me: RobotId| {
            (!actors[me].percept.stopped).then(|| MotionInput {
                command: &actors[me].step.command,
                drive: &model.team[me].hardware.drive_quality,
                random: Stream::of_robot(1, StreamKind::Effectors, me, tick),
            })
        };
        self.motion.advance(&mut self.world, dt, false, order, &mut self.happened);
        self.world.pass_time(now, dt, &mut self.happened);
        for me in self.model.robots() {
            self.use_tools(me, now, dt);
        }
        for item in &mut self.world.items {
            if let Some(holder) = item.holder {
                item.position = self.world.bodies[holder].pose.position;
            }
        }
        self.tick += 1;
    }

    fn think(&mut self, me: RobotId, now: Time) {
        let (member, actor) = (&self.model.team[me], &mut self.actors[me]);
        let noise = Stream::of_robot(1, StreamKind::Sensors, me, self.tick);
        let sensors = &member.hardware.sensors;
        let suite = SensorSuite { world: &self.world, me, sensors, ailments: &[], odometer: None };
        suite.sense(now, noise, &mut actor.percept);
        for (feedback, mounted) in actor.percept.feedback.iter_mut().zip(&member.hardware.effectors) {
            *feedback = mounted.feedback(&self.world, me);
        }
        let situation = Situation {
            now,
            dt: self.model.dt(),
            me: &member.identity,
            tasks: &self.model.tasks,
            percept: &actor.percept,
            radio: &NoRadio,
        };
        let heard = std::mem::take(&mut actor.heard);
        let receive = |take: &mut dyn FnMut(&[u8])| heard.iter().for_each(|frame| take(frame));
        let mut random = Stream::of_robot(1, StreamKind::Decisions, me, self.tick);
        actor.software.step(&situation, receive, &mut random, &mut actor.step);
        actor.events.append(&mut actor.step.events);
    }

    fn speak(&mut self) {
        let mut chance = Stream::new(1, StreamKind::World, 0, self.tick);
        for from in 0..self.actors.len() {
            let frames: Vec<Frame> = std::mem::take(&mut self.actors[from].step.frames);
            for (to, frame) in
                (0..self.actors.len()).flat_map(|to| frames.iter().map(move |frame| (to, frame)))
            {
                if to != from && !chance.chance(self.loss) {
                    self.actors[to].heard.push(frame.bytes.clone());
                }
            }
        }
    }

    fn use_tools(&mut self, me: RobotId, now: Time, dt: f64) {
        let mut random = Stream::of_robot(1, StreamKind::Effectors, me, !self.tick);
        if self.actors[me].percept.stopped {
            return;
        }
        for action in &self.actors[me].step.command.uses {
            let mounted = &self.model.team[me].hardware.effectors[usize::from(action.effector.0)];
            let (world, events, quality) = (&mut self.world, &mut self.happened, &mounted.quality);
            mounted.perform(
                action.action,
                &mut Grasp { world, me, quality, now, dt, random: &mut random, events },
            );
        }
    }
}
