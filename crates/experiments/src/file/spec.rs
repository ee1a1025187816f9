//! The types behind an experiment file. Their comments are the descriptions that `crewlab schema experiment` gives to
//! editors.

use super::base::BaseSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab experiment: a base scenario, the factors to vary, and the seeds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ExperimentSpec {
    /// The base scenario and its changes.
    #[serde(flatten)]
    pub base: BaseSpec,
    /// The factors to vary, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schemars(with = "BTreeMap<String, FactorSpec>")]
    pub factors: Map<String, Value>,
    /// The number of seeds, starting at 1; or a list of seeds; or the first seed and the number of seeds.
    #[serde(default)]
    pub seeds: SeedsSpec,
    /// Which combinations of levels are run.
    #[serde(default)]
    pub design: DesignSpec,
    /// Number of points of the Latin hypercube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20_000))]
    pub points: Option<u32>,
    /// Limits on the number of runs and on time.
    #[serde(default)]
    pub budget: BudgetSpec,
    /// The metrics to analyse, the most important first: names of columns of the table (see `crewlab list metrics`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
}

/// A factor: levels of the key that the factor is named after, or a full description.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FactorSpec {
    /// Levels of the key that the factor is named after.
    Levels(Vec<Value>),
    /// A full description.
    Described(Box<DescribedFactor>),
}

/// A factor, described in full.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DescribedFactor {
    /// The scenario key to set. Default: the factor's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The levels of that key; or named levels, each with all the keys that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<LevelsSpec>,
    /// Instead of levels of a key: disturbances. Presets, entries as in a scenario's `disturbances`, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturb: Option<Vec<Value>>,
    /// Instead of levels: the lowest value, with its unit, e.g. `10 %`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The highest value, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// Number of levels from the lowest to the highest; not needed for a Latin hypercube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 10_000))]
    pub steps: Option<u32>,
    /// Spacing of the values between the lowest and the highest.
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
    /// Named levels, each with the keys that it sets.
    Named(Map<String, Value>),
}

/// Spacing of values between two bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Equal differences between neighbours.
    #[default]
    Linear,
    /// Equal ratios between neighbours.
    Log,
}

/// Seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeedsSpec {
    /// The number of seeds, starting at 1.
    Count(#[schemars(range(min = 1, max = 1_000_000))] u64),
    /// A list of seeds.
    List(Vec<u64>),
    /// Consecutive seeds from a given first one.
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
    /// The first seed.
    pub first: u64,
    /// The number of seeds.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: u64,
}

/// Which combinations of levels are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DesignSpec {
    /// All combinations.
    #[default]
    Grid,
    /// `points` of them, spread so that every factor is covered evenly.
    LatinHypercube,
}

/// The limits of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BudgetSpec {
    /// The largest number of runs. Beyond it the last seeds are left out, for all cells alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub runs: Option<u64>,
    /// No new run starts after this wall-clock time; `--resume` continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time: Option<f64>,
    /// A run that takes more wall-clock time than this is aborted and recorded as failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub per_run: Option<f64>,
}
