//! The types behind a scenario file. Their comments are the descriptions that `crewlab schema` gives to editors.

use super::map::MapChoice;
use super::schema as dynamic;
use crewlab_sim::control::ControllerParams;
use crewlab_sim::disturbances::DisturbanceSpec;
use crewlab_sim::onboard::locating::FilterChoice;
use crewlab_sim::world::{AspectSpec, BodyShape, ObjectSpec, PersonSpec, TerrainSpec};
use crewlab_sim::{TaskOrder, Visibility};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A Crewlab scenario: one file that describes a whole run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ScenarioSpec {
    /// Version of the file format: 1.
    #[schemars(range(min = 1, max = 1))]
    pub crewlab: u32,
    /// True if none of the mission's defaults are used: the file is complete, as the scenario.yaml of a run is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
    /// A name for the run's results. Default: the file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The mission.
    #[schemars(schema_with = "dynamic::mission_names")]
    pub mission: String,
    /// Other files to include, for example with robot types; paths are relative to this file.
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
    /// The radio: the name of a model, or a map with a model and the values that differ from it.
    #[serde(default)]
    #[schemars(schema_with = "dynamic::radio")]
    pub radio: RadioSpec,
    /// Changes to the mission's tasks: their order, and which are wanted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tasks: BTreeMap<String, TaskOrder>,
    /// Disturbances: what goes wrong, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbances: Vec<DisturbanceSpec>,
    /// Time and randomness.
    pub run: RunSpec,
}

/// The world.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WorldSpec {
    /// A map whose walls are obstacles: the name of a shipped one, a file, or all about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapChoice>,
    /// Width and height inside the border. Default: those of the map.
    #[serde(default, skip_serializing_if = "is_nothing")]
    #[schemars(extend("x-unit" = "m"))]
    pub size: [f64; 2],
    /// Coordinates of the lower left corner. Default: those of the map; without a map, 0.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub origin: [f64; 2],
    /// Number of items of each kind; the mission places them.
    #[serde(default)]
    pub items: BTreeMap<String, u32>,
    /// Obstacles, furniture, patches of ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectSpec>,
    /// Persons who walk or stand in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub persons: Vec<PersonSpec>,
    /// Terrain that changes speed and the energy per metre.
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
    /// The controller of robots of this type. Default: that of the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dynamic::controller_names")]
    pub controller: Option<String>,
    /// Named scalars such as energy. A robot stops when its energy is used up.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aspects: BTreeMap<String, AspectSpec>,
    /// Further capabilities that behaviours may require, with their initial reliability; a device's name sets the reliability of
    /// that device.
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
    /// The controller of robots whose type has none. Default: `pilot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dynamic::controller_names")]
    pub controller: Option<String>,
    /// Parameters of the controllers, by their names.
    #[serde(default)]
    pub controllers: ControllerParams,
    /// True if the robots get a plan of the building before the start and drive by it: what stands in the world then, without what
    /// disturbances add.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub floor_plan: bool,
    /// The particle filter of robots that have neither `position` nor `compass` and locate themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slam: Option<SlamSpec>,
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

/// The particle filter of robots that locate themselves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SlamSpec {
    /// Number of particles; each of them costs time and memory. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub particles: Option<u16>,
    /// Side of a cell of the robot's map. Default: 15 cm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.05, max = 0.5), extend("x-unit" = "m"))]
    pub resolution: Option<f64>,
    /// The likelihood of scans. Default: `ndt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dynamic::likelihood_names")]
    pub likelihood: Option<String>,
}

impl SlamSpec {
    /// The filter, with defaults for what is not set.
    pub(super) fn choice(&self) -> FilterChoice {
        let default = FilterChoice::default();
        FilterChoice {
            particles: self.particles.unwrap_or(default.particles),
            resolution: self.resolution.unwrap_or(default.resolution),
            likelihood: self.likelihood.clone().unwrap_or(default.likelihood),
        }
    }
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
    /// Number of such robots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 60000))]
    pub count: Option<u32>,
    /// Initial position. Default: chosen by the mission. With `count`, the others stand to its right, 1 m apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Initial heading, counter-clockwise from the x axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: Option<f64>,
    /// Priority if two robots take an exclusive task at once: the lower number keeps it.
    #[serde(default)]
    pub priority: i32,
    /// True if it is absent until a disturbance `robot-added` adds it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Capabilities in which this robot differs from its type: those it also has (with their initial reliability) or lacks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "dynamic::changed_capabilities")]
    pub capabilities: BTreeMap<String, CapabilityChange>,
    /// Sensors and effectors in which this robot differs from its type: added, removed or changed.
    #[serde(flatten)]
    #[schemars(skip)]
    pub equipment: Map<String, Value>,
}

/// A capability in which a robot differs from its type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CapabilityChange {
    /// True if it has the capability, false if it lacks it.
    Has(bool),
    /// It has the capability with this reliability.
    Reliability(f64),
}

/// The radio: a model and changes to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RadioSpec {
    /// The model's name.
    pub model: String,
    /// Values that differ from the model's.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

impl Default for RadioSpec {
    fn default() -> Self {
        RadioSpec { model: "ideal".into(), parameters: Map::new() }
    }
}

/// Time and randomness.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RunSpec {
    /// Length of a tick.
    #[schemars(range(min = 1e-6, max = 60.0), extend("x-unit" = "s"))]
    pub tick: f64,
    /// The time limit: the run ends then if the mission is not completed earlier.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s"))]
    pub until: f64,
    /// Ends the run earlier, when the mission has made no progress for this long; never without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub give_up: Option<f64>,
    /// For missions without an end: what must hold at the time limit for the run to count as completed, a condition over the mission's
    /// measures such as `seen_share >= 0.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Seed of all random streams.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Interval at which positions and levels are recorded.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = 1e-6), extend("x-unit" = "s"))]
    pub record_every: f64,
}

fn is_nothing(size: &[f64; 2]) -> bool {
    *size == [0.0; 2]
}

fn first_seed() -> u64 {
    1
}

fn half_a_second() -> f64 {
    0.5
}
