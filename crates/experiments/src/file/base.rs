//! The common part of experiment and tuning files: their location, and the base scenario.

use super::label;
use crewlab_scenario::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// The keys that both kinds of files begin with. Editors show the comments.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BaseSpec {
    /// Version of the file format: 1.
    #[schemars(range(min = 1, max = 1))]
    pub crewlab: u32,
    /// A name for the results. Default: the file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The base scenario: the name of a shipped scenario, or a file; paths are relative to this file.
    pub scenario: String,
    /// Changes to the base scenario for all runs: values by their keys, e.g. `radio.loss: 20 %`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// Disturbances in all runs: presets (see `crewlab list presets`), or entries as in a scenario's `disturbances`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturb: Vec<Value>,
}

impl BaseSpec {
    /// The name of the results of a file at this path.
    pub(crate) fn name(&self, path: &Path) -> String {
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.name.clone().unwrap_or_else(stem)
    }

    /// The scenario with the changes for all runs. A file is searched next to the file that names it; anything else is the name
    /// of a shipped scenario.
    pub(crate) fn request(&self, path: &Path) -> Request {
        let beside = path.with_file_name(&self.scenario);
        let scenario = if beside.is_file() { beside.to_string_lossy().into() } else { self.scenario.clone() };
        Request {
            scenario,
            sets: sets(&self.set),
            disturbances: mishaps(&self.disturb),
            ..Request::default()
        }
    }
}

/// Assignments in the form of `--set`; JSON is valid YAML.
pub(crate) fn sets(map: &Map<String, Value>) -> Vec<String> {
    map.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

/// The entries of `disturb` in the form of `--disturb`: names of presets, or entries; JSON is valid YAML.
pub(crate) fn mishaps(entries: &[Value]) -> Vec<String> {
    entries.iter().map(label).filter(|entry| entry != "none").collect()
}
