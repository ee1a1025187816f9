//! A resolved scenario contains all parameters of its coordinators and its mission: nothing depends on a default that may change
//! one day.

use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Request, Scenario, load, load_resolved};
use crewlab_sim::{missions, teams};
use serde_json::Value;

fn with(scenario: &str, sets: &[&str]) -> Option<Scenario> {
    let sets = sets.iter().map(ToString::to_string).collect();
    load(&Request { scenario: scenario.into(), sets, ..Request::default() }).ok()
}

/// The resolved scenario, read again.
fn again(scenario: &Scenario) -> Scenario {
    let text = to_yaml(&scenario.resolved);
    let request = Request { scenario: "again".into(), text: Some(text.clone()), ..Request::default() };
    load(&request).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The paths of all plain values.
fn leaves(value: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}.{key}"), found))
        }
        // Lists, and texts that are not choices, are left unchanged.
        Value::Array(_) => {}
        value => found.push((path.to_string(), value.clone())),
    }
}

/// Other values that a parameter may take; one of them is valid.
fn others(value: &Value, choices: &[String]) -> Vec<String> {
    match value {
        Value::Bool(value) => vec![(!value).to_string()],
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            [number + 1.0, number * 0.5, number * 2.0, 1.0].map(|number| number.to_string()).to_vec()
        }
        Value::String(text) => choices.iter().filter(|choice| *choice != text).cloned().collect(),
        // What is left out by default: a place, for example.
        Value::Null => ["1", "[1, 2]"].map(String::from).to_vec(),
        _ => Vec::new(),
    }
}

/// All words that are choices anywhere in a schema.
fn choices(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            found.extend(map.get("const").and_then(Value::as_str).map(String::from));
            let listed = map.get("enum").and_then(Value::as_array).into_iter().flatten();
            found.extend(listed.filter_map(Value::as_str).map(String::from));
            map.values().for_each(|value| choices(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| choices(value, found)),
        _ => {}
    }
}

/// Changes every parameter below `path` in turn: the change must be visible, and the written scenario must give the same
/// parameters.
fn every_parameter_shows(name: &str, base: &[&str], path: &str, choices: &[String]) -> usize {
    let scenario = with(name, base).unwrap_or_else(|| panic!("{name} with {base:?}"));
    let pointer = |path: &str| format!("/{}", path.replace('.', "/"));
    let mut found = Vec::new();
    if let Some(value) = scenario.resolved.pointer(&pointer(path)) {
        leaves(value, path, &mut found);
    }
    let mut changed = 0;
    for (path, value) in &found {
        let others = others(value, choices);
        let valid = others.iter().find_map(|other| {
            let set = format!("{path}={other}");
            let sets: Vec<&str> = base.iter().copied().chain([set.as_str()]).collect();
            with(name, &sets)
        });
        let Some(different) = valid else {
            // There is no file to name here.
            let file = value.is_null() && path.ends_with(".file");
            assert!(value.is_string() || file, "{path}: none of {others:?} is accepted");
            continue;
        };
        let shown = different.resolved.pointer(&pointer(path));
        assert_ne!(shown, Some(value), "{path} does not show");
        let again = again(&different);
        assert_eq!(again.setup.parameters, different.setup.parameters, "{path}");
        assert_eq!(again.setup.mission.parameters(), different.setup.mission.parameters(), "{path}");
        assert_eq!(again.resolved, different.resolved, "{path}");
        changed += 1;
    }
    changed
}

#[test]
fn every_coordinators_parameters_are_written_out() {
    let default = serde_json::to_value(teams::Params::default()).expect("plain data");
    for kind in teams::KINDS {
        let mut words = Vec::new();
        let mut generator = schemars::SchemaGenerator::default();
        (kind.schema)(&mut generator);
        let schema = serde_json::to_value(generator.definitions()).expect("plain data");
        choices(&schema, &mut words);
        let set = format!("team.coordinator={}", kind.name);
        let learning = format!("team.{}.learning={{start: hand-set}}", kind.name);
        let mut base = vec![set.as_str()];
        // Learning is optional; its parameters are tested separately.
        base.extend(schema.to_string().contains("\"learning\":").then_some(learning.as_str()));
        let changed = every_parameter_shows("waste-cleanup", &base, &format!("team.{}", kind.name), &words);
        // A parameter that is not set has no value to change.
        let set =
            |map: &serde_json::Map<String, Value>| map.values().filter(|value| !value.is_null()).count();
        let least = default[kind.name].as_object().map_or(0, set);
        assert!(changed >= least, "{}: only {changed} of at least {least} were tried", kind.name);
    }
}

#[test]
fn every_missions_parameters_are_written_out() {
    for kind in missions::KINDS {
        let scenario = kind.shipped.first().expect("every mission ships a scenario").name;
        every_parameter_shows(scenario, &[], "parameters", &[]);
    }
}

#[test]
fn a_resolved_scenario_is_the_same_whether_read_as_text_or_taken_as_it_is() {
    for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
        for sets in [&[][..], &["radio=wifi-indoor", "team.coordinator=muroco"]] {
            let Some(scenario) = with(shipped.name, sets) else { continue };
            let text = Some(to_yaml(&scenario.resolved));
            let request = Request { scenario: "again".into(), text, seed: Some(7), ..Request::default() };
            let read = load(&request).expect("it was accepted before");
            let taken = load_resolved("again", &scenario.resolved, 7).expect("it was accepted before");
            assert_eq!(taken.resolved, read.resolved, "{}", shipped.name);
            assert_eq!(format!("{:?}", taken.start), format!("{:?}", read.start), "{}", shipped.name);
        }
    }
}

#[test]
fn what_is_not_a_resolved_scenario_is_refused_with_a_reason() {
    for (value, reason) in [
        (serde_json::json!({"crewlab": 1, "mission": "waste-cleenup"}), "waste-cleanup"),
        (serde_json::json!(null), "does not name its mission"),
        (serde_json::json!([1]), "a scenario is a map"),
        (serde_json::json!({"mission": "waste-cleanup", "run": {}}), "cannot be used"),
    ] {
        let problems = load_resolved("again", &value, 1).expect_err("it is not a scenario");
        assert!(problems.to_string().contains(reason), "{problems}");
    }
}
