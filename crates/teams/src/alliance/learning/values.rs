//! Learned values as a file: written at the end of a run, read at the start of the next.

use super::{Learned, Memory};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file format.
const VERSION: u32 = 1;

/// What every robot of a team has learned, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnedValues {
    /// The version of the file format: 1.
    pub learned_values: u32,
    /// The mission they are about.
    pub mission: String,
    /// By robot.
    pub robots: BTreeMap<String, Learned>,
}

impl LearnedValues {
    /// The learned values of these robots in a mission.
    pub fn new(mission: &str, robots: BTreeMap<String, Learned>) -> LearnedValues {
        LearnedValues { learned_values: VERSION, mission: mission.to_string(), robots }
    }

    /// The content of the file.
    pub fn to_text(&self) -> String {
        // Plain data can always be serialised.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The memories to start the next run from.
    pub fn memories(&self) -> BTreeMap<String, Memory> {
        self.robots.iter().map(|(name, learned)| (name.clone(), learned.memory.clone())).collect()
    }
}

/// The robots' memories in a file, or an error.
pub fn parse_memories(text: &str) -> Result<BTreeMap<String, Memory>, String> {
    #[derive(Deserialize)]
    struct File {
        learned_values: u32,
        robots: BTreeMap<String, serde_json::Value>,
    }
    let file: File = serde_json::from_str(text).map_err(|error| {
        format!("this is no file of learned values, such as a run's learned.json: {error}")
    })?;
    if file.learned_values != VERSION {
        return Err(format!(
            "the file has version {}, and this program knows version {VERSION}",
            file.learned_values
        ));
    }
    file.robots.into_iter().map(|(name, value)| Ok((name.clone(), memory(&name, value)?))).collect()
}

fn memory(robot: &str, mut value: serde_json::Value) -> Result<Memory, String> {
    if let Some(map) = value.as_object_mut() {
        // The derived parameters are for people to read and are ignored.
        map.remove("parameters");
    }
    let memory: Memory =
        serde_json::from_value(value).map_err(|error| format!("the values of robot `{robot}`: {error}"))?;
    match odd_time(&memory) {
        None => Ok(memory),
        Some((about, time)) => Err(format!(
            "the values of robot `{robot}`: a time at `{about}` must be finite and above 0 s, found {time}"
        )),
    }
}

/// An invalid time, and where it is.
pub fn odd_time(memory: &Memory) -> Option<(&str, f64)> {
    let own = memory.own.iter().map(|(set, times)| (set.as_str(), times));
    let others =
        memory.others.iter().flat_map(|(task, robots)| robots.values().map(|times| (task.as_str(), times)));
    let mut all = own.chain(others).flat_map(|(about, times)| times.0.iter().map(move |t| (about, *t)));
    all.find(|(_, time)| !(time.is_finite() && *time > 0.0))
}
