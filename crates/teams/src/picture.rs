//! A coordinator's plan in the form in which people see it, whichever coordinator it is.

use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The behaviours.
    pub nodes: Vec<PictureNode>,
    /// The place of the one that the team starts with.
    pub root: usize,
    /// The sub-teams.
    pub teams: Vec<PictureTeam>,
}

/// A behaviour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureNode {
    /// Its name.
    pub name: String,
    /// The task or behaviour set that robots do.
    pub work: Option<String>,
    /// The condition for it to be chosen.
    pub when: Option<String>,
    /// The condition that ends it.
    pub until: Option<String>,
    /// The effectors that it needs.
    pub needs: Vec<String>,
    /// True if it ends for all as soon as one has ended it.
    pub any: bool,
    /// True if its children are allocated again and again.
    pub again: bool,
    /// The sub-team that executes it.
    pub by: Option<String>,
    /// The places of its parts.
    pub children: Vec<usize>,
    /// The places of those that may follow.
    pub next: Vec<usize>,
    /// Where robots act together at it, and how.
    pub points: Vec<PicturePoint>,
}

/// A point at which robots act together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PicturePoint {
    /// What they do there, such as `decide`.
    pub kind: String,
    /// How, such as `voting`.
    pub protocol: String,
    /// True if they send messages for it.
    pub network: bool,
}

/// A sub-team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureTeam {
    /// Its name.
    pub name: String,
    /// Its robots.
    pub members: Vec<String>,
    /// The places of the sub-teams that it is a part of.
    pub within: Vec<usize>,
}

/// Where a robot stands in a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The places of the behaviours that it executes, the outermost first.
    pub stack: Vec<usize>,
    /// What it waits for, if it cannot go on alone.
    pub wait: Option<Wait>,
}

/// A point that a robot has reached before the team has gone on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// The place of the behaviour that the point belongs to.
    pub node: usize,
    /// What the team does there, as in [`PicturePoint::kind`].
    pub kind: String,
    /// Who has not contributed yet, as far as the robot knows.
    pub missing: Vec<RobotId>,
    /// What robots have contributed, in words.
    pub said: Vec<(RobotId, String)>,
}
