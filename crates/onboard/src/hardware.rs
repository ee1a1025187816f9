//! A robot's self-description, given at boot.

use crate::floor_plan::FloorPlan;
use crate::geometry::Vec2;
use crate::locating::FilterChoice;
use crate::robot_id::RobotId;
use crate::task::{BehaviourId, BehaviourSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A sensor's index in the percept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SensorId(pub u8);

/// An effector's index in the datasheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectorId(pub u8);

/// One sensor as its owner knows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SensorSheet {
    /// The name the scenario gave it.
    pub name: String,
    /// The kind of sensor.
    pub kind: String,
    /// How far it sees. [m]
    pub range: f64,
    /// Directions of its beams relative to the front, if it has beams. [rad]
    pub angles: Vec<f64>,
    /// The same as unit vectors; x is towards the front.
    pub directions: Vec<Vec2>,
    /// The frequencies it tells apart, if it does. [Hz]
    pub bands: Vec<f64>,
    /// Standard deviation of its noise as a share of the true value.
    pub relative_noise: f64,
    /// Standard deviation of the noise that does not depend on the value, in the sensor's unit.
    pub absolute_noise: f64,
}

/// One effector as its owner knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectorSheet {
    /// The name the scenario gave it.
    pub name: String,
    /// The kind of effector.
    pub kind: String,
    /// How far it reaches from the rim. [m]
    pub range: f64,
    /// The colour that it shows; empty if it shows none.
    pub colour: String,
    /// Standard deviation of its noise as a share of what it should do.
    pub relative_noise: f64,
}

/// A robot's body and equipment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Datasheet {
    /// Radius of the smallest circle around the centre that holds the body. [m]
    pub radius: f64,
    /// Highest forward speed. [m/s]
    pub max_speed: f64,
    /// Highest turning speed. [rad/s]
    pub max_turn: f64,
    /// Sensors, in the order of the percept.
    pub sensors: Vec<SensorSheet>,
    /// Effectors, drive included.
    pub effectors: Vec<EffectorSheet>,
    /// Capabilities that are not devices, and the reliability of devices where it is known.
    pub further: Vec<(String, f64)>,
}

impl Datasheet {
    /// The sensor of this name.
    pub fn sensor(&self, name: &str) -> Option<SensorId> {
        self.sensors.iter().position(|s| s.name == name).map(|i| SensorId(i as u8))
    }

    /// The effector of this name.
    pub fn effector(&self, name: &str) -> Option<EffectorId> {
        self.effectors.iter().position(|e| e.name == name).map(|i| EffectorId(i as u8))
    }

    /// True if the robot has a sensor, an effector or another capability of this name.
    pub fn has(&self, capability: &str) -> bool {
        self.sensor(capability).is_some()
            || self.effector(capability).is_some()
            || self.further.iter().any(|(name, _)| name == capability)
    }

    /// All capabilities with their initial reliability: sensors, effectors, then others.
    pub fn capabilities(&self) -> impl Iterator<Item = (&str, f64)> {
        let sensors = self.sensors.iter().map(|sensor| sensor.name.as_str());
        let devices = move || sensors.clone().chain(self.effectors.iter().map(|e| e.name.as_str()));
        let told = |name: &str| self.further.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let others = {
            let devices = devices.clone();
            let further = self.further.iter().map(|(name, value)| (name.as_str(), *value));
            further.filter(move |(name, _)| devices().all(|device| device != *name))
        };
        devices().map(move |name| (name, told(name).unwrap_or(1.0))).chain(others)
    }
}

/// A robot's identity. Constant over a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Its id.
    pub id: RobotId,
    /// Its name.
    pub name: String,
    /// The name of its type.
    pub robot_type: String,
    /// Priority when two robots take an exclusive task at once: the lower number keeps it.
    pub priority: i32,
    /// Body and equipment, shared by robots of the same model.
    pub datasheet: Arc<Datasheet>,
    /// The behaviour sets it has for the mission, shared likewise.
    pub behaviours: Arc<[BehaviourSpec]>,
    /// The plan of the building that it was given, if it was given one.
    #[serde(skip)]
    pub floor_plan: FloorPlan,
    /// Its particle filter, if it locates itself.
    pub slam: FilterChoice,
}

impl Identity {
    /// All behaviour sets with their ids.
    pub fn behaviours(&self) -> impl Iterator<Item = (BehaviourId, &BehaviourSpec)> {
        self.behaviours.iter().enumerate().map(|(i, spec)| (BehaviourId(i as u8), spec))
    }

    /// One behaviour set.
    #[inline]
    pub fn behaviour(&self, id: BehaviourId) -> &BehaviourSpec {
        &self.behaviours[usize::from(id.0)]
    }
}
