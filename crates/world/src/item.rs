//! Things that can be picked up, carried and dropped.

use crate::body::BodyId;
use crewlab_onboard::geometry::{Vec2, wrap};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Largest angle between a handle and the direction to the gripper that takes it. [rad]
pub const HANDLE_ANGLE: f64 = 75.0 * std::f64::consts::PI / 180.0;

/// A thing a gripper can hold. Items lie flat: robots drive over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What it is, e.g. `waste`.
    pub kind: Arc<str>,
    /// Where it is, also while it is carried. [m]
    pub position: Vec2,
    /// Its radius. [m]
    pub radius: f64,
    /// False once it was taken out of the world.
    pub present: bool,
    /// Who carries it.
    pub holder: Option<BodyId>,
    /// True once a person has taken it.
    pub given: bool,
    /// Direction in which its handle points, if it has one. [rad]
    pub handle: Option<f64>,
}

impl Item {
    /// An item on the floor.
    pub fn new(kind: &str, position: Vec2, radius: f64) -> Item {
        Item { kind: kind.into(), position, radius, present: true, holder: None, given: false, handle: None }
    }

    /// The same item with a handle that points in this direction. [rad]
    pub fn with_handle(mut self, direction: f64) -> Item {
        self.handle = Some(direction);
        self
    }

    /// True if its handle can be reached from a place: one has to stand on the handle's side.
    pub fn handle_within_reach(&self, from: Vec2) -> bool {
        let towards = (from - self.position).angle();
        self.handle.is_some_and(|handle| wrap(handle - towards).abs() <= HANDLE_ANGLE)
    }

    /// True if it lies on the floor or on furniture.
    pub fn lies(&self) -> bool {
        self.present && self.holder.is_none() && !self.given
    }
}
