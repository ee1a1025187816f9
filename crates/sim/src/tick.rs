//! One tick of a run.

use crate::address::node;
use crate::decider::{Bounds, Decider, Decision, NoSuchRobot, Nobody, Request};
use crate::disturbances::{Complaint, DisturbanceSpec, Inventory, Occasion};
use crate::log::{Logged, of_world};
use crate::model::{Model, Visibility};
use crate::odometers::Odometers;
use crate::radio_module::{Module, learn, own_place};
use crate::sharing::Efforts;
use crate::state::{Robot, State};
use crate::stuck::WhyIncomplete;
use crate::surroundings::Around;
use crewlab_missions::{Minds, Verdict};
use crewlab_onboard::event::key;
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{
    Choice, Command, Event, EventKind, Findings, NoRadio, Outcome, Percept, RadioModule, RobotId, Situation,
    Step, Stream, StreamKind, Time,
};
use crewlab_radio::{AnyRadio, Estimator, Fate, Heard, Radio, Reception, Surroundings};
use crewlab_world::effectors::Grasp;
use crewlab_world::motion::{Motion, MotionInput};
use crewlab_world::sensors::SensorSuite;
use crewlab_world::{World, WorldEvent};
use std::sync::Arc;

/// One robot's results within a tick.
#[derive(Debug, Default)]
struct Turn {
    step: Step,
    reception: Reception,
    /// True if the robot's software does not run: it is absent, stopped, or out of energy.
    down: bool,
    /// True while its emergency stop is pressed: nothing on it moves.
    frozen: bool,
    /// True if a decider outside decides for it.
    delegated: bool,
    /// How long its software took, if the caller has given a clock. [ns]
    took: u64,
    /// The thread that processed it.
    #[cfg(test)]
    thread: Option<std::thread::ThreadId>,
}

/// Does a robot's turn, and measures it if there is a clock.
fn timed(clock: Option<fn() -> u64>, turn: &mut Turn, think: impl FnOnce(&mut Turn)) {
    let Some(clock) = clock else { return think(turn) };
    let begun = clock();
    think(turn);
    turn.took = clock().saturating_sub(begun);
}

/// A run in progress: constant model, changing state, and buffers that are reused in every tick.
pub struct Simulation {
    /// The constants. Branches, repetitions and replays of a run share it.
    pub model: Arc<Model>,
    /// The state.
    pub state: State,
    /// Fates of messages in the last tick, if `listen` is set.
    pub fates: Vec<Fate>,
    /// Records the fates of messages.
    pub listen: bool,
    /// A clock in nanoseconds that measures how long robots take to sense and decide, for [`Simulation::thinking`]. Results do not
    /// depend on it.
    pub clock: Option<fn() -> u64>,
    parallel: bool,
    turns: Vec<Turn>,
    efforts: Efforts,
    around: Around,
    motion: Motion,
    /// True if some robot has energy or other aspects.
    tiring: bool,
    /// Robots that use effectors other than the drive in this tick.
    using: Vec<RobotId>,
    world_events: Vec<WorldEvent>,
    /// Where robots were when they sensed, if anybody has an odometer.
    sensed: Vec<Pose>,
}

impl Simulation {
    /// A run that continues from `state`. With `parallel` the robots share the threads of the current rayon pool; the
    /// results are the same.
    pub fn new(model: Arc<Model>, state: State, parallel: bool) -> Simulation {
        let mut turns = Vec::new();
        turns.resize_with(model.team.len(), Turn::default);
        let tiring = model.team.iter().any(|member| !member.hardware.aspects.is_empty());
        Simulation {
            parallel,
            efforts: Efforts::new(&model.team),
            model,
            state,
            fates: Vec::new(),
            listen: false,
            clock: None,
            turns,
            around: Around::default(),
            motion: Motion::default(),
            tiring,
            using: Vec::new(),
            sensed: Vec::new(),
            world_events: Vec::new(),
        }
    }

    /// How long each robot took to sense and decide in the last tick, if there is a clock. Robots that did not run are left out. [ns]
    pub fn thinking(&self) -> impl Iterator<Item = (RobotId, u64)> {
        RobotId::enumerate(&self.turns).filter(|(_, turn)| !turn.down).map(|(robot, turn)| (robot, turn.took))
    }

    /// From the next tick on the decider of [`Simulation::tick_with`] decides for these robots, and for no others.
    pub fn delegate(&mut self, robots: &[RobotId]) -> Result<(), NoSuchRobot> {
        let team = self.turns.len();
        if let Some(&robot) = robots.iter().find(|robot| robot.index() >= team) {
            return Err(NoSuchRobot { robot, team });
        }
        self.turns.iter_mut().for_each(|turn| turn.delegated = false);
        robots.iter().for_each(|robot| self.turns[*robot].delegated = true);
        Ok(())
    }

    /// The time now.
    pub fn now(&self) -> Time {
        self.state.now(self.model.tick)
    }

    /// The values of the mission's measures now, in their order.
    pub fn measures(&self) -> Vec<Option<f64>> {
        self.model.mission.measure(&self.state.world, &self.state)
    }

    /// True if the mission is completed, time is up, or there was no progress for as long as the scenario waits.
    pub fn finished(&self) -> bool {
        self.state.verdict.completed || self.now() >= self.model.until || self.given_up()
    }

    /// True if there was no progress for as long as the scenario waits.
    fn given_up(&self) -> bool {
        let quiet = self.now().since(self.state.stuck.risen());
        self.model.give_up.is_some_and(|longest| quiet >= longest && !self.model.mission.endless())
    }

    /// Advances the run by one tick. Events are appended to `log`.
    pub fn tick(&mut self, log: &mut Vec<Logged>) {
        self.tick_with(&mut Nobody, log);
    }

    /// The same, with a decider for the delegated robots.
    pub fn tick_with(&mut self, decider: &mut dyn Decider, log: &mut Vec<Logged>) {
        let before = log.len();
        self.look_around();
        match self.model.visibility {
            Visibility::EndOfTick => self.think_together(decider, log),
            Visibility::SameTick => self.think_in_turn(decider, log),
        }
        self.instruct();
        self.move_bodies();
        self.power_radios();
        self.use_effectors();
        self.tell_world_events(log);
        self.disturb(log);
        self.inspect();
        self.officiate(log);
        self.judge(log);
        self.notice_stuck(before, log);
        if self.listen {
            self.fates = self.state.radio.fates();
        }
        self.state.tick += 1;
    }

    /// Where a robot was when it took the readings of its latest percept. Known only in teams with odometers; others get where it is.
    pub fn sensed_at(&self, robot: RobotId) -> Pose {
        self.sensed.get(robot.index()).copied().unwrap_or(self.state.world.bodies[robot].pose)
    }

    /// Updates the world's index and the radio.
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

    /// Sense, hear, decide, act for all robots at once; then all messages are transmitted.
    fn think_together(&mut self, decider: &mut dyn Decider, log: &mut Vec<Logged>) {
        let State { world, radio, robots, odometers, tick, .. } = &mut self.state;
        let moment = Moment { model: &self.model, world, radio, odometers, tick: *tick };
        let clock = self.clock;
        let think = |robot: RobotId, state: &mut Robot, turn: &mut Turn| {
            timed(clock, turn, |turn| moment.think(robot, state, turn));
        };
        if self.parallel {
            self.efforts.share(robots, &mut self.turns, think);
        } else {
            let all = RobotId::enumerate(robots.iter_mut().zip(&mut self.turns));
            all.for_each(|(robot, (state, turn))| think(robot, state, turn));
        }
        let team = self.model.robots();
        self.consult(decider, team.clone(), log);
        // All robots must have settled before any transmits: messages sent now were not heard yet.
        for robot in team.clone() {
            self.settle(robot);
        }
        for robot in team {
            self.transmit(robot, log);
        }
    }

    /// The same, robot by robot: each hears at once the messages of those before it.
    fn think_in_turn(&mut self, decider: &mut dyn Decider, log: &mut Vec<Logged>) {
        for robot in self.model.robots() {
            let State { world, radio, robots, odometers, tick, .. } = &mut self.state;
            let moment = Moment { model: &self.model, world, radio, odometers, tick: *tick };
            timed(self.clock, &mut self.turns[robot], |turn| moment.think(robot, &mut robots[robot], turn));
            self.consult(decider, [robot], log);
            self.settle(robot);
            self.transmit(robot, log);
        }
    }

    /// Asks the decider for decisions for those of these robots that are delegated and run.
    fn consult(
        &mut self,
        decider: &mut dyn Decider,
        robots: impl IntoIterator<Item = RobotId>,
        log: &mut Vec<Logged>,
    ) {
        let asked = |turn: &Turn| turn.delegated && !turn.down;
        let asked: Vec<RobotId> = robots.into_iter().filter(|robot| asked(&self.turns[*robot])).collect();
        if asked.is_empty() {
            return;
        }
        let State { world, radio, robots, odometers, tick, .. } = &mut self.state;
        let moment = Moment { model: &self.model, world, radio, odometers, tick: *tick };
        let listen = |robot: &RobotId| moment.listen(*robot, &mut robots[*robot], &mut self.turns[*robot]);
        let heard: Vec<_> = asked.iter().map(listen).collect();
        let module = |robot: &RobotId| moment.module(*robot, robots[*robot].estimator.as_deref());
        let modules: Vec<_> = asked.iter().map(module).collect();
        let mut requests = Vec::with_capacity(asked.len());
        for ((&robot, module), heard) in asked.iter().zip(&modules).zip(&heard) {
            let state = &robots[robot];
            requests.push(Request {
                situation: moment.situation(robot, moment.clock(state), &state.percept, module.as_ref()),
                heard: heard.iter().map(|message| message.payload).collect(),
                random: moment.random(robot),
            });
        }
        let mut decisions = decider.decide(&requests);
        for robot in asked {
            let mine = decisions.iter().position(|decision| decision.robot == robot);
            let decision = mine.map(|place| decisions.swap_remove(place));
            moment.obey(robot, &mut robots[robot], &mut self.turns[robot], decision);
        }
        let time = self.now();
        log.extend(decisions.iter().map(|decision| Logged { time, robot: None, event: unasked(decision) }));
    }

    /// The operator transmits, from the middle of the world.
    fn instruct(&mut self) {
        let now = self.now();
        let State { world, radio, operator, .. } = &mut self.state;
        operator.speak(now, (world.bounds.min + world.bounds.max) * 0.5, radio);
    }

    fn settle(&mut self, robot: RobotId) {
        let now = self.state.tick * self.model.tick;
        self.state.radio.settle(now, node(robot), self.turns[robot].reception);
    }

    /// Passes a robot's messages to the radio and its explanations to the log.
    fn transmit(&mut self, robot: RobotId, log: &mut Vec<Logged>) {
        let time = self.now();
        let step = &mut self.turns[robot].step;
        for frame in step.frames.drain(..) {
            self.state.radio.transmit(time.0, node(robot), frame.to.map(node), frame.bytes);
        }
        log.extend(step.events.drain(..).map(|event| Logged { time, robot: Some(robot), event }));
        if !step.command.uses.is_empty() {
            self.using.push(robot);
        }
    }

    fn move_bodies(&mut self) {
        let (model, turns, tick) = (&self.model, &self.turns, self.state.tick);
        let order = |robot: RobotId| {
            let turn: &Turn = &turns[robot];
            (!turn.down && !turn.frozen).then(|| MotionInput {
                command: &turn.step.command,
                drive: &model.team[robot].hardware.drive_quality,
                random: Stream::of_robot(model.seed, StreamKind::Effectors, robot, tick),
            })
        };
        self.world_events.clear();
        self.state.odometers.before(&self.state.world, &mut self.sensed);
        self.motion.advance(&mut self.state.world, model.dt(), self.parallel, order, &mut self.world_events);
        // Counted from the end of the stream, so that it never meets the draws of other sensors.
        let noise = |robot| Stream::of_robot(model.seed, StreamKind::Sensors, robot, !tick);
        self.state.odometers.count(&self.sensed, &self.state.world, noise);
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

    /// Takes the energy that radios have used since the last tick from the batteries.
    fn power_radios(&mut self) {
        let State { world, radio, robots, .. } = &mut self.state;
        if !self.tiring || radio.as_physical().is_none() {
            return;
        }
        for (id, (body, robot)) in RobotId::enumerate(world.bodies.iter_mut().zip(robots)) {
            let used = radio.usage(node(id)).energy;
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
                Stream::of_robot(self.model.seed, StreamKind::Effectors, robot, !self.state.tick);
            for action in &self.turns[robot].step.command.uses {
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
        for (body, _) in RobotId::enumerate(&self.turns).filter(|(_, turn)| turn.down) {
            // A gripper without power opens.
            let dropped = world.drop_in_front(body);
            self.world_events.extend(dropped.map(|item| WorldEvent::Dropped { body, item }));
        }
        if self.tiring {
            world.tell_exhausted(&mut self.world_events);
        }
        for item in &mut world.items {
            if let Some(holder) = item.holder {
                item.position = world.bodies[holder].pose.position;
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

    /// Applies due disturbances, and undoes those that are over.
    fn disturb(&mut self, log: &mut Vec<Logged>) {
        let now = self.after();
        // Taken out for a moment: a disturbance may change all other parts of the state.
        let mut schedule = std::mem::take(&mut self.state.schedule);
        schedule.run(&mut Occasion { model: &self.model, state: &mut self.state, now, log });
        self.state.schedule = schedule;
    }

    /// The work that a robot stopped in the last tick, and its state as far as the robot knew.
    pub fn left(&self, robot: RobotId) -> Option<(Choice, Outcome)> {
        self.turns[robot].step.left
    }

    /// Injects a disturbance, such as an intervention by hand, or returns an error. It applies from the next tick on; a scenario
    /// with it at the end of its list gives the same run.
    pub fn inject(&mut self, spec: &DisturbanceSpec) -> Result<(), Complaint> {
        let disturbance = spec.build(&Inventory::of(&self.model, &self.state))?;
        self.state.schedule.enter(self.model.seed, disturbance);
        Ok(())
    }

    /// Calls the disturbances that wait for this name.
    pub fn call(&mut self, name: &str) {
        self.state.schedule.call(name);
    }

    /// Tells who or what is stuck; what has happened in this tick is in the log from `before` on.
    fn notice_stuck(&mut self, before: usize, log: &mut Vec<Logged>) {
        // Taken out for a moment: it looks at all the rest of the state.
        let mut watch = std::mem::take(&mut self.state.stuck);
        let command = |robot: RobotId| &self.turns[robot].step.command;
        let told = watch.tick(&self.model, &self.state, command, &log[before..]);
        self.state.stuck = watch;
        log.extend(told);
    }

    /// Why the mission is not completed; `None` if it is, or if it has nothing to complete.
    pub fn why_incomplete(&self) -> Option<WhyIncomplete> {
        WhyIncomplete::of(&self.model, &self.state)
    }

    /// Lets the referee compare what robots have found out with the world, in the first tick of every second.
    fn inspect(&mut self) {
        let second = |time: Time| time.0 / 1_000_000_000;
        if second(self.after()) != second(self.now()) {
            let State { world, robots, .. } = &mut self.state;
            let minds = TeamMinds::of(robots, world);
            self.model.mission.inspect(world, &minds);
        }
    }

    /// Lets the referee act, if the mission has one that does.
    fn officiate(&mut self, log: &mut Vec<Logged>) {
        if !self.model.mission.officiated() {
            return;
        }
        let time = self.after();
        let State { world, robots, .. } = &mut self.state;
        let minds = TeamMinds::of(robots, world);
        let happened = self.model.mission.officiate(world, &minds, self.model.seed, time);
        log.extend(happened.into_iter().map(|(robot, event)| Logged { time, robot, event }));
    }

    fn judge(&mut self, log: &mut Vec<Logged>) {
        let mut verdict = self.model.mission.judge(&self.state.world, self.state.operator.open());
        let goal = self.model.goal.as_ref().filter(|_| self.after() >= self.model.until);
        if goal.is_some_and(|goal| goal.holds(&self.measures())) {
            verdict = Verdict { progress: 1.0, completed: true };
        }
        let before = std::mem::replace(&mut self.state.verdict, verdict);
        if verdict.progress != before.progress {
            let event = Event::new(EventKind::Progress).with(key::PROGRESS, verdict.progress);
            log.push(Logged { time: self.after(), robot: None, event });
        }
        if verdict.completed && !before.completed {
            log.push(Logged {
                time: self.after(),
                robot: None,
                event: Event::new(EventKind::MissionCompleted),
            });
        }
        self.tell_hindrances(log);
    }

    /// Asks the referee what nobody can reach when progress has stood still for a while.
    fn tell_hindrances(&mut self, log: &mut Vec<Logged>) {
        let (time, verdict) = (self.after(), self.state.verdict);
        if verdict.completed || !self.state.hindrances.due(verdict.progress, time) {
            return;
        }
        for hindrance in self.state.hindering(&self.model, |_| true) {
            let event = self.state.hindrances.event(hindrance);
            log.extend(event.map(|event| Logged { time, robot: None, event }));
        }
    }
}

/// The minds of all robots that run.
struct TeamMinds<'a> {
    robots: &'a [Robot],
    down: Vec<bool>,
}

impl<'a> TeamMinds<'a> {
    fn of(robots: &'a [Robot], world: &World) -> TeamMinds<'a> {
        TeamMinds { robots, down: world.bodies.iter().map(|body| body.down()).collect() }
    }

    /// A robot that runs.
    fn running(&self, robot: RobotId) -> Option<&'a Robot> {
        let runs = self.down.get(robot.index()).is_some_and(|down| !down);
        self.robots.get(robot.index()).filter(|_| runs)
    }
}

impl Minds for TeamMinds<'_> {
    fn active(&self, robot: RobotId) -> Option<Choice> {
        self.running(robot)?.software.active
    }

    fn findings(&self, robot: RobotId) -> Option<&dyn Findings> {
        self.running(robot)?.software.skills().findings()
    }
}

/// The event of a decision that was refused.
fn refused(why: impl std::fmt::Display) -> Event {
    Event::new(EventKind::DecisionRefused).saying(format!("the robot stands still: {why}"))
}

/// The event of a message that is too large for the radio.
fn message_refused(size: usize, limit: usize) -> Event {
    Event::new(EventKind::MessageRefused).with(key::BYTES, size as f64).with(key::LIMIT, limit as f64)
}

/// The event of an unrequested decision.
fn unasked(decision: &Decision) -> Event {
    let words =
        format!("a decision for robot {} was not asked for in this tick, or came twice", decision.robot);
    Event::new(EventKind::DecisionRefused).saying(words)
}

/// The common inputs of all robots in a tick.
struct Moment<'a> {
    model: &'a Model,
    world: &'a World,
    radio: &'a AnyRadio,
    odometers: &'a Odometers,
    tick: u64,
}

impl<'a> Moment<'a> {
    fn now(&self) -> Time {
        Time(self.tick * self.model.tick)
    }

    /// Senses; then hears, decides and acts if its own software decides.
    fn think(&self, me: RobotId, robot: &mut Robot, turn: &mut Turn) {
        #[cfg(test)]
        (turn.thread = Some(std::thread::current().id()));
        let body = &self.world.bodies[me];
        (turn.down, turn.frozen) = (body.down(), robot.faults.freezes());
        if turn.down {
            turn.step = Step::default();
            turn.reception = self.radio.hear(self.now().0, node(me), &mut |_| {});
            return;
        }
        self.sense(me, robot, turn);
        if !turn.delegated {
            self.decide(me, robot, turn);
            self.finish(me, robot, turn);
        }
    }

    /// Takes the robot's measurements.
    fn sense(&self, me: RobotId, robot: &mut Robot, turn: &Turn) {
        let hardware = &self.model.team[me].hardware;
        let (sensors, ailments) = (&hardware.sensors, robot.faults.ailments());
        let noise = Stream::of_robot(self.model.seed, StreamKind::Sensors, me, self.tick);
        let odometer = self.odometers.of(me);
        let suite = SensorSuite { world: self.world, me, sensors, ailments, odometer };
        suite.sense(self.now(), noise, &mut robot.percept);
        for (feedback, mounted) in robot.percept.feedback.iter_mut().zip(&hardware.effectors) {
            *feedback = mounted.feedback(self.world, me);
        }
        robot.percept.stopped = turn.frozen || robot.faults.hand().is_some();
    }

    /// Runs its own software: hears, decides and acts.
    fn decide(&self, me: RobotId, robot: &mut Robot, turn: &mut Turn) {
        let (clock, mut random) = (self.clock(robot), self.random(me));
        if robot.estimator.is_some() {
            let heard = self.listen(me, robot, turn);
            let module = self.module(me, robot.estimator.as_deref());
            let situation = self.situation(me, clock, &robot.percept, module.as_ref());
            let receive =
                |take: &mut dyn FnMut(&[u8])| heard.iter().for_each(|message| take(message.payload));
            robot.software.step(&situation, receive, &mut random, &mut turn.step);
        } else {
            let situation = self.situation(me, clock, &robot.percept, None);
            let receive = |take: &mut dyn FnMut(&[u8])| {
                turn.reception =
                    self.radio.hear(self.now().0, node(me), &mut |message| take(message.payload));
            };
            robot.software.step(&situation, receive, &mut random, &mut turn.step);
        }
    }

    /// Applies a decision from outside, if it is valid.
    fn obey(&self, me: RobotId, robot: &mut Robot, turn: &mut Turn, decision: Option<Decision>) {
        let Model { team, tasks, .. } = self.model;
        let identity = &team[me].identity;
        let bounds = Bounds { me: identity, tasks, team: team.len() };
        let decision = decision.ok_or_else(|| "nobody outside has decided for it".to_string());
        let decision = decision.and_then(|decision| bounds.check(&decision).map(|()| decision));
        let mut decision = decision.unwrap_or_else(|why| Decision {
            events: vec![refused(why)],
            active: robot.software.active,
            ..Decision::idle(identity.id)
        });
        let module = self.module(me, robot.estimator.as_deref());
        let limit = radio_of(module.as_ref()).largest_message();
        decision.frames.retain(|frame| {
            let size = frame.bytes.len();
            if size > limit {
                robot.software.refused += 1;
                decision.events.push(message_refused(size, limit));
            }
            size <= limit
        });
        robot.software.active = decision.active;
        let Decision { command, frames, events, left, .. } = decision;
        (turn.step.command, turn.step.frames) = (command, frames);
        (turn.step.events, turn.step.left) = (events, left);
        self.finish(me, robot, turn);
    }

    /// Applies faults and manual control to a command, and checks the robot's progress.
    #[inline]
    fn finish(&self, me: RobotId, robot: &mut Robot, turn: &mut Turn) {
        let body = &self.world.bodies[me];
        if !robot.faults.is_empty() {
            robot.faults.steer(&mut turn.step.command, &body.drive);
            robot.faults.bend(&mut turn.step.command, &body.drive);
        }
        if turn.frozen {
            turn.step.command = Command::stop();
        }
        let by_hand = robot.faults.hand().is_some();
        // A person at the controls overrides its software.
        let active = robot.software.active.filter(|_| !by_hand).map(|choice| choice.behaviour);
        let standstill = robot.stall.watch(self.now(), active, body.holding, body.pose.position);
        if let Some(standstill) = standstill {
            turn.step.events.push(standstill.event(active));
        }
    }

    /// The messages that its radio received. A physical radio also measures.
    fn listen(&self, me: RobotId, robot: &mut Robot, turn: &mut Turn) -> Vec<Heard<'a>> {
        let mut heard = Vec::new();
        turn.reception = self.radio.hear(self.now().0, node(me), &mut |message| heard.push(message));
        let clock = self.clock(robot);
        if let Some((radio, estimator)) = self.radio.as_physical().zip(robot.estimator.as_deref_mut()) {
            let mine = own_place(&self.model.team[me].identity.datasheet, &robot.percept);
            learn(estimator, clock, radio.noise(node(me)), mine, &heard);
        }
        heard
    }

    /// Its radio module, if the radio is a physical one.
    fn module<'b>(&self, me: RobotId, estimator: Option<&'b Estimator>) -> Option<Module<'b>>
    where
        'a: 'b,
    {
        let (radio, estimator) = self.radio.as_physical().zip(estimator)?;
        Some(Module { me, radio, estimator, floor_plan: &self.model.floor_plan })
    }

    fn situation<'b>(
        &self,
        me: RobotId,
        now: Time,
        percept: &'b Percept,
        module: Option<&'b Module>,
    ) -> Situation<'b>
    where
        'a: 'b,
    {
        Situation {
            now,
            dt: self.model.dt(),
            me: &self.model.team[me].identity,
            tasks: &self.model.tasks,
            percept,
            radio: radio_of(module),
        }
    }

    /// The time by the robot's own clock.
    fn clock(&self, robot: &Robot) -> Time {
        if robot.faults.is_empty() { self.now() } else { robot.faults.clock(self.now()) }
    }

    /// The random stream of its software.
    fn random(&self, me: RobotId) -> Stream {
        Stream::of_robot(self.model.seed, StreamKind::Decisions, me, self.tick)
    }
}

fn radio_of<'a>(module: Option<&'a Module>) -> &'a dyn RadioModule {
    module.map_or(&NoRadio, |module| module)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemberSpec, Setup};
    use crewlab_missions::AnyMission;
    use crewlab_onboard::geometry::vec2;
    use crewlab_world::effectors::{AnyEffector, MountedEffector};
    use crewlab_world::sensors::{AnySensor, MountedSensor};
    use crewlab_world::{Bounds, Quality, RobotType, Shape};
    use serde_json::json;
    use std::collections::{BTreeMap, BTreeSet};
    use std::f64::consts::TAU;

    /// Robots that wander, with a sensor of this many beams.
    fn crowd(robots: usize, beams: u32) -> Simulation {
        let parse = |kind, value| AnySensor::parse(kind, value).expect("a kind").expect("its parameters");
        let kind = "low-proximity";
        let sensor = parse(kind, json!({"beams": beams}));
        let sensor = MountedSensor::new(kind.into(), kind.into(), Quality::perfect(2.0, TAU), sensor);
        let drive = AnyEffector::parse("drive", json!({})).expect("a kind").expect("its parameters");
        let (name, quality) = ("drive".to_string(), Quality::perfect(0.0, TAU));
        let drive = MountedEffector { kind: name.clone(), name, quality, effector: drive };
        let shape = Shape::Circle { radius: 0.1 };
        let hardware = Arc::new(RobotType::new(shape, vec![sensor], vec![drive], Vec::new()));
        let member = |index: usize| MemberSpec {
            name: format!("robot-{index}"),
            robot_type: "wanderer".into(),
            hardware: hardware.clone(),
            controller: "pilot".into(),
            pose: None,
            priority: 0,
            absent: false,
            path: String::new(),
        };
        let setup = Setup {
            seed: 1,
            tick: 100_000_000,
            until: Time(u64::MAX),
            give_up: None,
            goal: None,
            visibility: Visibility::EndOfTick,
            mission: AnyMission::parse("diffusion", json!({})).expect("a mission").expect("its parameters"),
            world: World::new(Bounds { min: vec2(0.0, 0.0), max: vec2(8.0, 8.0) }),
            supplies: BTreeMap::new(),
            team: (0..robots).map(member).collect(),
            coordinator: "greedy".into(),
            parameters: Default::default(),
            controllers: Default::default(),
            radio: AnyRadio::ideal(Default::default(), 1),
            disturbances: Vec::new(),
            floor_plan: None,
            slam: Default::default(),
            orders: BTreeMap::new(),
        };
        let (model, state) = setup.build().unwrap_or_else(|errors| panic!("{errors:?}"));
        Simulation::new(model, state, true)
    }

    /// The largest number of threads, of two, that worked in one tick.
    fn threads(mut run: Simulation, ticks: usize) -> usize {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let mut most = 0;
        for _ in 0..ticks {
            pool.install(|| run.tick(&mut Vec::new()));
            let threads: BTreeSet<_> = run.turns.iter().map(|turn| format!("{:?}", turn.thread)).collect();
            most = most.max(threads.len());
            if most > 1 {
                break;
            }
        }
        most
    }

    #[test]
    fn ten_expensive_robots_use_two_threads() {
        // A tick takes milliseconds: the second thread has time to wake up, if not in the first tick then soon.
        assert_eq!(threads(crowd(10, 10_000), 1000), 2);
    }

    #[test]
    fn three_cheap_robots_use_one() {
        assert_eq!(threads(crowd(3, 24), 100), 1);
    }
}
