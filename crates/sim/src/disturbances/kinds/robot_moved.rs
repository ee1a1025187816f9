//! A robot is picked up and put down elsewhere.

use super::super::about::{About, Breaking, Subject};
use super::super::setting::{RobotSetting, Setting};
use super::super::stress::{CRATE, Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crate::model::Member;
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_world::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A robot is put down elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RobotMoved {
    /// Its name.
    pub robot: String,
    /// The new position of its centre.
    #[schemars(extend("x-unit" = "m"))]
    pub place: [f64; 2],
    /// Its new heading. Default: unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: Option<f64>,
}

impl Disturb for RobotMoved {
    const ABOUT: About = About {
        breaking: Breaking::by_name("every robot is picked up and put down in the middle of the floor"),
        ..About::new(
            Subject::Robot,
            "a robot is picked up and put down at `place`, with what it holds; waits while something is in the way",
            "{at: 2 min, robot-moved: {robot: blue, place: [2 m, 3 m], heading: 90 deg}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let robot = inventory.robot("robot", &self.robot)?;
        inventory.inside("place", self.place)?;
        if self.heading.is_some_and(|heading| !heading.is_finite()) {
            return Err(Complaint::new("heading", "a heading must be a finite angle"));
        }
        // Whether another thing is there depends on the time, but the border does not move.
        if let (Some(member), Some(world)) = (inventory.team.get(robot.index()), inventory.world)
            && let Shape::Circle { radius } = member.hardware.shape
            && world.bounds.margin(vec2(self.place[0], self.place[1])) < radius
        {
            let message =
                format!("the border is in the way: keep at least {radius} m from it, the robot's radius");
            return Err(Complaint::new("place", message));
        }
        Ok(())
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let Some(middle) = ground.spots.first() else { return Vec::new() };
        // A place with room for a crate has room for robots that fit into the crate in any orientation.
        let fits = |member: &Member| 2.0 * member.hardware.shape.radius() <= f64::from(CRATE) / 100.0;
        let carried = |(_, whom): (_, Whom)| {
            let entry = json!({"robot": whom.robot(), "place": middle.entry()});
            let words = format!("{} is picked up and put down {}", whom.words(), middle.words());
            Stressor::new("", 2, whom, entry, words)
        };
        ground.each().filter(|(member, _)| fits(member)).map(carried).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let Some(robot) = scene.model.robot(&self.robot) else {
            return Attempt::NotYet(format!("there is no robot {}", self.robot));
        };
        let body = &scene.state.world.bodies[robot];
        if !body.present {
            return Attempt::NotYet(format!("{} is not there", self.robot));
        }
        let (heading, [x, y]) = (body.pose.heading, self.place);
        let pose = Pose::new(x, y, self.heading.unwrap_or(heading));
        or_wait!(scene.set(Setting::Robot(robot, RobotSetting::Pose(pose))));
        let what = |name: &str| format!("{name} is put down at [{x:.2} m, {y:.2} m]");
        scene.done_to(&[robot], what)
    }
}
