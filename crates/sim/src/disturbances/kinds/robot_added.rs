//! A robot joins the team.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A robot joins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RobotAdded {
    /// Its name: a robot of the team, `absent` at the start or removed since.
    pub robot: String,
    /// Where it joins. Default: its start or its last place, or any free place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub place: Option<[f64; 2]>,
}

impl Disturb for RobotAdded {
    const ABOUT: About = About::new(
        Subject::Robot,
        "a robot joins the team: one that is `absent: true` at the start, or was removed",
        "{at: 5 min, robot-added: {robot: red, place: [1 m, 2 m]}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.robot("robot", &self.robot)?;
        self.place.map_or(Ok(()), |place| inventory.inside("place", place))
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let Some(robot) = scene.model.robot(&self.robot) else {
            return Attempt::NotYet(format!("there is no robot {}", self.robot));
        };
        if scene.state.world.bodies[robot].present {
            return Attempt::NotYet(format!("{} is there already", self.robot));
        }
        let heading = scene.state.world.bodies[robot].pose.heading;
        let at = self.place.map(|[x, y]| Pose::new(x, y, heading));
        or_wait!(scene.add_robot(robot, at));
        scene.done_to(&[robot], |names| format!("{names} joins the team"))
    }
}
