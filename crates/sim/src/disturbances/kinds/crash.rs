//! A robot's software crashes and starts again without memory.

use super::super::about::{About, Breaking, ByHand, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Default duration of a restart. [s]
const RESTART: f64 = 10.0;

/// Crashes robots' software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Crash(pub Target);

impl Disturb for Crash {
    const ABOUT: About = About {
        by_hand: ByHand::whole(&[Way::plain("computer crashes and restarts", None)]),
        breaking: Breaking::by_default("every robot's software crashes and starts again after 10 s"),
        ..About::new(
            Subject::Robot,
            "a robot's software crashes and restarts without memory, after 10 s or after `for`",
            "{rate: 4 /h, for: 20 s, crash: random}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.0.check("", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let crashes = |(_, whom): (_, Whom)| {
            let (entry, words) = (json!(whom.robot()), format!("{}'s software crashes", whom.words()));
            Stressor::new("", 3, whom, entry, words).lasting(Some(RESTART))
        };
        ground.each().map(crashes).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.0.resolve(scene));
        let verb = if robots.len() == 1 { "crashes" } else { "crash" };
        scene.break_on(&robots, |names| format!("{names} {verb}"), |_| vec![Fault::Crash])
    }

    fn lasts(&self) -> Option<f64> {
        Some(RESTART)
    }
}
