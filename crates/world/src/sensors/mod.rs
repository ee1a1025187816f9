//! Sensors: each is one file here and one line in the registry below.

use crate::body::Body;
use crate::odometer::Odometer;
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::{Percept, Reading, RobotId, SensorSheet, Stream, Time, Vec2};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

mod area_detector;
mod battery;
mod bumper;
mod colour_camera;
mod compass;
mod curb_detector;
mod gesture_detector;
mod ground;
mod heat;
mod infrared_beacon;
mod item_detector;
mod microphones;
mod odometry;
mod person_detector;
mod position;
mod proximity;
mod range_scanner;
mod side_range;
mod stock;
mod tracker;

pub use odometry::Odometry;

/// The context of a measurement: the world, the robot's body and the sensor's quality.
pub struct View<'a> {
    /// Ground truth.
    pub world: &'a World,
    /// The robot.
    pub me: RobotId,
    /// Its quality.
    pub quality: &'a Quality,
    /// What its wheels have counted, if anything counts.
    pub odometer: Option<&'a Odometer>,
}

impl View<'_> {
    /// The robot's own body.
    pub fn body(&self) -> &Body {
        &self.world.bodies[self.me]
    }

    /// The attenuation of a level of 1 at this distance: inverse square, constant below 0.1 m.
    fn fading(&self, distance: f64) -> f64 {
        let distance = distance.max(0.1);
        1.0 / (distance * distance)
    }

    /// Bearing and distance of a point, if it is within range and field of view.
    fn sight(&self, point: Vec2) -> Option<(f64, f64)> {
        let pose = &self.body().pose;
        let (bearing, distance) = (pose.bearing(point), pose.position.distance(point));
        (distance <= self.quality.range && bearing.abs() <= self.quality.fov / 2.0)
            .then_some((bearing, distance))
    }
}

/// A kind of sensor. Its fields are the parameters that only this kind has.
pub trait Sensor: Default + Serialize + DeserializeOwned + JsonSchema {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// The unit of its measurements, and so of its absolute noise and bias.
    const UNIT: &'static str;

    /// Its default quality.
    fn quality() -> Quality;

    /// Precomputes the constants of a run.
    fn prepare(&mut self, _quality: &Quality) {}

    /// Directions of its beams relative to the front, if it has any. [rad]
    fn angles(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The frequencies it tells apart, if it does. [Hz]
    fn bands(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes a measurement, noise included.
    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading);
}

/// A kind of sensor or effector as `crewlab list` and the schema show it.
pub struct DeviceKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The unit of its absolute noise and bias.
    pub unit: &'static str,
    /// Its default quality.
    pub quality: fn() -> Quality,
    /// The schema of its own parameters.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

macro_rules! registry {
    ($($name:literal => $variant:ident($type:ty),)*) => {
        /// Any sensor.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnySensor { $(#[allow(missing_docs)] $variant($type),)* }

        /// All kinds of sensors.
        pub const KINDS: &[DeviceKind] = &[$(DeviceKind {
            name: $name,
            summary: <$type>::SUMMARY,
            unit: <$type>::UNIT,
            quality: <$type>::quality,
            schema: |generator| generator.subschema_for::<$type>(),
        },)*];

        impl AnySensor {
            /// A sensor of this kind from its own parameters; `None` if there is no such kind.
            pub fn parse<'de, D: serde::Deserializer<'de>>(kind: &str, own: D) -> Option<Result<AnySensor, D::Error>> {
                match kind {
                    $($name => Some(<$type as serde::Deserialize>::deserialize(own).map(AnySensor::$variant)),)*
                    _ => None,
                }
            }

            fn prepare(&mut self, quality: &Quality) {
                match self { $(AnySensor::$variant(sensor) => sensor.prepare(quality),)* }
            }

            fn angles(&self) -> Vec<f64> {
                match self { $(AnySensor::$variant(sensor) => sensor.angles(),)* }
            }

            fn bands(&self) -> Vec<f64> {
                match self { $(AnySensor::$variant(sensor) => sensor.bands(),)* }
            }

            #[inline]
            fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
                match self { $(AnySensor::$variant(sensor) => sensor.measure(view, random, reading),)* }
            }
        }
    };
}

registry! {
    "range-scanner" => RangeScanner(range_scanner::RangeScanner),
    "low-proximity" => LowProximity(proximity::LowProximity),
    "high-proximity" => HighProximity(proximity::HighProximity),
    "side-range" => SideRange(side_range::SideRange),
    "bumper" => Bumper(bumper::Bumper),
    "item-detector" => ItemDetector(item_detector::ItemDetector),
    "area-detector" => AreaDetector(area_detector::AreaDetector),
    "position" => Position(position::Position),
    "compass" => Compass(compass::Compass),
    "microphones" => Microphones(microphones::Microphones),
    "infrared-beacon" => InfraredBeacon(infrared_beacon::InfraredBeacon),
    "heat" => Heat(heat::Heat),
    "dust" => Stock(stock::StockSensor),
    "battery" => Battery(battery::Battery),
    "tracker" => Tracker(tracker::Tracker),
    "ground" => Ground(ground::Ground),
    "curb-detector" => CurbDetector(curb_detector::CurbDetector),
    "person-detector" => PersonDetector(person_detector::PersonDetector),
    "gesture-detector" => GestureDetector(gesture_detector::GestureDetector),
    "odometry" => Odometry(odometry::Odometry),
    "colour-camera" => ColourCamera(colour_camera::ColourCamera),
}

/// A sensor on a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct MountedSensor {
    /// Its name on that robot.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its quality.
    pub quality: Quality,
    sensor: AnySensor,
}

impl MountedSensor {
    /// Mounts a sensor.
    pub fn new(name: String, kind: String, quality: Quality, mut sensor: AnySensor) -> MountedSensor {
        sensor.prepare(&quality);
        MountedSensor { name, kind, quality, sensor }
    }

    /// Its datasheet for the robot.
    pub fn sheet(&self) -> SensorSheet {
        let angles = self.sensor.angles();
        SensorSheet {
            name: self.name.clone(),
            kind: self.kind.clone(),
            range: self.quality.range,
            directions: angles.iter().map(|&angle| Vec2::unit(angle)).collect(),
            angles,
            bands: self.sensor.bands(),
            relative_noise: self.quality.relative_noise,
            absolute_noise: self.quality.absolute_noise,
        }
    }

    /// The noise of its counting, if it is odometry.
    pub fn odometry(&self) -> Option<&Odometry> {
        match &self.sensor {
            AnySensor::Odometry(odometry) => Some(odometry),
            _ => None,
        }
    }

    #[inline]
    fn due(&self, now: Time, last: Option<Time>) -> bool {
        // A microsecond of slack: periods need not be whole numbers of nanoseconds.
        self.quality.period == 0.0 || last.is_none_or(|last| now.since(last) >= self.quality.period - 1e-6)
    }
}

/// A fault of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum SensorFault {
    /// It gives no reading.
    Dead,
    /// It repeats its last reading forever, as if it were new.
    Stuck,
    /// Its readings are off by this much, in its own unit.
    Biased(f64),
    /// This is added to its relative noise.
    Noisier(f64),
    /// It misses readings with this probability, in addition to those it misses anyway.
    DropsOut(f64),
}

/// A broken sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ailment {
    /// Its index among the robot's sensors.
    pub sensor: usize,
    /// What is broken.
    pub fault: SensorFault,
}

/// The quality of a broken sensor; `None` if it is dead or stuck.
fn worsened(quality: &Quality, faults: impl Iterator<Item = SensorFault>) -> Option<Quality> {
    let mut quality = quality.clone();
    for fault in faults {
        match fault {
            SensorFault::Dead | SensorFault::Stuck => return None,
            SensorFault::Biased(bias) => quality.bias += bias,
            SensorFault::Noisier(noise) => quality.relative_noise += noise,
            SensorFault::DropsOut(share) => {
                quality.dropout = 1.0 - (1.0 - quality.dropout) * (1.0 - share);
            }
        }
    }
    Some(quality)
}

/// All sensors of a robot, some of which may be broken.
pub struct SensorSuite<'a> {
    /// Ground truth.
    pub world: &'a World,
    /// The robot.
    pub me: RobotId,
    /// Its sensors.
    pub sensors: &'a [MountedSensor],
    /// Those of them that are broken.
    pub ailments: &'a [Ailment],
    /// What its wheels have counted, if anything counts.
    pub odometer: Option<&'a Odometer>,
}

impl SensorSuite<'_> {
    /// Takes all measurements that are due. `random` is the noise of the robot's sensors in this tick.
    pub fn sense(&self, now: Time, mut random: Stream, percept: &mut Percept) {
        for (place, (mounted, sense)) in self.sensors.iter().zip(&mut percept.senses).enumerate() {
            if !mounted.due(now, sense.tried) {
                continue;
            }
            sense.tried = Some(now);
            let mut quality = Cow::Borrowed(&mounted.quality);
            if self.ailments.iter().any(|ailment| ailment.sensor == place) {
                let faults = || self.ailments.iter().filter(|a| a.sensor == place).map(|a| a.fault);
                if faults().any(|fault| fault == SensorFault::Dead) {
                    sense.reading = Reading::Missing;
                }
                match worsened(&mounted.quality, faults()) {
                    Some(worse) => quality = Cow::Owned(worse),
                    None => {
                        sense.at = now;
                        continue;
                    }
                }
            }
            if random.chance(quality.dropout) {
                continue;
            }
            let view = View { world: self.world, me: self.me, quality: &quality, odometer: self.odometer };
            mounted.sensor.measure(&view, &mut random, &mut sense.reading);
            sense.at = now;
        }
    }
}

/// The vector inside a reading of ranges; replaces any other reading.
fn ranges_of(reading: &mut Reading) -> &mut Vec<f64> {
    if !matches!(reading, Reading::Ranges(_)) {
        *reading = Reading::Ranges(Vec::new());
    }
    match reading {
        Reading::Ranges(ranges) => ranges,
        _ => unreachable!("set just above"),
    }
}

/// Adds noise to ranges and clamps them to the sensor's range.
fn blur(ranges: &mut [f64], quality: &Quality, random: &mut Stream) {
    if quality.is_noisy() {
        for range in ranges {
            *range = quality.noisy(*range, random).clamp(0.0, quality.range);
        }
    }
}
