//! A team's memory from run to run, as a file: written at the end of a run, read at the start of the next. Only its coordinator
//! knows the meaning of a robot's entry.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the file format.
const VERSION: u32 = 1;

/// The memories of all robots of a team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memories {
    /// The version of the file format: 1.
    pub learned_values: u32,
    /// The mission it is about; not needed to read a file.
    #[serde(default)]
    pub mission: String,
    /// By robot.
    pub robots: BTreeMap<String, Value>,
}

impl Memories {
    /// The memories of these robots of a mission.
    pub fn new(mission: &str, robots: BTreeMap<String, Value>) -> Memories {
        Memories { learned_values: VERSION, mission: mission.to_string(), robots }
    }

    /// The content of the file.
    pub fn to_text(&self) -> String {
        // Plain data can always be serialised.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads a file, or returns an error.
    pub fn parse(text: &str) -> Result<Memories, String> {
        let file: Memories = serde_json::from_str(text).map_err(|error| {
            format!("this is not a file of learned values, such as a run's learned.json: {error}")
        })?;
        if file.learned_values != VERSION {
            let found = file.learned_values;
            return Err(format!(
                "the file has version {found}, but this program supports only version {VERSION}"
            ));
        }
        Ok(file)
    }
}
