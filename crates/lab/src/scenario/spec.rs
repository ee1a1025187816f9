//! The types behind a scenario file. Their comments are the descriptions that `crewlab schema` gives to editors.

use super::schema as dynamic;
use crewlab_sim::Visibility;
use crewlab_sim::radio::IdealParams;
use crewlab_sim::world::BodyShape;
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
    /// The radio.
    #[serde(default)]
    pub radio: RadioSpec,
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
    /// Ground that changes speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrain: Option<TerrainSpec>,
}

/// The shape of an object.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeSpec {
    /// A rectangle: width and height.
    Rectangle(#[schemars(extend("x-unit" = "m"))] [f64; 2]),
    /// A disc: its radius.
    Circle(#[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))] f64),
    /// A convex polygon: its corners relative to `at`.
    Polygon(#[schemars(extend("x-unit" = "m"))] Vec<[f64; 2]>),
    /// A thin wall: its two ends relative to `at`.
    Wall(#[schemars(extend("x-unit" = "m"))] [[f64; 2]; 2]),
}

/// Something that stands or moves in the world.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectSpec {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its shape.
    #[serde(flatten)]
    pub shape: ShapeSpec,
    /// Where its centre is.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub at: [f64; 2],
    /// How it is turned, counter-clockwise.
    #[serde(default)]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: f64,
    /// Up to 0.1 nothing passes; below 1 slows; 1 has no effect; above 1 speeds up.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub penetrability: f64,
    /// Its height; sensors mounted higher do not see it.
    #[serde(default = "two_metres")]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: f64,
    /// Sounds it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<SoundSpec>,
    /// An infrared beacon on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconSpec>,
    /// Dust on it.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub dust: f64,
    /// Garbage in it.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub garbage: f64,
    /// Heat it gives off at a distance of 1 m.
    #[serde(default)]
    pub heat: f64,
    /// Named scalars that change with what it does.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aspects: BTreeMap<String, AspectSpec>,
    /// A path it moves along; it waits while a robot stands in its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathSpec>,
}

fn two_metres() -> f64 {
    2.0
}

fn one() -> f64 {
    1.0
}

/// A sound.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SoundSpec {
    /// Its frequency.
    #[schemars(range(min = 0.0), extend("x-unit" = "Hz"))]
    pub frequency: f64,
    /// Its level at a distance of 1 m.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0))]
    pub level: f64,
}

/// An infrared beacon.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BeaconSpec {
    /// What it says it is.
    pub code: String,
    /// Its level at a distance of 1 m.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0))]
    pub level: f64,
}

/// A path.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PathSpec {
    /// Way points, from the place where the object starts.
    #[schemars(extend("x-unit" = "m"))]
    pub points: Vec<[f64; 2]>,
    /// Speed.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub speed: f64,
    /// Start again at the first point after the last one.
    #[serde(default)]
    pub repeat: bool,
}

/// A named scalar such as energy or temperature.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AspectSpec {
    /// Value at the start.
    pub value: f64,
    /// Lowest value.
    #[serde(default)]
    pub min: f64,
    /// Highest value; the value at the start without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Change per second.
    #[serde(default)]
    pub per_second: f64,
    /// Change per metre driven.
    #[serde(default)]
    pub per_metre: f64,
    /// Change per radian turned.
    #[serde(default)]
    pub per_radian: f64,
    /// Change per effector action.
    #[serde(default)]
    pub per_use: f64,
    /// Value it falls back to by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// Share of the difference to `rest` that is lost per second.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub rest_rate: f64,
}

/// Ground that changes speed: a grid with a factor per cell, 1 outside.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TerrainSpec {
    /// Side of a cell.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub cell: f64,
    /// Lower left corner; that of the world without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Rows of factors, the northernmost first, as on a map.
    pub rows: Vec<Vec<f64>>,
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
    /// Named scalars such as energy. A robot whose energy is empty stops.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aspects: BTreeMap<String, AspectSpec>,
}

/// The robots and how they are coordinated.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = dynamic::add_coordinator_parameters)]
pub struct TeamSpec {
    /// The coordinator.
    #[schemars(schema_with = "dynamic::coordinator_names")]
    pub coordinator: String,
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
    /// Sensors and effectors that this robot has, lacks or has in another way than its type.
    #[serde(flatten)]
    #[schemars(skip)]
    pub equipment: Map<String, Value>,
}

/// The radio.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum RadioSpec {
    /// Everyone hears everyone.
    Ideal(IdealParams),
}

impl Default for RadioSpec {
    fn default() -> Self {
        RadioSpec::Ideal(IdealParams::default())
    }
}

/// What a disturbance does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatSpec {
    /// Walls a robot in: its name.
    Trap(String),
}

/// Something that goes wrong.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DisturbanceSpec {
    /// When.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub at: f64,
    /// What.
    #[serde(flatten)]
    pub what: WhatSpec,
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
