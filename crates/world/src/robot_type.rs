//! Robot types: a body with sensors and effectors, as data.

use crate::aspect::Aspect;
use crate::body::Drive;
use crate::effectors::{AnyEffector, MountedEffector};
use crate::quality::Quality;
use crate::sensors::MountedSensor;
use crate::shape::Shape;
use crewlab_onboard::Datasheet;
use crewlab_onboard::geometry::vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// The shape of a robot's body as scenario files give it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BodyShape {
    /// A disc of this radius.
    Circle(#[schemars(range(min = 0.001), extend("x-unit" = "m"))] f64),
    /// A rectangle: length along the front direction and width.
    Rectangle(#[schemars(extend("x-unit" = "m"))] [f64; 2]),
    /// A convex polygon about the centre; the front is towards +x.
    Polygon(#[schemars(extend("x-unit" = "m"))] Vec<[f64; 2]>),
}

impl BodyShape {
    /// The shape, or an error.
    pub fn shape(&self) -> Result<Shape, String> {
        match self {
            BodyShape::Circle(radius) if *radius > 0.0 => Ok(Shape::Circle { radius: *radius }),
            BodyShape::Rectangle([length, width]) if *length > 0.0 && *width > 0.0 => {
                Ok(Shape::rectangle(*length, *width))
            }
            BodyShape::Circle(_) | BodyShape::Rectangle(_) => Err("a body's sizes must be above 0 m".into()),
            BodyShape::Polygon(corners) => Shape::convex(corners.iter().map(|[x, y]| vec2(*x, *y)).collect()),
        }
    }
}

/// A kind of robot.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotType {
    /// Its body.
    pub shape: Shape,
    /// Its sensors, in the order of the percept.
    pub sensors: Vec<MountedSensor>,
    /// Its effectors.
    pub effectors: Vec<MountedEffector>,
    /// Its named scalars at the start.
    pub aspects: Vec<Aspect>,
    /// The quality of its drive.
    pub drive_quality: Quality,
    /// Capabilities that are not devices, and the reliability of devices where the type gives it.
    pub capabilities: Vec<(String, f64)>,
}

impl RobotType {
    /// A robot type from its parts.
    pub fn new(
        shape: Shape,
        sensors: Vec<MountedSensor>,
        effectors: Vec<MountedEffector>,
        mut aspects: Vec<Aspect>,
    ) -> RobotType {
        for aspect in effectors.iter().flat_map(|mounted| mounted.effector.aspects()) {
            if aspects.iter().all(|known| known.name != aspect.name) {
                aspects.push(aspect);
            }
        }
        let drive = effectors.iter().find(|e| matches!(e.effector, AnyEffector::Drive(_)));
        let drive_quality = drive.map_or(Quality::perfect(0.0, TAU), |e| e.quality.clone());
        RobotType { shape, sensors, effectors, aspects, drive_quality, capabilities: Vec::new() }
    }

    /// Limits of its drive; a robot without one cannot move.
    pub fn drive(&self) -> Drive {
        let limits = self.effectors.iter().find_map(|e| match &e.effector {
            AnyEffector::Drive(unit) => Some(unit.limits()),
            _ => None,
        });
        limits.unwrap_or(Drive {
            max_speed: 0.0,
            max_reverse: 0.0,
            max_side: 0.0,
            max_turn: 0.0,
            max_push: None,
        })
    }

    /// The robot's datasheet for its software.
    pub fn datasheet(&self) -> Datasheet {
        let drive = self.drive();
        Datasheet {
            radius: self.shape.radius(),
            max_speed: drive.max_speed,
            max_turn: drive.max_turn,
            sensors: self.sensors.iter().map(MountedSensor::sheet).collect(),
            effectors: self.effectors.iter().map(MountedEffector::sheet).collect(),
            further: self.capabilities.clone(),
        }
    }
}
