//! The types of a tuning file. The schema shows their comments in editors.

use crate::file::base::BaseSpec;
use crate::file::spec::{Scale, SeedsSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab tuning: one scenario, the parameters that may be changed, and what shall become better.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TuningSpec {
    /// What is run.
    #[serde(flatten)]
    pub base: BaseSpec,
    /// What may be changed, by name.
    #[schemars(with = "BTreeMap<String, ParameterSpec>")]
    pub parameters: Map<String, Value>,
    /// What shall become better: the name of a column of the table (see `crewlab list metrics`).
    #[serde(default = "time")]
    pub metric: String,
    /// Whether less or more of it is better; the metric's own without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// The seeds of the search, the same for all candidates: how many, from 1 on; or a list; or the first one and how many.
    #[serde(default = "twenty")]
    pub seeds: SeedsSpec,
    /// The seeds of the last comparison, none of which the search has seen; without it as many as the search has, the next ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<SeedsSpec>,
    /// How many candidates are tried, the scenario as it is among them.
    #[serde(default = "sixty")]
    #[schemars(range(min = 2, max = 10_000))]
    pub candidates: u32,
    /// How many of them are spread evenly over the space before the search goes by what it has seen; a third without it, at
    /// most 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub start: Option<u32>,
    /// What it may cost.
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

/// A parameter: all numbers between two, or one of some choices.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ParameterSpec {
    /// The scenario's key that is set; the parameter's name without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The lowest value, with its unit, e.g. `10 s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The highest value, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// How the search steps between the lowest and the highest: by differences, or by factors.
    #[serde(default)]
    pub scale: Scale,
    /// True if only whole numbers make sense.
    #[serde(default)]
    pub whole: bool,
    /// Instead of `from` and `to`: the values to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Less of the metric.
    Minimise,
    /// More of it.
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

/// What a tuning may cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TuningBudgetSpec {
    /// No new run begins after so long by the clock on the wall; `--resume` goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time: Option<f64>,
    /// A run that takes longer by the clock on the wall is given up, and its candidate with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub per_run: Option<f64>,
}
