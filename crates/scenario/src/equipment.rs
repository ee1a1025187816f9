//! Robot types from their descriptions: bodies, sensors and effectors, combined by name.

use super::spec::{CapabilityChange, RobotSpec, RobotTypeSpec};
use crewlab_sim::world::effectors::{self, AnyEffector, MountedEffector};
use crewlab_sim::world::sensors::{self, AnySensor, DeviceKind, MountedSensor};
use crewlab_sim::world::{Quality, RobotType, aspects};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An error in a device's description: the path below the robot type, and the reason.
pub(super) type Fault = (String, String);

/// True if a robot does not differ from its type.
pub(super) fn is_plain(robot: &RobotSpec) -> bool {
    robot.equipment.is_empty() && robot.capabilities.is_empty()
}

/// Builds a robot type, with the changes of a single robot.
pub(super) fn robot_type(spec: &RobotTypeSpec, robot: &RobotSpec) -> Result<RobotType, Fault> {
    let shape = spec.body.shape().map_err(|message| ("body".to_string(), message))?;
    let mut fitted_sensors = spec.sensors.clone();
    let mut fitted_effectors = spec.effectors.clone();
    for (name, change) in &robot.equipment {
        let is_sensor = sensors::KINDS.iter().any(|kind| kind.name == name);
        fit(if is_sensor { &mut fitted_sensors } else { &mut fitted_effectors }, name, change);
    }
    let lacking = robot.capabilities.iter().filter(|(_, change)| **change == CapabilityChange::Has(false));
    for (name, _) in lacking {
        // An invalid device is left out.
        fitted_sensors.remove(name);
        fitted_effectors.remove(name);
    }
    let sensor = |(name, value): (&String, &Value)| {
        let (kind, quality, own) = device(sensors::KINDS, "sensors", name, value)?;
        let parsed =
            AnySensor::parse(&kind, own).unwrap_or_else(|| Err(serde::de::Error::custom("unknown kind")));
        let sensor = parsed.map_err(|error| (format!("sensors.{name}"), error.to_string()))?;
        Ok(MountedSensor::new(name.clone(), kind, quality, sensor))
    };
    let effector = |(name, value): (&String, &Value)| {
        let (kind, quality, own) = device(effectors::KINDS, "effectors", name, value)?;
        let parsed =
            AnyEffector::parse(&kind, own).unwrap_or_else(|| Err(serde::de::Error::custom("unknown kind")));
        let effector = parsed.map_err(|error| (format!("effectors.{name}"), error.to_string()))?;
        Ok(MountedEffector { name: name.clone(), kind, quality, effector })
    };
    let sensors: Vec<MountedSensor> = fitted_sensors.iter().map(sensor).collect::<Result<_, Fault>>()?;
    let effectors: Vec<MountedEffector> =
        fitted_effectors.iter().map(effector).collect::<Result<_, Fault>>()?;
    if sensors.len() > 255 || effectors.len() > 255 {
        return Err((String::new(), "a robot has at most 255 sensors and 255 effectors".into()));
    }
    let mut robot_type = RobotType::new(shape, sensors, effectors, aspects(&spec.aspects));
    robot_type.capabilities = capabilities(spec, robot).into_iter().collect();
    Ok(robot_type)
}

/// Capabilities besides devices, with their reliability.
fn capabilities(spec: &RobotTypeSpec, robot: &RobotSpec) -> BTreeMap<String, f64> {
    let mut capabilities = spec.capabilities.clone();
    for (name, change) in &robot.capabilities {
        match change {
            CapabilityChange::Has(false) => {
                capabilities.remove(name);
            }
            CapabilityChange::Has(true) => {
                capabilities.entry(name.clone()).or_insert(1.0);
            }
            CapabilityChange::Reliability(value) => {
                capabilities.insert(name.clone(), *value);
            }
        }
    }
    capabilities
}

/// Adds, removes or changes one device.
fn fit(devices: &mut Map<String, Value>, name: &str, change: &Value) {
    match change {
        Value::Bool(false) => {
            devices.remove(name);
        }
        Value::Object(changed) => {
            let device = devices.entry(name).or_insert_with(|| json!({}));
            if let Value::Object(device) = device {
                device.extend(changed.clone());
            }
        }
        _ => {
            devices.entry(name).or_insert_with(|| json!({}));
        }
    }
}

/// Splits a device's description into its kind, its quality and the parameters of its kind.
fn device(
    kinds: &[DeviceKind],
    part: &str,
    name: &str,
    value: &Value,
) -> Result<(String, Quality, Value), Fault> {
    let fault = |message: String| (format!("{part}.{name}"), message);
    let mut own = value.as_object().cloned().unwrap_or_default();
    let kind =
        own.remove("kind").and_then(|k| k.as_str().map(str::to_string)).unwrap_or_else(|| name.to_string());
    let Some(known) = kinds.iter().find(|k| k.name == kind) else {
        return Err(fault(format!("`{name}` is not a kind of device: add its kind with `kind:`")));
    };
    let mut quality = serde_json::to_value((known.quality)()).map_err(|error| fault(error.to_string()))?;
    if let Value::Object(shared) = &mut quality {
        let keys: Vec<String> = shared.keys().cloned().collect();
        for key in keys {
            if let Some(given) = own.remove(&key) {
                shared.insert(key, given);
            }
        }
    }
    let quality = serde_json::from_value(quality).map_err(|error| fault(error.to_string()))?;
    Ok((kind, quality, Value::Object(own)))
}
