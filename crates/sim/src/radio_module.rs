//! A robot's radio module in the simulation: its estimator behind the interface of the on-board software. It uses only the
//! robot's own hardware: received signals, measured noise, and the position that the robot believes to be at.

use crate::address::{node, robot};
use crewlab_onboard::radio::{LastSignal, LinkQuality, RadioModule, Route};
use crewlab_onboard::{Datasheet, Percept, RobotId, SensorId, Time, Vec2};
use crewlab_radio::physics::dbm;
use crewlab_radio::{Estimator, Physical, Prediction, Wall};

/// Kind of the sensors that measure a robot's position.
const POSITION: &str = "position";

/// A physical radio as its owner sees it.
pub(crate) struct Module<'a> {
    pub(crate) me: RobotId,
    pub(crate) radio: &'a Physical,
    pub(crate) estimator: &'a Estimator,
    /// The robot's map of walls.
    pub(crate) floor_plan: &'a [Wall],
}

fn place(at: Vec2) -> [f64; 2] {
    [at.x, at.y]
}

fn quality(Prediction { rx, sinr, success, rate }: Prediction) -> LinkQuality {
    LinkQuality { rx, sinr, success, rate }
}

/// The position that a robot believes to be at, if it has a sensor for it.
pub(crate) fn own_place(datasheet: &Datasheet, percept: &Percept) -> Option<[f64; 2]> {
    let sensor = datasheet.sensors.iter().position(|sensor| sensor.kind == POSITION)?;
    percept.point(SensorId(sensor as u8)).map(place)
}

/// Updates a robot's estimator with what its radio heard and measured, at a time by the robot's clock.
pub(crate) fn learn(
    estimator: &mut Estimator,
    now: Time,
    noise: f64,
    mine: Option<[f64; 2]>,
    heard: &[crewlab_radio::Heard],
) {
    estimator.measure_noise(noise);
    for message in heard {
        if let Some(signal) = message.signal {
            estimator.hear(message.by, now.0, signal, mine, None);
        }
    }
}

impl RadioModule for Module<'_> {
    fn largest_message(&self) -> usize {
        self.radio.params().largest_message as usize
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn noise(&self) -> Option<f64> {
        Some(dbm(self.radio.noise(node(self.me)))).filter(|noise| noise.is_finite())
    }

    fn heard(&self, partner: RobotId) -> Option<LastSignal> {
        let (at, signal) = self.estimator.heard(node(partner))?;
        Some(LastSignal { at: Time(at), rssi: signal.rssi, sinr: signal.sinr })
    }

    fn predict(&self, partner: RobotId, mine: Vec2, theirs: Vec2) -> Option<LinkQuality> {
        let (params, mine, theirs) = (self.radio.params(), place(mine), place(theirs));
        Some(quality(self.estimator.predict(params, self.floor_plan, node(partner), mine, theirs)))
    }

    fn predict_at(&self, partner: RobotId, distance: f64) -> Option<LinkQuality> {
        self.estimator.predict_at(self.radio.params(), node(partner), distance).map(quality)
    }

    fn route(&self, partner: RobotId) -> Option<Route> {
        let route = self.radio.route(node(self.me), node(partner))?;
        Some(Route { next: robot(route.next)?, hops: route.hops, quality: route.quality })
    }
}
