//! Walls a robot in: four walls appear around it. If another robot stands where a wall must go, the trap waits.

use super::{Disturb, Outcome};
use crate::model::Model;
use crewlab_onboard::Event;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_world::{Object, Shape, World};
use serde::{Deserialize, Serialize};

/// Free space left to the robot on each side. [m]
const GAP: f64 = 0.1;
/// Thickness of the walls. [m]
const THICKNESS: f64 = 0.1;

/// Traps one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trap {
    /// The robot's number.
    pub robot: usize,
}

impl Trap {
    fn walls(name: &str, center: Vec2, radius: f64) -> [Object; 4] {
        let middle = radius + GAP + THICKNESS / 2.0;
        let length = 2.0 * (radius + GAP + THICKNESS);
        let wall = |x: f64, y: f64, width: f64, height: f64| {
            let position = center + vec2(x, y);
            Object::obstacle(
                &format!("trap around {name}"),
                Shape::rectangle(width, height),
                Pose { position, heading: 0.0 },
            )
        };
        [
            wall(-middle, 0.0, THICKNESS, length),
            wall(middle, 0.0, THICKNESS, length),
            wall(0.0, -middle, length, THICKNESS),
            wall(0.0, middle, length, THICKNESS),
        ]
    }
}

impl Disturb for Trap {
    const SUMMARY: &'static str = "walls a robot in";

    fn apply(&self, model: &Model, world: &mut World) -> Outcome {
        let body = &world.bodies[self.robot];
        let name = &model.team[self.robot].identity.name;
        let walls = Trap::walls(name, body.pose.position, body.radius);
        if walls.iter().any(|wall| world.body_overlap(&wall.outline, None).is_some()) {
            let why = format!("{name} cannot be walled in yet: a robot stands where a wall must go");
            return Outcome::NotYet(Event::new("disturbance-delayed", why));
        }
        for wall in walls {
            world.add_object(wall);
        }
        Outcome::Done(Event::new("disturbance", format!("{name} is walled in")))
    }
}
