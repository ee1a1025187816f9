//! The worlds of the diffusion benchmark: a square arena with boxes and robots, one robot per 4 m².

use crewlab_sim::onboard::geometry::{Pose, vec2};
use crewlab_sim::onboard::{Stream, StreamKind};
use crewlab_sim::world::{Body, Bounds, Drive, Object, Shape, World};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Thickness of the arena's walls; half of it is inside. [m]
const WALL: f64 = 0.1;

/// An arena, as in the files that are shared with other simulators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arena {
    /// Number of robots.
    #[serde(rename = "N")]
    pub count: usize,
    /// Side of the square, centred at 0. [m]
    #[serde(rename = "L")]
    pub side: f64,
    /// Radius of a robot. [m]
    pub robot_radius: f64,
    /// Side of a box. [m]
    pub box_size: f64,
    /// Boxes: x, y, yaw. [m], [rad]
    pub boxes: Vec<[f64; 3]>,
    /// Robots: x, y, yaw. [m], [rad]
    pub robots: Vec<[f64; 3]>,
}

fn pose(place: &[f64; 3]) -> Pose {
    Pose::new(place[0], place[1], place[2])
}

impl Arena {
    /// An arena for `count` robots with a box per five of them, everything at free random places.
    pub fn generate(count: usize, seed: u64) -> Arena {
        let side = 2.0 * (count as f64).sqrt();
        let mut arena = Arena {
            count,
            side,
            robot_radius: 0.085036758,
            box_size: 0.5,
            boxes: Vec::new(),
            robots: Vec::new(),
        };
        let mut random = Stream::new(seed, StreamKind::World, 0, 0);
        let mut world = arena.world();
        let half = side / 2.0;
        let mut somewhere =
            || [random.between(-half, half), random.between(-half, half), random.between(-PI, PI)];
        while arena.boxes.len() < count / 5 {
            let place = somewhere();
            let shape = Shape::rectangle(arena.box_size, arena.box_size);
            if world.overlap(&shape.at(&pose(&place)), None).is_none() {
                world.add_object(Object::obstacle("box", shape, pose(&place)));
                arena.boxes.push(place);
            }
        }
        while arena.robots.len() < count {
            let place = somewhere();
            let shape = Shape::Circle { radius: arena.robot_radius };
            if world.overlap(&shape.at(&pose(&place)), None).is_none() {
                let drive =
                    Drive { max_speed: 0.0, max_reverse: 0.0, max_side: 0.0, max_turn: 0.0, max_push: None };
                world.bodies.push(Body::new(pose(&place), shape, drive, Vec::new()));
                arena.robots.push(place);
            }
        }
        arena
    }

    /// Why an arena from a file is invalid, if it is.
    pub fn fault(&self) -> Option<String> {
        let radius = Arena::generate(0, 1).robot_radius;
        let numbers = [self.side, self.box_size]
            .into_iter()
            .chain(self.boxes.iter().chain(&self.robots).flatten().copied());
        if self.robots.is_empty() || self.robots.len() > 60_000 || self.robots.len() != self.count {
            Some(format!("it must have 1 to 60000 robots, as many as `N` says, found {}", self.robots.len()))
        } else if (self.robot_radius - radius).abs() > 1e-9 {
            Some(format!("its robots must have a radius of {radius} m, found {} m", self.robot_radius))
        } else if numbers.into_iter().any(|n| !n.is_finite()) || self.side <= 0.0 || self.box_size <= 0.0 {
            Some("its sizes must be above 0 and all its numbers finite".into())
        } else {
            None
        }
    }

    /// The arena without robots.
    pub fn world(&self) -> World {
        let inner = (self.side - WALL) / 2.0;
        let mut world = World::new(Bounds { min: vec2(-inner, -inner), max: vec2(inner, inner) });
        for place in &self.boxes {
            world.add_object(Object::obstacle(
                "box",
                Shape::rectangle(self.box_size, self.box_size),
                pose(place),
            ));
        }
        world
    }

    /// Where the robots start.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        self.robots.iter().map(pose)
    }
}
