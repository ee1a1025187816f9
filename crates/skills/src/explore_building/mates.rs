//! The team-mates that a robot has heard lately: where they are, and whether they know the same.

use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Motion, RobotId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A robot that was silent for this long is out of reach. [s]
pub(super) const SILENCE: f64 = 3.0;
/// Largest number of robots that are remembered.
const MOST: usize = 256;
/// Radius of a robot that has not told its own. [m]
const RADIUS: f64 = 0.3;
/// A point this far outside of a robot's rim may still be the robot: it moves while messages travel. [m]
const BLUR: f64 = 0.25;

/// A team-mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mate {
    /// When it was last heard.
    heard: Time,
    /// Where it was then, if it has said so. [m]
    at: Option<Vec2>,
    /// When it said where it is.
    placed: Time,
    /// How it moved then. [m/s]
    velocity: Vec2,
    /// Radius of its body. [m]
    radius: f64,
    /// True for a base.
    base: bool,
    /// The hash of its map.
    pub(super) whole: u32,
}

impl Mate {
    /// Where it should be now. [m]
    fn place(&self, now: Time) -> Option<Vec2> {
        self.at.map(|at| at + self.velocity * now.since(self.placed).clamp(0.0, SILENCE))
    }
}

/// All team-mates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mates {
    known: BTreeMap<RobotId, Mate>,
}

impl Mates {
    fn entry(&mut self, from: RobotId, now: Time) -> Option<&mut Mate> {
        if self.known.len() >= MOST && !self.known.contains_key(&from) {
            return None;
        }
        let mate = self.known.entry(from).or_insert(Mate { radius: RADIUS, ..Mate::default() });
        mate.heard = now;
        Some(mate)
    }

    /// Notes a greeting.
    pub(super) fn greet(&mut self, from: RobotId, at: Option<Vec2>, base: bool, whole: u32, now: Time) {
        if let Some(mate) = self.entry(from, now) {
            (mate.base, mate.whole) = (base, whole);
            // What its controller tells is more precise.
            if mate.velocity == Vec2::ZERO || !now.within(mate.placed, SILENCE) {
                (mate.at, mate.placed) = (at.or(mate.at), now);
            }
        }
    }

    /// Notes how a robot moves.
    pub(super) fn moves(&mut self, from: RobotId, motion: &Motion, now: Time) {
        let pair = |pair: [f32; 2]| vec2(pair[0].into(), pair[1].into());
        let (at, velocity, radius) = (pair(motion.at), pair(motion.velocity), f64::from(motion.radius));
        let sound = [at.x, at.y, velocity.x, velocity.y, radius].iter().all(|number| number.abs() < 1e5);
        if sound && let Some(mate) = self.entry(from, now) {
            (mate.at, mate.velocity, mate.radius, mate.placed) = (Some(at), velocity, radius.max(0.0), now);
        }
    }

    /// Those that are in reach.
    pub(super) fn near(&self, now: Time) -> impl Iterator<Item = &Mate> {
        self.known.values().filter(move |mate| now.within(mate.heard, SILENCE))
    }

    /// Where the base is, as it has said; `None` if it was never heard. [m]
    pub(super) fn base(&self) -> Option<Vec2> {
        self.known.values().find(|mate| mate.base).and_then(|mate| mate.at)
    }

    /// True if the base was heard lately.
    pub(super) fn base_near(&self, now: Time) -> bool {
        self.near(now).any(|mate| mate.base)
    }

    /// True if what stands at a point may be a team-mate.
    pub(super) fn explain(&self, point: Vec2, now: Time) -> bool {
        self.near(now)
            .any(|mate| mate.place(now).is_some_and(|place| place.distance(point) <= mate.radius + BLUR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moving_robot_explains_what_is_seen_where_it_should_be() {
        let (mut mates, now) = (Mates::default(), Time::from_seconds(10.0));
        let motion = Motion { at: [1.0, 0.0], velocity: [1.0, 0.0], radius: 0.2, priority: 0 };
        mates.moves(RobotId(3), &motion, now);
        mates.moves(RobotId(4), &Motion { at: [f32::NAN, 0.0], ..motion }, now);
        let later = Time::from_seconds(11.0);
        assert!(mates.explain(vec2(2.2, 0.0), later) && !mates.explain(vec2(1.0, 0.0), later));
        assert_eq!(mates.near(later).count(), 1);
        assert_eq!(mates.near(Time::from_seconds(14.0)).count(), 0);
    }

    #[test]
    fn the_base_is_remembered_when_it_is_out_of_reach() {
        let mut mates = Mates::default();
        mates.greet(RobotId(0), Some(vec2(5.0, 1.0)), true, 9, Time::ZERO);
        let later = Time::from_seconds(60.0);
        assert_eq!((mates.base(), mates.base_near(later)), (Some(vec2(5.0, 1.0)), false));
    }
}
