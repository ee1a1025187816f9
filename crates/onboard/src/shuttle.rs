//! To and fro: a robot that has two goals and turns round at each.

use crate::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// One way: where it leads and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Leg {
    /// To a place; it ends within a distance of it. [m]
    Point {
        /// The place. [m]
        at: Vec2,
        /// How near is near enough. [m]
        within: f64,
    },
    /// In a direction; it ends at a line across it.
    Line {
        /// The direction, a unit vector.
        along: Vec2,
        /// How far the line lies from the origin in that direction. [m]
        until: f64,
    },
}

impl Leg {
    /// The direction from a place to the goal, a unit vector, and the distance. [m]
    pub fn way(&self, from: Vec2) -> (Vec2, f64) {
        match *self {
            Leg::Point { at, .. } => {
                let (way, distance) = (at - from, at.distance(from));
                let direction = if distance > 0.0 { way * (1.0 / distance) } else { Vec2::ZERO };
                (direction, distance)
            }
            Leg::Line { along, until } => (along, until - from.dot(along)),
        }
    }

    /// True if the goal is reached at a place.
    pub fn done(&self, at: Vec2) -> bool {
        let (_, distance) = self.way(at);
        match *self {
            Leg::Point { within, .. } => distance <= within,
            Leg::Line { .. } => distance <= 0.0,
        }
    }
}

/// Two legs that are driven in turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shuttle {
    legs: [Leg; 2],
    second: bool,
    /// Number of legs that were driven.
    pub turns: u32,
}

impl Shuttle {
    /// Begins with the first leg.
    pub fn new(legs: [Leg; 2]) -> Shuttle {
        Shuttle { legs, second: false, turns: 0 }
    }

    /// The current leg.
    pub fn leg(&self) -> Leg {
        self.legs[usize::from(self.second)]
    }

    /// Turns round if the goal is reached at a place; true if it does.
    pub fn arrive(&mut self, at: Vec2) -> bool {
        let done = self.leg().done(at);
        if done {
            self.second = !self.second;
            self.turns = self.turns.saturating_add(1);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::vec2;

    #[test]
    fn a_robot_turns_round_at_both_ends() {
        let east = Leg::Line { along: vec2(1.0, 0.0), until: 9.0 };
        let west = Leg::Line { along: vec2(-1.0, 0.0), until: -1.0 };
        let mut shuttle = Shuttle::new([east, west]);
        assert_eq!(shuttle.leg().way(vec2(4.0, 7.0)), (vec2(1.0, 0.0), 5.0));
        assert!(!shuttle.arrive(vec2(8.9, 0.0)) && shuttle.arrive(vec2(9.1, 3.0)));
        assert_eq!(shuttle.leg(), west);
        assert!(!shuttle.arrive(vec2(9.1, 3.0)) && shuttle.arrive(vec2(0.5, 0.0)));
        assert_eq!((shuttle.leg(), shuttle.turns), (east, 2));
    }

    #[test]
    fn a_place_is_reached_within_its_tolerance() {
        let leg = Leg::Point { at: vec2(1.0, 0.0), within: 0.25 };
        assert!(leg.done(vec2(0.8, 0.0)) && !leg.done(vec2(0.7, 0.0)));
        assert_eq!(leg.way(vec2(1.0, 0.0)), (Vec2::ZERO, 0.0));
        assert!(!leg.done(vec2(f64::NAN, 0.0)));
    }
}
