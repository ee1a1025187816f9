//! What the robots of a formation tell each other.

use super::colour::Colour;
use super::role::Role;
use serde::{Deserialize, Serialize};

/// A robot's state. Repeated, because messages get lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its marker.
    pub colour: Colour,
    /// What it does.
    pub role: Option<Role>,
    /// True if it sees the colour that it follows or looks for.
    pub sees: bool,
    /// True once it has walked its stretch of the triangle.
    pub walked: bool,
    /// True if it has its place in the line.
    pub lined_up: bool,
    /// True once it has crossed the room.
    pub crossed: bool,
    /// The paper on the wall at which it was last.
    pub here: Colour,
}

impl Status {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        // Plain data can always be serialised.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The status in these bytes; `None` if they are not exactly one.
    pub fn decode(bytes: &[u8]) -> Option<Status> {
        match postcard::take_from_bytes(bytes) {
            Ok((status, [])) => Some(status),
            _ => None,
        }
    }
}
