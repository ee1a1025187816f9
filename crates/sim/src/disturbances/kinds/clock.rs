//! A robot's clock goes wrong.

use super::super::about::{About, Breaking, ByHand, Dial, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Relative change of its speed; negative values slow it down.
const DRIFT: Dial = Dial { key: "drift", ..Dial::share("Faster by", 50.0, -100.0) };

/// A robot's clock goes wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clock {
    /// The robot.
    pub robot: Target,
    /// Jump ahead; negative values jump back.
    #[serde(default)]
    #[schemars(range(min = -1e6, max = 1e6), extend("x-unit" = "s"))]
    pub offset: f64,
    /// Relative change of its speed from then on; negative values slow it down.
    #[serde(default)]
    #[schemars(range(min = -1.0, max = 100.0), extend("x-unit" = "1"))]
    pub drift: f64,
}

impl Disturb for Clock {
    const ABOUT: About = About {
        by_hand: Some(ByHand {
            part: "Clock",
            device: None,
            ways: &[Way { label: "goes wrong", fault: None, dial: Some(DRIFT) }],
        }),
        breaking: Breaking::by_name("every robot's clock, 90 % too fast or 90 % too slow"),
        ..About::new(
            Subject::Robot,
            "a robot's clock jumps by `offset`, or runs faster or slower by `drift`",
            "{at: 1 min, clock: {robot: green, offset: 30 s, drift: 10 %}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let wrong = |(_, whom): (_, Whom)| {
            let drift = |sign: &'static str, word: &'static str| {
                let whom = &whom;
                move |level| {
                    let entry = json!({"robot": whom.robot(), "drift": format!("{sign}{level} %")});
                    (entry, format!("{}'s clock goes {level} % {word}", whom.words()))
                }
            };
            [
                Stressor::graded("fast", 1, whom.clone(), up_to(90), drift("", "faster")),
                Stressor::graded("slow", 1, whom.clone(), up_to(90), drift("-", "slower")),
            ]
        };
        ground.each().flat_map(wrong).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let fault = Fault::Clock { offset: self.offset, drift: self.drift, since: scene.now };
        scene.break_on(&robots, |names| format!("{names}'s clock goes wrong"), |_| vec![fault.clone()])
    }
}
