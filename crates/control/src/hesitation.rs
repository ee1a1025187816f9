//! Robots that block each other in the open: each does what is best given the others, and so nobody moves. One that hesitates aims farther and
//! farther to the right, as in a roundabout, and at last makes room for a random time.

use crewlab_onboard::{Speeds, Steering, Stream};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A robot slower than this share of what it wants hesitates ...
const SLOW: f64 = 0.25;
/// ... and aims farther and farther to the right: several that block each other turn about their middle. [rad/s]
const ROUNDABOUT: f64 = 0.4;
/// After this, it makes room, ... [s]
const LONGEST: f64 = 4.0;
/// ... for a random time up to this: a crowd in which all do the same would stay as it is. [s]
const MAKE_ROOM: f64 = 4.0;

/// How long a robot has hesitated; below zero while it makes room. [s]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hesitation(f64);

impl Hesitation {
    /// Notes how fast the robot goes and how fast it wants to. One that only turns hesitates too; one that is alone never does. [m/s]
    pub(crate) fn note(&mut self, speeds: Speeds, wanted: f64, steering: &Steering, random: &mut Stream) {
        let dt = steering.situation.dt;
        let hesitates = speeds.0.abs() < SLOW * wanted && !steering.neighbours.is_empty();
        self.0 = match self.0 {
            room if room < 0.0 => (room + dt).min(0.0),
            long if hesitates && long >= LONGEST => -random.between(0.0, MAKE_ROOM),
            short if hesitates => short + dt,
            over => (over - dt).max(0.0),
        };
    }

    /// How far to the right of its goal the robot aims; straight away from it while it makes room. [rad]
    pub(crate) fn right(&self) -> f64 {
        if self.0 < 0.0 { PI } else { ROUNDABOUT * self.0 }
    }
}
