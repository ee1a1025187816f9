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

/// Waste must be seen for this long before it counts ... [s]
const SURE: f64 = 0.5;
/// ... in at least this share of that time ...
const MOSTLY: f64 = 0.5;
/// ... and number of readings, so that a single wrong one does not count.
const READINGS: u32 = 3;
/// Waste that was not seen for this long was an error of the sensor. [s]
const ERROR: f64 = 1.0;

/// Something that may be waste.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Suspect {
    /// Mean of the sightings. [m]
    at: Vec2,
    sightings: u32,
    first: Time,
    last: Time,
}

/// Places where waste lies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Litter {
    places: Vec<Vec2>,
    /// Sightings that are not certain yet.
    suspects: Vec<Suspect>,
    /// Places that are left alone, and since when.
    shunned: Vec<(Vec2, Time)>,
}

impl Litter {
    /// Notes the places where waste is seen in a tick of `dt` seconds, and drops those that are in view and empty.
    pub fn update(
        &mut self,
        seen: impl Iterator<Item = Vec2>,
        empty: impl Fn(Vec2) -> bool,
        now: Time,
        dt: f64,
    ) {
        self.places.retain(|place| !empty(*place));
        for at in seen {
            if !self.knows(at) {
                self.suspect(at, now);
            }
        }
        let sure = |suspect: &Suspect| {
            let age = suspect.last.since(suspect.first);
            let mostly = f64::from(suspect.sightings) * dt >= MOSTLY * age;
            age >= SURE && mostly && suspect.sightings >= READINGS
        };
        let room = MOST.saturating_sub(self.places.len());
        self.places.extend(self.suspects.iter().filter(|suspect| sure(suspect)).map(|s| s.at).take(room));
        self.suspects.retain(|suspect| !sure(suspect) && now.within(suspect.last, ERROR));
    }

    fn suspect(&mut self, at: Vec2, now: Time) {
        let room = self.suspects.len() < MOST;
        match self.suspects.iter_mut().find(|suspect| suspect.at.distance(at) < SAME) {
            Some(suspect) => {
                // Several items in one place are one suspect in one tick.
                suspect.sightings += u32::from(suspect.last != now);
                suspect.last = now;
                suspect.at = suspect.at + (at - suspect.at) * (1.0 / f64::from(suspect.sightings));
            }
            None if room => {
                self.suspects.push(Suspect { at, sightings: 1, first: now, last: now });
            }
            None => {}
        }
    }

    /// True if waste is known to lie at a place.
    pub fn knows(&self, at: Vec2) -> bool {
        Litter::among(self.places.iter().copied(), at)
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
        for tick in 0..10 {
            let seen = [vec2(1.0, 1.0), vec2(1.1, 1.0), vec2(4.0, 1.0)];
            litter.update(seen.into_iter(), |_| false, at(0.1 * f64::from(tick)), 0.1);
        }
        assert_eq!(litter.places(at(0.0)).count(), 2, "two sightings of one item are one place");
        litter.shun(vec2(1.05, 1.1), at(10.0));
        assert_eq!(litter.places(at(99.0)).collect::<Vec<_>>(), [vec2(4.0, 1.0)]);
        assert_eq!(litter.places(at(101.0)).count(), 2, "then it is tried again");
        litter.update(std::iter::empty(), |place| place == vec2(4.0, 1.0), at(101.0), 0.1);
        assert_eq!(litter.places(at(101.0)).count(), 1, "the other one is gone");
    }

    #[test]
    fn single_wrong_sightings_do_not_count_whatever_the_tick() {
        for dt in [0.02, 0.1, 0.5] {
            let mut litter = Litter::default();
            for tick in 0..200 {
                let now = Time::from_seconds(dt * f64::from(tick));
                let wrong = (tick % 4 == 0).then_some(vec2(1.0, 1.0));
                litter.update(wrong.into_iter(), |_| false, now, dt);
                assert_eq!(litter.places(now).count(), 0, "{dt} s, tick {tick}");
            }
            let mut known = 0;
            for tick in 300..1000 {
                let now = Time::from_seconds(dt * f64::from(tick));
                litter.update([vec2(1.0, 1.0)].into_iter(), |_| false, now, dt);
                known = litter.places(now).count();
            }
            assert_eq!(known, 1, "{dt} s: waste that is always seen");
        }
    }
}
