//! A robot's emergency stop is pressed.

use super::super::about::{About, Breaking, ByHand, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Presses robots' emergency stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct EmergencyStop(pub Target);

impl Disturb for EmergencyStop {
    const ABOUT: About = About {
        by_hand: ByHand::whole(&[Way::plain("emergency stop pressed", None)]),
        breaking: Breaking::by_default("every robot's emergency stop is pressed"),
        ..About::new(
            Subject::Robot,
            "the emergency stop of a robot is pressed: drive and tools do not move and it keeps what it holds, but it senses, decides and communicates, and knows that it is stopped",
            "{at: 2 min, for: 1 min, emergency-stop: random}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let pressed = |(_, whom): (_, Whom)| {
            let (entry, words) =
                (json!(whom.robot()), format!("{}'s emergency stop is pressed", whom.words()));
            Stressor::new("", 4, whom, entry, words)
        };
        ground.each().map(pressed).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        scene.break_on(
            &robots,
            |names| format!("the emergency stop of {names} is pressed"),
            |_| vec![Fault::Emergency],
        )
    }
}
