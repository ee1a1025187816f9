//! The plan of an experiment: cells (scenarios that are ready to run) and seeds. A plan is self-contained, so it can be moved to
//! another machine.

use crate::store::{Key, Store};
use crewlab_lab::sim::Goal;
use crewlab_lab::sim::missions::{KINDS, MeasureSpec};
use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Problems, Request, Scenario, load_resolved};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An experiment, ready to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub purpose: Purpose,
    /// The base scenario, as requested.
    pub scenario: String,
    /// The source of the experiment: the file's text, or a command.
    pub asked: String,
    /// The factors.
    pub factors: Vec<Factor>,
    /// The combinations of levels that are run.
    pub cells: Vec<Cell>,
    /// The seeds, the same for all cells.
    pub seeds: Vec<u64>,
    /// Seeds that exceed the budget.
    pub left_out: usize,
    /// Names of the metrics to analyse, the most important first.
    pub metrics: Vec<String>,
    /// Time after which no new run begins. [s]
    pub time: Option<f64>,
    /// Time after which a run is aborted. [s]
    pub per_run: Option<f64>,
}

/// The purpose of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To see the effect of factors.
    Sweep,
    /// To rank coordinators.
    Comparison,
    /// To search for better parameters.
    Tuning,
    /// To find settings in which teams do not finish.
    Campaign,
}

/// A factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// The unit of its levels if they are numbers with the same unit; empty for plain numbers.
    pub unit: Option<String>,
}

/// A combination of levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The level of each factor.
    pub levels: Vec<String>,
    /// The resolved scenario.
    pub scenario: Arc<Value>,
    /// The scenario's part of the keys of its runs.
    #[serde(with = "hexadecimal")]
    pub fingerprint: u128,
}

/// One run of a plan.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The key of its result.
    pub key: Key,
    /// The resolved scenario.
    pub scenario: Arc<Value>,
}

impl Cell {
    /// A scenario as a cell.
    pub fn new(levels: Vec<String>, scenario: &Scenario) -> Cell {
        let fingerprint = Key::fingerprint(&scenario.resolved);
        Cell { levels, scenario: Arc::new(scenario.resolved.clone()), fingerprint }
    }

    /// One of its runs.
    pub fn trial(&self, seed: u64) -> Trial {
        Trial { key: Key { scenario: self.fingerprint, seed }, scenario: self.scenario.clone() }
    }

    /// The cell's name: its levels.
    pub fn title(&self) -> String {
        if self.levels.is_empty() { "all runs".into() } else { self.levels.join(", ") }
    }

    /// The command-line arguments of one of its runs.
    pub fn request(&self, name: &str, seed: u64) -> Request {
        let text = Some(to_yaml(&self.scenario));
        Request { scenario: name.into(), text, seed: Some(seed), ..Request::default() }
    }
}

impl Trial {
    /// Its scenario, ready to run.
    pub fn load(&self) -> Result<Scenario, Problems> {
        load_resolved("experiment", &self.scenario, self.key.seed)
    }
}

impl Plan {
    /// The measures of its mission if that has no end, so that only the time limit ends a run. Else none.
    pub fn endless(&self) -> &'static [MeasureSpec] {
        let mission = self.cells.first().and_then(|cell| cell.scenario["mission"].as_str());
        let kind = KINDS.iter().find(|kind| Some(kind.name) == mission && kind.endless);
        kind.map_or(&[], |kind| kind.measures)
    }

    /// The goal of its mission without an end: that of the first cell that has one.
    pub fn goal(&self) -> Option<Goal> {
        let text = self.cells.iter().find_map(|cell| cell.scenario["run"]["goal"].as_str())?;
        Goal::parse(text, self.endless()).ok()
    }

    /// True if its runs can be completed: the mission has an end or a goal.
    pub fn completes(&self) -> bool {
        self.endless().is_empty() || self.goal().is_some()
    }

    /// True if this may be an earlier or later form of another plan: both have the same name and purpose, and a cell in
    /// common.
    pub fn is_like(&self, other: &Plan) -> bool {
        let common = |cell: &Cell| other.cells.iter().any(|known| known.fingerprint == cell.fingerprint);
        self.name == other.name && self.purpose == other.purpose && self.cells.iter().any(common)
    }

    /// How many runs it has.
    pub fn len(&self) -> usize {
        self.cells.len() * self.seeds.len()
    }

    /// True if it has no runs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The run with this number. Runs are ordered by seed, so that the first results can be compared already.
    pub fn trial(&self, index: usize) -> Trial {
        self.cells[index % self.cells.len()].trial(self.seeds[index / self.cells.len()])
    }

    /// All runs, in order.
    pub fn trials(&self) -> impl Iterator<Item = Trial> + '_ {
        (0..self.len()).map(|index| self.trial(index))
    }

    /// How many of its runs a store has.
    pub fn done(&self, store: &Store) -> usize {
        self.trials().filter(|trial| store.get(&trial.key).is_some()).count()
    }

    /// The index of a factor.
    pub fn factor(&self, name: &str) -> Option<usize> {
        self.factors.iter().position(|factor| factor.name == name)
    }

    /// True if no two cells differ in this factor alone.
    pub fn is_lonely(&self, factor: usize) -> bool {
        let rest = |cell: &Cell| [&cell.levels[..factor], &cell.levels[factor + 1..]].concat();
        let mut seen = BTreeSet::new();
        self.cells.iter().all(|cell| seen.insert(rest(cell)))
    }

    /// The levels of a factor, in the order in which they first occur.
    pub fn levels(&self, factor: usize) -> Vec<&str> {
        let mut levels: Vec<&str> = Vec::new();
        for cell in &self.cells {
            let level = cell.levels[factor].as_str();
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
        levels
    }
}

/// A level as a number with its unit, if it is one.
pub fn number(level: &str) -> Option<(f64, &str)> {
    let level = level.trim();
    let end = level.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(level.len());
    // `2e` is not a number, and `2 eV` is a number of electronvolts.
    (0..=end).rev().find_map(|end| {
        let value = level.get(..end)?.parse::<f64>().ok().filter(|value| value.is_finite())?;
        Some((value, level[end..].trim()))
    })
}

/// The common unit of levels that are all numbers.
pub fn unit<'a>(levels: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut units = levels.into_iter().map(|level| number(level).map(|(_, unit)| unit));
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then(|| first.to_string())
}

mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{value:032x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        let text = String::deserialize(from)?;
        u128::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_with_units() {
        assert_eq!(number("20 %"), Some((20.0, "%")));
        assert_eq!(number("-1.5e3 m/s"), Some((-1500.0, "m/s")));
        assert_eq!(number("7"), Some((7.0, "")));
        assert_eq!(number("2 eV"), Some((2.0, "eV")));
        assert_eq!(number("alliance"), None);
        assert_eq!(number("é"), None);
        assert_eq!(unit(["0 %", "5 %"]).as_deref(), Some("%"));
        assert_eq!(unit(["500 ms", "1 s"]), None);
        assert_eq!(unit(["1", "x"]), None);
    }
}
