//! The types of a tuning file. The schema shows their comments in editors.

use crate::file::base::BaseSpec;
use crate::file::spec::{Scale, SeedsSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab tuning: a base scenario, the parameters that may be changed, and the metric to improve.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TuningSpec {
    /// The base scenario and its changes.
    #[serde(flatten)]
    pub base: BaseSpec,
    /// The parameters that may be changed, by name.
    #[schemars(with = "BTreeMap<String, ParameterSpec>")]
    pub parameters: Map<String, Value>,
    /// The metric to improve: the name of a column of the table (see `crewlab list metrics`).
    #[serde(default = "time")]
    pub metric: String,
    /// Whether less or more of it is better. Default: the metric's own direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// The seeds of the search, the same for all candidates: their number, starting at 1; or a list; or the first seed and their
    /// number.
    #[serde(default = "twenty")]
    pub seeds: SeedsSpec,
    /// The seeds of the final comparison, none of which the search has seen. Default: as many as the search has, following its
    /// seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<SeedsSpec>,
    /// Number of candidates, including the unchanged scenario.
    #[serde(default = "sixty")]
    #[schemars(range(min = 2, max = 10_000))]
    pub candidates: u32,
    /// Number of initial candidates that are spread evenly over the space before the search uses its results. Default: a third of
    /// the candidates, at most 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub start: Option<u32>,
    /// Limits on time.
    #[serde(default)]
    pub budget: TuningBudgetSpec,
}

fn time() -> String {
    "time_s".into()
}

fn twenty() -> SeedsSpec {
    SeedsSpec::Count(20)
}

fn sixty() -> u32 {
    60
}

/// A parameter: any number between two bounds, or one of several choices.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ParameterSpec {
    /// The scenario key to set. Default: the parameter's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The lowest value, with its unit, e.g. `10 s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The highest value, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// The scale of the search between the lowest and the highest: linear or logarithmic.
    #[serde(default)]
    pub scale: Scale,
    /// True if only whole numbers make sense.
    #[serde(default)]
    pub whole: bool,
    /// Instead of `from` and `to`: the values to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
}

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Less of the metric.
    Minimise,
    /// More of the metric.
    Maximise,
}

impl Goal {
    /// A value as a loss: smaller is better.
    pub fn loss(self, value: f64) -> f64 {
        match self {
            Goal::Minimise => value,
            Goal::Maximise => -value,
        }
    }

    /// Its name, as in a file.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Minimise => "minimise",
            Goal::Maximise => "maximise",
        }
    }
}

/// The limits of a tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TuningBudgetSpec {
    /// No new run starts after this wall-clock time; `--resume` continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time: Option<f64>,
    /// A run that takes more wall-clock time than this is aborted, and its candidate with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub per_run: Option<f64>,
}
