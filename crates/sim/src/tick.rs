//! One tick of a run.

use crate::disturbances::{Complaint, DisturbanceSpec, Inventory};
use crate::log::{Logged, of_world};
use crate::model::{Member, Model, Visibility};
use crate::radio_module::{Module, learn, own_place};
use crate::state::{Robot, State};
use crate::surroundings::Around;
use crewlab_onboard::{
    Choice, Command, Event, EventKind, NoRadio, Outcome, RobotId, Situation, Step, Stream, StreamKind, Time,
};
use crewlab_radio::{Fate, Radio, Reception, Surroundings};
use crewlab_world::effectors::Grasp;
use crewlab_world::motion::{Motion, Order};
use crewlab_world::{BodyId, World, WorldEvent, sensors};
use rayon::prelude::*;

/// This many robots are worth another thread.
const PARALLEL_FROM: usize = 64;

/// One robot's results within a tick.
#[derive(Debug, Default)]
struct Desk {
    step: Step,
    reception: Reception,
    /// True if the robot's software does not run: it is not there, it was stopped, or it is out of energy.
    down: bool,
    /// True while its emergency stop is pressed: nothing of it moves.
    frozen: bool,
}

/// A run in progress: constant model, changing state, and buffers that are used again in every tick.
pub struct Simulation {
    /// What stays the same.
    pub model: Model,
    /// What changes.
    pub state: State,
    /// What became of messages in the last tick, if `listen` is set.
    pub fates: Vec<Fate>,
    /// Keeps what becomes of messages, for records.
    pub listen: bool,
    parallel: bool,
    desks: Vec<Desk>,
    around: Around,
    motion: Motion,
    /// True if some robot has energy or other aspects.
    tiring: bool,
    /// Robots that use effectors other than the drive in this tick.
    using: Vec<usize>,
    world_events: Vec<WorldEvent>,
}

impl Simulation {
    /// A run that goes on from `state`. With `parallel` the robots share the threads of the current rayon pool; the
    /// results are the same.
    pub fn new(model: Model, state: State, parallel: bool) -> Simulation {
        let mut desks = Vec::new();
        desks.resize_with(model.team.len(), Desk::default);
        let tiring = model.team.iter().any(|member| !member.hardware.aspects.is_empty());
        Simulation {
            parallel: parallel && model.team.len() >= PARALLEL_FROM,
            model,
            state,
            fates: Vec::new(),
            listen: false,
            desks,
            around: Around::default(),
            motion: Motion::default(),
            tiring,
            using: Vec::new(),
            world_events: Vec::new(),
        }
    }

    /// The time now.
    pub fn now(&self) -> Time {
        self.state.now(self.model.tick)
    }

    /// True if the mission is completed or time is up.
    pub fn finished(&self) -> bool {
        self.state.verdict.completed || self.now() >= self.model.until
    }

    /// Takes the run one tick further. What happened is appended to `log`.
    pub fn tick(&mut self, log: &mut Vec<Logged>) {
        self.look_around();
        match self.model.visibility {
            Visibility::EndOfTick => self.think_together(log),
            Visibility::SameTick => self.think_in_turn(log),
        }
        self.instruct();
        self.move_bodies();
        self.power_radios();
        self.use_effectors();
        self.tell_world_events(log);
        self.disturb(log);
        self.judge(log);
        if self.listen {
            self.fates = self.state.radio.fates();
        }
        self.state.tick += 1;
    }

    /// Brings the world's index and the radio up to date.
    fn look_around(&mut self) {
        self.using.clear();
        self.state.world.reindex();
        let around = self.around.look(&self.state);
        let State { radio, airwaves, tick, .. } = &mut self.state;
        radio.watch(self.listen);
        let around = Surroundings {
            cuts: airwaves.cuts(),
            noise_rise: airwaves.noise_rise(),
            bandwidth_share: airwaves.bandwidth_share(),
            ..around
        };
        radio.update(*tick * self.model.tick, &around);
    }

    /// Sense, hear, decide, act for all robots at once; then everything said goes on the air.
    fn think_together(&mut self, log: &mut Vec<Logged>) {
        let mind = Mind {
            model: &self.model,
            world: &self.state.world,
            radio: &self.state.radio,
            tick: self.state.tick,
        };
        let think =
            |(member, (robot, desk)): (&Member, (&mut Robot, &mut Desk))| mind.think(member, robot, desk);
        let team = &self.model.team;
        if self.parallel {
            let robots = self.state.robots.par_iter_mut().with_min_len(16).zip(&mut self.desks);
            team.par_iter().zip(robots).for_each(think);
        } else {
            team.iter().zip(self.state.robots.iter_mut().zip(&mut self.desks)).for_each(think);
        }
        // Everyone must have settled before anyone transmits: what is said now was not heard yet.
        for robot in 0..self.desks.len() {
            self.settle(robot);
        }
        for robot in 0..self.desks.len() {
            self.transmit(robot, log);
        }
    }

    /// The same, robot by robot: each hears at once what those before it said.
    fn think_in_turn(&mut self, log: &mut Vec<Logged>) {
        for robot in 0..self.desks.len() {
            let State { world, radio, robots, tick, .. } = &mut self.state;
            let mind = Mind { model: &self.model, world, radio, tick: *tick };
            mind.think(&self.model.team[robot], &mut robots[robot], &mut self.desks[robot]);
            self.settle(robot);
            self.transmit(robot, log);
        }
    }

    /// The operator speaks, from the middle of the world.
    fn instruct(&mut self) {
        let now = self.now();
        let State { world, radio, operator, .. } = &mut self.state;
        operator.speak(now, (world.bounds.min + world.bounds.max) * 0.5, radio);
    }

    fn settle(&mut self, robot: usize) {
        let now = self.state.tick * self.model.tick;
        self.state.radio.settle(now, robot, self.desks[robot].reception);
    }

    /// Hands what a robot said to the radio and its explanations to the log.
    fn transmit(&mut self, robot: usize, log: &mut Vec<Logged>) {
        let time = self.now();
        let step = &mut self.desks[robot].step;
        for frame in step.frames.drain(..) {
            let to = frame.to.map(|to| u32::from(to.0));
            self.state.radio.transmit(time.0, robot, to, frame.bytes);
        }
        let id = Some(RobotId(robot as u16));
        log.extend(step.events.drain(..).map(|event| Logged { time, robot: id, event }));
        if !step.command.uses.is_empty() {
            self.using.push(robot);
        }
    }

    fn move_bodies(&mut self) {
        let (model, desks, tick) = (&self.model, &self.desks, self.state.tick);
        let order = |robot: usize| {
            let desk: &Desk = &desks[robot];
            (!desk.down && !desk.frozen).then(|| Order {
                command: &desk.step.command,
                drive: &model.team[robot].hardware.drive_quality,
                random: Stream::new(model.seed, StreamKind::Effectors, robot as u32, tick),
            })
        };
        self.world_events.clear();
        self.motion.advance(&mut self.state.world, model.dt(), self.parallel, order, &mut self.world_events);
        if !self.state.schedule.untouched() {
            let bodies = self.state.world.bodies.iter_mut().zip(&self.state.robots);
            for (body, robot) in bodies.filter(|(_, robot)| !robot.faults.is_empty()) {
                body.drain(robot.faults.drain() * model.dt());
            }
        }
        self.state.world.move_objects(model.dt(), &mut self.world_events);
        let (now, dt) = (self.state.now(model.tick), model.dt());
        self.state.world.pass_time(now, dt, &mut self.world_events);
    }

    /// Takes what radios have used since the last tick from the batteries.
    fn power_radios(&mut self) {
        let State { world, radio, robots, .. } = &mut self.state;
        if !self.tiring || radio.as_physical().is_none() {
            return;
        }
        for (index, (body, robot)) in world.bodies.iter_mut().zip(robots).enumerate() {
            let used = radio.usage(index).energy;
            body.spend(used - robot.radio_energy);
            robot.radio_energy = used;
        }
    }

    /// Effectors other than the drive, robot by robot; carried items follow.
    fn use_effectors(&mut self) {
        let now = self.now();
        for &robot in &self.using {
            let member = &self.model.team[robot];
            // Counted from the end of the stream, so that it never meets the drive's draws.
            let mut random =
                Stream::new(self.model.seed, StreamKind::Effectors, robot as u32, !self.state.tick);
            for action in &self.desks[robot].step.command.uses {
                let place = usize::from(action.effector.0);
                let Some(mounted) = member.hardware.effectors.get(place) else { continue };
                if self.state.robots[robot].faults.cripples(place) {
                    continue;
                }
                let last = &mut self.state.robots[robot].used[place];
                // A microsecond of slack: periods need not be whole numbers of nanoseconds.
                if last.is_some_and(|last| now.since(last) < mounted.quality.period - 1e-6) {
                    continue;
                }
                *last = Some(now);
                mounted.perform(
                    action.action,
                    &mut Grasp {
                        world: &mut self.state.world,
                        me: robot,
                        quality: &mounted.quality,
                        now,
                        dt: self.model.dt(),
                        random: &mut random,
                        events: &mut self.world_events,
                    },
                );
            }
        }
        let world = &mut self.state.world;
        for (robot, _) in self.desks.iter().enumerate().filter(|(_, desk)| desk.down) {
            // A gripper without power opens.
            let body = BodyId(robot as u32);
            let dropped = world.drop_in_front(body);
            self.world_events.extend(dropped.map(|item| WorldEvent::Dropped { body, item }));
        }
        if self.tiring {
            world.tell_exhausted(&mut self.world_events);
        }
        for item in &mut world.items {
            if let Some(holder) = item.holder {
                item.position = world.bodies[holder.0 as usize].pose.position;
            }
        }
    }

    /// The time at the end of the tick, when its effects are there.
    fn after(&self) -> Time {
        self.now().after(self.model.tick)
    }

    fn tell_world_events(&mut self, log: &mut Vec<Logged>) {
        let (now, world) = (self.after(), &self.state.world);
        log.extend(self.world_events.iter().map(|event| of_world(now, world, event)));
    }

    /// Lets happen what is due, and undoes what is over.
    fn disturb(&mut self, log: &mut Vec<Logged>) {
        let now = self.after();
        // Taken out for a moment: a disturbance may change all the rest of the state.
        let mut schedule = std::mem::take(&mut self.state.schedule);
        schedule.run(&self.model, &mut self.state, now, log);
        self.state.schedule = schedule;
    }

    /// What a robot stopped working on in the last tick, and how it stood as far as the robot knew.
    pub fn left(&self, robot: usize) -> Option<(Choice, Outcome)> {
        self.desks[robot].step.left
    }

    /// Takes in a disturbance from outside, such as one made by hand, or says what is wrong with it. It counts from the
    /// next tick on; a scenario with it at the end of its list gives the same run.
    pub fn inject(&mut self, spec: &DisturbanceSpec) -> Result<(), Complaint> {
        let disturbance = spec.build(&Inventory::of(&self.model, &self.state))?;
        self.state.schedule.enter(self.model.seed, disturbance);
        Ok(())
    }

    /// Calls the disturbances that wait for this name.
    pub fn call(&mut self, name: &str) {
        self.state.schedule.call(name);
    }

    fn judge(&mut self, log: &mut Vec<Logged>) {
        let verdict = self.model.mission.judge(&self.state.world, self.state.operator.open());
        let before = std::mem::replace(&mut self.state.verdict, verdict);
        if verdict.progress != before.progress {
            let event =
                Event::new(EventKind::Progress, "measured in the world").with("progress", verdict.progress);
            log.push(Logged { time: self.after(), robot: None, event });
        }
        if verdict.completed && !before.completed {
            log.push(Logged {
                time: self.after(),
                robot: None,
                event: Event::new(EventKind::MissionCompleted, "nothing is left to do"),
            });
        }
    }
}

/// What one robot's part of a tick may look at.
struct Mind<'a> {
    model: &'a Model,
    world: &'a World,
    radio: &'a crewlab_radio::AnyRadio,
    tick: u64,
}

impl Mind<'_> {
    /// Sense, hear, decide, act.
    fn think(&self, member: &Member, robot: &mut Robot, desk: &mut Desk) {
        let me = usize::from(member.identity.id.0);
        let (model, now) = (self.model, Time(self.tick * self.model.tick));
        let body = &self.world.bodies[me];
        (desk.down, desk.frozen) = (body.down(), robot.faults.freezes());
        if desk.down {
            desk.step = Step::default();
            desk.reception = self.radio.hear(now.0, me, &mut |_| {});
            return;
        }
        sensors::sense(
            self.world,
            me,
            &member.hardware.sensors,
            robot.faults.ailments(),
            Stream::new(model.seed, StreamKind::Sensors, me as u32, self.tick),
            now,
            &mut robot.percept,
        );
        for (feedback, mounted) in robot.percept.feedback.iter_mut().zip(&member.hardware.effectors) {
            *feedback = mounted.feedback(self.world, me);
        }
        let by_hand = robot.faults.hand().is_some();
        robot.percept.stopped = desk.frozen || by_hand;
        let mut situation = Situation {
            now: if robot.faults.is_empty() { now } else { robot.faults.clock(now) },
            dt: model.dt(),
            me: &member.identity,
            tasks: &model.tasks,
            percept: &robot.percept,
            radio: &NoRadio,
        };
        let mut random = Stream::new(model.seed, StreamKind::Decisions, me as u32, self.tick);
        let physical = self.radio.as_physical().zip(robot.estimator.as_deref_mut());
        if let Some((radio, estimator)) = physical {
            let mut heard = Vec::new();
            desk.reception = radio.hear(now.0, me, &mut |message| heard.push(message));
            let mine = own_place(&member.identity.datasheet, &robot.percept);
            learn(estimator, situation.now, radio.noise(me), mine, &heard);
            let module = Module { me, radio, estimator, floor_plan: &model.floor_plan };
            situation.radio = &module;
            let receive =
                |take: &mut dyn FnMut(&[u8])| heard.iter().for_each(|message| take(message.payload));
            robot.software.step(&situation, receive, &mut random, &mut desk.step);
        } else {
            let receive = |take: &mut dyn FnMut(&[u8])| {
                desk.reception = self.radio.hear(now.0, me, &mut |message| take(message.payload));
            };
            robot.software.step(&situation, receive, &mut random, &mut desk.step);
        }
        if !robot.faults.is_empty() {
            robot.faults.steer(&mut desk.step.command, &body.drive);
            robot.faults.bend(&mut desk.step.command, &body.drive);
        }
        if desk.frozen {
            desk.step.command = Command::stop();
        }
        let stalled = robot.stall.watch(
            now,
            // One that a person drives gets where that person wants.
            robot.software.active.filter(|_| !by_hand).map(|choice| choice.behaviour),
            body.holding,
            body.pose.position,
        );
        desk.step.events.extend(stalled);
    }
}
