//! The behaviour graph ⟨B, H, V, b0⟩ (BITE, section 3.1): behaviours, sequential edges between them, and decomposition edges to the
//! first behaviours of chains that complement each other.

use super::organisation::SubTeamId;
use crewlab_expression::Condition;
use crewlab_onboard::TaskId;
use serde::{Deserialize, Serialize};

/// A behaviour's number in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u16);

impl NodeId {
    /// Its place in [`Graph::nodes`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A variable of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Variable {
    /// A signal of the mission, by its number: 0 or 1 for false and true; 0 while it is unknown.
    Signal(u16),
    /// `elapsed`: how long the behaviour has been on the robot's stack. [s]
    Elapsed,
    /// `count`: how often the team has executed the behaviour before.
    Count,
}

/// What a robot does while a behaviour is on its stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// Nothing of its own: its children do it.
    None,
    /// The behaviour set of this name, if the robot has it.
    Set(String),
    /// A task, in whichever way is best for the robot.
    Task(TaskId),
}

/// How a team behaviour ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// When everybody who executes it has ended it.
    #[default]
    All,
    /// As soon as one has ended it.
    Any,
}

/// A behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What a robot does.
    pub work: Work,
    /// Its children: the first behaviours of chains that all have to end.
    pub children: Vec<NodeId>,
    /// The behaviours that may follow.
    pub next: Vec<NodeId>,
    /// Must hold for it to be chosen.
    pub when: Option<Condition<Variable>>,
    /// Ends it on this robot, besides the end of its work.
    pub until: Option<Condition<Variable>>,
    /// The effectors that it needs: it stands by while it does not have them all.
    pub needs: Vec<String>,
    /// How it ends for a team.
    pub ends: Ends,
    /// True if its children are allocated again as long as work is left: it ends when nobody finds any.
    pub again: bool,
    /// Who executes it; whoever executes its parent if `None`.
    pub by: Option<SubTeamId>,
}

/// A team's plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// The behaviours.
    pub nodes: Vec<Node>,
    /// The first one, b0.
    pub root: NodeId,
    /// Tells graphs apart: messages about another one are not understood.
    pub version: u16,
}

impl Graph {
    /// A behaviour.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The behaviour of this name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.name == name).map(|place| NodeId(place as u16))
    }
}
