//! What a robot has found out about its surroundings.

use crate::geometry::Vec2;

/// What a robot believes to be at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Belief {
    /// It does not know.
    #[default]
    Unknown,
    /// Nothing stands there.
    Free,
    /// Something stands there.
    Occupied,
}

/// A robot's map, for a referee who compares it with the world and for people who watch. Places are in the coordinates of the robot's own
/// position. [m]
pub trait Findings {
    /// What the robot believes to be at a place.
    fn at(&self, place: Vec2) -> Belief;

    /// True if the robot has seen the place itself; false if it was told, or knows nothing.
    fn seen(&self, place: Vec2) -> bool;

    /// How much the robot has sent about its map so far. [bytes]
    fn told(&self) -> u64;
}
