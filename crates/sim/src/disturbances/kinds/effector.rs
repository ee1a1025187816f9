//! A gripper or another effector dies.

use super::super::about::{About, Breaking, ByHand, Device, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use crate::model::Member;
use crewlab_onboard::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An effector stops working.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Effector {
    /// The robot.
    pub robot: Target,
    /// Its name on the robot.
    pub effector: String,
}

impl Disturb for Effector {
    const ABOUT: About = About {
        by_hand: Some(ByHand {
            part: "Gripper or tool",
            device: Some(Device::Effector),
            ways: &[Way::plain("dead", None)],
        }),
        breaking: Breaking::by_default("each effector of every robot but its drive, dead"),
        ..About::new(
            Subject::Robot,
            "a gripper or another effector does nothing",
            "{at: 2 min, effector: {robot: gold, effector: gripper}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        if self.effector == "drive" {
            return Err(Complaint::new("effector", "the drive has a disturbance of its own: `drive`"));
        }
        inventory.effector("effector", &self.effector, &self.robot)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let dead = |(member, whom): (&Member, Whom)| {
            let effectors = member.identity.datasheet.effectors.iter().map(|effector| effector.name.as_str());
            let one = |effector: &str| {
                let entry = json!({"robot": whom.robot(), "effector": effector});
                let words = format!("{}'s {effector} is dead", whom.words());
                Stressor::new(effector, 3, whom.clone(), entry, words)
            };
            effectors.filter(|effector| *effector != "drive").map(one).collect::<Vec<_>>()
        };
        ground.each().flat_map(dead).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let model = scene.model;
        let dead = |robot: RobotId| {
            let effectors = model.team[robot].identity.datasheet.effectors.iter().enumerate();
            let meant = effectors.filter(|(_, sheet)| sheet.name == self.effector);
            meant.map(|(place, _)| Fault::Effector(place)).collect()
        };
        scene.break_on(&robots, |names| format!("{names}'s {} is dead", self.effector), dead)
    }
}
