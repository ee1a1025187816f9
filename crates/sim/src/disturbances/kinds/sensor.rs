//! A sensor breaks.

use super::super::about::{About, Breaking, ByHand, Device, Dial, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use crate::model::Member;
use crewlab_onboard::RobotId;
use crewlab_world::sensors::{Ailment, SensorFault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How a sensor breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// It gives no reading.
    Dead,
    /// It repeats its last reading forever, as if it were new.
    Stuck,
    /// Its readings are off by `severity`, in its own unit (m, rad, ...).
    Biased,
    /// `severity` is added to its relative noise.
    Noisier,
    /// It misses a share of its readings: `severity`, from 0 to 1.
    DropsOut,
}

/// How far off a biased sensor is.
const OFF: Dial = Dial {
    key: "severity",
    label: "Off by, in its unit",
    unit: "",
    value: 0.5,
    min: -1000.0,
    max: 1000.0,
    step: 0.1,
};
/// How much noise is added.
const NOISE: Dial = Dial { max: 1000.0, ..Dial::share("Noise added", 50.0, 0.0) };

/// A sensor breaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Sensor {
    /// The robot.
    pub robot: Target,
    /// Its name on the robot. Default: all sensors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensor: Option<String>,
    /// The fault.
    pub fault: Break,
    /// The severity; its meaning depends on the fault.
    #[serde(default = "super::half")]
    #[schemars(extend("x-unit" = "1"))]
    pub severity: f64,
}

impl Sensor {
    fn fault(&self) -> (SensorFault, &'static str) {
        match self.fault {
            Break::Dead => (SensorFault::Dead, "dead"),
            Break::Stuck => (SensorFault::Stuck, "stuck"),
            Break::Biased => (SensorFault::Biased(self.severity), "off"),
            Break::Noisier => (SensorFault::Noisier(self.severity), "noisier"),
            Break::DropsOut => (SensorFault::DropsOut(self.severity), "missing readings"),
        }
    }
}

impl Disturb for Sensor {
    const ABOUT: About = About {
        by_hand: Some(ByHand {
            part: "Sensor",
            device: Some(Device::Sensor),
            ways: &[
                Way::plain("dead", Some("dead")),
                Way::plain("stuck at its last reading", Some("stuck")),
                Way { label: "biased", fault: Some("biased"), dial: Some(OFF) },
                Way { label: "noisier", fault: Some("noisier"), dial: Some(NOISE) },
                Way {
                    label: "drops out",
                    fault: Some("drops-out"),
                    dial: Some(Dial::share("Readings missed", 50.0, 0.0)),
                },
            ],
        }),
        breaking: Breaking::by_default("each sensor of every robot, dead"),
        ..About::new(
            Subject::Robot,
            "a sensor is dead, stuck, biased, noisier or drops out (`fault`), with a `severity`; one sensor, or all of a robot's",
            "{at: 60 s, for: 30 s, sensor: {robot: blue, sensor: compass, fault: dead}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        let share = matches!(self.fault, Break::DropsOut);
        if share && !(0.0..=1.0).contains(&self.severity) {
            return Err(Complaint::new("severity", "a share of missed readings must be from 0 to 1"));
        }
        if matches!(self.fault, Break::Noisier) && self.severity < 0.0 {
            return Err(Complaint::new("severity", "noise cannot be below 0"));
        }
        self.sensor.as_ref().map_or(Ok(()), |name| inventory.sensor("sensor", name, &self.robot))
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let dead = |(member, whom): (&Member, Whom)| {
            let sensors = member.identity.datasheet.sensors.iter().map(|sensor| sensor.name.as_str());
            let one = |sensor: &str| {
                let entry = json!({"robot": whom.robot(), "sensor": sensor, "fault": "dead"});
                let words = format!("{}'s sensor {sensor} is dead", whom.words());
                Stressor::new(sensor, 2, whom.clone(), entry, words)
            };
            sensors.map(one).collect::<Vec<_>>()
        };
        ground.each().flat_map(dead).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let (fault, word) = self.fault();
        let model = scene.model;
        let ailments = |robot: RobotId| {
            let sensors = model.team[robot].identity.datasheet.sensors.iter().enumerate();
            let meant =
                sensors.filter(|(_, sheet)| self.sensor.as_ref().is_none_or(|name| sheet.name == *name));
            meant.map(|(sensor, _)| Fault::Sensor(Ailment { sensor, fault })).collect()
        };
        let (device, verb) = self.sensor.as_deref().map_or(("sensors", "are"), |name| (name, "is"));
        scene.break_on(&robots, |names| format!("{names}'s {device} {verb} {word}"), ailments)
    }
}
