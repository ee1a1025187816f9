//! The learning parameters of a scenario, under `team.alliance.learning`.

use crate::LearningStrategy;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a robot uses as long as it knows no task times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The scenario's own rates and times, until a task time is known.
    HandSet,
    /// The neutral time for everything; hand-set rates are not needed and are ignored.
    #[default]
    Neutral,
    /// Values learned earlier; the neutral time for unknown ones.
    Learned,
}

/// Which parameters adapt to learned values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Strategy {
    /// Nothing adapts.
    I,
    /// Impatience only: φ, δslow, δfast, categories and boredom.
    II,
    /// Acquiescence only: ψ and λ.
    III,
    /// Everything.
    #[default]
    IV,
}

/// The strategies as `crewlab learn` lists them.
pub const STRATEGIES: &[LearningStrategy] = &[
    LearningStrategy { name: "I", summary: "nothing adapts" },
    LearningStrategy { name: "II", summary: "impatience" },
    LearningStrategy { name: "III", summary: "acquiescence" },
    LearningStrategy { name: "IV", summary: "everything" },
];

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 4] = [Strategy::I, Strategy::II, Strategy::III, Strategy::IV];

    /// True if impatience adapts.
    pub fn adapts_impatience(self) -> bool {
        matches!(self, Strategy::II | Strategy::IV)
    }

    /// True if acquiescence adapts.
    pub fn adapts_acquiescence(self) -> bool {
        matches!(self, Strategy::III | Strategy::IV)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::I => "I",
            Strategy::II => "II",
            Strategy::III => "III",
            Strategy::IV => "IV",
        }
    }
}

/// The phase of learning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Exploration: tasks in random order, never one that somebody is heard working on, no yielding.
    Active,
    /// Doing the mission as well as the learned values allow.
    #[default]
    Adaptive,
}

/// Trial times, the oldest first. [s]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Times(pub Vec<f64>);

impl JsonSchema for Times {
    fn schema_name() -> Cow<'static, str> {
        "Times".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "Trial times, the oldest first.",
            "items": {"type": "number", "exclusiveMinimum": 0.0, "x-unit": "s"},
            "x-unit": "s",
        })
    }
}

/// A robot's knowledge: trial times by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Memory {
    /// Its own trials, by behaviour set.
    pub own: BTreeMap<String, Times>,
    /// Its team-mates' trials, by task and team-mate.
    pub others: BTreeMap<String, BTreeMap<String, Times>>,
}

/// Learning, as configured in a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct LearningParams {
    /// What a robot uses as long as it knows no task times.
    pub start: Start,
    /// Which parameters adapt to learned values.
    pub strategy: Strategy,
    /// Whether the team explores or does the mission as well as it can.
    pub phase: Phase,
    /// A file of learned values, such as the learned.json of a run; with `start: learned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Learned values, by robot; the content of a `file`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Memory>,
    /// μ: number of the last trials that count.
    #[schemars(range(min = 1, max = 1000))]
    pub trials: u32,
    /// The task time that is assumed if nothing is known.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub neutral_time: f64,
    /// The shortest time before a free task is taken.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub min_delay: f64,
    /// The longest time before a free task is taken.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub max_delay: f64,
    /// Idle time before a robot considers tasks that others are better at.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub boredom: f64,
    /// λ is this multiple of the largest task time known for the task.
    #[schemars(range(min = 1.0))]
    pub giving_up_factor: f64,
    /// An interrupted attempt counts with this multiple of the time spent.
    #[schemars(range(min = 1.0))]
    pub broken_off_factor: f64,
}

impl Default for LearningParams {
    fn default() -> Self {
        LearningParams {
            start: Start::default(),
            strategy: Strategy::default(),
            phase: Phase::default(),
            file: None,
            values: BTreeMap::new(),
            trials: 10,
            neutral_time: 60.0,
            min_delay: 1.0,
            max_delay: 5.0,
            boredom: 5.0,
            giving_up_factor: 3.0,
            broken_off_factor: 2.0,
        }
    }
}

impl LearningParams {
    /// True if the scenario's own rates and times are ignored.
    pub fn ignores_hand_set(&self) -> bool {
        self.start != Start::HandSet
    }
}
