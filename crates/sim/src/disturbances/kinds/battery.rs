//! A battery drains.

use super::super::about::{About, Breaking, ByHand, Dial, Need, Subject, Way};
use super::super::stress::{Ground, Stressor, Whom, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How fast it drains.
const DRAIN: Dial = Dial { key: "drain", step: 0.5, ..Dial::share("Lost per second", 2.0, 0.0) };

/// A battery loses energy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Battery {
    /// The robot.
    pub robot: Target,
    /// Share of the capacity that is lost per second.
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub drain: f64,
}

impl Disturb for Battery {
    const ABOUT: About = About {
        needs: &[Need::Battery],
        by_hand: Some(ByHand {
            part: "Battery",
            device: None,
            ways: &[Way { label: "drains", fault: None, dial: Some(DRAIN) }],
        }),
        breaking: Breaking::by_name("every battery: it loses 90 % of a full charge every 100 s"),
        ..About::new(
            Subject::Robot,
            "a battery loses energy at the rate `drain`",
            "{at: 5 min, for: 20 s, battery: {robot: blue, drain: 0.02 /s}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        let powered = inventory.meant(&self.robot).any(|member| member.has_battery());
        if powered { Ok(()) } else { Err(inventory.no_battery("robot")) }
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let powered = ground.each().filter(|(member, _)| member.has_battery());
        let drains = |(_, whom): (_, Whom)| {
            let drains = |level| {
                let drain = format!("{} /s", f64::from(level) / 10_000.0);
                let words = format!("{}'s battery loses {level} % of its charge every 100 s", whom.words());
                (json!({"robot": whom.robot(), "drain": drain}), words)
            };
            Stressor::graded("drains", 3, whom.clone(), up_to(90), drains)
        };
        powered.map(drains).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        scene.break_on(
            &robots,
            |names| format!("{names}'s battery drains"),
            |_| vec![Fault::Drain(self.drain)],
        )
    }
}
