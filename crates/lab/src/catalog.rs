//! The catalogue of everything that scenarios can name: missions, coordinators, robot types, sensors, effectors, ...

use crewlab_scenario::map::MAPS;
use crewlab_scenario::{PRESETS, Preset};
use crewlab_sim::onboard::EventKind;
use crewlab_sim::world::{effectors, sensors};
use crewlab_sim::{control, disturbances, missions, radio, teams};
use serde::Serialize;

/// One thing that scenarios or results can name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogEntry {
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
pub struct CatalogSection {
    /// The kind, as used on the command line.
    pub name: &'static str,
    /// Its entries.
    pub entries: Vec<CatalogEntry>,
}

fn entry(name: &str, summary: &str) -> CatalogEntry {
    CatalogEntry { name: name.into(), summary: summary.into(), example: None }
}

/// Those of bidders, and those of single missions.
fn estimators() -> Vec<CatalogEntry> {
    let of_bidders = teams::estimators::KINDS.iter().map(|kind| entry(kind.name, kind.summary));
    let of_missions = missions::KINDS.iter().flat_map(|kind| {
        let words = |(name, summary): &(&str, &str)| entry(name, &format!("{}: {summary}", kind.name));
        kind.estimators.iter().map(words)
    });
    of_bidders.chain(of_missions).collect()
}

/// The whole catalogue.
pub fn sections() -> Vec<CatalogSection> {
    let section = |name, entries: Vec<CatalogEntry>| CatalogSection { name, entries };
    let shipped = missions::KINDS.iter().flat_map(|kind| kind.shipped);
    vec![
        section("scenarios", shipped.map(|s| entry(s.name, s.summary)).collect()),
        section("missions", missions::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("coordinators", teams::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("estimators", estimators()),
        section("controllers", control::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("robot-types", robot_types()),
        section("sensors", sensors::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("effectors", effectors::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("radios", radio::KINDS.iter().map(|k| entry(k.name, k.summary)).collect()),
        section("maps", MAPS.iter().map(|map| entry(map.name, map.summary)).collect()),
        section(
            "disturbances",
            disturbances::KINDS
                .iter()
                .map(|k| CatalogEntry {
                    example: Some(k.about.example.into()),
                    ..entry(k.name, &k.about.words())
                })
                .collect(),
        ),
        section("presets", PRESETS.iter().map(preset).collect()),
        section("events", EventKind::ALL.iter().map(|k| entry(k.name(), k.description())).collect()),
        section("indicators", indicators()),
    ]
}

/// The numbers that coordinators and missions give about how their work goes.
fn indicators() -> Vec<CatalogEntry> {
    let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    let coordinators = teams::KINDS.iter().map(|kind| (kind.name, kind.indicators));
    let all = coordinators.chain(missions::KINDS.iter().map(|kind| (kind.name, kind.indicators)));
    let described = all.flat_map(|(name, specs)| {
        specs.iter().map(move |spec| {
            entry(spec.name, &format!("{}{}; only with {name}", spec.summary, unit(spec.unit)))
        })
    });
    described.collect()
}

/// Named disturbances, with their entries.
fn preset(preset: &Preset) -> CatalogEntry {
    let entries: Vec<&str> = preset.text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    CatalogEntry { example: Some(entries.join(", ")), ..entry(preset.name, preset.summary) }
}

/// The robot types of the missions.
fn robot_types() -> Vec<CatalogEntry> {
    let mut found = Vec::new();
    for mission in missions::KINDS {
        for (name, devices) in crewlab_scenario::robot_types_of(mission) {
            found.push(entry(&name, &format!("comes with {}: {devices}", mission.name)));
        }
    }
    found
}
