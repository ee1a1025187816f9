//! What the team knows of the room: the box around all walks along its perimeter. Its middle divides the floor into quadrants.
//!
//! A walk can take too long in a large or crowded room, so one robot may know only a part of it. If every robot divided the floor by
//! its own walk, floor between the quadrants of two robots would be nobody's. So robots tell each other how far they got.

use super::quadrant::OVERLAP;
use crewlab_navigation::Extent;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// The room as far as the team knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Room {
    extent: Option<Extent>,
    middle: Option<Vec2>,
}

/// How far two places are apart in x or y, whichever is more. [m]
fn off(a: Vec2, b: Vec2) -> f64 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

fn finite(point: Vec2) -> bool {
    point.x.is_finite() && point.y.is_finite()
}

impl Room {
    /// The box around all walks that this robot knows of.
    pub fn extent(&self) -> Option<Extent> {
        self.extent
    }

    /// The place by which the floor is divided into quadrants. [m]
    pub fn middle(&self) -> Option<Vec2> {
        self.middle
    }

    /// Somebody has walked along these walls. True if the floor is divided differently from now on.
    pub fn widen(&mut self, walk: Extent) -> bool {
        if !finite(walk.low) || !finite(walk.high) {
            return false;
        }
        let extent = self.extent.map_or(walk, |extent| extent.with(walk.low).with(walk.high));
        self.extent = Some(extent);
        let middle = extent.middle();
        // Quadrants overlap, so a little does not matter.
        if self.middle.is_some_and(|before| off(before, middle) <= OVERLAP) {
            return false;
        }
        self.middle.replace(middle).is_some()
    }

    /// True if quadrants around another middle leave no gap to this robot's own. A robot that does not know any adopts it.
    pub fn agrees(&mut self, middle: Vec2) -> bool {
        finite(middle) && off(*self.middle.get_or_insert(middle), middle) <= 2.0 * OVERLAP
    }
}

#[cfg(test)]
mod tests {
    use super::super::quadrant::in_quadrant;
    use super::*;
    use crewlab_onboard::geometry::vec2;

    fn walk(low: (f64, f64), high: (f64, f64)) -> Extent {
        Extent { low: vec2(low.0, low.1), high: vec2(high.0, high.1) }
    }

    /// One robot knows the right part of a room, one the lower part, one all of it.
    #[test]
    fn robots_that_know_different_parts_divide_the_floor_alike() {
        let walks =
            [walk((6.0, 0.3), (15.7, 11.7)), walk((0.3, 0.3), (15.7, 5.0)), walk((0.4, 0.3), (15.6, 11.6))];
        for first in 0..3 {
            let mut room = Room::default();
            let changes =
                (0..3).map(|n| room.widen(walks[(first + n) % 3])).filter(|changed| *changed).count();
            assert!(changes <= 2);
            let middle = room.middle().expect("a middle");
            assert!(off(middle, vec2(8.0, 6.0)) <= OVERLAP, "{middle:?}");
            assert!(!room.widen(walks[0]), "nothing new");
        }
    }

    #[test]
    fn quadrants_of_robots_that_agree_leave_no_gap() {
        let mut room = Room::default();
        assert!(room.agrees(vec2(8.0, 6.0)), "a robot that knows nothing believes the first");
        let other = vec2(8.0 + 1.9 * OVERLAP, 6.0);
        assert!(room.agrees(other) && !room.agrees(vec2(8.0 + 2.1 * OVERLAP, 6.0)));
        for n in 0..100 {
            let point = vec2(7.0 + 0.03 * f64::from(n), 9.0);
            assert!(in_quadrant(point, 2, vec2(8.0, 6.0)) || in_quadrant(point, 1, other), "{point:?}");
        }
        assert!(!room.agrees(vec2(f64::NAN, 6.0)) && !room.widen(walk((f64::NAN, 0.0), (1.0, 1.0))));
    }
}
