//! A person drives a robot by hand.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A person drives a robot until `release`, or for the duration `for`. The latest take-over applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TakeOver {
    /// Its name.
    pub robot: String,
    /// Forward speed as a share of the maximum; negative values drive backwards.
    #[serde(default)]
    #[schemars(range(min = -1.0, max = 1.0), extend("x-unit" = "1"))]
    pub speed: f64,
    /// Turning speed to the left as a share of the maximum; negative values turn right.
    #[serde(default)]
    #[schemars(range(min = -1.0, max = 1.0), extend("x-unit" = "1"))]
    pub turn: f64,
}

impl Disturb for TakeOver {
    const ABOUT: About = About::new(
        Subject::Robot,
        "a person drives a robot with shares of its maximum speeds (left is positive) until `release`; its software senses, decides and communicates, but moves nothing",
        "{at: 1 min, for: 5 s, take-over: {robot: blue, speed: 50 %, turn: -20 %}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        for (key, share) in [("speed", self.speed), ("turn", self.turn)] {
            if !(-1.0..=1.0).contains(&share) {
                return Err(Complaint::new(key, "a share of the maximum must be from -1 to 1"));
            }
        }
        let robot = inventory.robot("robot", &self.robot)?;
        let drives = |drive: crewlab_world::Drive| drive.max_speed > 0.0 || drive.max_turn > 0.0;
        if inventory.team.get(robot.index()).is_some_and(|member| !drives(member.hardware.drive())) {
            return Err(Complaint::new(
                "robot",
                format!("{} has no drive, so it cannot be driven", self.robot),
            ));
        }
        Ok(())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let Some(robot) = scene.model.robot(&self.robot) else {
            return Attempt::NotYet(format!("there is no robot {}", self.robot));
        };
        scene.state.robots[robot].faults.take_over(scene.token, self.speed, self.turn);
        let way = match (self.speed, self.turn) {
            (0.0, 0.0) => "held".to_string(),
            (speed, turn) => {
                format!("driven by hand, speed {:.0} %, turn {:.0} %", 100.0 * speed, 100.0 * turn)
            }
        };
        scene.done_to(&[robot], |name| format!("{name} is {way}"))
    }
}
