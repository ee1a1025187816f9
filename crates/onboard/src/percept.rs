//! Percepts: one reading per sensor, noise included.

use crate::geometry::{Pose, Vec2};
use crate::hardware::{EffectorId, SensorId};
use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something a detector saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// What it is: the kind of item or area, or a beacon's code.
    pub kind: Arc<str>,
    /// Direction relative to the front. [rad]
    pub bearing: f64,
    /// Distance from the robot's centre. [m]
    pub distance: f64,
    /// Size (an area's radius) or strength (a beacon's), as the detector defines it.
    pub extent: f64,
    /// True if the robot's centre is inside (areas), or if it is in a hand (items that are tracked).
    pub inside: bool,
    /// Its orientation relative to the robot's front, if the detector can tell: a cup's handle. [rad]
    pub heading: Option<f64>,
}

/// One sensor's output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Reading {
    /// Nothing measured yet, or the sensor is dead.
    #[default]
    Missing,
    /// A value per beam; a range that saw nothing reads the sensor's range. [m]
    Ranges(Vec<f64>),
    /// Which sectors touch something, the front one first, counter-clockwise.
    Contacts(Vec<bool>),
    /// Things in view, in a fixed order.
    Sightings(Vec<Sighting>),
    /// A position. [m]
    Point(Vec2),
    /// A direction. [rad]
    Angle(f64),
    /// Several levels, e.g. left and right per frequency.
    Levels(Vec<f64>),
    /// One level.
    Level(f64),
    /// A pose. [m], [rad]
    Pose(Pose),
}

/// One sensor's latest reading and when it was taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sense {
    /// When the reading was taken.
    pub at: Time,
    /// When a reading was last attempted; it may have failed.
    pub tried: Option<Time>,
    /// The reading.
    pub reading: Reading,
}

/// Everything a robot gets from its hardware this tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Percept {
    /// One per sensor, in the order of the datasheet.
    pub senses: Vec<Sense>,
    /// One per effector: its status (a gripper: 1 if loaded).
    pub feedback: Vec<f64>,
    /// True while its emergency stop is pressed: it senses, decides and communicates, but neither drive nor tools move.
    pub stopped: bool,
}

impl Percept {
    /// A sensor's reading.
    #[inline]
    pub fn reading(&self, sensor: SensorId) -> &Reading {
        self.senses.get(usize::from(sensor.0)).map_or(&Reading::Missing, |s| &s.reading)
    }

    /// A range sensor's beams; empty if there is no reading.
    #[inline]
    pub fn ranges(&self, sensor: SensorId) -> &[f64] {
        match self.reading(sensor) {
            Reading::Ranges(ranges) => ranges,
            _ => &[],
        }
    }

    /// A detector's sightings; empty if there is no reading.
    pub fn sightings(&self, sensor: SensorId) -> &[Sighting] {
        match self.reading(sensor) {
            Reading::Sightings(sightings) => sightings,
            _ => &[],
        }
    }

    /// A position sensor's reading.
    pub fn point(&self, sensor: SensorId) -> Option<Vec2> {
        match self.reading(sensor) {
            Reading::Point(point) => Some(*point),
            _ => None,
        }
    }

    /// A compass' reading. [rad]
    pub fn angle(&self, sensor: SensorId) -> Option<f64> {
        match self.reading(sensor) {
            Reading::Angle(angle) => Some(*angle),
            _ => None,
        }
    }

    /// Where odometry says the robot is.
    pub fn pose(&self, sensor: SensorId) -> Option<Pose> {
        match self.reading(sensor) {
            Reading::Pose(pose) => Some(*pose),
            _ => None,
        }
    }

    /// An effector's status.
    pub fn feedback(&self, effector: EffectorId) -> f64 {
        self.feedback.get(usize::from(effector.0)).copied().unwrap_or(0.0)
    }
}
