//! Things that stand or move in the world without being robots.

use crate::IMPASSABLE;
use crate::properties::Properties;
use crate::pushing::Pushable;
use crate::shape::{Bounds, Outline, Shape};
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Pose, Vec2};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An object's number; numbers are not reused after an object is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectId(pub u32);

/// An emission of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Emission {
    /// Sound.
    Sound {
        /// Frequency. [Hz]
        frequency: f64,
        /// Level at a distance of 1 m.
        level: f64,
        /// The stock without which it is silent.
        stock: Option<Arc<str>>,
    },
    /// An infrared beacon.
    Beacon {
        /// The code that it sends.
        code: String,
        /// Level at a distance of 1 m.
        level: f64,
    },
}

/// A noise transmitter on an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jammer {
    /// Power. [dBm]
    pub power: f64,
    /// Lower and upper end of the band it fills; the whole channel without it. [Hz]
    pub band: Option<[f64; 2]>,
    /// Share of the time in which it is on.
    pub duty_cycle: f64,
    /// Time from one burst to the next. [s]
    pub period: f64,
    /// False while it is switched off.
    pub on: bool,
}

/// A path that an object follows at constant speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// Way points. [m]
    pub points: Vec<Vec2>,
    /// Speed. [m/s]
    pub speed: f64,
    /// Starts again at the first point after the last one.
    pub repeat: bool,
    /// The point it is heading for.
    pub next: usize,
    /// True if it waits while a robot stands in its way; otherwise it pushes the robot along as far as there is room.
    pub yields: bool,
    /// Bodies that it ran into in the last tick.
    pub touching: Vec<RobotId>,
    /// True if it walks around a robot that stays in its way, as persons do.
    pub sidesteps: bool,
    /// How long it has waited for robots lately. [s]
    pub waited: f64,
    /// The rectangle in which it wanders: its waypoints are random places in it, chosen by [`crate::World::plan_walk`].
    pub within: Option<Bounds>,
}

impl Script {
    /// A path that is followed from its first point on, waiting for robots.
    pub fn new(points: Vec<Vec2>, speed: f64, repeat: bool) -> Script {
        Script {
            points,
            speed,
            repeat,
            next: 0,
            yields: true,
            touching: Vec::new(),
            sidesteps: false,
            waited: 0.0,
            within: None,
        }
    }

    /// Where an object at `from` is after travelling `distance`, without changing the script: the new position and
    /// the waypoint it then heads for.
    pub fn advance(&self, from: Vec2, mut distance: f64) -> (Vec2, usize) {
        let (mut position, mut next) = (from, self.next);
        // At most once around, so that a path of coinciding points ends too.
        for _ in 0..=self.points.len() {
            let Some(&goal) = self.points.get(next) else { break };
            let remaining = position.distance(goal);
            if remaining > distance {
                position += (goal - position) * (distance / remaining);
                break;
            }
            distance -= remaining;
            position = goal;
            next += 1;
            if self.repeat && next == self.points.len() {
                next = 0;
            }
        }
        (position, next)
    }
}

/// An obstacle, a piece of furniture, a patch of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Its number.
    pub id: ObjectId,
    /// Its name, if it has one.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// Shape and pose together.
    pub outline: Outline,
    /// Penetrability: up to 0.1 nothing passes; below 1 robots are slower; 1 has no effect; above 1 they are faster.
    pub penetrability: f64,
    /// Penetrability for robots of certain types, by the name of the type.
    pub passes: Vec<(Arc<str>, f64)>,
    /// Factor on the energy per metre of robots that drive over it.
    pub energy: f64,
    /// Its height; sensors mounted higher do not see it. [m]
    pub height: f64,
    /// Its emissions.
    pub emissions: Vec<Emission>,
    /// Heat it gives off at a distance of 1 m.
    pub heat: f64,
    /// Damping of radio signals that pass through it, per crossing. [dB]
    pub damping: f64,
    /// The jammer on it.
    pub jammer: Option<Jammer>,
    /// Its stocks, states and aspects.
    pub properties: Properties,
    /// Its path, if it moves.
    pub script: Option<Script>,
    /// What it takes to push it, if robots can.
    pub pushable: Option<Pushable>,
}

impl Object {
    /// A plain obstacle.
    pub fn obstacle(name: &str, shape: Shape, pose: Pose) -> Object {
        let outline = shape.at(&pose);
        Object {
            id: ObjectId(0),
            name: name.to_string(),
            shape,
            pose,
            outline,
            penetrability: 0.0,
            passes: Vec::new(),
            energy: 1.0,
            height: 2.0,
            emissions: Vec::new(),
            heat: 0.0,
            damping: 0.0,
            jammer: None,
            properties: Properties::default(),
            script: None,
            pushable: None,
        }
    }

    /// True if it moves: along a script, or when it is pushed.
    pub fn moves(&self) -> bool {
        self.script.is_some() || self.pushable.is_some()
    }

    /// True if it is more than an obstacle: it moves, emits something, or has properties.
    pub fn is_active(&self) -> bool {
        let Properties { stocks, states, aspects } = &self.properties;
        self.moves()
            || !self.emissions.is_empty()
            || self.heat != 0.0
            || self.jammer.is_some()
            || stocks.iter().next().is_some()
            || states.iter().next().is_some()
            || !aspects.is_empty()
    }

    /// True if nothing passes through it, except for robots of types that it makes an exception for. Sensors see it.
    #[inline]
    pub fn impassable(&self) -> bool {
        self.penetrability <= IMPASSABLE
    }

    /// Its penetrability for robots of this type.
    #[inline]
    pub fn penetrability_for(&self, robot_type: &str) -> f64 {
        let special = self.passes.iter().find(|(name, _)| **name == *robot_type);
        special.map_or(self.penetrability, |(_, penetrability)| *penetrability)
    }

    /// True if robots of this type cannot pass.
    #[inline]
    pub fn blocks(&self, robot_type: &str) -> bool {
        self.penetrability_for(robot_type) <= IMPASSABLE
    }

    /// Moves it.
    pub fn place(&mut self, pose: Pose) {
        self.outline = self.shape.at(&pose);
        self.pose = pose;
    }
}
