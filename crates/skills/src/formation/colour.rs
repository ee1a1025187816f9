//! Colours of markers and papers.

use serde::{Deserialize, Serialize};

/// A colour that the camera tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colour {
    /// The marker of the robot that the others follow.
    Pink,
    /// A marker, and the paper on the wall that the triangle walks to.
    Blue,
    /// A marker.
    White,
    /// The paper on the opposite wall.
    Yellow,
}

impl Colour {
    /// The colours of the team's markers, in the order of the line.
    pub const TEAM: [Colour; 3] = [Colour::Pink, Colour::Blue, Colour::White];
    /// All colours.
    pub const ALL: [Colour; 4] = [Colour::Pink, Colour::Blue, Colour::White, Colour::Yellow];

    /// Its name, as in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Pink => "pink",
            Colour::Blue => "blue",
            Colour::White => "white",
            Colour::Yellow => "yellow",
        }
    }

    /// The colour of this name.
    pub fn of(name: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.name() == name)
    }
}

/// Something to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// The marker on a robot.
    Robot(Colour),
    /// The paper on a wall.
    Paper(Colour),
}

impl Mark {
    /// Its colour.
    pub fn colour(self) -> Colour {
        match self {
            Mark::Robot(colour) | Mark::Paper(colour) => colour,
        }
    }
}
