//! Formation on board (BITE, chapter 5): three robots with coloured markers stand up, find each other by colour, walk in a triangle,
//! line up and cross the room. They know neither where they are nor where the others are: they follow colours.

mod colour;
mod eye;
mod knowledge;
mod role;
mod signals;
mod skills;
mod talk;
mod walk;

pub use colour::{Colour, Mark};
pub use eye::{Eye, Seen};
pub use knowledge::Knowledge;
pub use role::{Phase, Role, sets};
pub use signals::SIGNALS;
pub use skills::Walker;
pub use talk::Status;

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, Vec2};
use serde::{Deserialize, Serialize};

/// The robots' briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormationBriefing {
    /// Number of robots.
    pub team: usize,
    /// Speed of the first robot. [m/s]
    pub pace: f64,
    /// How far the triangle walks at a time. [m]
    pub stretch: f64,
    /// How far behind the leader the followers walk. [m]
    pub back: f64,
    /// How far to its side they walk. [m]
    pub aside: f64,
    /// Distance between the robots of a line. [m]
    pub spacing: f64,
}

impl FormationBriefing {
    /// Where a robot walks as seen from the one that it follows: x ahead of it, y to its left; `None` for those that follow a paper.
    /// [m]
    pub fn post(&self, role: Role) -> Option<Vec2> {
        let Vec2 { x, y } = match role {
            Role::FollowLeft => Vec2 { x: -self.back, y: self.aside },
            Role::FollowRight => Vec2 { x: -self.back, y: -self.aside },
            _ if role.place()? > 0 => Vec2 { x: -self.spacing, y: 0.0 },
            _ => return None,
        };
        Some(Vec2 { x, y })
    }
}

impl Briefing for FormationBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<Walker>;

    fn boot(&self, me: &Identity, _controller: AnyController) -> Box<Walker> {
        Box::new(Walker::new(self, me))
    }
}
