//! Robots that block each other's way: one that gets nowhere says so, and idle ones next to it make way.

use super::knowledge::Knowledge;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A robot that stays within this distance ... [m]
const STAYED: f64 = 1.2;
/// ... for this long although it drives does not get through. [s]
const PATIENCE: f64 = 10.0;
/// Whoever is this near to such a robot makes way. [m]
const NEAR: f64 = 2.0;
/// How far it goes. [m]
const ASIDE: f64 = 0.9;
/// How long it stays there. [s]
const STAND_ASIDE: f64 = 15.0;
/// Number of directions in which it may go.
const DIRECTIONS: u32 = 16;

/// Whether a robot gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Where the robot has been driving to and fro, and since when.
    anchor: Option<(Vec2, Time)>,
}

impl Passage {
    /// Notes where the robot is and what it has decided to do; a robot that stands wants to.
    pub fn note(&mut self, at: Option<Vec2>, command: &Command, now: Time) {
        let drives = command.speed != 0.0 || command.turn != 0.0;
        let stayed = self.anchor.zip(at).filter(|((place, _), at)| place.distance(*at) < STAYED);
        if !drives || stayed.is_none() {
            self.anchor = at.map(|at| (at, now));
        }
    }

    /// True if the robot has driven for a while without getting anywhere.
    pub fn blocked(&self, now: Time) -> bool {
        self.anchor.is_some_and(|(_, since)| now.since(since) > PATIENCE)
    }
}

/// A place to which an idle robot has made way, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aside {
    place: Vec2,
    since: Time,
}

impl Aside {
    /// Where to go if a team-mate does not get through here.
    pub fn of(known: &Knowledge, situation: &Situation) -> Option<Aside> {
        let pose = known.navigator.pose(situation)?;
        let blocked = known.blocked_mate(pose.position, NEAR, situation.now)?;
        let (radius, facing) = (situation.me.datasheet.radius, Vec2::unit(pose.heading));
        let scan = known.navigator.scan(situation);
        let seen: Vec<Vec2> =
            scan.points(radius).map(|point| pose.position + point.rotated(facing)).collect();
        let places = (0..DIRECTIONS).map(|n| {
            let direction = Vec2::unit(TAU * f64::from(n) / f64::from(DIRECTIONS));
            (pose.position + direction * (ASIDE / 2.0), pose.position + direction * ASIDE)
        });
        let free = |place: Vec2| seen.iter().all(|at| at.distance(place) > 1.1 * radius);
        let places = places
            .filter(|(half, place)| known.briefing.room.has_room(*place) && free(*half) && free(*place));
        let away = |(_, place): &(Vec2, Vec2)| place.distance(blocked);
        let (_, place) = places.max_by(|a, b| away(a).total_cmp(&away(b)))?;
        Some(Aside { place, since: situation.now })
    }

    /// The way there; `None` once it is time to go home.
    pub fn act(&self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Option<Command> {
        let at = known.navigator.pose(situation)?.position;
        situation.now.within(self.since, STAND_ASIDE).then(|| match at.distance(self.place) < 0.1 {
            true => Command::stop(),
            false => known.navigator.go_to(self.place, situation, out),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn who_drives_to_and_fro_does_not_get_through_and_who_stands_does_not_want_to() {
        let now = |second: u32| Time::from_seconds(f64::from(second));
        let driving = Command { speed: 0.3, ..Command::stop() };
        let mut passage = Passage::default();
        for second in 0..=10 {
            passage.note(Some(vec2(0.2 * f64::from(second % 2), 0.0)), &driving, now(second));
            assert!(!passage.blocked(now(second)));
        }
        assert!(passage.blocked(now(11)));
        passage.note(Some(vec2(0.0, 0.0)), &Command::stop(), now(11));
        assert!(!passage.blocked(now(11)), "it stands");
        for second in 12..60 {
            passage.note(Some(vec2(0.3 * f64::from(second), 0.0)), &driving, now(second));
            assert!(!passage.blocked(now(second)), "it gets on");
        }
    }
}
