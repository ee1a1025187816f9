//! The types behind a scenario file. Their comments are the descriptions that `crewlab schema` gives to editors.

use super::schema as dynamic;
use crewlab_sim::control::ControllerParams;
use crewlab_sim::disturbances::DisturbanceSpec;
use crewlab_sim::world::{AspectSpec, BodyShape, ObjectSpec, PersonSpec, TerrainSpec};
use crewlab_sim::{TaskOrder, Visibility};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab scenario: one file says everything about a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ScenarioSpec {
    /// Version of the file format: 1.
    #[schemars(range(min = 1, max = 1))]
    pub crewlab: u32,
    /// True if nothing shall be taken from the mission's defaults: the file says everything, as the scenario.yaml of
    /// a run does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
    /// A name for the run's results; the file's name without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The mission.
    #[schemars(schema_with = "dynamic::mission_names")]
    pub mission: String,
    /// Other files to take keys from, such as robot types; paths are relative to this file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Parameters of the mission.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    /// The world.
    pub world: WorldSpec,
    /// Robot types by name.
    #[serde(default)]
    pub robot_types: BTreeMap<String, RobotTypeSpec>,
    /// The robots and how they are coordinated.
    pub team: TeamSpec,
    /// The radio: the name of a model, or a map with what differs from what that name stands for.
    #[serde(default)]
    #[schemars(schema_with = "dynamic::radio")]
    pub radio: RadioSpec,
    /// What differs from the mission about its tasks: their order, and which are wanted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tasks: BTreeMap<String, TaskOrder>,
    /// What will go wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbances: Vec<DisturbanceSpec>,
    /// Time and chance.
    pub run: RunSpec,
}

/// The world.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WorldSpec {
    /// Width and height inside the border.
    #[schemars(extend("x-unit" = "m"))]
    pub size: [f64; 2],
    /// Coordinates of the lower left corner.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub origin: [f64; 2],
    /// How many items of each kind; the mission places them.
    #[serde(default)]
    pub items: BTreeMap<String, u32>,
    /// Obstacles, furniture, patches of ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectSpec>,
    /// Persons who walk or stand there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub persons: Vec<PersonSpec>,
    /// Ground that changes speed and the energy per metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrain: Option<TerrainSpec>,
}

/// A robot type: a body with sensors and effectors.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RobotTypeSpec {
    /// Its body.
    pub body: BodyShape,
    /// Its sensors by name. A name that is a kind of sensor needs no `kind`.
    #[serde(default)]
    #[schemars(schema_with = "dynamic::sensors")]
    pub sensors: Map<String, Value>,
    /// Its effectors by name. A name that is a kind of effector needs no `kind`.
    #[serde(default)]
    #[schemars(schema_with = "dynamic::effectors")]
    pub effectors: Map<String, Value>,
    /// What steers robots of this type, if not what steers the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dynamic::controller_names")]
    pub controller: Option<String>,
    /// Named scalars such as energy. A robot whose energy is empty stops.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aspects: BTreeMap<String, AspectSpec>,
    /// Further capabilities that behaviours may ask for, with their reliability at the start; a device's name sets the
    /// reliability of that device.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("additionalProperties" = {"type": "number", "exclusiveMinimum": 0.0, "maximum": 1.0, "x-unit": "1"}))]
    pub capabilities: BTreeMap<String, f64>,
}

/// The robots and how they are coordinated.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = dynamic::add_coordinator_parameters)]
pub struct TeamSpec {
    /// The coordinator.
    #[schemars(schema_with = "dynamic::coordinator_names")]
    pub coordinator: String,
    /// What steers the robots, unless their type says otherwise; `pilot` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dynamic::controller_names")]
    pub controller: Option<String>,
    /// Parameters of the controllers, by their names.
    #[serde(default)]
    pub controllers: ControllerParams,
    /// When messages become audible.
    #[serde(default)]
    pub visibility: Visibility,
    /// The robots, in the order in which they are processed.
    pub robots: Vec<RobotSpec>,
    /// Parameters of the coordinators, by their names.
    #[serde(flatten)]
    #[schemars(skip)]
    pub parameters: Map<String, Value>,
}

/// A robot, or several of the same kind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = dynamic::add_equipment)]
pub struct RobotSpec {
    /// Its name; with `count`, the names are `name-1`, `name-2`, ...
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub robot_type: String,
    /// How many such robots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 60000))]
    pub count: Option<u32>,
    /// Where it starts; the mission decides without it. With `count`, the others stand to its right, 1 m apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Which way it faces at the start, counter-clockwise from the x axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: Option<f64>,
    /// Who keeps an exclusive task that two robots took at once: the lower number.
    #[serde(default)]
    pub priority: i32,
    /// True if it is not there until a disturbance `robot-added` brings it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Capabilities that this robot has (with their reliability at the start) or lacks, where that differs from its type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "dynamic::changed_capabilities")]
    pub capabilities: BTreeMap<String, CapabilityChange>,
    /// Sensors and effectors that this robot has, lacks or has in another way than its type.
    #[serde(flatten)]
    #[schemars(skip)]
    pub equipment: Map<String, Value>,
}

/// What a robot has otherwise than its type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CapabilityChange {
    /// True if it has it, false if it lacks it.
    Has(bool),
    /// It has it with this reliability.
    Reliability(f64),
}

/// The radio: a model and what is set about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RadioSpec {
    /// The model's name.
    pub model: String,
    /// What differs from what the name stands for.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

impl Default for RadioSpec {
    fn default() -> Self {
        RadioSpec { model: "ideal".into(), parameters: Map::new() }
    }
}

/// Time and chance.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RunSpec {
    /// Length of a tick.
    #[schemars(range(min = 1e-6, max = 60.0), extend("x-unit" = "s"))]
    pub tick: f64,
    /// When the run ends if the mission is not completed before.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s"))]
    pub until: f64,
    /// Ends the run earlier, when the mission has made no progress for this long; never without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub give_up: Option<f64>,
    /// Seed of all random streams.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Time between two records of positions and levels.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = 1e-6), extend("x-unit" = "s"))]
    pub record_every: f64,
}

fn first_seed() -> u64 {
    1
}

fn half_a_second() -> f64 {
    0.5
}
