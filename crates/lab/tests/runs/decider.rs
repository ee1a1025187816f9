//! Robots whose decisions are made outside the simulation.

use super::simulation;
use crewlab_lab::sim::onboard::{
    Action, BehaviourId, Body, Choice, Command, EffectorId, Event, EventKind, Frame, Message, Outcome,
    RobotId, Software, Step, Stream, StreamKind, TaskId, WorkState,
};
use crewlab_lab::sim::skills::AnySkills;
use crewlab_lab::sim::teams::AnyCoordinator;
use crewlab_lab::sim::{Decider, Decision, Logged, NoSuchRobot, Request, ResultHash, Simulation};

/// Runs copies of the on-board software of some robots.
struct Copies {
    software: Vec<(RobotId, Software<AnyCoordinator, AnySkills>)>,
    step: Step,
    /// The largest number of requests at once.
    most: usize,
}

impl Copies {
    fn of(simulation: &Simulation, robots: &[RobotId]) -> Copies {
        let copy = |id: &RobotId| (*id, simulation.state.robots[*id].software.clone());
        Copies { software: robots.iter().map(copy).collect(), step: Step::default(), most: 0 }
    }

    fn decide_one(&mut self, request: &Request) -> Decision {
        let robot = request.situation.me.id;
        let own = self.software.iter_mut().find(|(id, _)| *id == robot);
        let software = &mut own.expect("only those that were delegated are asked for").1;
        let receive = |take: &mut dyn FnMut(&[u8])| request.heard.iter().for_each(|frame| take(frame));
        software.step(&request.situation, receive, &mut request.random.clone(), &mut self.step);
        Decision {
            robot,
            command: self.step.command.clone(),
            frames: std::mem::take(&mut self.step.frames),
            events: std::mem::take(&mut self.step.events),
            active: software.active,
            left: self.step.left,
        }
    }
}

impl Decider for Copies {
    fn decide(&mut self, requests: &[Request]) -> Vec<Decision> {
        self.most = self.most.max(requests.len());
        // The order of answers does not matter.
        requests.iter().rev().map(|request| self.decide_one(request)).collect()
    }
}

/// Two runs of the same scenario side by side, one of them with delegated robots.
fn same_run(name: &str, sets: &[&str], robots: &[RobotId], most: usize) {
    let (mut ordinary, mut delegated) = (simulation(name, 3, sets), simulation(name, 3, sets));
    let mut copies = Copies::of(&delegated, robots);
    delegated.delegate(robots).expect("robots of the team");
    let mut hashes = [ResultHash::default(), ResultHash::default()];
    let (mut expected, mut log) = (Vec::new(), Vec::new());
    while !ordinary.finished() && ordinary.state.tick < 1200 {
        expected.clear();
        log.clear();
        ordinary.tick(&mut expected);
        delegated.tick_with(&mut copies, &mut log);
        assert_eq!(log, expected, "{sets:?} at tick {}", ordinary.state.tick);
        hashes[0].events(&expected);
        hashes[1].events(&log);
        for robot in ordinary.model.robots() {
            assert_eq!(delegated.state.active(robot), ordinary.state.active(robot), "{sets:?}");
            assert_eq!(delegated.left(robot), ordinary.left(robot), "{sets:?}");
        }
    }
    assert_eq!(copies.most, most, "{sets:?}");
    // Everything is the same, except for the software itself, which runs outside. Once it is put back, nothing differs.
    let [before, after] = hashes.clone().map(|hash| hash.finish(&delegated.state));
    assert_eq!(before, after);
    assert_ne!(before, hashes[0].clone().finish(&ordinary.state), "{sets:?}: nothing was decided outside");
    for (robot, software) in copies.software {
        delegated.state.robots[robot].software = software;
    }
    let [expected, hash] = hashes;
    assert_eq!(hash.finish(&delegated.state), expected.finish(&ordinary.state), "{sets:?}");
}

#[test]
fn a_decider_that_decides_like_the_on_board_software_gives_the_same_run() {
    let robots = [RobotId(2), RobotId(0)];
    for coordinator in ["alliance", "muroco", "cbba"] {
        let set = format!("team.coordinator={coordinator}");
        same_run("waste-cleanup", &[&set], &robots, 2);
        same_run("waste-cleanup", &[&set, "team.visibility=same-tick", "radio.loss=0.2"], &robots, 1);
        same_run("waste-cleanup", &[&set, "radio={model: wifi-indoor, forwarding: flooding}"], &robots, 2);
    }
}

#[test]
fn clocks_and_faults_are_the_same_outside() {
    let sets = ["disturbances=[{at: 5 s, clock: {robot: blue, offset: 3 s}}, \
         {at: 20 s, drive: {robot: blue, fault: slower, severity: 50 %}}]"];
    same_run("waste-cleanup", &sets, &[RobotId(0)], 1);
}

#[test]
fn only_robots_of_the_team_can_be_delegated() {
    let mut run = simulation("waste-cleanup", 1, &[]);
    let error = run.delegate(&[RobotId(0), RobotId(3)]).expect_err("there are three");
    assert_eq!(error, NoSuchRobot { robot: RobotId(3), team: 3 });
    assert_eq!(error.to_string(), "there is no robot number 3: the team has 3, counted from 0");
    // Nothing has changed.
    let mut log = Vec::new();
    run.tick(&mut log);
    assert!(log.iter().all(|logged| logged.event.kind != EventKind::DecisionRefused), "{log:?}");
}

/// Gives the same answers in every tick.
struct Answers(Vec<Decision>);

impl Decider for Answers {
    fn decide(&mut self, _: &[Request]) -> Vec<Decision> {
        self.0.clone()
    }
}

/// One tick with the first robot delegated; returns the refusals with their robots.
fn refused(sets: &[&str], answers: Vec<Decision>) -> Vec<Logged> {
    let mut run = simulation("waste-cleanup", 1, sets);
    run.delegate(&[RobotId(0)]).expect("a robot of the team");
    let (before, mut log) = (run.state.world.bodies[0].pose, Vec::new());
    run.tick_with(&mut Answers(answers), &mut log);
    assert_eq!(run.state.world.bodies[0].pose, before, "it stands still");
    log.retain(|logged| logged.event.kind.name().ends_with("-refused"));
    log
}

fn first() -> Decision {
    Decision::idle(RobotId(0))
}

#[test]
fn a_wrong_answer_is_an_event_and_the_robot_stands_still() {
    let drive = Command::drive;
    let choice = Choice { behaviour: BehaviourId(99), subject: 0 };
    let frame = |to| Frame { to: Some(RobotId(to)), bytes: vec![1] };
    let moving = Decision { command: drive(0.1, 0.0), ..first() };
    for (answer, why) in [
        (Decision { command: drive(f64::NAN, 0.0), ..first() }, "`speed` of its command is NaN"),
        (Decision { command: drive(0.1, f64::INFINITY), ..first() }, "`turn` of its command is inf"),
        (
            Decision { command: drive(0.1, 0.0).with(EffectorId(77), Action::Grab), ..first() },
            "its command uses effector 77, but there are only",
        ),
        (Decision { active: Some(choice), ..moving.clone() }, "it works on behaviour set 99"),
        (Decision { left: Some((choice, Outcome::Done)), ..moving.clone() }, "it works on behaviour set 99"),
        (
            Decision { frames: vec![frame(2), frame(3)], ..moving.clone() },
            "a message is for robot 3, but there are only 3, counted from 0",
        ),
        (
            Decision { events: vec![Event::new(EventKind::Doubt).by(RobotId(9))], ..moving.clone() },
            "an event is about robot 9",
        ),
        (
            Decision {
                events: vec![Event::new(EventKind::Doubt).about(BehaviourId(0), TaskId(40))],
                ..moving.clone()
            },
            "an event is about task 40",
        ),
        (
            Decision {
                events: vec![Event::new(EventKind::Doubt).about(BehaviourId(40), TaskId(0))],
                ..moving.clone()
            },
            "an event is about behaviour set 40",
        ),
        (
            Decision {
                events: vec![Event::new(EventKind::Doubt).with("number", f64::NAN)],
                ..moving.clone()
            },
            "`number` of an event is NaN",
        ),
    ] {
        let events = refused(&[], vec![answer]);
        let [Logged { robot: Some(RobotId(0)), event, .. }] = &events[..] else {
            panic!("{why}: {events:?}")
        };
        assert!(event.words.contains(why), "{} does not say: {why}", event.words);
    }
}

#[test]
fn a_missing_or_superfluous_answer_is_an_event() {
    let missing = refused(&[], Vec::new());
    assert_eq!(missing.iter().map(|logged| logged.robot).collect::<Vec<_>>(), [Some(RobotId(0))]);
    assert!(missing[0].event.words.contains("nobody outside has decided"), "{missing:?}");
    for more in [0, 1, 500] {
        let events = refused(&[], vec![first(), Decision::idle(RobotId(more))]);
        assert_eq!(events.len(), 1, "{events:?}");
        assert!(events[0].event.words.contains("was not asked for"), "{events:?}");
    }
}

#[test]
fn a_message_that_the_radio_does_not_take_is_refused_and_the_rest_is_done() {
    let frame = |size| Frame { to: None, bytes: vec![0; size] };
    let sets = ["radio={model: wifi-indoor, largest-message: 100}"];
    let mut run = simulation("waste-cleanup", 1, &sets);
    run.delegate(&[RobotId(0)]).expect("a robot of the team");
    let active = Some(Choice { behaviour: BehaviourId(0), subject: 0 });
    let decision = Decision { frames: vec![frame(100), frame(101)], active, ..first() };
    let mut log = Vec::new();
    run.tick_with(&mut Answers(vec![decision]), &mut log);
    log.retain(|logged| logged.event.kind.name().ends_with("-refused"));
    assert_eq!(log.len(), 1, "{log:?}");
    assert_eq!(log[0].event.terms.iter().map(|term| term.value).collect::<Vec<_>>(), [101.0, 100.0]);
    assert_eq!((run.state.robots[0].software.refused, run.state.active(RobotId(0))), (1, active));
}

/// A decider with random, mostly invalid answers.
struct Babbler(u64);

impl Babbler {
    fn message(from: RobotId, random: &mut Stream) -> Vec<u8> {
        let mut number = |most: usize| random.below(most);
        let task = TaskId([0, 1, 60_000][number(3)]);
        let (subject, to) = (number(1 << 20) as u32, RobotId(number(1 << 16) as u16));
        let bytes: Vec<u8> = (0..number(60)).map(|_| number(256) as u8).collect();
        let body = match number(7) {
            0 => Body::Heartbeat { task, subject, state: WorkState::Working, priority: -1 },
            1 => Body::Want { task, subject },
            2 => Body::Order { task, open: subject % 2 == 0, weight: f64::NAN },
            3 => Body::Knowledge(bytes),
            4 => Body::Coordination(bytes),
            5 => Body::Answer { to, question: subject, choice: 200 },
            _ => return bytes,
        };
        let from = if number(2) == 0 { from } else { to };
        Message { from, number: subject, lamport: u64::from(subject), body }.encode()
    }
}

impl Decider for Babbler {
    fn decide(&mut self, requests: &[Request]) -> Vec<Decision> {
        self.0 += 1;
        let decide = |request: &Request| {
            let robot = request.situation.me.id;
            let mut random = Stream::of_robot(9, StreamKind::Decisions, robot, self.0);
            let bytes = Babbler::message(robot, &mut random);
            let command = Command::drive(random.between(-1e9, 1e9), random.between(-1e9, 1e9));
            Decision { command, frames: vec![Frame { to: None, bytes }], ..Decision::idle(robot) }
        };
        requests.iter().map(decide).collect()
    }
}

#[test]
fn no_answer_from_outside_can_crash_a_run() {
    for coordinator in ["alliance", "muroco", "cbba"] {
        let set = format!("team.coordinator={coordinator}");
        for name in ["waste-cleanup", "service"] {
            let mut run = simulation(name, 2, &[&set]);
            run.delegate(&[RobotId(1)]).expect("a robot of the team");
            let (mut babbler, mut log) = (Babbler(0), Vec::new());
            while !run.finished() && run.state.tick < 800 {
                run.tick_with(&mut babbler, &mut log);
            }
            assert!(log.iter().all(|logged| logged.event.kind != EventKind::DecisionRefused));
            let undecodable: u64 = run.state.robots.iter().map(|robot| robot.software.undecodable).sum();
            assert!(undecodable > 0, "some of it was nonsense");
        }
    }
}
