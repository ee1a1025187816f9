//! The drive breaks.

use super::super::about::{About, Breaking, ByHand, Dial, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom, percent, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::{DriveFault, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How a drive breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// It does not move.
    Dead,
    /// It loses a share of its speed: `severity`, from 0 to 1.
    Slower,
    /// It turns left while driving, by a share of its maximum turning speed: `severity`; negative values turn right.
    Pulls,
    /// It keeps its last command.
    Stuck,
}

/// The drive breaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Drive {
    /// The robot.
    pub robot: Target,
    /// The fault.
    pub fault: Break,
    /// The severity, from -1 to 1.
    #[serde(default = "super::half")]
    #[schemars(range(min = -1.0, max = 1.0), extend("x-unit" = "1"))]
    pub severity: f64,
}

impl Disturb for Drive {
    const ABOUT: About = About {
        by_hand: Some(ByHand {
            part: "Drive",
            device: None,
            ways: &[
                Way::plain("dead", Some("dead")),
                Way {
                    label: "slower",
                    fault: Some("slower"),
                    dial: Some(Dial::share("Speed lost", 50.0, 0.0)),
                },
                Way {
                    label: "pulls to one side",
                    fault: Some("pulls"),
                    dial: Some(Dial::share("To the left", 30.0, -100.0)),
                },
                Way::plain("stuck: keeps its last command", Some("stuck")),
            ],
        }),
        breaking: Breaking::by_default("every robot's drive, dead or 90 % slower"),
        ..About::new(
            Subject::Robot,
            "the drive is dead, slower, pulls to one side or is stuck (`fault`), with a `severity`",
            "{every: 5 min, for: 60 s, drive: {robot: random, fault: slower, severity: 50 %}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        if self.fault == Break::Slower && self.severity < 0.0 {
            return Err(Complaint::new("severity", "the lost share of the speed must be from 0 to 1"));
        }
        self.robot.check("robot", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let of_robot = |(_, whom): (_, Whom)| {
            let (robot, who) = (whom.robot(), whom.words());
            let slower = |level| {
                let entry = json!({"robot": robot, "fault": "slower", "severity": percent(level)});
                (entry, format!("{who}'s drive loses {level} % of its speed"))
            };
            let dead = (json!({"robot": robot, "fault": "dead"}), format!("{who}'s drive is dead"));
            [
                Stressor::graded("slower", 1, whom.clone(), up_to(90), slower),
                Stressor::new("dead", 4, whom.clone(), dead.0, dead.1),
            ]
        };
        ground.each().flat_map(of_robot).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let (fault, words) = match self.fault {
            Break::Dead => (DriveFault::Dead, "is dead"),
            Break::Slower => (DriveFault::Slower(self.severity), "is slower"),
            Break::Pulls if self.severity < 0.0 => (DriveFault::Pulls(self.severity), "pulls to the right"),
            Break::Pulls => (DriveFault::Pulls(self.severity), "pulls to the left"),
            Break::Stuck => (DriveFault::Stuck, "is stuck"),
        };
        scene.break_on(&robots, |names| format!("{names}'s drive {words}"), |_| vec![Fault::Drive(fault)])
    }
}
