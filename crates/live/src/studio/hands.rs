//! Interventions by hand: checks them, sets their times, and prepares them for recording.

use super::branch::Deed;
use super::runs::Runs;
use crewlab_lab::sim::disturbances::{Complaint, DisturbanceSpec, Inventory, Timing};
use crewlab_lab::sim::{Model, State};
use crewlab_scenario::read_disturbance;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Largest number of deeds per run.
const MOST_DEEDS: usize = 20_000;
/// Largest size of one of them. [bytes]
const LONGEST: usize = 8 * 1024;

/// An entry of a scenario's `disturbances`, applied now to one lane or to all.
pub(super) fn deed(entry: Map<String, Value>, lane: Option<usize>, runs: &mut Runs) -> Result<Deed, String> {
    let entry = Value::Object(entry);
    let text = entry.to_string();
    if text.len() > LONGEST {
        return Err(format!("this intervention has {} bytes; at most {LONGEST} are accepted", text.len()));
    }
    let mut spec = read_disturbance(&text).map_err(|problems| problems.brief())?;
    not_over(runs)?;
    set_time(&mut spec, runs)?;
    if runs.branch().deeds.len() >= MOST_DEEDS {
        return Err(format!("this run has {MOST_DEEDS} interventions by hand, which is the limit"));
    }
    if let Some(lane) = lane {
        runs.lane(Some(lane))?;
    }
    check(&spec, lane, runs)?;
    Ok(Deed { number: runs.next_number(), tick: runs.now, lane, text: describe(&spec, &entry), spec })
}

/// Refuses if the run is over.
pub(super) fn not_over(runs: &Runs) -> Result<(), String> {
    if runs.finished() {
        return Err("the run is over: go back to a moment before its end".into());
    }
    Ok(())
}

/// Sets the time of a deed: the next tick, unless it is to happen later.
fn set_time(spec: &mut DisturbanceSpec, runs: &Runs) -> Result<(), String> {
    let timing = &mut spec.timing;
    let plain = Timing { at: timing.at, lasts: timing.lasts, ..Timing::default() };
    if *timing != plain {
        return Err(
            "an intervention by hand happens now, or `at` a later time, and is permanent unless it has a duration (`for`); \
                    other times belong in a scenario, because they count from its start"
                .into(),
        );
    }
    // By the run's clock: a lane that is over stands still.
    let next = runs.seconds(runs.now + 1);
    match timing.at {
        Some(at) if at < next => {
            Err(format!("`at: {at} s` is in the past: it is {} s now", runs.seconds(runs.now)))
        }
        Some(_) => Ok(()),
        None => {
            timing.at = Some(next);
            Ok(())
        }
    }
}

/// Refuses deeds that can never work, considering those pending in this tick.
fn check(spec: &DisturbanceSpec, lane: Option<usize>, runs: &Runs) -> Result<(), String> {
    let branch = runs.branch();
    let waiting = || {
        let waits = branch.deeds.iter().filter(|deed| deed.tick == runs.now && runs.now == branch.end());
        waits.filter_map(|deed| deed.spec.what.adds())
    };
    let lanes = runs.lanes.iter().enumerate().filter(|(index, _)| lane.is_none_or(|lane| lane == *index));
    for (_, lane) in lanes {
        let mut inventory = Inventory::of(&lane.simulation.model, &lane.simulation.state);
        inventory.later.extend(waiting());
        spec.build(&inventory).map_err(told)?;
    }
    Ok(())
}

/// An error message in one line.
fn told(complaint: Complaint) -> String {
    let known = complaint.unknown.as_ref().map(|(_, names)| format!("; there are: {}", names.join(", ")));
    let key = if complaint.key.is_empty() { String::new() } else { format!("`{}`: ", complaint.key) };
    format!("{key}{}{}", complaint.message, known.unwrap_or_default())
}

/// A robot like another one, in reserve: its name, and the assignment that adds it to a scenario.
pub(super) fn reserve(like: usize, runs: &Runs) -> Result<(String, String), String> {
    let (lane, past) = runs.lane(None)?;
    let team = &lane.simulation.model.team;
    let Some(model) = team.get(like).map(|member| &member.identity) else {
        return Err(format!("there is no robot {like}: there are {}", team.len()));
    };
    let taken = |name: &String| team.iter().any(|member| member.identity.name == *name);
    let mut names = (2..).map(|number| format!("{}-{number}", model.name));
    let Some(name) = names.find(|name| !taken(name)) else { return Err("there is no name left".into()) };
    // A robot that is one of many is described by its type alone.
    let robots = past.start.scenario.resolved["team"]["robots"].as_array().into_iter().flatten();
    let mut robot = robots
        .filter_map(Value::as_object)
        .find(|robot| robot.get("name") == Some(&json!(model.name)))
        .cloned()
        .unwrap_or_default();
    for key in ["at", "heading", "count", "priority"] {
        robot.remove(key);
    }
    robot.insert("name".into(), json!(name));
    robot.insert("type".into(), json!(model.robot_type));
    robot.insert("absent".into(), json!(true));
    let set = format!("team.robots.+={}", Value::Object(robot));
    Ok((name, set))
}

/// Lets a robot in reserve join a run at a place; `start` is the start of the run.
pub(super) fn joins(
    name: &str,
    place: [f64; 2],
    start: &(Arc<Model>, State),
    runs: &mut Runs,
) -> Result<Deed, String> {
    let entry = json!({"robot-added": {"robot": name, "place": place}});
    let mut spec = read_disturbance(&entry.to_string()).map_err(|problems| problems.brief())?;
    set_time(&mut spec, runs)?;
    spec.build(&Inventory::of(&start.0, &start.1)).map_err(told)?;
    Ok(Deed { number: runs.next_number(), tick: runs.now, lane: None, text: describe(&spec, &entry), spec })
}

/// A disturbance in one line: its kind and parameters, without its time.
fn describe(spec: &DisturbanceSpec, entry: &Value) -> String {
    let kind = spec.what.name();
    let lasts = spec.timing.lasts.map(|seconds| format!(" for {seconds} s")).unwrap_or_default();
    format!("{kind}: {}{lasts}", plain(&entry[kind]))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("[{}]", list.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let said = map.iter().filter(|(_, value)| !value.is_null());
            said.map(|(key, value)| format!("{key} {}", plain(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
