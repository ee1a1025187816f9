//! Bounding overwatch on board: robots of two types divide themselves into two teams, each gets a leader, and the teams take
//! turns: one bounds to its next waypoint while the other stands and watches (section 5.3 of ALLIANCE).

mod emerge_leader;
mod find_waypoint;
mod finds;
mod follow_leader;
mod join_group;
mod knowledge;
mod lead_to_waypoint;
mod overwatch;
mod route;
mod skills;

pub use finds::{Find, Finds};
pub use join_group::{Member, choose, must_change};
pub use knowledge::{Knowledge, Report};
pub use route::{Group, Room, Route};
pub use skills::{OverwatchSkills, find_waypoint, sets};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, TaskId};
use serde::{Deserialize, Serialize};

/// The task of joining a team.
pub const JOIN_GROUP: TaskId = TaskId(0);
/// The task of giving a team a leader.
pub const EMERGE_LEADER: TaskId = TaskId(1);
/// The task of leading a team to its next waypoint.
pub const LEAD_TO_WAYPOINT: TaskId = TaskId(2);
/// The task of following the leader.
pub const FOLLOW_LEADER: TaskId = TaskId(3);
/// The task of watching while the other team bounds.
pub const OVERWATCH: TaskId = TaskId(4);
/// The task of looking for a good next waypoint, if a scenario asks for it.
pub const FIND_WAYPOINT: TaskId = TaskId(5);

/// The robots' briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverwatchBriefing {
    /// The route of the teams.
    pub route: Route,
    /// Longest random wait before a robot chooses a team. [s]
    pub longest_wait: f64,
    /// Interval of reports. [s]
    pub report_period: f64,
    /// A robot that was not heard for this long counts as lost. [s]
    pub silence: f64,
    /// How long a leader waits for members of its team that are not with it. [s]
    pub patience: f64,
    /// Speed of a leader, so that its team can keep up. [m/s]
    pub pace: f64,
}

impl Briefing for OverwatchBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<OverwatchSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<OverwatchSkills> {
        Box::new(OverwatchSkills::new(self, me, controller))
    }
}
