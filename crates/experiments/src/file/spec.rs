//! The types behind an experiment file. Their comments are the descriptions that `crewlab schema experiment` gives to
//! editors.

use super::base::BaseSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab experiment: one scenario, what is varied about it, and for how many seeds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ExperimentSpec {
    /// What is run.
    #[serde(flatten)]
    pub base: BaseSpec,
    /// What is varied, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schemars(with = "BTreeMap<String, FactorSpec>")]
    pub factors: Map<String, Value>,
    /// How many seeds, from 1 on; or a list of seeds; or the first one and how many.
    #[serde(default)]
    pub seeds: SeedsSpec,
    /// Which combinations of levels are run.
    #[serde(default)]
    pub design: DesignSpec,
    /// How many points the Latin hypercube has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20_000))]
    pub points: Option<u32>,
    /// What it may cost.
    #[serde(default)]
    pub budget: BudgetSpec,
    /// What to look at, the most important first: names of columns of the table (see `crewlab list metrics`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
}

/// What is varied: levels of the key that the factor is named after, or a description.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FactorSpec {
    /// Levels of the key that the factor is named after.
    Levels(Vec<Value>),
    /// A description.
    Described(Box<DescribedFactor>),
}

/// What is varied, described.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DescribedFactor {
    /// The scenario's key that is set; the factor's name without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The levels of that key; or levels by name, each with all the keys that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<LevelsSpec>,
    /// Instead of levels of a key: what goes wrong. Presets, entries as in a scenario's `disturbances`, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturb: Option<Vec<Value>>,
    /// Instead of levels: the lowest value, with its unit, e.g. `10 %`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The highest value, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// How many levels from the lowest to the highest; a Latin hypercube has no need of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 10_000))]
    pub steps: Option<u32>,
    /// How values lie between the lowest and the highest.
    #[serde(default)]
    pub scale: Scale,
    /// True if only whole numbers make sense.
    #[serde(default)]
    pub whole: bool,
}

/// Levels of a factor.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LevelsSpec {
    /// Values of the factor's key.
    Values(Vec<Value>),
    /// By name, with what each of them sets.
    Named(Map<String, Value>),
}

/// How values lie between two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The same distance between two neighbours.
    #[default]
    Linear,
    /// The same ratio between two neighbours.
    Log,
}

/// Seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeedsSpec {
    /// So many, from 1 on.
    Count(#[schemars(range(min = 1, max = 1_000_000))] u64),
    /// These.
    List(Vec<u64>),
    /// So many from another one on.
    Range(SeedRange),
}

impl Default for SeedsSpec {
    fn default() -> Self {
        SeedsSpec::Count(10)
    }
}

/// Consecutive seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeedRange {
    /// The first one.
    pub first: u64,
    /// How many.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: u64,
}

/// Which combinations of levels are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DesignSpec {
    /// All of them.
    #[default]
    Grid,
    /// `points` of them, spread so that every factor is covered evenly.
    LatinHypercube,
}

/// What an experiment may cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BudgetSpec {
    /// At most so many runs: the seeds at the end are left out, for all cells alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub runs: Option<u64>,
    /// No new run begins after so long by the clock on the wall; `--resume` goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time: Option<f64>,
    /// A run that takes longer by the clock on the wall is given up and recorded as failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub per_run: Option<f64>,
}
