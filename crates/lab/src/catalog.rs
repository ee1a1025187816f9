//! The catalogue of everything that scenarios can name: missions, coordinators, robot types, sensors, effectors, ...

use crewlab_scenario::{PRESETS, Preset};
use crewlab_sim::world::{effectors, sensors};
use crewlab_sim::{disturbances, missions, radio, teams};
use serde::Serialize;

/// One thing that scenarios can name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// A one-line description.
    pub summary: String,
    /// An example of its use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// All entries of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shelf {
    /// The kind, as used on the command line.
    pub name: &'static str,
    /// Its entries.
    pub entries: Vec<Entry>,
}

fn entry(name: &str, summary: &str) -> Entry {
    Entry { name: name.into(), summary: summary.into(), example: None }
}

/// The whole catalogue.
pub fn shelves() -> Vec<Shelf> {
    let shelf = |name, entries: Vec<Entry>| Shelf { name, entries };
    let shipped = missions::KINDS.iter().flat_map(|kind| kind.shipped);
    vec![
        shelf("scenarios", shipped.map(|s| entry(s.name, s.summary)).collect()),
        shelf("missions", missions::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        shelf("coordinators", teams::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        shelf("robot-types", robot_types()),
        shelf("sensors", sensors::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        shelf("effectors", effectors::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        shelf("radios", radio::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        shelf(
            "disturbances",
            disturbances::KINDS
                .iter()
                .map(|k| Entry { example: Some(k.about.example.into()), ..entry(k.name, &k.about.words()) })
                .collect(),
        ),
        shelf("presets", PRESETS.iter().map(preset).collect()),
    ]
}

/// Named disturbances, with their entries.
fn preset(preset: &Preset) -> Entry {
    let entries: Vec<&str> = preset.text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    Entry { example: Some(entries.join(", ")), ..entry(preset.name, preset.summary) }
}

/// The robot types of the missions.
fn robot_types() -> Vec<Entry> {
    let mut found = Vec::new();
    for mission in missions::KINDS {
        for (name, devices) in crewlab_scenario::robot_types_of(mission) {
            found.push(entry(&name, &format!("comes with {}: {devices}", mission.name)));
        }
    }
    found
}
