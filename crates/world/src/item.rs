//! Things that can be picked up, carried and dropped.

use crate::body::BodyId;
use crewlab_onboard::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
}

impl Item {
    /// An item on the floor.
    pub fn new(kind: &str, position: Vec2, radius: f64) -> Item {
        Item { kind: kind.into(), position, radius, present: true, holder: None }
    }

    /// True if it lies on the floor.
    pub fn lies(&self) -> bool {
        self.present && self.holder.is_none()
    }
}
