//! Messages between janitors.

use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// A message between robots.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Talk {
    /// "I look for furniture to dust."
    Searching,
    /// "I dust furniture at this place." [m]
    Dusting(Vec2),
    /// "The furniture at this place is dusted." [m]
    Dusted(Vec2),
    /// "There is dust at this place." [m]
    Dust(Vec2),
    /// "I find the room's dimensions."
    FindingDimensions,
    /// "I clean this quadrant."
    Cleaning(u8),
    /// "This quadrant is clean", with the place by which the floor was divided. [m]
    Cleaned(u8, Vec2),
    /// "The room reaches at least from here to there." [m]
    Room(Vec2, Vec2),
}

/// A message with its round of work: see [`super::Knowledge::doubt`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The round.
    pub round: u16,
    /// The message.
    pub talk: Talk,
}

impl Word {
    /// Decodes a message; `None` if it is invalid.
    pub fn decode(bytes: &[u8]) -> Option<Word> {
        match postcard::take_from_bytes(bytes) {
            Ok((word, [])) => Some(word),
            _ => None,
        }
    }

    /// The bytes on the air.
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into a growing vector cannot fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn words_survive_the_air_and_damage_is_refused() {
        for talk in [
            Talk::Searching,
            Talk::Dusting(vec2(1.5, -2.0)),
            Talk::Dusted(vec2(0.1, 7.0)),
            Talk::Dust(vec2(2.5, 3.0)),
            Talk::FindingDimensions,
            Talk::Cleaning(3),
            Talk::Cleaned(4, vec2(5.0, 4.1)),
            Talk::Room(vec2(0.3, 0.4), vec2(9.5, 7.5)),
        ] {
            let word = Word { round: 300, talk };
            let bytes = word.encode();
            assert_eq!(Word::decode(&bytes), Some(word));
            for cut in 0..bytes.len() {
                assert_eq!(Word::decode(&bytes[..cut]), None);
            }
        }
    }
}
