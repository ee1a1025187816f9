//! The formation with a script in the place of a coordinator: three robots stand up, search, walk in a triangle, line up and cross the
//! room. All that they know comes from their cameras and their messages.

use crewlab_control::AnyController;
use crewlab_missions::formation::Formation;
use crewlab_missions::{Minds, Mission};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::message::LamportClock;
use crewlab_onboard::{
    BehaviourId, Choice, Duty, Findings, Frame, Identity, Message, NoRadio, Outcome, Output, Percept,
    Performer, Questions, RobotId, Sense, Situation, Skills, Stream, StreamKind, TaskSpec, Time,
};
use crewlab_skills::Briefing;
use crewlab_skills::formation::{Role, SIGNALS, Walker};
use crewlab_world::effectors::{AnyEffector, Grasp, MountedEffector};
use crewlab_world::motion::{Motion, MotionInput};
use crewlab_world::sensors::{AnySensor, MountedSensor, SensorSuite};
use crewlab_world::{Aspect, Body, Bounds, Object, Quality, RobotType, Shape, World};
use serde_json::{Value, json};
use std::sync::Arc;

/// Duration of a tick. [ns]
const TICK: u64 = 32_000_000;

fn mounted(kind: &str, own: Value, quality: Quality) -> MountedEffector {
    let effector = AnyEffector::parse(kind, own).expect("a known kind").expect("valid parameters");
    MountedEffector { name: kind.into(), kind: kind.into(), quality, effector }
}

/// The robot type of the defaults.
fn dog(colour: &str, noise: f64) -> RobotType {
    let effector =
        |kind, own| mounted(kind, own, Quality { relative_noise: noise / 2.0, ..Quality::perfect(0.0, 7.0) });
    let effectors = vec![
        effector("drive", json!({"max-speed": 0.3, "max-reverse": 0.2, "max-side": 0.2, "max-turn": 1.57})),
        effector("head", json!({"max-pan": 1.55, "max-turn": 3.0})),
        effector("legs", json!({})),
        effector("marker", json!({"colour": colour})),
    ];
    let camera = AnySensor::parse("colour-camera", json!({})).expect("a known kind").expect("no parameters");
    let quality =
        Quality { relative_noise: noise, absolute_noise: noise / 10.0, ..Quality::perfect(10.0, 1.0) };
    let name = || "colour-camera".to_string();
    let sensors = vec![MountedSensor::new(name(), name(), quality, camera)];
    RobotType::new(Shape::Circle { radius: 0.14 }, sensors, effectors, Vec::new())
}

struct Dog {
    me: Identity,
    hardware: RobotType,
    walker: Box<Walker>,
    percept: Percept,
    inbox: Vec<Message>,
    clock: LamportClock,
    count: u32,
    questions: Questions,
    /// Its work, and that of the last tick.
    work: Option<Role>,
    before: Option<Role>,
    beside: Option<Role>,
    halting: bool,
}

/// What the referee may know of the robots.
struct Active(Vec<Option<Role>>);

impl Minds for Active {
    fn active(&self, robot: RobotId) -> Option<Choice> {
        self.0[robot.index()].map(choice)
    }

    fn findings(&self, _: RobotId) -> Option<&dyn Findings> {
        None
    }
}

fn choice(role: Role) -> Choice {
    Choice { behaviour: BehaviourId(role.task().0 as u8), subject: 0 }
}

/// What happens to a message on the air, by the tick; `None` if it is lost.
type Air = fn(u64, Vec<u8>) -> Option<Vec<u8>>;

struct Room {
    mission: Formation,
    tasks: Vec<TaskSpec>,
    world: World,
    dogs: Vec<Dog>,
    motion: Motion,
    tick: u64,
    seed: u64,
    /// What happens to a message on the air.
    air: Air,
}

impl Room {
    /// The room of the defaults. `noise` is the relative noise of the cameras.
    fn new(mission: Formation, seed: u64, noise: f64, starts: [Option<Pose>; 3]) -> Room {
        let mut world = World::new(Bounds { min: vec2(0.0, 0.0), max: vec2(7.0, 4.0) });
        for (x, colour) in [(6.98, "blue"), (0.02, "yellow")] {
            let shape = Shape::rectangle(0.02, 0.8);
            let mut paper = Object::obstacle(colour, shape, Pose::new(x, 2.0, 0.0));
            paper.properties.aspects.push(Aspect::fixed(colour, 0.8));
            world.add_object(paper);
        }
        mission.furnish(&mut world, 3, &Default::default(), &mut Stream::new(seed, StreamKind::World, 0, 0));
        world.reindex();
        let types = ["pink", "blue", "white"].map(|colour| dog(colour, noise));
        for (index, hardware) in types.iter().enumerate() {
            let own = mission.berth(&world, RobotId::from_index(index), 3, 0.14).expect("a place");
            let pose = starts[index].unwrap_or(own);
            let made = Body::new(pose, hardware.shape.clone(), hardware.drive(), hardware.aspects.clone());
            world.bodies.push(made);
        }
        world.reindex();
        mission.open(&mut world, seed);
        let briefing = mission.brief(&world);
        let dogs = RobotId::enumerate(types).map(|(id, hardware)| {
            let me = Identity {
                id,
                name: format!("{id}"),
                robot_type: "dog".into(),
                priority: 0,
                datasheet: Arc::new(hardware.datasheet()),
                behaviours: mission.sets().into(),
                floor_plan: Default::default(),
                slam: Default::default(),
            };
            let controller = AnyController::boot("pilot", &Default::default(), &me).expect("a controller");
            Dog {
                walker: briefing.boot(&me, controller),
                percept: Percept { senses: vec![Sense::default()], feedback: vec![0.0; 4], stopped: false },
                me,
                hardware,
                inbox: Vec::new(),
                clock: LamportClock::default(),
                count: 0,
                questions: Questions::default(),
                work: None,
                before: None,
                beside: None,
                halting: false,
            }
        });
        let dogs = dogs.collect();
        let tasks = mission.tasks();
        Room {
            mission,
            tasks,
            world,
            dogs,
            motion: Motion::default(),
            tick: 0,
            seed,
            air: |_, bytes| Some(bytes),
        }
    }

    fn now(&self) -> Time {
        Time(self.tick * TICK)
    }

    /// One tick of everything.
    fn step(&mut self) {
        let (now, dt) = (self.now(), TICK as f64 / 1e9);
        let mut sent: Vec<Frame> = Vec::new();
        let mut commands = Vec::new();
        self.world.reindex();
        for (index, dog) in self.dogs.iter_mut().enumerate() {
            let robot = RobotId::from_index(index);
            let suite = SensorSuite {
                world: &self.world,
                me: robot,
                sensors: &dog.hardware.sensors,
                ailments: &[],
                odometer: None,
            };
            let random = |kind| Stream::of_robot(self.seed, kind, robot, self.tick);
            suite.sense(now, random(StreamKind::Sensors), &mut dog.percept);
            for (place, effector) in dog.hardware.effectors.iter().enumerate() {
                dog.percept.feedback[place] = effector.feedback(&self.world, robot);
            }
            let situation = Situation {
                now,
                dt,
                me: &dog.me,
                tasks: &self.tasks,
                percept: &dog.percept,
                radio: &NoRadio,
            };
            let (mut frames, mut events, mut refused) = (Vec::new(), Vec::new(), 0);
            let mut out = Output {
                me: robot,
                clock: &mut dog.clock,
                count: &mut dog.count,
                frames: &mut frames,
                largest_message: usize::MAX,
                refused: &mut refused,
                events: &mut events,
                questions: &mut dog.questions,
                now,
                random: &mut random(StreamKind::Decisions),
            };
            dog.walker.learn(&situation, &dog.inbox, &mut out);
            let fresh = dog.work != dog.before;
            dog.before = dog.work;
            let beside: Vec<Choice> = dog.beside.map(choice).into_iter().collect();
            let duty = Duty {
                choice: dog.work.map(choice),
                fresh,
                beside: &beside,
                halting: dog.halting,
                ..Duty::default()
            };
            commands.push(dog.walker.act(duty, &situation, &mut out));
            sent.extend(frames);
        }
        for (index, dog) in self.dogs.iter_mut().enumerate() {
            let heard = sent.iter().filter_map(|frame| (self.air)(self.tick, frame.bytes.clone()));
            let heard = heard.filter_map(|bytes| Message::decode(&bytes));
            dog.inbox = heard.filter(|message| message.from.index() != index).collect();
        }
        let (seed, tick) = (self.seed, self.tick);
        let order = |robot: RobotId| {
            let random = Stream::of_robot(seed, StreamKind::Effectors, robot, tick);
            let drive = &self.dogs[robot.index()].hardware.drive_quality;
            Some(MotionInput { command: &commands[robot.index()], drive, random })
        };
        self.motion.advance(&mut self.world, dt, false, order, &mut Vec::new());
        for (index, command) in commands.iter().enumerate() {
            let me = RobotId::from_index(index);
            let mut random = Stream::of_robot(seed, StreamKind::Effectors, me, !tick);
            for each in &command.uses {
                let effector = &self.dogs[index].hardware.effectors[usize::from(each.effector.0)];
                effector.perform(
                    each.action,
                    &mut Grasp {
                        world: &mut self.world,
                        me,
                        quality: &effector.quality,
                        now,
                        dt,
                        random: &mut random,
                        events: &mut Vec::new(),
                    },
                );
            }
        }
        self.tick += 1;
        let minds = Active(self.dogs.iter().map(|dog| dog.work).collect());
        self.mission.officiate(&mut self.world, &minds, self.seed, Time(self.tick * TICK));
    }

    fn ask<R>(&self, robot: usize, what: impl FnOnce(&dyn Skills, &Situation) -> R) -> R {
        let dog = &self.dogs[robot];
        let (now, dt) = (self.now(), TICK as f64 / 1e9);
        let percept = &dog.percept;
        what(
            dog.walker.skills(),
            &Situation { now, dt, me: &dog.me, tasks: &self.tasks, percept, radio: &NoRadio },
        )
    }

    fn signal(&self, robot: usize, name: &str) -> Option<f64> {
        let place = SIGNALS.iter().position(|signal| signal.name == name).expect("a signal");
        self.ask(robot, |skills, situation| skills.signal(place, situation))
    }

    fn outcome(&self, robot: usize) -> Outcome {
        let work = self.dogs[robot].work.expect("work");
        self.ask(robot, |skills, situation| skills.outcome(choice(work), situation))
    }

    /// Gives the robots these roles until all of them have ended (or one has, if `any`), at most for some time, and tells how long it
    /// took; `None` if it took too long. A robot that has ended waits. [s]
    fn play(&mut self, roles: [Role; 3], any: bool, most: f64) -> Option<f64> {
        let begin = self.now();
        for (dog, role) in self.dogs.iter_mut().zip(roles) {
            (dog.work, dog.before) = (Some(role), None);
        }
        let mut ended = [false; 3];
        while self.now().since(begin) < most {
            self.step();
            for (robot, end) in ended.iter_mut().enumerate() {
                *end |= self.dogs[robot].work.is_some() && self.outcome(robot) != Outcome::Ongoing;
                if *end {
                    self.dogs[robot].work = None;
                }
            }
            let over = if any { ended.contains(&true) } else { !ended.contains(&false) };
            if over {
                self.dogs.iter_mut().for_each(|dog| dog.work = None);
                self.step();
                return Some(self.now().since(begin));
            }
        }
        None
    }

    fn measure(&self, name: &str) -> Option<f64> {
        let place = Formation::MEASURES.iter().position(|measure| measure.name == name).expect("a measure");
        self.mission.measure(&self.world, &Silence)[place]
    }

    fn say(&self) -> String {
        let pose = |body: &Body| {
            let Pose { position, heading } = body.pose;
            format!("({:.2} {:.2} {:.0}deg)", position.x, position.y, heading.to_degrees())
        };
        self.world.bodies.iter().map(pose).collect::<Vec<_>>().join(" ")
    }
}

/// No network.
struct Silence;

impl crewlab_missions::Air for Silence {
    fn quality(&self, _: RobotId, _: RobotId) -> Option<f64> {
        None
    }

    fn rate(&self, _: RobotId, _: RobotId) -> Option<f64> {
        None
    }
}

const RISE: [Role; 3] = [Role::StandUp; 3];
const SEARCH: [Role; 3] = [Role::SearchBlue, Role::SearchPink, Role::SearchPink];
/// Roles by number (SF2).
const BY_NUMBER: [Role; 3] = [Role::Lead, Role::FollowLeft, Role::FollowRight];
const LINE_UP: [Role; 3] = [Role::LineUpFirst, Role::LineUpSecond, Role::LineUpThird];
const LINE: [Role; 3] = [Role::LineLead, Role::LineMiddle, Role::LineLast];
const END: [Role; 3] = [Role::End; 3];
/// The followers on each other's side.
const SWAPPED: [(f64, f64); 2] = [(1.0, 1.5), (1.0, 2.5)];

impl Room {
    /// Roles by head angle (SF3): the leftmost robot follows on the left.
    fn by_head_angle(&self) -> [Role; 3] {
        let angle = |robot: usize| self.signal(robot, "head-angle").expect("it sees the leader");
        assert_eq!(self.signal(0, "head-angle"), None, "the leader sees a paper");
        let [left, right] = [Role::FollowLeft, Role::FollowRight];
        if angle(1) < angle(2) { [Role::Lead, left, right] } else { [Role::Lead, right, left] }
    }

    /// Stands up and searches.
    fn begin(&mut self) {
        assert!(self.play(RISE, false, 10.0).is_some(), "seed {}: {}", self.seed, self.say());
        assert!(self.play(SEARCH, false, 20.0).is_some(), "seed {}: {}", self.seed, self.say());
    }

    fn contacts(&self) -> u64 {
        self.world.bodies.iter().map(|body| body.contacts).sum()
    }
}

/// A room in which the followers start at these places.
fn room(seed: u64, followers: Option<[(f64, f64); 2]>) -> Room {
    let starts = followers.map(|places| places.map(|(x, y)| Some(Pose::new(x, y, 0.0))));
    let [second, third] = starts.unwrap_or([None; 2]);
    let scatter = if starts.is_some() { 0.0 } else { 0.15 };
    Room::new(Formation { scatter, ..Formation::default() }, seed, 0.05, [None, second, third])
}

#[test]
fn three_robots_walk_in_a_triangle_and_cross_the_room_twice() {
    for seed in 1..=10 {
        let mut room = room(seed, None);
        room.begin();
        assert!(room.play(room.by_head_angle(), true, 20.0).is_some(), "seed {seed}");
        assert_eq!((room.measure("walks"), room.measure("mix_ups")), (Some(1.0), Some(0.0)), "seed {seed}");
        // Nobody touches anybody, and the triangle is held for most of its way.
        assert_eq!(room.contacts(), 0, "seed {seed}");
        assert!(room.measure("formation_error_m").is_some_and(|error| error < 0.25), "seed {seed}");
        assert!(room.measure("triangle_m").is_some_and(|way| way > 0.75), "seed {seed}");
        for crossing in [1.0, 2.0] {
            assert!(room.play(LINE_UP, false, 30.0).is_some(), "seed {seed}: {}", room.say());
            assert!(room.play(LINE, true, 60.0).is_some(), "seed {seed}: {}", room.say());
            assert_eq!(room.measure("crossings"), Some(crossing), "seed {seed}: {}", room.say());
        }
        assert!(room.measure("line_error_m").is_some_and(|error| error < 0.25), "seed {seed}");
        // From one wall to the opposite one.
        assert!(room.world.bodies[0].pose.position.x < 1.3, "{}", room.say());
        let verdict = room.mission.judge(&room.world, &[]);
        assert_eq!((verdict.progress, verdict.completed), (0.75, false));
        assert!(room.play(END, false, 10.0).is_some());
        assert!(room.mission.judge(&room.world, &[]).completed, "seed {seed}");
        let times = ["stand_up_s", "search_s", "triangle_s", "line_up_s", "line_s", "waiting_s"];
        let sum: f64 = times.iter().filter_map(|name| room.measure(name)).sum();
        let total = room.measure("total_s").expect("it is over");
        // Lying down is in no phase that is measured on its own.
        assert!(sum < total && sum > total - 4.0, "{sum} of {total}");
    }
}

#[test]
fn roles_by_number_mix_up_robots_that_roles_by_head_angle_do_not() {
    for seed in 1..=8 {
        let mut number = room(seed, Some(SWAPPED));
        number.begin();
        number.play(BY_NUMBER, true, 20.0);
        let mut angle = room(seed, Some(SWAPPED));
        angle.begin();
        angle.play(angle.by_head_angle(), true, 20.0);
        assert_eq!((number.measure("mix_ups"), angle.measure("mix_ups")), (Some(1.0), Some(0.0)));
        // Their paths cross: they run into each other, and are in formation late or never.
        assert!(number.contacts() > 0 && angle.contacts() == 0, "seed {seed}");
        let way = |room: &Room| room.measure("triangle_m").expect("they walked");
        assert!(way(&number) < 0.7 * way(&angle), "seed {seed}: {} {}", way(&number), way(&angle));
    }
}

#[test]
fn of_two_robots_on_the_right_the_right_one_stays_there() {
    for (followers, left) in [([(1.0, 1.6), (1.0, 1.0)], 1), ([(1.0, 1.0), (1.0, 1.6)], 2)] {
        let mut room = room(3, Some(followers));
        room.begin();
        let roles = room.by_head_angle();
        assert_eq!(roles[left], Role::FollowLeft);
        assert!([1, 2].iter().all(|robot| room.signal(*robot, "leader-side").is_some_and(|side| side < 0.0)));
        assert!(room.play(roles, true, 20.0).is_some());
        assert!(room.measure("triangle_m").is_some_and(|way| way > 0.5), "{}", room.say());
    }
}

#[test]
fn a_blue_marker_is_no_blue_paper() {
    // The robot with the blue marker stands in view of the leader, nearer than the paper.
    let mut room = room(1, Some([(3.0, 2.6), (1.0, 2.5)]));
    room.play(RISE, false, 10.0);
    let Room { dogs, .. } = &mut room;
    dogs[0].work = Some(Role::SearchBlue);
    for _ in 0..300 {
        room.step();
    }
    assert_eq!(room.outcome(0), Outcome::Done);
    let heading = room.world.bodies[0].pose.heading;
    assert!(heading.abs() < 0.15, "it faces the wall, not the robot: {heading}");
}

#[test]
fn a_robot_that_loses_its_colour_says_so() {
    let mut room = room(2, None);
    room.begin();
    for (dog, role) in room.dogs.iter_mut().zip(BY_NUMBER) {
        dog.work = Some(role);
    }
    (0..60).for_each(|_| room.step());
    assert_eq!(room.signal(1, "lost"), Some(0.0));
    assert_eq!((room.outcome(1), room.signal(1, "sees-colour")), (Outcome::Ongoing, Some(1.0)));
    // The leader is taken away.
    room.world.bodies[0].present = false;
    (0..60).for_each(|_| room.step());
    for robot in [1, 2] {
        assert_eq!((room.signal(robot, "lost"), room.signal(robot, "sees-colour")), (Some(1.0), Some(0.0)));
        assert!(matches!(room.outcome(robot), Outcome::Failed(_)));
        assert!(room.signal(robot, "head-angle").is_some(), "what was seen lately counts for a while");
    }
    (0..100).for_each(|_| room.step());
    assert_eq!(room.signal(1, "head-angle"), None);
    // It searches again, in vain but without an end.
    room.dogs[1].work = Some(Role::SearchPink);
    (0..600).for_each(|_| room.step());
    assert_eq!((room.outcome(1), room.signal(1, "lost")), (Outcome::Ongoing, Some(0.0)));
}

#[test]
fn nobody_needs_messages_and_damaged_ones_do_no_harm() {
    let damaged = |tick: u64, mut bytes: Vec<u8>| {
        let place = tick as usize % bytes.len();
        bytes[place] ^= 1 << (tick % 8);
        Some(bytes)
    };
    let airs: [Air; 2] = [|_, _| None, damaged];
    for air in airs {
        let mut room = room(4, None);
        room.air = air;
        room.begin();
        assert!(room.play(room.by_head_angle(), true, 20.0).is_some());
        assert!(room.play(LINE_UP, false, 60.0).is_some(), "{}", room.say());
        assert!(room.play(LINE, true, 60.0).is_some(), "{}", room.say());
        assert!(room.play(END, false, 10.0).is_some());
        assert!(room.measure("crossings") == Some(1.0));
    }
}

#[test]
fn signals_are_what_their_names_say() {
    let mut room = room(5, None);
    assert_eq!([0, 1, 2].map(|robot| room.signal(robot, "colour")), [Some(0.0), Some(1.0), Some(2.0)]);
    assert_eq!([0, 1, 2].map(|robot| room.signal(robot, "seeks-paper")), [Some(1.0), Some(0.0), Some(0.0)]);
    assert_eq!((room.signal(0, "stands"), room.signal(0, "distance")), (Some(0.0), None));
    room.begin();
    assert_eq!((room.signal(0, "stands"), room.signal(0, "arrived")), (Some(1.0), Some(0.0)));
    assert!(room.signal(1, "leader-side").is_some_and(|side| side > 0.0));
    assert!(room.signal(2, "leader-side").is_some_and(|side| side < 0.0));
    room.play(BY_NUMBER, true, 20.0);
    assert!(room.signal(0, "walked").is_some_and(|way| (1.5..1.7).contains(&way)));
    assert_eq!(room.signal(0, "lined-up"), Some(0.0));
    room.play(LINE_UP, false, 30.0);
    assert_eq!(room.signal(0, "lined-up"), Some(1.0));
    assert_eq!(room.ask(0, |skills, situation| skills.signal(SIGNALS.len(), situation)), None);
}

#[test]
fn a_robot_watches_while_it_stands_up_and_stops_when_it_is_told() {
    let mut room = room(6, None);
    for dog in &mut room.dogs {
        (dog.work, dog.beside) = (Some(Role::Watch), None);
    }
    room.begin();
    // Lying down leaves the head free for other work.
    room.dogs[1].work = Some(Role::End);
    room.dogs[1].beside = Some(Role::Watch);
    let before = room.world.bodies[1].pan();
    room.world.bodies[0].pose.position.y -= 0.5;
    (0..20).for_each(|_| room.step());
    assert!((room.world.bodies[1].pan() - before).abs() > 0.1, "the head follows the leader");
    assert!(room.world.bodies[1].stance() < 0.9);
    // Work that is to be wound up walks no further.
    room.dogs[2].work = Some(Role::FollowLeft);
    room.dogs[2].halting = true;
    let at = room.world.bodies[2].pose.position;
    (0..20).for_each(|_| room.step());
    assert_eq!(room.world.bodies[2].pose.position, at);
}
