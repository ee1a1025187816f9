//! How often a robot visited each square metre.

use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Side of a square. [m]
const SIDE: f64 = 1.0;
/// More squares than this are not remembered.
const MOST: usize = 2000;

/// How often a robot was in a square.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Haunt {
    square: (i32, i32),
    visits: u32,
}

/// A robot's visits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Visits {
    haunts: Vec<Haunt>,
    /// Where it is now.
    here: Option<(i32, i32)>,
}

fn square(point: Vec2) -> (i32, i32) {
    ((point.x / SIDE).floor() as i32, (point.y / SIDE).floor() as i32)
}

impl Visits {
    /// Records the robot's position: staying in a square is one visit.
    pub fn note(&mut self, at: Vec2) {
        let square = square(at);
        if self.here == Some(square) {
            return;
        }
        self.here = Some(square);
        match self.haunts.binary_search_by_key(&square, |haunt| haunt.square) {
            Ok(place) => self.haunts[place].visits += 1,
            Err(place) if self.haunts.len() < MOST => self.haunts.insert(place, Haunt { square, visits: 1 }),
            Err(_) => {}
        }
    }

    /// Counts a place as visited once more although the robot was not there, for example because it could not reach it.
    pub fn count_in(&mut self, at: Vec2) {
        self.here = None;
        self.note(at);
    }

    /// How often it was in the square of a point.
    pub fn at(&self, point: Vec2) -> u32 {
        let found = self.haunts.binary_search_by_key(&square(point), |haunt| haunt.square);
        found.map_or(0, |place| self.haunts[place].visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn staying_is_one_visit_and_coming_back_another() {
        let mut visits = Visits::default();
        for x in [0.1, 0.9, 1.1, 0.5] {
            visits.note(vec2(x, 0.5));
        }
        assert_eq!(
            (visits.at(vec2(0.3, 0.3)), visits.at(vec2(1.3, 0.3)), visits.at(vec2(9.0, 9.0))),
            (2, 1, 0)
        );
        visits.count_in(vec2(0.5, 0.5));
        assert_eq!(visits.at(vec2(0.3, 0.3)), 3);
    }
}
