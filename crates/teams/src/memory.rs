//! What a team remembers from run to run, as a file: written at the end of a run, read at the start of the next. What
//! a robot's entry means is known to its coordinator alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the file format.
const VERSION: u32 = 1;

/// What every robot of a team remembers.
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
    /// What these robots remember of a mission.
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

    /// Reads a file, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Memories, String> {
        let file: Memories = serde_json::from_str(text).map_err(|error| {
            format!("this is no file of learned values, such as a run's learned.json: {error}")
        })?;
        if file.learned_values != VERSION {
            let found = file.learned_values;
            return Err(format!("the file has version {found}, and this program knows version {VERSION}"));
        }
        Ok(file)
    }
}
