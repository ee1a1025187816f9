//! Where a robot can get to, past everything that stays where it is.

use crate::body::Body;
use crate::shape::Outline;
use crate::world::World;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{RobotId, Vec2};

/// Side of a cell, in radii of the robot.
const CELL: f64 = 0.5;
/// Largest number of cells; beyond it the cells get larger.
const MOST: f64 = 250_000.0;
/// A robot is enclosed if its centre can get to less than a square with this many radii as its side.
const ENCLOSED: f64 = 6.0;
/// How far from its own edge a robot may work on something. [m]
const ARM: f64 = 0.6;

/// The places that a robot's centre can get to, on a grid. Other robots count as obstacles only if they are down.
pub struct Reach<'a> {
    world: &'a World,
    body: &'a Body,
    /// Robots that are down: where, and half of their width. [m]
    fallen: Vec<(Vec2, f64)>,
    cell: f64,
    columns: i32,
    rows: i32,
    reached: Vec<bool>,
}

impl<'a> Reach<'a> {
    /// Only the cell in which a robot stands, in a grid for ways through at most this area. [m²]
    fn start(world: &'a World, robot: RobotId, limit: f64) -> Reach<'a> {
        let (body, size) = (&world.bodies[robot], world.bounds.size());
        let cell = (CELL * body.radius).max((size.x * size.y / MOST).sqrt()).max(1e-3);
        // No way within the limit is longer than all its cells in a row.
        let farthest = |length: f64| (length / cell).ceil().min(limit / (cell * cell) + 1.0) as i32;
        let (columns, rows) = (2 * farthest(size.x) + 1, 2 * farthest(size.y) + 1);
        let others = RobotId::enumerate(&world.bodies).filter(|(other, _)| *other != robot);
        let fallen = others.filter(|(_, other)| other.present && other.down());
        let fallen = fallen.map(|(_, other)| (other.pose.position, 0.5 * other.width)).collect();
        let reached = vec![false; (columns * rows) as usize];
        let mut reach = Reach { world, body, fallen, cell, columns, rows, reached };
        reach.enter(columns / 2, rows / 2);
        reach
    }

    /// Spreads from the robot's cell until `enough` holds for a place and the area seen so far. True if it did. [m], [m²]
    fn spread(&mut self, enough: impl Fn(Vec2, f64) -> bool) -> bool {
        let (mut edge, mut area) = (vec![(self.columns / 2, self.rows / 2)], 0.0);
        while let Some((column, row)) = edge.pop() {
            area += self.cell * self.cell;
            if enough(self.center(column, row), area) {
                return true;
            }
            // The last one is looked at first: many goals are at the right.
            for (x, y) in [(column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row)] {
                if self.is_new(x, y) && self.stands(self.center(x, y)) {
                    self.enter(x, y);
                    edge.push((x, y));
                }
            }
        }
        false
    }

    /// All places that a robot can get to.
    pub fn of(world: &'a World, robot: RobotId) -> Reach<'a> {
        let mut reach = Reach::start(world, robot, f64::INFINITY);
        reach.spread(|_, _| false);
        reach
    }

    fn enter(&mut self, column: i32, row: i32) {
        self.reached[(row * self.columns + column) as usize] = true;
    }

    fn is_new(&self, column: i32, row: i32) -> bool {
        (0..self.columns).contains(&column)
            && (0..self.rows).contains(&row)
            && !self.reached[(row * self.columns + column) as usize]
    }

    /// The middle of a cell; the robot stands in the middle of the grid. [m]
    fn center(&self, column: i32, row: i32) -> Vec2 {
        let steps = vec2(f64::from(column - self.columns / 2), f64::from(row - self.rows / 2));
        self.body.pose.position + steps * self.cell
    }

    /// True if the robot could stand at a place. It is taken for a circle of its smallest width: it may turn.
    fn stands(&self, at: Vec2) -> bool {
        // A little less than its size: the grid does not meet the middle of every gap.
        let radius = (0.5 * self.body.width - 0.25 * self.cell).max(0.0);
        self.world.bounds.margin(at) >= radius
            && self.fallen.iter().all(|(place, other)| place.distance(at) >= radius + other)
            && !self.world.any_near(at, radius, |object| {
                !object.moves()
                    && object.blocks(&self.body.robot_type)
                    && object.outline.overlaps_circle(at, radius)
            })
    }

    fn any(&self, near: impl Fn(Vec2) -> bool) -> bool {
        let cells = self.reached.iter().enumerate().filter(|(_, reached)| **reached);
        let mut centers =
            cells.map(|(place, _)| self.center(place as i32 % self.columns, place as i32 / self.columns));
        centers.any(near)
    }

    /// True if the robot can work on something at a place. [m]
    pub fn has(&self, place: Vec2) -> bool {
        let arm = self.body.radius + ARM;
        self.any(|center| center.distance(place) <= arm)
    }

    /// True if the robot can get to an area.
    pub fn has_area(&self, area: &Outline) -> bool {
        self.any(|center| area.distance(center) <= self.body.radius)
    }
}

impl World {
    /// True if a robot is walled in: it can get nowhere but a few steps away.
    pub fn is_enclosed(&self, robot: RobotId) -> bool {
        let side = ENCLOSED * self.bodies[robot].radius;
        !Reach::start(self, robot, side * side).spread(|_, area| area > side * side)
    }

    /// True if a robot can get to a place where `goal` holds.
    pub fn reaches(&self, robot: RobotId, goal: impl Fn(Vec2) -> bool) -> bool {
        Reach::start(self, robot, f64::INFINITY).spread(|place, _| goal(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Drive;
    use crate::object::Object;
    use crate::shape::{Bounds, Shape};
    use crewlab_onboard::geometry::Pose;

    fn room() -> World {
        let mut world = World::new(Bounds { min: vec2(0.0, 0.0), max: vec2(10.0, 6.0) });
        let drive = Drive { max_speed: 0.5, max_reverse: 0.5, max_turn: 3.0, max_side: 0.0, max_push: None };
        let shape = Shape::Circle { radius: 0.2 };
        world.bodies.push(Body::new(Pose::new(2.0, 3.0, 0.0), shape, drive, Vec::new()));
        world
    }

    fn wall(world: &mut World, x: f64, y: f64, width: f64, height: f64) {
        let pose = Pose::new(x, y, 0.0);
        world.add_object(Object::obstacle("wall", Shape::rectangle(width, height), pose));
    }

    #[test]
    fn a_wall_across_the_room_divides_it_and_a_door_joins_it() {
        let mut world = room();
        assert!(Reach::of(&world, RobotId(0)).has(vec2(8.0, 3.0)));
        wall(&mut world, 5.0, 2.5, 0.2, 5.0);
        assert!(Reach::of(&world, RobotId(0)).has(vec2(8.0, 3.0)), "there is a gap of a metre at the top");
        wall(&mut world, 5.0, 5.4, 0.2, 0.9);
        let reach = Reach::of(&world, RobotId(0));
        assert!(!reach.has(vec2(8.0, 3.0)) && reach.has(vec2(1.0, 1.0)));
        assert!(!reach.has_area(&Outline::Circle { center: vec2(8.0, 3.0), radius: 1.0 }));
        assert!(reach.has_area(&Outline::Circle { center: vec2(5.5, 3.0), radius: 1.0 }));
        assert!(!world.is_enclosed(RobotId(0)));
        assert!(world.reaches(RobotId(0), |place| place.x > 4.5));
        assert!(!world.reaches(RobotId(0), |place| place.x > 5.5));
    }

    #[test]
    fn a_robot_between_four_walls_is_enclosed() {
        let mut world = room();
        for (x, y, width, height) in
            [(1.6, 3.0, 0.1, 0.9), (2.4, 3.0, 0.1, 0.9), (2.0, 2.6, 0.9, 0.1), (2.0, 3.4, 0.9, 0.1)]
        {
            assert!(!world.is_enclosed(RobotId(0)));
            wall(&mut world, x, y, width, height);
        }
        assert!(world.is_enclosed(RobotId(0)));
    }

    #[test]
    fn a_robot_that_is_down_is_an_obstacle() {
        let mut world = room();
        wall(&mut world, 5.0, 2.5, 0.2, 5.0);
        let mut fallen = world.bodies[0].clone();
        (fallen.pose, fallen.halted) = (Pose::new(5.0, 5.5, 0.0), true);
        world.bodies.push(fallen);
        assert!(!Reach::of(&world, RobotId(0)).has(vec2(8.0, 3.0)));
    }
}
