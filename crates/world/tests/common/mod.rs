//! Shared by the tests: worlds drawn as pictures, robots and devices in one line, random worlds, and slow but obviously correct
//! reference implementations.
#![allow(dead_code)] // Each test file uses its own part.

use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{Action, Command, Percept, RobotId, Sense, Stream, StreamKind, Time};
use crewlab_world::effectors::{AnyEffector, Grasp, MountedEffector};
use crewlab_world::motion::{Motion, MotionInput};
use crewlab_world::sensors::{AnySensor, MountedSensor, SensorSuite};
use crewlab_world::{
    Area, Aspect, Body, Bounds, Drive, Item, Object, ObjectId, Outline, Quality, Script, Shape, World,
    WorldEvent,
};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use serde_json::Value;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Tests of one kind of sensor or effector.
pub type Tests = &'static [fn()];

/// Duration of a tick. [s]
pub const DT: f64 = 0.1;

/// A robot type for which objects make exceptions.
pub const TRUCK: &str = "truck";

/// Radius of the robots in pictures. [m]
pub const RADIUS: f64 = 0.25;

/// A world drawn with one character per square metre, and the places of its capital letters.
pub struct Picture {
    pub world: World,
    marks: Vec<(char, Vec2)>,
}

/// Draws a world.
///
/// | sign      | meaning                                                            |
/// |-----------|--------------------------------------------------------------------|
/// | `#`       | an obstacle that fills the cell                                    |
/// | `_`       | the same, but only 0.5 m high                                      |
/// | `~` `=`   | ground that halves or doubles the speed                            |
/// | `\|` `-`  | a thin wall through the middle of the cell                         |
/// | `> ^ < v` | a robot that faces this way, numbered in reading order             |
/// | `a` - `z` | an item of this kind                                               |
/// | `A` - `Z` | a place to be looked up with [`Picture::at`]                       |
pub fn picture(text: &str) -> Picture {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let (width, height) = (rows[0].len(), rows.len());
    let mut world = World::new(Bounds { min: Vec2::ZERO, max: vec2(width as f64, height as f64) });
    let mut marks = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        assert_eq!(line.len(), width, "a picture's rows are of one length: {line:?}");
        for (column, sign) in line.chars().enumerate() {
            let center = vec2(column as f64 + 0.5, (height - row) as f64 - 0.5);
            let pose = Pose { position: center, heading: 0.0 };
            let block = || Object::obstacle("block", Shape::rectangle(1.0, 1.0), pose);
            let wall = |half: Vec2| Object::obstacle("wall", Shape::Segment(-half, half), pose);
            let mut add = |object| _ = world.add_object(object);
            match sign {
                '.' => {}
                '#' => add(block()),
                '_' => add(Object { height: 0.5, ..block() }),
                '~' => add(Object { penetrability: 0.5, ..block() }),
                '=' => add(Object { penetrability: 2.0, ..block() }),
                '|' => add(wall(vec2(0.0, 0.5))),
                '-' => add(wall(vec2(0.5, 0.0))),
                '>' => world.bodies.push(disc(center, 0.0)),
                '^' => world.bodies.push(disc(center, FRAC_PI_2)),
                '<' => world.bodies.push(disc(center, PI)),
                'v' => world.bodies.push(disc(center, -FRAC_PI_2)),
                'a'..='z' => world.items.push(item(&sign.to_string(), center)),
                'A'..='Z' => marks.push((sign, center)),
                _ => panic!("no meaning for {sign:?} in a picture"),
            }
        }
    }
    world.reindex();
    Picture { world, marks }
}

impl Picture {
    /// The middle of the cell that holds this letter.
    pub fn at(&self, mark: char) -> Vec2 {
        self.marks.iter().find(|(sign, _)| *sign == mark).expect("the picture has this letter").1
    }
}

/// The world of a picture.
pub fn drawn(text: &str) -> World {
    picture(text).world
}

/// Limits that no test command reaches.
pub const FAST: Drive =
    Drive { max_speed: 1e4, max_reverse: 1e4, max_side: 0.0, max_turn: 1e3, max_push: None };

pub fn disc(position: Vec2, heading: f64) -> Body {
    body(position, heading, Shape::Circle { radius: RADIUS })
}

pub fn body(position: Vec2, heading: f64, shape: Shape) -> Body {
    Body::new(Pose { position, heading }, shape, FAST, Vec::new())
}

pub fn item(kind: &str, position: Vec2) -> Item {
    Item::new(kind, position, 0.05)
}

/// An aspect from 0 to `value` that does not change.
pub fn aspect(name: &str, value: f64) -> Aspect {
    Aspect {
        name: name.into(),
        value,
        min: 0.0,
        max: value,
        per_second: 0.0,
        per_metre: 0.0,
        per_radian: 0.0,
        per_use: 0.0,
        rest: None,
        rest_rate: 0.0,
    }
}

/// A round area.
pub fn area(kind: &str, center: Vec2, radius: f64) -> Area {
    Area::new(kind, kind, Outline::Circle { center, radius })
}

pub fn arena(width: f64, height: f64) -> World {
    World::new(Bounds { min: Vec2::ZERO, max: vec2(width, height) })
}

/// Moves all robots with perfect drives: `command` gives the command of robot `i` in tick `t`.
pub fn run(world: &mut World, ticks: u64, command: impl Fn(RobotId, u64) -> Command) -> Vec<WorldEvent> {
    run_with(world, 0..ticks, &Quality::perfect(0.0, TAU), false, 0, command)
}

/// Moves all robots, then scripted objects, tick by tick.
pub fn run_with(
    world: &mut World,
    ticks: std::ops::Range<u64>,
    drive: &Quality,
    parallel: bool,
    seed: u64,
    command: impl Fn(RobotId, u64) -> Command,
) -> Vec<WorldEvent> {
    let mut motion = Motion::default();
    let mut events = Vec::new();
    for tick in ticks {
        world.reindex();
        let commands: Vec<Command> =
            RobotId::team(world.bodies.len()).map(|robot| command(robot, tick)).collect();
        let order = |robot: RobotId| {
            let random = Stream::of_robot(seed, StreamKind::Effectors, robot, tick);
            Some(MotionInput { command: &commands[robot], drive, random })
        };
        motion.advance(world, DT, parallel, order, &mut events);
        world.move_objects(DT, &mut events);
        world.tell_exhausted(&mut events);
    }
    world.reindex();
    events
}

/// A sensor with its default quality and these parameters of its own.
pub fn sensor(kind: &str, own: Value) -> MountedSensor {
    let quality =
        crewlab_world::sensors::KINDS.iter().find(|k| k.name == kind).expect("a known kind").quality;
    sensor_with(kind, own, quality())
}

pub fn sensor_with(kind: &str, own: Value, quality: Quality) -> MountedSensor {
    let parsed = AnySensor::parse(kind, own).expect("a known kind").expect("good parameters");
    MountedSensor::new(kind.into(), kind.into(), quality, parsed)
}

/// A percept without readings.
pub fn blank(sensors: &[MountedSensor]) -> Percept {
    Percept { senses: vec![Sense::default(); sensors.len()], feedback: Vec::new(), stopped: false }
}

/// The first percept of robot `me`.
pub fn perceive(world: &World, me: RobotId, sensors: &[MountedSensor]) -> Percept {
    let mut percept = blank(sensors);
    let noise = Stream::of_robot(1, StreamKind::Sensors, me, 0);
    SensorSuite { world, me, sensors, ailments: &[], odometer: None }.sense(Time::ZERO, noise, &mut percept);
    percept
}

/// An effector with its default quality and these parameters of its own.
pub fn effector(kind: &str, own: Value) -> MountedEffector {
    let known = crewlab_world::effectors::KINDS.iter().find(|k| k.name == kind).expect("a known kind");
    let parsed = AnyEffector::parse(kind, own).expect("a known kind").expect("good parameters");
    MountedEffector { name: kind.into(), kind: kind.into(), quality: (known.quality)(), effector: parsed }
}

/// Lets robot `me` use an effector for one tick.
pub fn act(world: &mut World, me: RobotId, mounted: &MountedEffector, action: Action) -> Vec<WorldEvent> {
    let mut events = Vec::new();
    let mut random = Stream::of_robot(1, StreamKind::Effectors, me, 0);
    world.reindex();
    let (quality, now) = (&mounted.quality, Time::from_seconds(10.0));
    let grasp = &mut Grasp { world, me, quality, now, dt: DT, random: &mut random, events: &mut events };
    mounted.perform(action, grasp);
    world.reindex();
    events
}

/// A convex polygon with corners on an ellipse; `gaps` are the shares of the way round between corners.
pub fn ellipse_corners(gaps: &[f64], [rx, ry]: [f64; 2], turned: f64) -> Vec<Vec2> {
    let total: f64 = gaps.iter().sum();
    let mut angle = 0.0;
    let mut corners = Vec::new();
    for gap in gaps {
        angle += gap / total * TAU;
        let on_circle = Vec2::unit(angle);
        corners.push(vec2(on_circle.x * rx, on_circle.y * ry).rotated(Vec2::unit(turned)));
    }
    corners
}

fn random_polygon(random: &mut Stream, low: f64, high: f64) -> Shape {
    let gaps: Vec<f64> = (0..3 + random.below(5)).map(|_| random.between(0.3, 1.0)).collect();
    let radii = [random.between(low, high), random.between(low, high)];
    Shape::convex(ellipse_corners(&gaps, radii, random.between(0.0, TAU))).expect("corners on an ellipse")
}

/// A square world with objects of all kinds, and as many of the wanted bodies as find a free place.
pub fn random_world(seed: u64, bodies: usize, objects: usize, side: f64) -> World {
    let mut random = Stream::new(seed, StreamKind::World, 0, 0);
    // What objects do to robots, apart from where everything is.
    let mut more = Stream::new(seed, StreamKind::World, 1, 0);
    let mut world = arena(side, side);
    let place = |random: &mut Stream| vec2(random.between(0.0, side), random.between(0.0, side));
    for _ in 0..objects {
        let pose = Pose { position: place(&mut random), heading: random.between(-PI, PI) };
        let shape = match random.below(4) {
            0 => Shape::Circle { radius: random.between(0.05, 0.8) },
            1 => Shape::rectangle(random.between(0.1, 2.0), random.between(0.1, 2.0)),
            2 => random_polygon(&mut random, 0.2, 1.0),
            _ => {
                let half = vec2(random.between(0.1, 2.0), 0.0);
                Shape::Segment(-half, half)
            }
        };
        let mut object = Object::obstacle("thing", shape, pose);
        object.height = random.between(0.0, 2.0);
        if random.chance(0.2) {
            object.penetrability = random.between(0.11, 2.0);
        }
        if random.chance(0.25) {
            let points = (0..1 + random.below(4)).map(|_| place(&mut random)).collect();
            let (speed, repeat) = (random.between(0.1, 3.0), random.chance(0.5));
            let mut script = Script::new(points, speed, repeat);
            script.yields = more.chance(0.5);
            script.within = more.chance(0.3).then_some(world.bounds);
            object.script = Some(script);
        }
        if more.chance(0.2) {
            object.passes.push((TRUCK.into(), [0.0, 1.0][more.below(2)]));
        }
        world.add_object(object);
    }
    let objects_there: Vec<ObjectId> = world.objects().iter().map(|object| object.id).collect();
    for id in objects_there {
        world.plan_walk(id, &mut more);
    }
    for _ in 0..bodies {
        for _ in 0..20 {
            let shape = match random.below(3) {
                0 => random_polygon(&mut random, 0.1, 0.4),
                1 => Shape::rectangle(random.between(0.1, 0.7), random.between(0.1, 0.7)),
                _ => Shape::Circle { radius: random.between(0.05, 0.4) },
            };
            let mut body = body(place(&mut random), random.between(-PI, PI), shape);
            if more.chance(0.3) {
                body.robot_type = TRUCK.into();
            }
            if world.overlap_of(&body.outline_at(&body.pose), Some(&body.robot_type), None).is_none() {
                world.bodies.push(body);
                break;
            }
        }
    }
    for i in 0..objects {
        world.items.push(item(["can", "cup"][i % 2], place(&mut random)));
    }
    world.reindex();
    world
}

/// A random robot's command: constant for a second, sometimes invalid, and in every third world at times much too fast. Not in
/// all worlds, since one fast body makes all others look for it and so leaves none of them free.
pub fn random_command(seed: u64, robot: RobotId, tick: u64) -> Command {
    let mut random = Stream::of_robot(seed, StreamKind::Decisions, robot, tick / 10);
    let speed = match random.below(12) {
        0 if seed.is_multiple_of(3) => random.between(-60.0, 60.0),
        1 => f64::NAN,
        2 => f64::INFINITY,
        _ => random.between(-1.0, 3.0),
    };
    Command::drive(speed, if random.chance(0.4) { 0.0 } else { random.between(-4.0, 4.0) })
}

/// Sees whether a point is inside, by counting the edges that a ray to the right crosses.
pub fn inside(outline: &Outline, point: Vec2) -> bool {
    match outline {
        Outline::Circle { center, radius } => point.distance(*center) < *radius,
        Outline::Segment(..) => false,
        Outline::Polygon(corners) => {
            let crossed = edges(corners).filter(|(a, b)| {
                let crosses_height = (a.y > point.y) != (b.y > point.y);
                crosses_height && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            });
            crossed.count() % 2 == 1
        }
    }
}

pub fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Points all along the boundary.
pub fn boundary(outline: &Outline, count: usize) -> Vec<Vec2> {
    let shares = (0..=count).map(|i| i as f64 / count as f64);
    match outline {
        Outline::Circle { center, radius } => {
            shares.map(|s| *center + Vec2::unit(s * TAU) * *radius).collect()
        }
        Outline::Segment(a, b) => shares.map(|s| *a + (*b - *a) * s).collect(),
        Outline::Polygon(corners) => {
            edges(corners).flat_map(|(a, b)| shares.clone().map(move |s| a + (b - a) * s)).collect()
        }
    }
}

/// How far two outlines are apart along the best separating direction; minus their depth if they overlap. [m]
///
/// Convex shapes are apart exactly if their shadows on some direction are. It suffices to try the normals of all
/// straight edges and, for discs, the directions from the centre to the other's corners.
pub fn separation(one: &Outline, other: &Outline) -> f64 {
    let corners = |outline: &Outline| match outline {
        Outline::Circle { center, .. } => vec![*center],
        Outline::Polygon(corners) => corners.clone(),
        Outline::Segment(a, b) => vec![*a, *b],
    };
    let rim = |outline: &Outline| if let Outline::Circle { radius, .. } = outline { *radius } else { 0.0 };
    let ((ours, our_rim), (theirs, their_rim)) = ((corners(one), rim(one)), (corners(other), rim(other)));
    let mut directions: Vec<Vec2> = edges(&ours).chain(edges(&theirs)).map(|(a, b)| (b - a).left()).collect();
    if our_rim > 0.0 || their_rim > 0.0 {
        directions.extend(ours.iter().flat_map(|a| theirs.iter().map(|b| *b - *a)));
    }
    let mut best = f64::NEG_INFINITY;
    for direction in directions.into_iter().filter(|d| d.length() > 0.0) {
        let unit = direction * (1.0 / direction.length());
        for unit in [unit, -unit] {
            let ours = ours.iter().map(|p| p.dot(unit)).fold(f64::NEG_INFINITY, f64::max) + our_rim;
            let theirs = theirs.iter().map(|p| p.dot(unit)).fold(f64::INFINITY, f64::min) - their_rim;
            best = best.max(theirs - ours);
        }
    }
    best
}

/// Fails if a body overlaps the border, an impassable object or another body by more than a nanometre.
pub fn assert_nothing_overlaps(world: &World, when: &str) {
    const DEPTH: f64 = 1e-9;
    let outlines: Vec<Outline> = world.bodies.iter().map(|b| b.outline_at(&b.pose)).collect();
    for (i, (body, outline)) in world.bodies.iter().zip(&outlines).enumerate() {
        assert!(
            body.pose.position.length().is_finite() && body.pose.heading.is_finite(),
            "{when}: body {i} {body:?}"
        );
        let facing = Vec2::unit(body.pose.heading);
        assert!(body.facing.distance(facing) < 1e-9, "{when}: body {i} faces elsewhere than it heads");
        let bounds = outline.bounds();
        let margin = world.bounds.margin(bounds.min).min(world.bounds.margin(bounds.max));
        assert!(margin >= -DEPTH, "{when}: body {i} is {margin} m out of the world");
        for object in world.objects().iter().filter(|o| o.blocks(&body.robot_type)) {
            let apart = separation(outline, &object.outline);
            assert!(apart >= -DEPTH, "{when}: body {i} is {apart} m into {object:?}");
        }
        for (j, other) in world.bodies.iter().enumerate().take(i) {
            if other.pose.position.distance(body.pose.position) < other.radius + body.radius {
                let apart = separation(outline, &outlines[j]);
                assert!(apart >= -DEPTH, "{when}: bodies {i} and {j} overlap by {apart} m");
            }
        }
    }
}

/// Property tests that try the same cases in every run.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

/// Everything about a world, bit by bit.
pub fn bytes(world: &World) -> Vec<u8> {
    postcard::to_stdvec(world).expect("a world can be written")
}

pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// Asserts that numbers agree to a nanometre or the like.
pub fn assert_close(found: &[f64], expected: &[f64]) {
    let agree = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| close(*a, *b, 1e-9));
    assert!(agree, "found {found:?}, expected {expected:?}");
}

/// Mean and standard deviation.
pub fn moments(draws: &[f64]) -> (f64, f64) {
    let count = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / count;
    (mean, (draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / count).sqrt())
}

/// The robot that holds an item.
pub fn holder(world: &World, item: usize) -> Option<RobotId> {
    world.items[item].holder
}
