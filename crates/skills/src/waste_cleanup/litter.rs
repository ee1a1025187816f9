//! Waste that lies outside the deposit, as far as a robot knows: spilt, or lost by somebody.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Two sightings this near to each other are of one item. [m]
const SAME: f64 = 0.3;
/// Largest number of places that are remembered.
const MOST: usize = 64;
/// Waste that could not be picked up is left alone for this long. [s]
const SHUNNED: f64 = 90.0;

/// Places where waste lies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Litter {
    places: Vec<Vec2>,
    /// Places that are left alone, and since when.
    shunned: Vec<(Vec2, Time)>,
}

impl Litter {
    /// Adds the places where waste is seen, and drops those that are in view and empty.
    pub fn update(&mut self, seen: impl Iterator<Item = Vec2>, empty: impl Fn(Vec2) -> bool) {
        self.places.retain(|place| !empty(*place));
        for at in seen {
            if self.places.len() < MOST && !self.places.iter().any(|place| place.distance(at) < SAME) {
                self.places.push(at);
            }
        }
    }

    /// True if one of these sightings is of waste at `place`.
    pub fn among(mut sightings: impl Iterator<Item = Vec2>, place: Vec2) -> bool {
        sightings.any(|at| at.distance(place) < SAME)
    }

    /// The places worth going to now.
    pub fn places(&self, now: Time) -> impl Iterator<Item = Vec2> {
        self.places.iter().copied().filter(move |place| !self.shuns(*place, now))
    }

    /// Leaves what lies at a place alone for a while.
    pub fn shun(&mut self, place: Vec2, now: Time) {
        self.shunned.retain(|(_, since)| now.within(*since, SHUNNED));
        self.shunned.truncate(MOST - 1);
        self.shunned.push((place, now));
    }

    /// True while what lies at a place is left alone.
    pub fn shuns(&self, place: Vec2, now: Time) -> bool {
        self.shunned.iter().any(|(at, since)| at.distance(place) < SAME && now.within(*since, SHUNNED))
    }

    /// Forgets everything: the places were measured wrongly.
    pub fn clear(&mut self) {
        *self = Litter::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn waste_out_of_reach_is_left_alone_for_a_while() {
        let mut litter = Litter::default();
        let at = Time::from_seconds;
        litter.update([vec2(1.0, 1.0), vec2(1.1, 1.0), vec2(4.0, 1.0)].into_iter(), |_| false);
        assert_eq!(litter.places(at(0.0)).count(), 2, "two sightings of one item are one place");
        litter.shun(vec2(1.0, 1.1), at(10.0));
        assert_eq!(litter.places(at(99.0)).collect::<Vec<_>>(), [vec2(4.0, 1.0)]);
        assert_eq!(litter.places(at(101.0)).count(), 2, "then it is tried again");
        litter.update(std::iter::empty(), |place| place == vec2(4.0, 1.0));
        assert_eq!(litter.places(at(101.0)).collect::<Vec<_>>(), [vec2(1.0, 1.0)]);
    }
}
