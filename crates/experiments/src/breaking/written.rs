//! The found scenario as a readable file.

use super::flow::flow;
use super::mishap::Schedule;
use crate::store::Key;
use crewlab_lab::sim::missions;
use crewlab_scenario::text::{Node, SourceMap, apply_set, parse, to_yaml};
use crewlab_scenario::{Request, disturbances_of, load};
use serde_json::{Value, json};

/// A scenario with a schedule as YAML, without comments: the base scenario with its changes if that gives the same scenario,
/// otherwise in full. `same` is the resolved scenario.
pub(super) fn write(
    base: &Request,
    coordinator: &str,
    seed: u64,
    schedule: &Schedule,
    same: &Value,
) -> String {
    let wanted = Key::fingerprint(same);
    let is_same = |text: &String| {
        let request = Request { scenario: "broken".into(), text: Some(text.clone()), ..Request::default() };
        load(&request).is_ok_and(|scenario| Key::fingerprint(&scenario.resolved) == wanted)
    };
    brief(base, coordinator, seed, schedule).filter(is_same).unwrap_or_else(|| whole(same))
}

/// The base scenario, the settings, and the schedule.
fn brief(base: &Request, coordinator: &str, seed: u64, schedule: &Schedule) -> Option<String> {
    let mut sources = SourceMap::default();
    let text = match &base.text {
        Some(text) => text.clone(),
        None => text_of(&base.scenario)?,
    };
    let id = sources.add("scenario".into(), text);
    let mut tree: Node = parse(&sources, id).ok()?;
    if tree.get("include").is_some() {
        // Relative paths do not work from another folder.
        return None;
    }
    let own = [format!("team.coordinator={coordinator}"), format!("run.seed={seed}")];
    for set in base.sets.iter().chain(&own) {
        tree = apply_set(&mut sources, tree, set).ok()?;
    }
    let Value::Object(mut map) = tree.to_json() else { return None };
    map.remove("name");
    let mut lines: Vec<String> = match map.remove("disturbances") {
        Some(Value::Array(entries)) => entries.iter().map(flow).collect(),
        _ => Vec::new(),
    };
    for more in &base.disturbances {
        lines.extend(disturbances_of(more).ok()?);
    }
    lines.extend(schedule.lines());
    let mut text = String::new();
    // In the usual order of scenario keys.
    for key in ["crewlab", "mission"] {
        if let Some(value) = map.remove(key) {
            text += &to_yaml(&json!({key: value}));
        }
    }
    let run = map.remove("run");
    for (key, value) in map {
        text += &short(&key, &value);
    }
    text += "disturbances:\n";
    text.extend(lines.iter().map(|line| format!("  - {line}\n")));
    text.extend(run.map(|run| short("run", &run)));
    Some(text)
}

/// The longest map that is written in one line, in characters.
const SHORT: usize = 60;

/// A key with its value, in one line if it is short.
fn short(key: &str, value: &Value) -> String {
    let line = flow(value);
    if line.chars().count() <= SHORT && line.is_ascii() {
        // Written as part of a map, so that the key is quoted correctly.
        let entry = flow(&json!({key: value}));
        return format!("{}\n", &entry[1..entry.len() - 1]);
    }
    to_yaml(&json!({key: value}))
}

/// The scenario in full, with every default.
fn whole(same: &Value) -> String {
    let mut rest = same.clone();
    if let Value::Object(map) = &mut rest {
        map.remove("name");
        map.insert("complete".into(), json!(true));
    }
    to_yaml(&rest)
}

/// The text of a scenario, as the loader finds it: files take precedence over shipped scenarios.
fn text_of(name: &str) -> Option<String> {
    let shipped =
        || missions::KINDS.iter().flat_map(|kind| kind.shipped).find(|shipped| shipped.name == name);
    std::fs::read_to_string(name).ok().or_else(|| shipped().map(|shipped| shipped.text.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::mishap::Mishap;
    use super::super::mishap::tests::stressor;
    use super::*;

    fn written(request: &Request) -> (String, Value) {
        let trap = Mishap { at: 40.0, ..Mishap::worst(&stressor("trap", "", 5, "blue")) };
        let schedule = Schedule::new(vec![trap]);
        let mut sets = request.sets.clone();
        sets.push("team.coordinator=greedy".into());
        let disturbances = [request.disturbances.clone(), schedule.lines()].concat();
        let whole = load(&Request { sets, disturbances, seed: Some(7), ..request.clone() });
        let same = whole.unwrap_or_else(|problems| panic!("{problems}")).resolved;
        (write(request, "greedy", 7, &schedule, &same), same)
    }

    #[test]
    fn a_shipped_scenario_stays_short() {
        let request = Request { scenario: "waste-cleanup-death".into(), ..Request::default() };
        let (text, _) = written(&request);
        let expected = "crewlab: 1\nmission: waste-cleanup\nteam: {coordinator: greedy}\ndisturbances:\n  - \
            {between: [0 s, 10 min], stop: random}\n  - {at: 40 s, trap: blue}\nrun: {seed: 7}\n";
        assert_eq!(text, expected);
    }

    /// A scenario that cannot be written as a difference is written in full; both give the same scenario.
    #[test]
    fn the_file_is_the_same_scenario_whatever_is_set() {
        let sets: [&[&str]; 4] = [
            &["run.until=20 min"],
            &["team.robots.gold.at=[2 m, 2 m]"],
            &["radio=wifi-indoor", "radio.range=20 m"],
            &["world.size=[14 m, 8 m]", "team.alliance.threshold=50"],
        ];
        for sets in sets {
            let request = Request {
                scenario: "waste-cleanup".into(),
                sets: sets.iter().map(|set| set.to_string()).collect(),
                disturbances: vec!["lossy-radio".into()],
                ..Request::default()
            };
            if load(&request).is_err() {
                continue;
            }
            let (text, same) = written(&request);
            let again = Request { scenario: "x".into(), text: Some(text.clone()), ..Request::default() };
            let again = load(&again).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
            assert_eq!(Key::fingerprint(&again.resolved), Key::fingerprint(&same), "{text}");
        }
    }
}
