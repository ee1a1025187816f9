//! The referee: puts robot and objects to their places before each trial, notices how it ends, and keeps the score. Its notes are
//! aspects of the goal's area, so that they are part of the world.

use super::Detour;
use crewlab_onboard::event::key;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{BehaviourId, Event, EventKind, RobotId, Stream, StreamKind, TaskId, Time};
use crewlab_skills::detour::model::{Status, Trial};
use crewlab_skills::detour::{Course, Ratio, SKIP, Way, sets};
use crewlab_world::{Area, Aspect, Object, ObjectId, Outline, Script, Shape, World};

/// The robot of the experiment.
const ROBOT: RobotId = RobotId(0);
/// Radius of an object. [m]
const OBJECT_RADIUS: f64 = 0.3;
/// How far from the centre line the middle of an object gets. [m]
const SWAY: f64 = 0.7;

/// The conditions of a run, by their place in the score.
pub(super) const CONDITIONS: [&str; 2] = ["limited", "overview"];

/// The numbers that the referee keeps during a map.
const MAP: &str = "map";
const TRIAL: &str = "trial";
const BEGAN: &str = "began";
const CONTACTS: &str = "contacts";
const TRAVELLED: &str = "travelled";
const OVER: &str = "over";
const NOTES: [&str; 6] = [MAP, TRIAL, BEGAN, CONTACTS, TRAVELLED, OVER];
/// Those that it adds up per condition.
pub(super) const MAPS: &str = "maps";
pub(super) const REACHED: &str = "reached";
pub(super) const SECONDS: &str = "seconds";
pub(super) const ERRORS: &str = "errors";
const SCORES: [&str; 4] = [MAPS, REACHED, SECONDS, ERRORS];

fn score_name(condition: usize, score: &str) -> String {
    format!("{score}, {}", CONDITIONS[condition])
}

/// The area with the referee's notes.
pub(super) fn board() -> Area {
    let outline = Outline::Circle { center: Default::default(), radius: 0.0 };
    let mut area = Area::new("goal", "goal", outline);
    let scores = (0..CONDITIONS.len()).flat_map(|condition| SCORES.map(|name| score_name(condition, name)));
    let names = NOTES.iter().map(|name| name.to_string()).chain(scores);
    area.properties.aspects = names.map(|name| Aspect::fixed(&name, 0.0)).collect();
    area
}

fn note(world: &World, name: &str) -> f64 {
    world.areas.first().and_then(|area| area.properties.value(name)).unwrap_or_default()
}

fn write(world: &mut World, name: &str, value: f64) {
    if let Some(place) = world.areas.first_mut().and_then(|area| area.properties.value_mut(name)) {
        *place = value;
    }
}

/// A number that was added up over a condition.
pub(super) fn score(world: &World, condition: usize, name: &str) -> f64 {
    note(world, &score_name(condition, name))
}

fn add(world: &mut World, condition: usize, name: &str, value: f64) {
    write(world, &score_name(condition, name), score(world, condition, name) + value);
}

/// Maps that are over.
pub(super) fn maps_done(world: &World) -> usize {
    note(world, MAP) as usize
}

/// Puts everything in its place for the trial whose number is noted.
pub(super) fn prepare(mission: &Detour, world: &mut World, seed: u64, now: Time) {
    let (map, trial) = (maps_done(world), note(world, TRIAL));
    let old: Vec<ObjectId> = world.moving_objects().map(|object| object.id).collect();
    old.into_iter().for_each(|id| _ = world.remove_object(id));
    let Some((_, course)) = mission.program().get(map).copied() else { return };
    // The same trial has the same objects for all policies.
    let mut random = Stream::new(seed, StreamKind::World, 1 + map as u32, trial as u64);
    for way in Way::ALL {
        let count = course.ratio.on(way);
        for number in 1..=count {
            let share = f64::from(number) / (f64::from(count) + 1.0);
            world.add_object(object(&course, way, share, mission.object_speed, &mut random));
        }
    }
    if let Some(area) = world.areas.first_mut() {
        area.outline = Outline::Circle { center: course.goal(), radius: mission.near };
    }
    if let Some(body) = world.bodies.first_mut() {
        body.pose = course.start();
        (body.from, body.facing) = (body.pose.position, Vec2::unit(body.pose.heading));
        body.contact = None;
        let (contacts, travelled) = (body.contacts as f64, body.travelled);
        write(world, CONTACTS, contacts);
        write(world, TRAVELLED, travelled);
    }
    write(world, BEGAN, now.seconds());
    write(world, OVER, 0.0);
}

/// An object that moves from wall to wall across a way, somewhere on its path.
fn object(course: &Course, way: Way, share: f64, speed: f64, random: &mut Stream) -> Object {
    let (middle, ahead) = course.at(way, share * course.length(way));
    let ends = [middle + ahead.left() * SWAY, middle - ahead.left() * SWAY];
    let phase = random.between(0.0, 2.0);
    let next = usize::from(phase < 1.0);
    let position = ends[1 - next] + (ends[next] - ends[1 - next]) * phase.fract();
    let pose = Pose { position, heading: 0.0 };
    let name = format!("object on the {} way", way.name());
    let mut object = Object::obstacle(&name, Shape::Circle { radius: OBJECT_RADIUS }, pose);
    let script = Script::new(ends.to_vec(), speed, true);
    object.script = Some(Script { next, yields: false, ..script });
    object
}

/// Notices whether a trial is over, and prepares the next one a tick later, so that the robot can notice it, too.
pub(super) fn officiate(
    mission: &Detour,
    world: &mut World,
    active: Option<BehaviourId>,
    seed: u64,
    now: Time,
) -> Option<Event> {
    let program = mission.program();
    let (condition, course) = *program.get(maps_done(world))?;
    if note(world, OVER) > 0.0 {
        let ended = note(world, OVER) > 1.0;
        let (map, trial) = (note(world, MAP), note(world, TRIAL));
        write(world, MAP, if ended { map + 1.0 } else { map });
        write(world, TRIAL, if ended { 0.0 } else { trial + 1.0 });
        prepare(mission, world, seed, now);
        return None;
    }
    let body = world.bodies.first()?;
    let touched = body.contacts as f64 > note(world, CONTACTS);
    let reached = !touched && body.pose.position.distance(course.goal()) <= mission.near;
    let seconds = now.seconds() - note(world, BEGAN);
    let name = active.and_then(|behaviour| sets().get(usize::from(behaviour.0)).map(|set| set.name.clone()));
    let skipped = name.is_some_and(|name| name == SKIP);
    // A nanosecond of slack: times are sums of ticks.
    if !(touched || reached || skipped || seconds >= mission.time_limit - 1e-9) {
        return None;
    }
    let metres = body.travelled - note(world, TRAVELLED);
    let seconds = if skipped { 0.0 } else { seconds };
    let trial = note(world, TRIAL) + 1.0;
    let ended = reached || skipped || trial >= f64::from(mission.trials);
    write(world, OVER, if ended { 2.0 } else { 1.0 });
    add(world, condition, SECONDS, seconds);
    add(world, condition, ERRORS, f64::from(u8::from(touched)));
    add(world, condition, REACHED, f64::from(u8::from(reached)));
    add(world, condition, MAPS, f64::from(u8::from(ended)));
    let flag = |value: bool| f64::from(u8::from(value));
    let event = Event::new(EventKind::Trial)
        .with("map", f64::from(mission.number(maps_done(world))))
        .with("overview", condition as f64)
        .with("short", f64::from(course.ratio.0))
        .with("long", f64::from(course.ratio.1))
        .with("trial", trial)
        .with("reached", flag(reached))
        .with("touched", flag(touched))
        .with(key::SECONDS, seconds)
        .with("metres", metres);
    Some(match active {
        Some(behaviour) => event.about(behaviour, TaskId(0)),
        None => event,
    })
}

/// A trial, as a model learns from it; `None` for a map that was left without another trial.
pub(super) fn trial(event: &Event) -> Option<Trial> {
    let name = sets().get(usize::from(event.behaviour?.0))?.name.clone();
    let number = |name: &str| event.number(name);
    Some(Trial {
        ratio: Ratio(number("short")? as u8, number("long")? as u8),
        way: Way::ALL.into_iter().find(|way| way.name() == name)?,
        first: number("trial")? == 1.0,
        status: if number("reached")? > 0.0 { Status::Success } else { Status::Failed },
        seconds: number(key::SECONDS)?,
        metres: number("metres")?,
    })
}

/// The robot that the referee watches.
pub(super) fn robot() -> RobotId {
    ROBOT
}
