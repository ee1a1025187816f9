//! A scenario type for the tests, with every kind of schema that the real one has.
#![expect(dead_code, reason = "only its schema is used, and that it can be read")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// Its schema, as the program would make it.
pub(super) fn schema() -> serde_json::Value {
    schemars::schema_for!(Scenario).to_value()
}

/// A text without a mistake.
pub(super) const VALID: &str = "\
mission: waste
world: {size: [12 m, 800 cm], items: {waste: 20}, slip: 5 %, shape: {circle: 20 cm}, levels: {3: 1.5}}
team:
  coordinator: greedy
  robots:
    - &first {name: blue, side-range: true, speed: 0.3 m/s}
    - {<<: *first, name: gold, side-range: ~}
  alliance: {threshold: 100, fast-impatience: 1.0 /s}
  radio: {model: friis, power: 20 dBm, frequency: 2.4 GHz}
  pair: [3.0, \"x\"]
disturbances:
  - {at: 40 s, trap: blue}
  - {every: 5 min, note: 'é', break: {robot: random, for: 60 s}}
run: {tick: 100 ms, until: 30 min, seed: 1}
extra: {a: [1, {b: ~}]}
";

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Scenario {
    /// Which mission to run. Any registered name.
    pub(super) mission: String,
    pub(super) world: Option<World>,
    #[serde(default)]
    pub(super) team: Team,
    #[serde(default)]
    pub(super) disturbances: Vec<Disturbance>,
    pub(super) run: Option<Run>,
    pub(super) extra: Option<BTreeMap<String, serde_json::Value>>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct World {
    #[schemars(extend("x-unit" = "m"))]
    pub(super) size: Option<[f64; 2]>,
    #[serde(default)]
    pub(super) items: BTreeMap<String, u32>,
    pub(super) shape: Option<Outline>,
    #[schemars(extend("x-unit" = "1"), range(min = 0.0, max = 1.0))]
    pub(super) slip: Option<f64>,
    #[schemars(extend("x-unit" = "m"))]
    pub(super) limits: Option<BTreeMap<String, f64>>,
    pub(super) levels: Option<BTreeMap<u32, f32>>,
}

/// Externally tagged.
#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outline {
    Circle(#[schemars(extend("x-unit" = "m"))] f64),
    Box {
        #[schemars(extend("x-unit" = "m"))]
        width: f64,
    },
    Open,
}

#[derive(JsonSchema, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Team {
    pub(super) coordinator: Coordinator,
    pub(super) robots: Vec<Robot>,
    pub(super) alliance: Alliance,
    #[schemars(extend("uniqueItems" = true))]
    pub(super) tags: Vec<String>,
    pub(super) radio: Option<Radio>,
    pub(super) pair: Option<(u8, String)>,
}

/// Unit variants, some with a description.
#[derive(JsonSchema, Deserialize, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Coordinator {
    /// Motivation.
    #[default]
    Alliance,
    Greedy,
    Random,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Robot {
    /// Unique within the team.
    pub(super) name: String,
    pub(super) side_range: Option<bool>,
    #[schemars(extend("x-unit" = "m/s"), range(min = 0.0))]
    pub(super) speed: Option<f64>,
}

#[derive(JsonSchema, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Alliance {
    pub(super) threshold: f64,
    #[schemars(extend("x-unit" = "1/s"))]
    pub(super) fast_impatience: f64,
}

/// Internally tagged.
#[derive(JsonSchema, Deserialize, Debug)]
#[serde(tag = "model", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Radio {
    Ideal,
    Friis {
        #[schemars(extend("x-unit" = "dBm"))]
        power: f64,
        frequency: Option<Frequency>,
    },
}

#[derive(JsonSchema, Deserialize, Debug)]
#[schemars(extend("x-unit" = "Hz"))]
pub(super) struct Frequency(pub(super) f64);

/// Two flattened choices: when, and what.
#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Disturbance {
    pub(super) note: Option<String>,
    #[serde(flatten)]
    pub(super) when: When,
    #[serde(flatten)]
    pub(super) what: What,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum When {
    At(#[schemars(extend("x-unit" = "s"))] f64),
    Every(#[schemars(extend("x-unit" = "s"))] f64),
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum What {
    Trap(String),
    Break(Break),
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Break {
    pub(super) robot: String,
    #[serde(rename = "for")]
    #[schemars(extend("x-unit" = "s"))]
    pub(super) duration: Option<f64>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Run {
    #[schemars(extend("x-unit" = "ns"), range(min = 1))]
    pub(super) tick: Option<u64>,
    pub(super) until: Option<Until>,
    #[serde(default)]
    pub(super) seed: u64,
    #[schemars(extend("exclusiveMaximum" = 10))]
    pub(super) robots: Option<i32>,
}

/// Untagged: a time or a word.
#[derive(JsonSchema, Deserialize, Debug)]
#[serde(untagged)]
pub(super) enum Until {
    Time(#[schemars(extend("x-unit" = "s"))] f64),
    Word(Word),
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Word {
    Done,
    Forever,
}
