//! A robot's radio fails.

use super::super::about::{About, Breaking, ByHand, Dial, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom, percent, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How a radio fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// It neither sends nor receives.
    Dead,
    /// It sends, but does not receive.
    Deaf,
    /// It receives, but does not send.
    Mute,
    /// It loses a share of what it sends and receives: `severity`, from 0 to 1.
    Lossy,
}

/// A robot's radio fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Radio {
    /// The robot.
    pub robot: Target,
    /// The fault.
    pub fault: Break,
    /// The share that a lossy radio loses.
    #[serde(default = "super::half")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub severity: f64,
}

impl Disturb for Radio {
    const ABOUT: About = About {
        by_hand: Some(ByHand {
            part: "Radio",
            device: None,
            ways: &[
                Way::plain("dead", Some("dead")),
                Way::plain("deaf: sends only", Some("deaf")),
                Way::plain("mute: receives only", Some("mute")),
                Way {
                    label: "lossy",
                    fault: Some("lossy"),
                    dial: Some(Dial::share("Messages lost", 80.0, 0.0)),
                },
            ],
        }),
        breaking: Breaking::by_default(
            "every robot's radio, dead, deaf, mute or 90 % lossy; all radios at once, dead or 90 % lossy",
        ),
        ..About::new(
            Subject::Robot,
            "a robot's radio is dead, deaf or mute, or loses a share of the messages it sends and receives (`fault`, `severity`)",
            "{at: 3 min, for: 1 min, radio: {robot: all, fault: lossy, severity: 80 %}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let lossy = |whom: Whom| {
            let lossy = |level| {
                let entry = json!({"robot": whom.robot(), "fault": "lossy", "severity": percent(level)});
                (entry, format!("{}'s radio loses {level} % of what it sends and receives", whom.words()))
            };
            Stressor::graded("lossy", 1, whom.clone(), up_to(90), lossy)
        };
        let broken = |fault: &str, severity, whom: &Whom| {
            let entry = json!({"robot": whom.robot(), "fault": fault});
            Stressor::new(
                fault,
                severity,
                whom.clone(),
                entry,
                format!("{}'s radio is {fault}", whom.words()),
            )
        };
        let dead = |whom: &Whom| broken("dead", 3, whom);
        let of_robot =
            |whom: Whom| [broken("deaf", 2, &whom), broken("mute", 2, &whom), dead(&whom), lossy(whom)];
        let of_all = |whom: Whom| [dead(&whom), lossy(whom)];
        ground
            .each_in_company()
            .flat_map(of_robot)
            .chain(ground.everybody().into_iter().flat_map(of_all))
            .collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let (fault, words) = match self.fault {
            Break::Dead => (Fault::Loss(1.0), "is dead"),
            Break::Deaf => (Fault::Deaf, "is deaf"),
            Break::Mute => (Fault::Mute, "is mute"),
            Break::Lossy => (Fault::Loss(self.severity), "is lossy"),
        };
        scene.break_on(&robots, |names| format!("{names}'s radio {words}"), |_| vec![fault.clone()])
    }
}
