//! The controller: from "go there" to speeds, using what the robot perceives and nothing else.

use crate::coordinator::Situation;
use crate::geometry::{Pose, Vec2};
use crate::hardware::SensorSheet;
use crate::random::Stream;
use crate::robot_id::RobotId;

/// A precise ray that is shorter than this share of the reach has met something.
const SEEN: f64 = 0.999;
/// Noise that occurs, in standard deviations.
const SIGMAS: f64 = 4.0;

/// A goal relative to the robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Direction relative to the front. [rad]
    pub bearing: f64,
    /// Distance from the centre; infinite if the goal is only a direction. [m]
    pub distance: f64,
}

/// A range scanner's reading.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// Directions of the rays relative to the front. [rad]
    pub angles: &'a [f64],
    /// The same as unit vectors, if somebody has computed them; otherwise empty.
    pub directions: &'a [Vec2],
    /// Free distance along each, from the rim. [m]
    pub ranges: &'a [f64],
    /// Distance at which a ray has seen nothing. [m]
    pub reach: f64,
    /// A range below this is that of something; a longer one may be a ray that has seen nothing, shortened by noise. [m]
    pub certain: f64,
}

impl<'a> Scan<'a> {
    /// A scan that sees nothing.
    pub const NOTHING: Scan<'static> = Scan::new(&[], &[], 0.0);

    /// The reading of a scanner with rays at these angles. [rad], [m]
    pub const fn new(angles: &'a [f64], ranges: &'a [f64], reach: f64) -> Scan<'a> {
        Scan { angles, directions: &[], ranges, reach, certain: SEEN * reach }
    }

    /// The reading of a sensor. [m]
    pub fn of(sensor: &'a SensorSheet, ranges: &'a [f64]) -> Scan<'a> {
        let reach = sensor.range;
        let noise = sensor.absolute_noise + sensor.relative_noise * reach;
        let certain = (SEEN * reach).min(reach - SIGMAS * noise);
        Scan { angles: &sensor.angles, directions: &sensor.directions, ranges, reach, certain }
    }

    /// The direction of a ray at an angle as a unit vector: x ahead, y to the left. [rad]
    #[inline]
    fn direction(&self, ray: usize, angle: f64) -> Vec2 {
        self.directions.get(ray).copied().unwrap_or_else(|| Vec2::unit(angle))
    }

    /// Where the rays end whose ranges `counts` holds for, relative to the centre of a robot of this radius: x ahead, y to the left. [m]
    pub fn ends(&self, radius: f64, counts: impl Fn(f64) -> bool) -> impl Iterator<Item = Vec2> {
        let rays =
            self.angles.iter().zip(self.ranges).enumerate().filter(move |(_, (_, range))| counts(**range));
        rays.map(move |(ray, (angle, range))| self.direction(ray, *angle) * (radius + range))
    }

    /// The detected points relative to the centre of a robot of this radius: x ahead, y to the left. [m]
    pub fn points(&self, radius: f64) -> impl Iterator<Item = Vec2> {
        self.points_within(radius, f64::INFINITY)
    }

    /// Those of them that are nearer than a distance from the centre. [m]
    pub fn points_within(&self, radius: f64, distance: f64) -> impl Iterator<Item = Vec2> {
        let reach = (self.reach * SEEN).min(distance - radius);
        self.ends(radius, move |range| range < reach)
    }
}

/// The robot's size and speed limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Radius of the body. [m]
    pub radius: f64,
    /// Highest forward speed. [m/s]
    pub max_speed: f64,
    /// Highest turning speed. [rad/s]
    pub max_turn: f64,
}

/// A robot nearby that has told where it is, as it is believed to be now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Who it is.
    pub id: RobotId,
    /// Its centre relative to the own one: x ahead, y to the left. [m]
    pub position: Vec2,
    /// Its velocity over ground, in the same directions. [m/s]
    pub velocity: Vec2,
    /// Radius of its body. [m]
    pub radius: f64,
    /// Its priority where only one can pass; the lower number goes first.
    pub priority: i32,
}

/// The input of a controller in one tick.
pub struct Steering<'a> {
    /// Where to go.
    pub goal: Goal,
    /// Where the robot thinks it is, if it knows.
    pub pose: Option<Pose>,
    /// What is around it.
    pub scan: Scan<'a>,
    /// Robots nearby that have told where they are, the nearest first; empty unless the controller [tells](Controller::tells).
    pub neighbours: &'a [Neighbour],
    /// Its size and speed limits.
    pub limits: Limits,
    /// Everything else that the robot's software can see.
    pub situation: &'a Situation<'a>,
}

/// Forward and turning speed. [m/s], [rad/s]
pub type Speeds = (f64, f64);

/// Turns a goal into speeds. Its memory is plain data, so that a run can be saved and continued.
pub trait Controller {
    /// Speeds towards the goal for this tick. `random` is the robot's own stream.
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds;

    /// The robot sets out for another goal: obstacles on the way to the last one do not matter any more.
    fn set_out(&mut self) {}

    /// The robot stands still on purpose in this tick.
    fn rest(&mut self) {}

    /// Clearance that it keeps to obstacles beside the path. [m]
    fn margin(&self) -> f64;

    /// How far ahead of the rim it looks for obstacles: a robot that drives farther than this in one tick may run into something that
    /// it has not looked for. Infinite if it bears any tick. [m]
    fn look_ahead(&self) -> f64 {
        f64::INFINITY
    }

    /// How often its robot tells the others by radio where it is at most, so that they are its neighbours and it is theirs; `None` if the
    /// controller avoids only what the scanner sees. [s]
    fn tells(&self) -> Option<f64> {
        None
    }

    /// How long a step takes on a typical processor, roughly. The simulator shares robots among threads by it; results do
    /// not depend on it. [µs]
    fn effort(&self) -> u32 {
        1
    }
}
