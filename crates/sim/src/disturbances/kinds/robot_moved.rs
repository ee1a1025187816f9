//! A robot is picked up and put down elsewhere.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Undo};
use super::or_wait;
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_world::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A robot is put down elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RobotMoved {
    /// Its name.
    pub robot: String,
    /// Where its centre goes.
    #[schemars(extend("x-unit" = "m"))]
    pub place: [f64; 2],
    /// Which way it looks then; as before without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: Option<f64>,
}

impl Disturb for RobotMoved {
    const SUMMARY: &'static str = "a robot is picked up and put down elsewhere, with what it holds; it waits while something is in the way";
    const EXAMPLE: &'static str =
        "{at: 2 min, robot-moved: {robot: blue, place: [2 m, 3 m], heading: 90 deg}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        let robot = cast.robot("robot", &self.robot)?;
        cast.inside("place", self.place)?;
        if self.heading.is_some_and(|heading| !heading.is_finite()) {
            return Err(Complaint::new("heading", "a heading is a finite angle"));
        }
        // Whether something else is there depends on the moment, but the border stays where it is.
        if let (Some(member), Some(world)) = (cast.team.get(robot), cast.world)
            && let Shape::Circle { radius } = member.hardware.shape
            && world.bounds.margin(vec2(self.place[0], self.place[1])) < radius
        {
            let message =
                format!("the border is in the way: keep at least {radius} m from it, the robot's radius");
            return Err(Complaint::new("place", message));
        }
        Ok(())
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let Some(robot) = scene.model.robot(&self.robot) else {
            return Outcome::NotYet(format!("there is no robot {}", self.robot));
        };
        let body = &scene.state.world.bodies[robot];
        if !body.present {
            return Outcome::NotYet(format!("{} is not there", self.robot));
        }
        let (before, [x, y]) = (body.pose, self.place);
        or_wait!(scene.carry(robot, Pose::new(x, y, self.heading.unwrap_or(before.heading))));
        let what = |name: &str| format!("{name} is put down at [{x:.2} m, {y:.2} m]");
        scene.done_to(&[robot], what, Undo::CarryBack(robot, before))
    }
}
