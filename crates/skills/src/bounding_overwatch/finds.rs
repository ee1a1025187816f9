//! Waypoints that a scout has looked at, and where the team stops instead if the planned place is blocked.

use super::route::{Group, Route};
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// A place farther than this from the planned one is not a waypoint of the route. [m]
const FARTHEST: f64 = 5.0;
/// The last and the next stop of each team.
const MOST: usize = 4;

/// A stop of a team as a scout found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Find {
    /// The team.
    pub group: Group,
    /// The number of its own bounds that lead there.
    pub own: u32,
    /// Where the team can stop. [m]
    pub at: Vec2,
}

/// The stops that were looked at, the latest ones of each team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finds(Vec<Find>);

impl Finds {
    /// The stops that a message contains, if it contains any.
    pub fn decode(bytes: &[u8]) -> Finds {
        postcard::from_bytes(bytes).unwrap_or_default()
    }

    /// Their bytes on the air; none if nothing was found.
    pub fn encode(&self) -> Vec<u8> {
        if self.0.is_empty() { Vec::new() } else { postcard::to_stdvec(self).unwrap_or_default() }
    }

    /// Where a team stops after this many of its own bounds, if a scout has looked. [m]
    pub fn stop(&self, group: Group, own: u32) -> Option<Vec2> {
        self.0.iter().find(|find| (find.group, find.own) == (group, own)).map(|find| find.at)
    }

    /// Learns of a stop. Of two places for one stop the one nearer to the plan counts, so that everybody ends with the same.
    pub fn learn(&mut self, find: Find, route: &Route) {
        let off = |find: &Find| find.at.distance(route.stop(find.group, find.own));
        if off(&find).is_nan() || off(&find) > FARTHEST {
            return;
        }
        match self.0.iter_mut().find(|known| (known.group, known.own) == (find.group, find.own)) {
            Some(known) if off(&find) < off(known) => *known = find,
            Some(_) => {}
            None => self.0.push(find),
        }
        self.0.sort_by_key(|find| (find.group.number(), find.own));
        let newer =
            |known: &Find| self.0.iter().filter(|f| f.group == known.group && f.own > known.own).count();
        let kept: Vec<Find> = self.0.iter().copied().filter(|known| newer(known) < MOST / 2).collect();
        self.0 = kept;
    }

    /// Learns what a team-mate has learned.
    pub fn merge(&mut self, others: Finds, route: &Route) {
        for find in others.0.into_iter().take(MOST) {
            self.learn(find, route);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::route::Room;
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn everybody_ends_with_the_same_stop_and_old_ones_are_forgotten() {
        let room = Room { low: vec2(0.0, 0.0), high: vec2(30.0, 10.0) };
        let route = Route::new(room, 4, 8);
        let find = |own: u32, off: f64| {
            let group = Group::First;
            Find { group, own, at: route.stop(group, own) + vec2(off, 0.0) }
        };
        let (mut one, mut two) = (Finds::default(), Finds::default());
        assert!(one.encode().is_empty());
        one.learn(find(1, 1.0), &route);
        two.learn(find(1, 0.5), &route);
        two.learn(find(1, 0.8), &route);
        two.merge(Finds::decode(&one.encode()), &route);
        one.merge(Finds::decode(&two.encode()), &route);
        assert_eq!(one, two);
        assert_eq!(one.stop(Group::First, 1), Some(find(1, 0.5).at));
        assert_eq!(one.stop(Group::Second, 1), None);
        for own in 2..=4 {
            one.learn(find(own, 0.0), &route);
        }
        assert_eq!((one.stop(Group::First, 2), one.0.len()), (None, 2));
        // Nonsense is ignored.
        one.learn(find(1, 99.0), &route);
        one.learn(find(1, f64::NAN), &route);
        assert_eq!((one.0.len(), Finds::decode(&[255; 9])), (2, Finds::default()));
    }
}
