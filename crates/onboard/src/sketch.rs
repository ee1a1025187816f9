//! What a robot would draw on a map, for people who watch: shapes on layers that its mission declares.

use crate::geometry::Vec2;

/// What the marks of a layer are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The robot itself: every robot has its own marks.
    Robot,
    /// The world as the robot believes it to be: robots that know the same have the same marks.
    World,
}

/// A layer of marks. A mission declares its layers, and its robots fill them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSpec {
    /// Its name, such as `sensor-circles`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// What its marks are about.
    pub about: About,
    /// True if it is shown until somebody hides it.
    pub shown: bool,
}

/// A shape on the map, in the coordinates of the robot's own position. Strengths are from 0 to 1. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A line around a place.
    Circle {
        /// Its middle.
        at: Vec2,
        /// Its radius.
        radius: f64,
    },
    /// A filled circle.
    Disc {
        /// Its middle.
        at: Vec2,
        /// Its radius.
        radius: f64,
        /// How strong it is.
        strength: f64,
    },
    /// Everything near a line.
    Band {
        /// One end of the line.
        from: Vec2,
        /// Its other end.
        to: Vec2,
        /// What is nearer than this is part of it.
        radius: f64,
        /// How strong it is.
        strength: f64,
    },
    /// A cone from a place to a disc.
    Cone {
        /// Its tip.
        from: Vec2,
        /// The middle of the disc.
        to: Vec2,
        /// The radius of the disc.
        radius: f64,
        /// How strong it is.
        strength: f64,
    },
}

impl Mark {
    /// The name of its shape, and its numbers: strength, places, radius.
    pub fn numbers(&self) -> (&'static str, Vec<f64>) {
        match *self {
            Mark::Circle { at, radius } => ("circle", vec![1.0, at.x, at.y, radius]),
            Mark::Disc { at, radius, strength } => ("disc", vec![strength, at.x, at.y, radius]),
            Mark::Band { from, to, radius, strength } => {
                ("band", vec![strength, from.x, from.y, to.x, to.y, radius])
            }
            Mark::Cone { from, to, radius, strength } => {
                ("cone", vec![strength, from.x, from.y, to.x, to.y, radius])
            }
        }
    }
}
