//! A plan of a world: the cells in which something stands that stays there.

use crate::object::Object;
use crate::shape::{Bounds, Outline};
use crate::world::World;
use crewlab_onboard::geometry::{Vec2, vec2};

/// Share of a cell's side that an outline may reach into it without standing there: walls that end at a cell do not touch the next.
const TOUCH: f64 = 1e-6;

/// The cells of a world. Nothing in it refers to the world.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundPlan {
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from bottom to top.
    pub rows: usize,
    /// Side of a cell. [m]
    pub resolution: f64,
    /// The lower left corner. [m]
    pub origin: Vec2,
    /// Row by row from the lowest: true if something stands there.
    pub occupied: Vec<bool>,
}

impl GroundPlan {
    /// Columns and rows of a plan of a world with cells of this side [m].
    pub fn size(bounds: &Bounds, resolution: f64) -> (usize, usize) {
        // A border that ends at a cell does not need another one.
        let count = |length: f64| ((length / resolution - TOUCH).ceil().max(1.0)) as usize;
        (count(bounds.size().x), count(bounds.size().y))
    }

    fn cell(&self, column: usize, row: usize) -> Outline {
        let corner = |at: f64, side: f64| at * self.resolution + side * self.resolution;
        let (left, right) = (corner(column as f64, TOUCH), corner(column as f64, 1.0 - TOUCH));
        let (low, high) = (corner(row as f64, TOUCH), corner(row as f64, 1.0 - TOUCH));
        let corners = [vec2(left, low), vec2(right, low), vec2(right, high), vec2(left, high)];
        Outline::Polygon(corners.map(|at| self.origin + at).to_vec())
    }

    fn add(&mut self, outline: &Outline) {
        let bounds = outline.bounds();
        let range = |low: f64, high: f64, origin: f64, count: usize| {
            let first = ((low - origin) / self.resolution).floor().max(0.0) as usize;
            let end = ((high - origin) / self.resolution).floor().max(-1.0) + 1.0;
            first.min(count)..(end as usize).min(count)
        };
        for row in range(bounds.min.y, bounds.max.y, self.origin.y, self.rows) {
            for column in range(bounds.min.x, bounds.max.x, self.origin.x, self.columns) {
                let place = row * self.columns + column;
                self.occupied[place] = self.occupied[place] || self.cell(column, row).overlaps(outline);
            }
        }
    }
}

impl World {
    /// A plan with cells of this side [m]: everything that nothing passes and that neither moves nor can be pushed.
    pub fn ground_plan(&self, resolution: f64) -> GroundPlan {
        let (columns, rows) = GroundPlan::size(&self.bounds, resolution);
        let mut plan = GroundPlan {
            columns,
            rows,
            resolution,
            origin: self.bounds.min,
            occupied: vec![false; columns * rows],
        };
        let stands = |object: &&Object| object.impassable() && !object.moves();
        self.objects().iter().filter(stands).for_each(|object| plan.add(&object.outline));
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Script;
    use crate::shape::Shape;
    use crewlab_onboard::geometry::Pose;

    #[test]
    fn a_plan_shows_what_stands_and_stays() {
        let mut world = World::new(Bounds { min: vec2(-1.0, 0.0), max: vec2(1.0, 1.5) });
        let mut add = |x: f64, y: f64, change: fn(&mut Object)| {
            let shape = Shape::rectangle(0.5, 0.5);
            let mut object = Object::obstacle("box", shape, Pose::new(x, y, 0.0));
            change(&mut object);
            world.add_object(object);
        };
        add(-0.75, 0.25, |_| {});
        add(0.75, 1.25, |_| {});
        add(0.25, 0.75, |puddle| puddle.penetrability = 0.5);
        add(-0.25, 0.75, |cart| cart.script = Some(Script::new(Vec::new(), 1.0, false)));
        let plan = world.ground_plan(0.5);
        assert_eq!((plan.columns, plan.rows), (4, 3));
        let drawn: Vec<usize> = (0..12).filter(|place| plan.occupied[*place]).collect();
        assert_eq!(drawn, [0, 11]);
    }
}
