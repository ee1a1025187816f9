//! The team is split in two.

use super::super::{Cast, Complaint, Disturb, Outcome, Scene};
use crate::airwaves::Trouble;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Some robots hear only each other, and the rest only the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Partition {
    /// The robots that are cut off from the rest and from the operator.
    pub group: Vec<String>,
}

impl Disturb for Partition {
    const SUMMARY: &'static str =
        "the team is split: some robots hear only each other, the rest only the rest and the operator";
    const EXAMPLE: &'static str = "{at: 2 min, for: 1 min, partition: {group: [blue, gold]}}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        if self.group.is_empty() {
            return Err(Complaint::new("group", "a group needs at least one robot"));
        }
        self.group.iter().enumerate().try_for_each(|(index, name)| {
            let complain = |complaint: Complaint| Complaint { key: format!("group.{index}"), ..complaint };
            cast.robot("group", name).map(|_| ()).map_err(complain)
        })
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let mut group: Vec<usize> = self.group.iter().filter_map(|name| scene.model.robot(name)).collect();
        group.sort_unstable();
        group.dedup();
        let verb = if group.len() == 1 { "is" } else { "are" };
        let what = format!("{} {verb} cut off from the rest", scene.names(&group));
        scene.spoil(what, [Trouble::Split(group.iter().map(|robot| *robot as u32).collect())])
    }
}
