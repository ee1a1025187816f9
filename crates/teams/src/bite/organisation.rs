//! The organisation: sub-teams of the whole team, which behaviours are linked to (BITE, figure 2).

use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};

/// A sub-team's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SubTeamId(pub u16);

/// A part of the team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubTeam {
    /// Its name.
    pub name: String,
    /// The sub-teams that it is a part of; none for a part of the whole team only.
    pub within: Vec<SubTeamId>,
    /// Its robots, in the order of their ids.
    pub members: Vec<RobotId>,
}

/// The sub-teams that a scenario names. The whole team has no entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Organisation(pub Vec<SubTeam>);

impl Organisation {
    /// True if the robot belongs to the sub-team; everybody belongs to the whole team.
    pub fn includes(&self, team: Option<SubTeamId>, robot: RobotId) -> bool {
        let Some(id) = team else { return true };
        self.0.get(usize::from(id.0)).is_some_and(|team| team.members.binary_search(&robot).is_ok())
    }
}
