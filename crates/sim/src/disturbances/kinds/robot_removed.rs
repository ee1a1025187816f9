//! A robot is removed.

use super::super::about::{About, ByHand, Subject, Way};
use super::super::setting::{RobotSetting, Setting};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Removes robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RobotRemoved(pub Target);

impl Disturb for RobotRemoved {
    const ABOUT: About = About {
        by_hand: ByHand::whole(&[Way::plain("is taken away", None)]),
        ..About::new(
            Subject::Robot,
            "a robot is removed; when undone, it returns to where it was",
            "{when: progress > 0.5, robot-removed: gold}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        for &robot in &robots {
            or_wait!(scene.set(Setting::Robot(robot, RobotSetting::Present(false))));
        }
        let verb = if robots.len() == 1 { "is" } else { "are" };
        scene.done_to(&robots, |names| format!("{names} {verb} taken away"))
    }
}
