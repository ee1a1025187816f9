//! A trial as the robot sees it: along the waypoints of a way until it arrives, touches something, or runs out of time.

use super::course::Way;
use crewlab_onboard::{Time, Vec2};
use serde::{Deserialize, Serialize};

/// How near to a waypoint the robot heads for the next one. [m]
const PASSED: f64 = 0.6;

/// A trial under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Trip {
    pub way: Way,
    /// When it began.
    pub since: Time,
    /// Distance driven so far, l_p. [m]
    pub length: f64,
    /// Where the robot was last. [m]
    last: Vec2,
    /// The waypoints that are left, the next one last. [m]
    left: Vec<Vec2>,
}

impl Trip {
    /// Sets out from a place along waypoints. [m]
    pub fn new(way: Way, since: Time, from: Vec2, waypoints: &[Vec2]) -> Trip {
        let left = waypoints.iter().rev().copied().collect();
        Trip { way, since, length: 0.0, last: from, left }
    }

    /// Notes where the robot is, and passes waypoints. [m]
    pub fn note(&mut self, at: Vec2) {
        self.length += self.last.distance(at);
        self.last = at;
        while self.left.len() > 1 && self.left.last().is_some_and(|next| next.distance(at) < PASSED) {
            self.left.pop();
        }
    }

    /// Where to head for. [m]
    pub fn next(&self) -> Option<Vec2> {
        self.left.last().copied()
    }

    /// The waypoints that are left, the next one first. [m]
    pub fn ahead(&self) -> impl Iterator<Item = Vec2> {
        self.left.iter().rev().copied()
    }
}
