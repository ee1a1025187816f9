//! A link is cut.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target};
use super::or_wait;
use crate::airwaves::ChannelFault;
use crewlab_onboard::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Number of attempts to draw another robot if both ends are random.
const TRIES: usize = 100;

/// The link between robots is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LinkCut {
    /// Its two ends.
    pub between: [Target; 2],
}

impl Disturb for LinkCut {
    const ABOUT: About = About::new(
        Subject::Link,
        "robots do not hear each other, regardless of the radio: two robots, or `[blue, all]`, `[random, random]`, ...",
        "{at: 2 min, for: 1 min, link-cut: {between: [blue, gold]}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let [one, other] = &self.between;
        one.check("between.0", inventory)?;
        other.check("between.1", inventory)?;
        let named = |target: &Target| matches!(target, Target::Word(word) if inventory.robots.contains(&word.as_str()));
        if one == other && named(one) {
            return Err(Complaint::new("between", "a link needs two different ends"));
        }
        Ok(())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let [one, other] = &self.between;
        let ones = or_wait!(one.resolve(scene));
        // Both random draws may pick the same robot at first.
        for _ in 0..TRIES {
            let others = or_wait!(other.resolve(scene));
            let pairs = ones.iter().flat_map(|a| others.iter().map(|b| (*a, *b)));
            let pairs = pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b)));
            let pairs: BTreeSet<(RobotId, RobotId)> = pairs.collect();
            if !pairs.is_empty() {
                let what = format!("{} and {} are cut off", scene.names(&ones), scene.names(&others));
                return scene.spoil(what, pairs.into_iter().map(|(a, b)| ChannelFault::Cut(a, b)));
            }
        }
        Attempt::NotYet(format!("{} is both ends of the link", scene.names(&ones)))
    }
}
