//! A robot stops: it stands still, is silent and drops what it holds.

use super::super::about::{About, Breaking, ByHand, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Stops robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Stop(pub Target);

impl Disturb for Stop {
    const ABOUT: About = About {
        by_hand: ByHand::whole(&[Way::plain("dies: still, silent, drops its item", None)]),
        breaking: Breaking::by_default("every robot dies"),
        ..About::new(
            Subject::Robot,
            "a robot dies: it neither moves nor talks, and drops what it holds in front of it; when undone, it continues where it was, with its memory",
            "{between: [60 s, 600 s], stop: random}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let dies = |(_, whom): (_, Whom)| {
            let (entry, words) = (json!(whom.robot()), format!("{} dies", whom.words()));
            Stressor::new("", 6, whom, entry, words)
        };
        ground.each().map(dies).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        let verb = if robots.len() == 1 { "stops" } else { "stop" };
        scene.break_on(&robots, |names| format!("{names} {verb}"), |_| vec![Fault::Stop])
    }
}
