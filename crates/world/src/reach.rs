//! Which places a body can get to, past everything that stands.

use crate::world::World;
use crewlab_onboard::geometry::{Vec2, vec2};
use std::collections::BTreeSet;

/// Side of the cells on which ways are searched. [m]
const CELL: f64 = 0.1;
/// More cells than this are not searched: a body that gets that far is not shut in.
const MOST: usize = 100_000;

impl World {
    /// True if a round body can get from a point to one where `goal` holds. Other bodies do not count: they move. Looks along the
    /// x axis first, so that a goal in that direction is found fast. [m]
    pub fn reaches(&self, from: Vec2, radius: f64, goal: impl Fn(Vec2) -> bool) -> bool {
        let point = |(column, row): (i32, i32)| from + vec2(f64::from(column), f64::from(row)) * CELL;
        let stands = |at: Vec2| {
            self.bounds.margin(at) >= radius
                && self.objects().iter().all(|o| !o.impassable() || o.outline.distance(at) >= radius)
        };
        let (mut seen, mut edge) = (BTreeSet::from([(0, 0)]), vec![(0, 0)]);
        while let Some(cell) = edge.pop() {
            if goal(point(cell)) || seen.len() > MOST {
                return true;
            }
            // The last one is looked at first.
            for (column, row) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
                let next = (cell.0 + column, cell.1 + row);
                if !seen.contains(&next) && stands(point(next)) {
                    seen.insert(next);
                    edge.push(next);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Object;
    use crate::shape::{Bounds, Shape};
    use crewlab_onboard::geometry::Pose;

    /// A body of 0.2 m at (2, 2) in a room of 10 m x 4 m, with walls around it that leave a gap of this width at the left. [m]
    fn reaches(gap: f64) -> bool {
        let mut world = World::new(Bounds { min: vec2(0.0, 0.0), max: vec2(10.0, 4.0) });
        let mut wall = |x: f64, y: f64, width: f64, height: f64| {
            world.add_object(Object::obstacle("wall", Shape::rectangle(width, height), Pose::new(x, y, 0.0)));
        };
        wall(2.5, 2.0, 0.1, 1.0);
        wall(2.0, 2.5, 1.1, 0.1);
        wall(2.0, 1.5, 1.1, 0.1);
        wall(1.5, 2.0 + gap, 0.1, 1.0);
        world.reaches(vec2(2.0, 2.0), 0.2, |point| point.x > 9.0)
    }

    #[test]
    fn a_body_gets_out_where_there_is_a_gap() {
        assert!(!reaches(0.0));
        assert!(!reaches(0.3), "too narrow");
        assert!(reaches(0.7));
    }
}
