//! Things that can be picked up, carried and dropped.

use crate::properties::Properties;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Vec2, wrap};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The aspect that is an item's direction by default.
pub const DIRECTION: &str = "handle";

/// Largest angle between the direction by which an item is gripped and that to the gripper. [rad]
pub const GRIP_ANGLE: f64 = 75.0 * std::f64::consts::PI / 180.0;

/// A thing a gripper can hold. Items lie flat: robots drive over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What it is, e.g. `waste`.
    pub kind: Arc<str>,
    /// Where it is, also while it is carried. [m]
    pub position: Vec2,
    /// Its radius. [m]
    pub radius: f64,
    /// False once it was removed from the world.
    pub present: bool,
    /// Its carrier.
    pub holder: Option<RobotId>,
    /// The area where it was taken from a robot's hand.
    pub keeper: Option<u32>,
    /// Its stocks, states and aspects.
    pub properties: Properties,
}

impl Item {
    /// An item on the floor.
    pub fn new(kind: &str, position: Vec2, radius: f64) -> Item {
        let (kind, properties) = (kind.into(), Properties::default());
        Item { kind, position, radius, present: true, holder: None, keeper: None, properties }
    }

    /// True if an aspect of it, a direction, points towards this place, so that it can be gripped by it from there.
    pub fn points_to(&self, aspect: &str, from: Vec2) -> bool {
        let towards = (from - self.position).angle();
        self.properties.value(aspect).is_some_and(|direction| wrap(direction - towards).abs() <= GRIP_ANGLE)
    }

    /// True if it lies on the floor or on furniture.
    pub fn lies(&self) -> bool {
        self.present && self.holder.is_none() && self.keeper.is_none()
    }
}
