//! Walls a robot in: four walls appear around it. If another robot, or something that can be
//! pushed, stands where a wall must go, the trap waits.

use super::super::about::{About, Breaking, ByHand, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_world::{Object, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Name prefix of the walls around a robot.
pub const TRAP_AROUND: &str = "trap around ";
/// Free space left to the robot on each side. [m]
const GAP: f64 = 0.1;
/// Thickness of the walls. [m]
const THICKNESS: f64 = 0.1;

/// Walls robots in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Trap(pub Target);

fn walls(name: &str, center: Vec2, radius: f64) -> [Object; 4] {
    let middle = radius + GAP + THICKNESS / 2.0;
    let length = 2.0 * (radius + GAP + THICKNESS);
    let wall = |x: f64, y: f64, width: f64, height: f64| {
        let pose = Pose { position: center + vec2(x, y), heading: 0.0 };
        Object::obstacle(&format!("{TRAP_AROUND}{name}"), Shape::rectangle(width, height), pose)
    };
    [
        wall(-middle, 0.0, THICKNESS, length),
        wall(middle, 0.0, THICKNESS, length),
        wall(0.0, -middle, length, THICKNESS),
        wall(0.0, middle, length, THICKNESS),
    ]
}

impl Disturb for Trap {
    const ABOUT: About = About {
        by_hand: ByHand::whole(&[Way::plain("is walled in", None)]),
        breaking: Breaking::by_default("every robot is walled in"),
        ..About::new(Subject::Robot, "walls appear around a robot", "{at: 40 s, trap: blue}")
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let walled = |(_, whom): (_, Whom)| {
            let (entry, words) = (json!(whom.robot()), format!("{} is walled in", whom.words()));
            Stressor::new("", 5, whom, entry, words)
        };
        ground.each().map(walled).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        let around = |robot: &RobotId| {
            let body = &scene.state.world.bodies[*robot];
            walls(scene.name(*robot), body.pose.position, body.radius)
        };
        let walls: Vec<Object> = robots.iter().flat_map(around).collect();
        if walls.iter().any(|wall| scene.state.world.body_overlap(&wall.outline, None).is_some()) {
            return Attempt::NotYet("a robot stands where a wall must go".into());
        }
        for wall in &walls {
            or_wait!(scene.room_for(wall, &wall.pose, None));
        }
        for wall in walls {
            scene.add_object(wall);
        }
        scene.done_to(&robots, |names| format!("{names} is walled in"))
    }
}
