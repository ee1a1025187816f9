//! A robot's body in the world.

use crate::aspect::{Aspect, ENERGY};
use crate::object::ObjectId;
use crate::shape::{Outline, Shape};
use crate::stock::Stocks;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An obstacle that a body ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Obstacle {
    /// The border of the world.
    Border,
    /// An object.
    Object(ObjectId),
    /// Another robot.
    Body(RobotId),
}

/// A touch during the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The obstacle.
    pub with: Obstacle,
    /// Unit vector from the obstacle to the body.
    pub normal: Vec2,
}

/// How fast a body can move: forward, turning on the spot, and sideways if it has legs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Highest forward speed. [m/s]
    pub max_speed: f64,
    /// Highest speed backwards. [m/s]
    pub max_reverse: f64,
    /// Highest speed to either side. [m/s]
    pub max_side: f64,
    /// Highest turning speed. [rad/s]
    pub max_turn: f64,
    /// Greatest force with which it pushes; without it, any. [N]
    pub max_push: Option<f64>,
}

/// A robot's body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The name of its robot type.
    pub robot_type: Arc<str>,
    /// Where it is.
    pub pose: Pose,
    /// Where it was before its last move. [m]
    pub from: Vec2,
    /// Unit vector of its heading.
    pub facing: Vec2,
    /// Its shape.
    pub shape: Shape,
    /// Radius of the circle about its centre that holds it. [m]
    pub radius: f64,
    /// Its smallest width. [m]
    pub width: f64,
    /// Its limits.
    pub drive: Drive,
    /// The contact in the last tick.
    pub contact: Option<Contact>,
    /// Touches so far; one that lasts counts once.
    pub contacts: u64,
    /// How often an object that does not yield ran into it; one that keeps pushing counts once. Also among `contacts`.
    pub struck: u64,
    /// Distance driven so far. [m]
    pub travelled: f64,
    /// The item in its gripper.
    pub holding: Option<u32>,
    /// Where it holds out its item, and when it last did. [m]
    pub offer: Option<(Vec2, Time)>,
    /// The stocks that it has collected so far.
    pub load: Stocks,
    /// Named scalars such as energy.
    pub aspects: Vec<Aspect>,
    /// False while the robot is absent from the world.
    pub present: bool,
    /// True while the robot is stopped by a fault.
    pub halted: bool,
    /// True while a fault of its drive keeps it where it is.
    pub stranded: bool,
    /// True once it was reported that the energy is used up.
    pub told_exhausted: bool,
}

impl Body {
    /// A body at rest.
    pub fn new(pose: Pose, shape: Shape, drive: Drive, aspects: Vec<Aspect>) -> Body {
        Body {
            robot_type: "".into(),
            pose,
            from: pose.position,
            facing: Vec2::unit(pose.heading),
            radius: shape.radius(),
            width: shape.width(),
            shape,
            drive,
            contact: None,
            contacts: 0,
            struck: 0,
            travelled: 0.0,
            holding: None,
            offer: None,
            load: Stocks::default(),
            aspects,
            present: true,
            halted: false,
            stranded: false,
            told_exhausted: false,
        }
    }

    /// Its outline at a pose.
    pub fn outline_at(&self, pose: &Pose) -> Outline {
        self.shape.at(pose)
    }

    /// True if it has run out of energy. A body without that aspect never does.
    #[inline]
    pub fn exhausted(&self) -> bool {
        self.aspects.iter().any(|a| a.name == ENERGY && a.value <= a.min)
    }

    /// Share of its energy that is left; `None` if it needs none.
    pub fn energy(&self) -> Option<f64> {
        self.aspects.iter().find(|aspect| aspect.name == ENERGY).map(Aspect::fraction)
    }

    /// The value of an aspect, if it has one of this name.
    pub fn aspect(&self, name: &str) -> Option<f64> {
        self.aspects.iter().find(|aspect| aspect.name == name).map(|aspect| aspect.value)
    }

    /// The value of an aspect, mutable.
    pub(crate) fn aspect_mut(&mut self, name: &str) -> Option<&mut f64> {
        self.aspects.iter_mut().find(|aspect| aspect.name == name).map(|aspect| &mut aspect.value)
    }

    /// Removes a share of its energy's capacity.
    pub fn drain(&mut self, share: f64) {
        for energy in self.aspects.iter_mut().filter(|aspect| aspect.name == ENERGY) {
            energy.value = (energy.value - share * (energy.max - energy.min)).max(energy.min);
        }
    }

    /// Removes energy, in the unit of its capacity. [J]
    pub fn spend(&mut self, joules: f64) {
        for energy in self.aspects.iter_mut().filter(|aspect| aspect.name == ENERGY) {
            energy.value = (energy.value - joules).max(energy.min);
        }
    }

    /// True if its software does not run: it is absent, stopped, or out of energy.
    #[inline]
    pub fn down(&self) -> bool {
        !self.present || self.halted || self.exhausted()
    }

    #[inline]
    pub(crate) fn is_circle(&self) -> bool {
        matches!(self.shape, Shape::Circle { .. })
    }
}
