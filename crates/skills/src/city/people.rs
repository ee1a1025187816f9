//! The persons that a robot sees, and how they move.

use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Sighting, Time};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Somebody who was not seen for longer is forgotten. [s]
const FORGOTTEN: f64 = 1.5;
/// Velocities are means over about this time, whatever the tick: from one reading to the next, noise is faster than people. [s]
const SETTLES: f64 = 0.45;

/// A person as the robot sees it, in the coordinates of its own estimate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// What tells the person from others.
    pub name: Arc<str>,
    /// Where it is. [m]
    pub at: Vec2,
    /// Its velocity. [m/s]
    pub velocity: Vec2,
    /// When it was last seen.
    pub seen: Time,
}

/// All persons in view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct People(Vec<Person>);

impl People {
    /// Takes in what the cameras see.
    pub fn see(&mut self, pose: &Pose, sightings: &[Sighting], now: Time) {
        for sighting in sightings {
            let at = pose.position + Vec2::unit(pose.heading + sighting.bearing) * sighting.distance;
            match self.0.iter_mut().find(|person| person.name == sighting.kind) {
                Some(person) => {
                    let past = now.since(person.seen);
                    if past > 1e-6 {
                        let velocity = (at - person.at) * (1.0 / past);
                        let fresh = 1.0 - libm::exp(-past / SETTLES);
                        person.velocity = person.velocity * (1.0 - fresh) + velocity * fresh;
                    }
                    (person.at, person.seen) = (at, now);
                }
                None => {
                    self.0.push(Person { name: sighting.kind.clone(), at, velocity: Vec2::ZERO, seen: now })
                }
            }
        }
        self.0.retain(|person| now.within(person.seen, FORGOTTEN));
    }

    /// The nearest person to a place.
    pub fn nearest(&self, to: Vec2) -> Option<&Person> {
        self.0.iter().min_by(|one, two| one.at.distance(to).total_cmp(&two.at.distance(to)))
    }

    /// The person of this name, if it is in view.
    pub fn get(&self, name: &str) -> Option<&Person> {
        self.0.iter().find(|person| &*person.name == name)
    }

    /// Everybody in view.
    pub fn iter(&self) -> impl Iterator<Item = &Person> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    fn sighting(x: f64) -> Sighting {
        Sighting {
            kind: "anna".into(),
            bearing: 0.0,
            distance: x,
            extent: 0.25,
            inside: false,
            heading: None,
        }
    }

    /// Whoever stands still seems to jump by up to 10 cm from reading to reading, at any tick.
    #[test]
    fn noise_is_no_velocity_whatever_the_tick() {
        for dt in [0.01, 0.02, 0.05, 0.1, 0.5] {
            let (mut people, mut fastest) = (People::default(), 0.0_f64);
            for tick in 0..(20.0 / dt) as u32 {
                let noise = 0.1 * f64::from(tick.wrapping_mul(2654435761) >> 16 & 0xff) / 255.0;
                let time = Time::from_seconds(dt * f64::from(tick));
                people.see(&Pose::default(), &[sighting(2.0 + noise)], time);
                fastest = fastest.max(people.nearest(Vec2::ZERO).expect("in view").velocity.length());
            }
            assert!(fastest < 0.3, "{fastest} at {dt} s");
        }
    }

    #[test]
    fn people_have_a_velocity_and_are_forgotten() {
        let mut people = People::default();
        for tick in 0..40 {
            let time = 0.1 * f64::from(tick);
            people.see(&Pose::default(), &[sighting(2.0 + 0.8 * time)], Time::from_seconds(time));
        }
        let anna = people.nearest(Vec2::ZERO).expect("in view");
        assert!((anna.velocity - vec2(0.8, 0.0)).length() < 0.01, "{:?}", anna.velocity);
        people.see(&Pose::default(), &[], Time::from_seconds(5.0));
        assert!(people.get("anna").is_some(), "for a moment");
        people.see(&Pose::default(), &[], Time::from_seconds(5.5));
        assert!(people.get("anna").is_none());
    }
}
