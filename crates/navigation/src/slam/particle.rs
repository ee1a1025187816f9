//! A particle: one possible path of the robot, and the map that follows from it.

use super::map::SlamMap;
use crewlab_onboard::geometry::Pose;

/// One hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Particle {
    /// Where the robot is.
    pub pose: Pose,
    /// The map.
    pub map: SlamMap,
    /// Logarithm of its weight.
    pub weight: f64,
    /// Logarithm of the likelihood of all its scans: its own and its ancestors'.
    pub score: f64,
}
