//! A robot is taken away.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene, Target, Undo};
use super::or_wait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Takes robots away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RobotRemoved(pub Target);

impl Disturb for RobotRemoved {
    const SUMMARY: &'static str = "a robot is taken away; if undone it comes back to where it was";
    const EXAMPLE: &'static str = "{when: progress > 0.5, robot-removed: gold}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        self.0.check("", cast)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let robots = or_wait!(self.0.resolve(scene));
        robots.iter().for_each(|robot| scene.send_away(*robot));
        let verb = if robots.len() == 1 { "is" } else { "are" };
        scene.done_to(&robots, |names| format!("{names} {verb} taken away"), Undo::BringBack(robots.clone()))
    }
}
