//! What a robot that finds its way is doing.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The caller's side of the behaviours: why one was asked for. Directions and places are those of the robot's own estimate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    /// It stands and asks whoever comes near, since this time.
    Ask(Time),
    /// Nobody came: it explores to find people, since this time.
    Seek(Time),
    /// It goes along the pavement. [rad]
    Walk(f64),
    /// It goes to the middle of a corner, to ask there. [m]
    Enter(Vec2),
    /// It waits for somebody who crosses the street in a direction [rad], since this time.
    Wait(f64, Time),
    /// It follows somebody across the street.
    Follow(Crossing),
    /// It sees the goal and goes there. [m]
    Reach(Vec2),
}

/// A street that is being crossed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Who is followed; `None` if that person is out of sight or turned back: then straight on.
    pub person: Option<Arc<str>>,
    /// The direction across. [rad]
    pub direction: f64,
    /// Where it began. [m]
    pub from: Vec2,
    /// When it began.
    pub since: Time,
    /// Who is farther aside does not lead across. [m]
    pub width: f64,
}

impl Crossing {
    /// How far a place is across. [m]
    pub fn progress(&self, at: Vec2) -> f64 {
        (at - self.from).dot(Vec2::unit(self.direction))
    }
}

/// Why a behaviour was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// No path leads in the direction that people pointed in.
    Blocked,
    /// The goal is in sight and cannot be reached.
    GoalOutOfReach,
    /// Nobody crosses the street.
    NobodyCrosses,
    /// The other side of the street was not reached in time.
    NotAcross,
    /// The person is out of sight.
    PersonLost,
    /// There is nothing to explore.
    CannotSeek,
}

impl Trouble {
    /// In words.
    pub fn why(self) -> &'static str {
        match self {
            Trouble::Blocked => "the way that people pointed to is blocked",
            Trouble::GoalOutOfReach => "it does not get to the goal that it sees",
            Trouble::NobodyCrosses => "nobody crosses the street",
            Trouble::NotAcross => "it did not get across the street",
            Trouble::PersonLost => "it lost the person that it followed",
            Trouble::CannotSeek => "it cannot look for people",
        }
    }
}
