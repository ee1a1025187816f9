//! Plans as data: from what a scenario writes to a [`Graph`], an [`Organisation`] and the protocols of all points.
//!
//! [`PlanSpec`] is the text, [`compile`] checks it and gives the [`Plan`] that robots carry out; [`derive`](derive()) makes a graph for
//! missions that bring none.

mod compile;
mod conditions;
mod derive;
mod links;
mod names;
mod nodes;
mod organise;
mod picture;
mod points;
mod shape;
mod spec;
#[cfg(test)]
mod tests;
mod tree;
mod version;

pub use compile::compile;
pub use conditions::spelt;
pub use derive::derive;
pub use names::Names;
pub use nodes::Nodes;
pub use picture::picture;
pub use spec::{GraphSpec, LocalData, NodeSpec, PlanSpec, PointSpec, ProtocolsSpec, SubTeamSpec};
pub use tree::import;

use super::graph::{Ends, Graph, NodeId};
use super::organisation::Organisation;
use super::protocols::{PointKind, ProtocolId};
use crate::{FileContent, Preparation};
use crewlab_onboard::{RobotId, TaskSpec};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A graph may be in a file.
pub const GRAPH_FILE: FileContent = FileContent { key: "graph", extension: "xml", import };

/// More behaviours than this are refused.
pub const MOST_NODES: usize = 1000;
/// More edges than this are refused.
pub const MOST_EDGES: usize = 10_000;
/// Behaviours within each other are at most this deep, which bounds every robot's stack.
pub const DEEPEST: usize = 64;
/// More sub-teams than this are refused.
pub const MOST_SUB_TEAMS: usize = 1000;

/// The names that a plan may use.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The robots of the team, in the order of their ids.
    pub robots: &'a [&'a str],
    /// The mission's behaviour sets.
    pub sets: &'a [&'a str],
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// The mission's signals.
    pub signals: &'a [&'a str],
    /// What the robots of the team have. Unknown to a single robot that boots: the plan was checked before.
    pub equipment: Option<Equipment<'a>>,
}

/// What the robots of a team have.
#[derive(Clone, Copy, Debug)]
pub struct Equipment<'a> {
    /// Behaviour sets that at least one robot has.
    pub sets: &'a [&'a str],
    /// Effectors that at least one robot has.
    pub effectors: &'a [&'a str],
    /// The effectors of each robot, in the order of their ids.
    pub fitted: &'a [Vec<&'a str>],
}

impl<'a> Known<'a> {
    /// The names in a scenario.
    pub fn of(preparation: &'a Preparation) -> Known<'a> {
        Known {
            robots: &preparation.robots,
            sets: &preparation.sets,
            tasks: preparation.tasks,
            signals: &preparation.signals,
            equipment: Some(Equipment {
                sets: &preparation.team_sets,
                effectors: &preparation.effectors,
                fitted: &preparation.fitted,
            }),
        }
    }
}

/// The protocols at one behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// Chooses among the behaviours that may follow.
    pub decide: ProtocolId,
    /// Shares the children.
    pub allocate: ProtocolId,
    /// Ends it.
    pub terminate: ProtocolId,
}

impl Points {
    /// The protocol of a kind of point.
    pub fn of(&self, kind: PointKind) -> ProtocolId {
        match kind {
            PointKind::Decide => self.decide,
            PointKind::Allocate => self.allocate,
            PointKind::Terminate => self.terminate,
        }
    }
}

/// What a team carries out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The behaviours.
    pub graph: Graph,
    /// The sub-teams.
    pub organisation: Organisation,
    /// The protocols at each behaviour, in the order of the graph.
    pub points: Vec<Points>,
    /// The robots' names, in the order of their ids.
    pub robots: Vec<String>,
    /// How often loops are repeated by protocols that count.
    pub repeats: u16,
    /// True if protocols that do not communicate go by what each robot knows itself, as in the thesis: robots may then differ.
    pub own_data: bool,
}

impl Plan {
    /// The protocols at a behaviour.
    pub fn points(&self, id: NodeId) -> &Points {
        &self.points[id.index()]
    }

    /// A robot's name.
    pub fn robot(&self, id: RobotId) -> Cow<'_, str> {
        self.robots.get(id.index()).map_or_else(|| format!("robot {id}").into(), |name| name.as_str().into())
    }

    /// How a behaviour ends for its group.
    pub fn ends(&self, id: NodeId) -> Ends {
        if self.points(id).terminate.kind().name == "any-ends-all" { Ends::Any } else { Ends::All }
    }
}

/// Checks the plan under `team.bite` in a scenario.
pub fn prepare(spec: &PlanSpec, preparation: &mut Preparation) -> Option<Plan> {
    let mut findings = Vec::new();
    let plan = compile(spec, &Known::of(preparation), &mut findings);
    preparation.findings.append(&mut findings);
    plan
}
