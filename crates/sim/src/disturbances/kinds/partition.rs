//! The team is split in two.

use super::super::about::{About, Breaking, Subject};
use super::super::stress::{Ground, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crate::airwaves::ChannelFault;
use crewlab_onboard::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Some robots hear only each other, and the rest only the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Partition {
    /// The robots that are cut off from the rest and from the operator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<String>,
    /// Instead of a group: a random share of the robots that are present; at least one, and not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub share: Option<f64>,
}

impl Disturb for Partition {
    const ABOUT: About = About {
        breaking: Breaking::by_default("every robot, cut off from the rest and from the operator"),
        ..About::new(
            Subject::Link,
            "the team is split: the robots in `group`, or a random `share` of those present, hear only each other; the rest hear only the rest and the operator",
            "{at: 2 min, for: 1 min, partition: {group: [blue, gold]}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        match (self.group.is_empty(), self.share) {
            (true, None) => {
                let message = "a group needs at least one robot; or use `share: 50 %` for random robots";
                return Err(Complaint::new("", message));
            }
            (false, Some(_)) => {
                let message = "`group` and `share` exclude each other: a share consists of random robots";
                return Err(Complaint::new("share", message));
            }
            _ => {}
        }
        self.group.iter().enumerate().try_for_each(|(index, name)| {
            let complain = |complaint: Complaint| Complaint { key: format!("group.{index}"), ..complaint };
            inventory.robot("group", name).map(|_| ()).map_err(complain)
        })
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let cut_off = |whom: Whom| {
            let (entry, words) =
                (json!({"group": [whom.robot()]}), format!("{} is cut off from the rest", whom.words()));
            Stressor::new("", 3, whom, entry, words)
        };
        ground.each_in_company().map(cut_off).collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let mut group = match self.share {
            Some(share) => match some_of_those_there(share, scene) {
                Some(group) => group,
                None => return Attempt::NotYet("there are fewer than two robots".into()),
            },
            None => self.group.iter().filter_map(|name| scene.model.robot(name)).collect(),
        };
        group.sort_unstable();
        group.dedup();
        let verb = if group.len() == 1 { "is" } else { "are" };
        let what = format!("{} {verb} cut off from the rest", scene.names(&group));
        scene.spoil(what, [ChannelFault::Split(group)])
    }
}

/// A random share of the robots present, at least one and not all; empty if there are fewer than two.
fn some_of_those_there(share: f64, scene: &mut Scene) -> Option<Vec<RobotId>> {
    let bodies = RobotId::enumerate(&scene.state.world.bodies);
    let mut robots: Vec<RobotId> = bodies.filter(|(_, body)| body.present).map(|(robot, _)| robot).collect();
    let most = robots.len().checked_sub(1).filter(|most| *most > 0)?;
    let count = ((share * robots.len() as f64).round() as usize).clamp(1, most);
    for place in 0..count {
        let other = place + scene.random.below(robots.len() - place);
        robots.swap(place, other);
    }
    robots.truncate(count);
    Some(robots)
}
