//! What the robots of a formation tell each other.

use super::colour::Colour;
use super::role::Role;
use serde::{Deserialize, Serialize};

/// How often something has ended, as robots tell each other: whoever hears a later count than its own missed the end, or its message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count(u16);

impl Count {
    /// Counts one more.
    pub fn count(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }

    /// True if it is the next one after another count.
    pub fn follows(self, other: Count) -> bool {
        self.0 == other.0.wrapping_add(1)
    }

    /// Takes over a later count. True if it is later. Counts wrap, so a damaged one cannot stop them for good.
    pub fn catch_up(&mut self, told: Count) -> bool {
        let later = (told.0.wrapping_sub(self.0) as i16) > 0;
        if later {
            *self = told;
        }
        later
    }
}

/// A robot's state. Repeated, because messages get lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its marker.
    pub colour: Colour,
    /// What it does.
    pub role: Option<Role>,
    /// True if it sees the colour that it follows or looks for.
    pub sees: bool,
    /// How many walks of the triangle it knows to have ended.
    pub walks: Count,
    /// True if it has its place in the line.
    pub lined_up: bool,
    /// How many crossings of the room it knows to have ended.
    pub crossings: Count,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_count_is_taken_over_and_an_earlier_one_is_not() {
        let mut mine = Count::default();
        let mut theirs = Count::default();
        assert!(!mine.catch_up(theirs));
        theirs.count();
        theirs.count();
        assert!(mine.catch_up(theirs) && mine == theirs);
        assert!(!theirs.catch_up(Count::default()), "an earlier count says nothing new");
        let mut damaged = Count(u16::MAX);
        assert!(!mine.catch_up(damaged), "the highest count is just before the first one");
        damaged.count();
        assert_eq!(damaged, Count::default(), "counts begin again");
    }
}
