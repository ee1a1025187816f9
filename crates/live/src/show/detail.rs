//! Everything about one robot: the message `detail`.

use super::camera::Subject;
use super::history::event_text;
use super::scene::{millimetre, point};
use super::sketch;
use crate::wire::Layer;
use crewlab_lab::sim::Robot;
use crewlab_lab::sim::address::{self, node};
use crewlab_lab::sim::faults::{DriveFault, Fault};
use crewlab_lab::sim::onboard::geometry::Vec2;
use crewlab_lab::sim::onboard::{Coordinator, GaugeState, Identity, Message, Reading, RobotId, Sighting};
use crewlab_lab::sim::radio::{Fate, NodeId, Radio};
use crewlab_lab::sim::world::sensors::SensorFault;
use serde_json::{Value, json};
use std::sync::PoisonError;

/// Number of messages shown per robot.
const MESSAGES: usize = 30;
/// Size of the cost field's cells, and how far it goes to each side. [m]
const CELL: f64 = 0.1;
const HALF: f64 = 1.8;
/// Fast robots are shown farther around: as far as they drive in this time beyond 1 m/s. [s]
const AHEAD: f64 = 30.0;
/// A beam of at least this share of its range has hit nothing.
const SAW_NOTHING: f64 = 0.97;
/// Number of sightings listed by name.
const SIGHTINGS: usize = 6;

/// True if a person drives the robot.
pub(super) fn taken_over(robot: &Robot) -> bool {
    robot.faults.hand().is_some()
}

/// The message. `speed` is how fast the robot moved lately, if that is known. [m/s]
pub(super) fn text(subject: &Subject, robot: RobotId, layers: &[Layer], speed: Option<f64>) -> String {
    let simulation = subject.simulation;
    let (model, state, now) = (&simulation.model, &simulation.state, simulation.now());
    let (member, mind, body) = (&model.team[robot], &state.robots[robot], &state.world.bodies[robot]);
    let identity = &member.identity;
    let mut gauges = Vec::new();
    mind.software.coordinator.gauges(&mut gauges);
    let history = subject.history.lock().unwrap_or_else(PoisonError::into_inner);
    let why = history.last_choice(robot, now.seconds()).map(event_text);
    drop(history);
    let active = state.active(robot);
    let held = body.holding.and_then(|item| state.world.items.get(item as usize));
    json!({
        "type": "detail",
        "lane": subject.lane,
        "epoch": subject.epoch,
        "tick": state.tick,
        "robot": robot,
        "x": millimetre(body.pose.position.x),
        "y": millimetre(body.pose.position.y),
        "heading": body.pose.heading,
        "speed": speed.map(millimetre),
        "behaviour": active.map(|choice| choice.behaviour.0),
        "state": condition(subject, robot),
        "holding": held.map(|item| &item.kind),
        "battery": body.energy(),
        "clock": mind.faults.clock(now).seconds(),
        "faults": mind.faults.iter().filter_map(|fault| broken(fault, identity)).collect::<Vec<_>>(),
        "taken_over": taken_over(mind),
        "percept": percept(subject, robot),
        "radio": radio(subject, robot),
        "messages": messages(subject, robot),
        "why": why,
        "gauges": gauges.iter().map(|gauge| json!({
            "behaviour": gauge.behaviour.0,
            "level": gauge.level,
            "state": match gauge.state {
                GaugeState::Hibernating => "idle",
                GaugeState::Waiting => "waiting",
                GaugeState::Active => "active",
            },
        })).collect::<Vec<_>>(),
        "rays": rays(subject, robot),
        "plan": plan(subject, robot),
        "sketches": sketch::robot(subject, layers, robot),
        "field": layers.contains(&Layer::Field).then(|| field(subject, robot)).flatten(),
    })
    .to_string()
}

/// A description of what is broken.
fn broken(fault: &Fault, identity: &Identity) -> Option<String> {
    let sheet = &identity.datasheet;
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    Some(match fault {
        Fault::Sensor(ailment) => {
            let name = sheet.sensors.get(ailment.sensor).map_or("sensor", |sensor| &sensor.name);
            match ailment.fault {
                SensorFault::Dead => format!("{name} is dead"),
                SensorFault::Stuck => format!("{name} is stuck"),
                SensorFault::Biased(by) => format!("{name} is off by {}", short(by)),
                SensorFault::Noisier(by) => format!("{name} has {} more noise", percent(by)),
                SensorFault::DropsOut(share) => format!("{name} misses {} of its readings", percent(share)),
            }
        }
        Fault::Drive(fault) => match fault {
            DriveFault::Dead => "drive is dead".into(),
            DriveFault::Slower(share) => format!("drive has lost {} of its speed", percent(*share)),
            DriveFault::Pulls(share) if *share < 0.0 => "drive pulls to the right".into(),
            DriveFault::Pulls(_) => "drive pulls to the left".into(),
            DriveFault::Stuck => "drive is stuck".into(),
        },
        Fault::Effector(place) => {
            let name = sheet.effectors.get(*place).map_or("effector", |effector| &effector.name);
            format!("{name} is dead")
        }
        Fault::Drain(rate) => format!("battery loses {} per minute", percent(rate * 60.0)),
        Fault::Stop => "stopped".into(),
        Fault::Crash => "software has crashed".into(),
        Fault::Emergency => "emergency stop is pressed".into(),
        Fault::Loss(loss) if *loss >= 1.0 => "radio is dead".into(),
        Fault::Loss(loss) => format!("radio loses {}", percent(*loss)),
        Fault::Deaf => "radio does not receive".into(),
        Fault::Mute => "radio does not send".into(),
        Fault::Clock { .. } => "clock is wrong".into(),
        Fault::Hand { .. } => return None,
    })
}

/// A description of a robot's work.
fn condition(subject: &Subject, robot: RobotId) -> String {
    let (model, state) = (&subject.simulation.model, &subject.simulation.state);
    let (mind, body) = (&state.robots[robot], &state.world.bodies[robot]);
    if !body.present {
        return "not there".into();
    }
    if body.exhausted() {
        return "out of energy".into();
    }
    if body.halted {
        return "stopped: its software does not run".into();
    }
    if taken_over(mind) {
        return "driven by hand".into();
    }
    if mind.percept.stopped {
        return "its emergency stop is pressed".into();
    }
    match mind.software.active {
        Some(choice) => format!("works on {}", model.team[robot].identity.behaviour(choice.behaviour).name),
        None => "has nothing to do".into(),
    }
}

fn percept(subject: &Subject, robot: RobotId) -> Vec<Value> {
    let sheet = &subject.simulation.model.team[robot].identity.datasheet;
    let percept = &subject.simulation.state.robots[robot].percept;
    let sensors = sheet.sensors.iter().zip(&percept.senses);
    let sensor = sensors.map(
        |(sensor, sense)| json!({"sensor": sensor.name, "at": sense.at.seconds(), "text": reading(&sense.reading)}),
    );
    let feedback =
        sheet.effectors.iter().zip(&percept.feedback).filter(|(effector, _)| effector.kind != "drive");
    let feedback = feedback.map(|(effector, value)| {
        let now = subject.simulation.now().seconds();
        json!({"sensor": effector.name, "at": now, "text": format!("reports {}", short(*value))})
    });
    sensor.chain(feedback).collect()
}

/// A number rounded for reading.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A description of a reading.
fn reading(reading: &Reading) -> String {
    match reading {
        Reading::Missing => "no reading".into(),
        Reading::Ranges(ranges) => match ranges.iter().copied().reduce(f64::min) {
            Some(nearest) => format!("{} beams, nearest {} m", ranges.len(), short(nearest)),
            None => "no beams".into(),
        },
        Reading::Contacts(contacts) => match contacts.iter().filter(|touches| **touches).count() {
            0 => "touches nothing".into(),
            count => format!("touches something on {count} of {} sides", contacts.len()),
        },
        Reading::Sightings(list) if list.is_empty() => "sees nothing".into(),
        Reading::Sightings(list) => {
            let mut parts: Vec<String> = list.iter().take(SIGHTINGS).map(sighting).collect();
            if list.len() > SIGHTINGS {
                parts.push(format!("{} more", list.len() - SIGHTINGS));
            }
            parts.join(", ")
        }
        Reading::Point(at) => format!("x {} m, y {} m", short(at.x), short(at.y)),
        Reading::Pose(pose) => {
            let at = pose.position;
            format!("x {} m, y {} m, {:.1}°", short(at.x), short(at.y), pose.heading.to_degrees())
        }
        Reading::Angle(angle) => format!("{:.1}°", angle.to_degrees()),
        Reading::Levels(levels) => levels.iter().map(|level| short(*level)).collect::<Vec<_>>().join(", "),
        Reading::Level(level) => short(*level),
    }
}

fn sighting(seen: &Sighting) -> String {
    let place = if seen.inside { " around it" } else { "" };
    format!("{}{place} {} m at {:.0}°", seen.kind, short(seen.distance), seen.bearing.to_degrees())
}

fn radio(subject: &Subject, robot: RobotId) -> Vec<Value> {
    let simulation = subject.simulation;
    let (state, software) = (&simulation.state, &simulation.state.robots[robot].software);
    let row = |name: &str, value: String| json!({"name": name, "value": value});
    let mut rows = vec![
        row("radio", subject.scenario.radio().to_string()),
        row("logical clock", software.lamport().to_string()),
        row("messages said", software.messages_said().to_string()),
    ];
    let troubles = [
        ("not understood", software.undecodable),
        ("heard twice", software.duplicates),
        ("too large to send", software.refused),
    ];
    rows.extend(
        troubles.iter().filter(|(_, count)| *count > 0).map(|(name, count)| row(name, count.to_string())),
    );
    if let Some(physical) = state.radio.as_physical() {
        let usage = state.radio.usage(node(robot));
        let noise = physical.noise(node(robot));
        rows.push(row("waiting to be sent", physical.waiting(node(robot)).to_string()));
        if noise > 0.0 {
            rows.push(row("noise", format!("{:.1} dBm", 10.0 * noise.log10())));
        }
        rows.push(row("sending so far", format!("{} ms", short(usage.sending as f64 * 1e-6))));
        rows.push(row("receiving so far", format!("{} ms", short(usage.receiving as f64 * 1e-6))));
        rows.push(row("energy of the radio", format!("{} J", short(usage.energy))));
    }
    rows
}

/// The latest messages, the newest first. A broadcast is one line.
fn messages(subject: &Subject, robot: RobotId) -> Vec<Value> {
    let model = &subject.simulation.model;
    let me = node(robot);
    let name =
        |node: NodeId| address::robot(node).map_or("operator", |robot| model.robot_name(robot)).to_string();
    let mine = subject.mail.iter().rev().filter(|fate| fate.sender == me || fate.receiver == me);
    let mut rows: Vec<(&Fate, Vec<&Fate>)> = Vec::new();
    for fate in mine {
        let same = |(first, _): &(&Fate, Vec<&Fate>)| {
            fate.sender == me
                && first.sender == me
                && first.sent == fate.sent
                && first.payload == fate.payload
        };
        match rows.iter().rposition(same) {
            Some(place) => rows[place].1.push(fate),
            None if rows.len() < MESSAGES => rows.push((fate, vec![fate])),
            None => break,
        }
    }
    let row = |(fate, copies): &(&Fate, Vec<&Fate>)| {
        let lost = copies.iter().filter_map(|copy| copy.lost).collect::<Vec<_>>();
        let said = match (copies.len(), lost.first()) {
            (1, None) => "arrived".to_string(),
            (1, Some(why)) => format!("lost: {}", why.name()),
            (all, None) => format!("reached {all}"),
            (all, Some(why)) => format!("reached {} of {all}; {}", all - lost.len(), why.name()),
        };
        let out = fate.sender == me;
        let with = match (out, copies.len()) {
            (true, 1) => name(fate.receiver),
            (true, _) => "all".into(),
            (false, _) => name(fate.sender),
        };
        let kind = Message::decode(&fate.payload).map_or("not understood", |message| message.body.kind());
        json!({
            "t": fate.settled as f64 * 1e-9,
            "out": out,
            "with": with,
            "kind": kind,
            "bytes": fate.payload.len(),
            "fate": said,
        })
    };
    rows.iter().map(row).collect()
}

/// The beams of a robot's range sensors.
pub(super) fn rays(subject: &Subject, robot: RobotId) -> Vec<Value> {
    let sheet = &subject.simulation.model.team[robot].identity.datasheet;
    let state = &subject.simulation.state;
    let (percept, body) = (&state.robots[robot].percept, &state.world.bodies[robot]);
    if body.down() {
        return Vec::new();
    }
    let mut beams = Vec::new();
    for (sensor, sense) in sheet.sensors.iter().zip(&percept.senses) {
        let Reading::Ranges(ranges) = &sense.reading else { continue };
        for (angle, range) in sensor.angles.iter().zip(ranges) {
            let direction = body.pose.heading + angle;
            let from = body.pose.position + Vec2::unit(direction) * body.radius;
            beams.push(json!({
                "x": millimetre(from.x),
                "y": millimetre(from.y),
                "angle": (direction * 1e3).round() / 1e3,
                "length": millimetre(range.clamp(0.0, 1e3)),
                // A beam that hit nothing reads about the whole range, plus noise.
                "hit": *range < sensor.range * SAW_NOTHING,
            }));
        }
    }
    beams
}

/// A robot's waypoints, as it believes them.
pub(super) fn plan(subject: &Subject, robot: RobotId) -> Vec<Value> {
    subject.simulation.state.plan(robot).into_iter().map(point).collect()
}

/// The cost field of a robot's steering, rotated to the world frame.
fn field(subject: &Subject, robot: RobotId) -> Option<Value> {
    let simulation = subject.simulation;
    let fast = (simulation.model.team[robot].identity.datasheet.max_speed - 1.0).max(0.0);
    let scale = 1.0 + AHEAD * fast / HALF;
    let field = simulation.state.cost_field(&simulation.model, robot, scale * CELL, scale * HALF)?;
    let pose = simulation.state.world.bodies[robot].pose;
    // The robot may have no compass, or a wrong one: the cells are rotated by its true heading.
    let back = Vec2::unit(field.heading - pose.heading);
    let costs: Vec<Option<f64>> = (0..field.side * field.side)
        .map(|index| {
            let place = field.place(index % field.side, index / field.side).rotated(back);
            field.at(place).filter(|cost| cost.is_finite()).map(millimetre)
        })
        .collect();
    let half = field.side as f64 * field.cell / 2.0;
    let origin = pose.position - Vec2 { x: half, y: half };
    Some(json!({
        "origin": point(origin), "columns": field.side, "rows": field.side, "cell": field.cell, "costs": costs,
    }))
}
