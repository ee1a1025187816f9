//! Checks of ALLIANCE's parameters in a scenario beyond its schema: names must exist, and files are read.

use super::Properties;
use super::learning::{LearningParams, Memory, Start, memory_of, odd_time};
use crate::{Finding, Memories, Preparation, TextFile, overlay};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Replaces the files that the parameters name by their content, and checks everything.
pub(super) fn prepare(said: &mut Value, preparation: &mut Preparation) {
    if let Some(file) = said.get("properties").and_then(Value::as_str).map(String::from)
        && !merge(&file, said, preparation)
    {
        return;
    }
    check_names(said, preparation);
    let learning = said.get("learning").cloned().map(serde_json::from_value::<LearningParams>);
    // Invalid values are reported when all parameters are read.
    if let Some(Ok(mut learning)) = learning {
        check_learning(&mut learning, preparation);
        said["learning"] = serde_json::to_value(&learning).unwrap_or_default();
    }
}

/// Merges the scenario's parameters over those of a `.properties` file; false if the file cannot be used.
fn merge(path: &str, said: &mut Value, preparation: &mut Preparation) -> bool {
    let file = match (preparation.read)(path) {
        Ok(file) => file,
        Err(message) => {
            preparation.findings.push(Finding::error(message).at("properties"));
            return false;
        }
    };
    let (properties, errors) = Properties::read(&file.text, &preparation.robots, &preparation.team_sets);
    let errors = errors
        .iter()
        .filter(|error| !(error.line == 0 && error.key.as_ref().is_some_and(|key| supplied(said, key))));
    let before = preparation.findings.len();
    for error in errors {
        let finding = if error.line == 0 {
            Finding::error(format!("{}: {}", file.name, error.message))
        } else {
            Finding::error(&error.message).in_line(&file, error.line)
        };
        let word = error.key.as_ref().and_then(|key| key.split('.').next());
        let word = word.filter(|word| error.line > 0 && !Properties::names().any(|name| name == *word));
        let finding = match word {
            Some(word) => finding.unknown(word, Properties::names()),
            None => finding,
        };
        preparation.findings.push(finding.at("properties"));
    }
    if preparation.findings.len() > before {
        return false;
    }
    let notes = properties.notes.iter().map(|note| Finding::warning(format!("{}: {note}", file.name)));
    preparation.findings.extend(notes);
    let mut merged = serde_json::to_value(&properties.params).unwrap_or_default();
    overlay(&mut merged, said);
    if let Value::Object(map) = &mut merged {
        // The values are in the resolved scenario now; the file is no longer needed.
        map.remove("properties");
    }
    *said = merged;
    true
}

/// True if the scenario itself gives the parameter that a file lacks.
fn supplied(said: &Value, key: &str) -> bool {
    let mut parts = key.split('.');
    let kebab = |name: &str| {
        let spell = |c: char| if c.is_uppercase() { format!("-{}", c.to_lowercase()) } else { c.to_string() };
        name.chars().map(spell).collect::<String>()
    };
    let (Some(name), set) = (parts.next().map(kebab), parts.next_back()) else { return false };
    let in_set = |set: &str| said.get("behaviours")?.get(set)?.get(&name).cloned();
    said.get(&name).is_some() || set.and_then(in_set).is_some()
}

/// Names of behaviour sets, robot types and robots must exist.
fn check_names(said: &Value, preparation: &mut Preparation) {
    let Some(team) = said.as_object() else { return };
    check_keys(team, "", "types", "robot type", preparation);
    check_keys(team, "", "robots", "robot", preparation);
    check_level(team, "", preparation);
    for part in ["types", "robots"] {
        for (name, level) in maps_in(team, part) {
            check_level(level, &format!("{part}.{name}."), preparation);
        }
    }
}

/// Names in the parameters of the team, a type or a robot.
fn check_level(level: &Map<String, Value>, path: &str, preparation: &mut Preparation) {
    check_keys(level, path, "behaviours", "behaviour set", preparation);
    check_keys(level, path, "toward", "robot", preparation);
    for (name, set) in maps_in(level, "behaviours") {
        check_keys(set, &format!("{path}behaviours.{name}."), "toward", "robot", preparation);
    }
}

fn check_keys(map: &Map<String, Value>, path: &str, part: &str, what: &str, preparation: &mut Preparation) {
    let known = match what {
        "robot type" => &preparation.types,
        "robot" => &preparation.robots,
        _ => &preparation.sets,
    };
    let Some(keys) = map.get(part).and_then(Value::as_object) else { return };
    for key in keys.keys().filter(|key| !known.contains(&key.as_str())) {
        let message = format!("there is no {what} `{key}`");
        let finding = if what == "robot" {
            Finding::warning(format!("{message} in the team: its parameters are ignored"))
        } else {
            Finding::error(message).listed()
        };
        let finding = finding.at_key(format!("{path}{part}.{key}"));
        preparation.findings.push(finding.unknown(key, known.iter().copied()));
    }
}

/// The maps under a key, with their names.
fn maps_in<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Map<String, Value>)> {
    let inner = map.get(key).and_then(Value::as_object);
    inner.into_iter().flatten().filter_map(|(name, value)| value.as_object().map(|map| (name, map)))
}

/// Checks the learning parameters, with the file of learned values.
fn check_learning(learning: &mut LearningParams, preparation: &mut Preparation) {
    let before = preparation.findings.len();
    let mut error = |key: &str, message: String| {
        preparation.findings.push(Finding::error(message).at(format!("learning.{key}")));
    };
    if learning.max_delay < learning.min_delay {
        let (low, high) = (learning.min_delay, learning.max_delay);
        error("max-delay", format!("`max-delay` must not be below `min-delay`, found {high} s and {low} s"));
    }
    let given = learning.file.is_some() || !learning.values.is_empty();
    match learning.start {
        Start::Learned if !given => {
            error("start", "`start: learned` needs a `file`, such as the learned.json of a run".into());
        }
        Start::Neutral | Start::HandSet if given => {
            error("file", "learned values are used only with `start: learned`".into());
        }
        _ => {}
    }
    if preparation.findings.len() > before {
        return;
    }
    if let Some(file) = learning.file.take() {
        match read(&file, preparation) {
            Ok(values) => learning.values = values,
            Err(finding) => return preparation.findings.push(finding.at("learning.file")),
        }
    }
    for (robot, memory) in &learning.values {
        if let Some((about, time)) = odd_time(memory) {
            let message =
                format!("a time of {robot} at `{about}` must be finite and above 0 s, found {time} s");
            return preparation.findings.push(Finding::error(message).at("learning.values"));
        }
    }
    warn_of_strangers(&learning.values, preparation);
}

fn read(path: &str, preparation: &mut Preparation) -> Result<BTreeMap<String, Memory>, Box<Finding>> {
    let file = (preparation.read)(path).map_err(|message| Box::new(Finding::error(message)))?;
    let values = parse(&file)?;
    if !values.keys().any(|name| preparation.robots.contains(&name.as_str())) {
        let found: Vec<&str> = values.keys().map(String::as_str).collect();
        return Err(Box::new(Finding::error(format!(
            "the learned values are about other robots ({}) than the team's ({})",
            or_nobody(&found),
            or_nobody(&preparation.robots)
        ))));
    }
    Ok(values)
}

fn parse(file: &TextFile) -> Result<BTreeMap<String, Memory>, Box<Finding>> {
    let wrong = |message: String| Finding::error(format!("{}: {message}", file.name));
    let memories = Memories::parse(&file.text).map_err(|message| {
        let place = message.rsplit_once(" at line ");
        let line = place.and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        match line {
            Some(line) => Box::new(wrong(message).in_line(file, line)),
            None => Box::new(wrong(message)),
        }
    })?;
    let one = |(name, value): (String, Value)| Ok((name.clone(), memory_of(&name, value)?));
    memories
        .robots
        .into_iter()
        .map(one)
        .collect::<Result<_, String>>()
        .map_err(|message| Box::new(wrong(message)))
}

fn or_nobody(names: &[&str]) -> String {
    if names.is_empty() { "nobody".into() } else { names.join(", ") }
}

/// Values about robots, behaviour sets and tasks that do not exist.
fn warn_of_strangers(values: &BTreeMap<String, Memory>, preparation: &mut Preparation) {
    let Preparation { robots, sets, tasks, findings, .. } = preparation;
    let mut ignored = |what: &str, name: &str| {
        let warning =
            Finding::warning(format!("there is no {what} `{name}`: what was learned about it is ignored"));
        if !findings.contains(&warning) {
            findings.push(warning);
        }
    };
    for (robot, memory) in values {
        if !robots.contains(&robot.as_str()) {
            ignored("robot", robot);
            continue;
        }
        let strange = memory.own.keys().filter(|set| !sets.contains(&set.as_str()));
        strange.for_each(|set| ignored("behaviour set", set));
        for (task, by_robot) in &memory.others {
            if !tasks.iter().any(|known| known.name == *task) {
                ignored("task", task);
            }
            let strange = by_robot.keys().filter(|robot| !robots.contains(&robot.as_str()));
            strange.for_each(|robot| ignored("robot", robot));
        }
    }
}
