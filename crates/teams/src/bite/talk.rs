//! The messages of the engine. All are broadcast, all may be lost or come twice: what matters is repeated until the record shows it.

use super::council::{Ballot, Motion, View};
use super::graph::{Graph, NodeId};
use super::team::{FrameId, TeamEntry};
use crewlab_onboard::{Body, Subject};
use serde::{Deserialize, Serialize};

/// Longest lists that are believed: nothing that a robot says is longer.
const LONGEST: usize = 256;

/// What a robot could do next, where work is allocated again and again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The behaviour.
    pub child: NodeId,
    /// The piece of its task.
    pub subject: Subject,
    /// What it would cost, urgency considered. [s]
    pub cost: f32,
    /// True if only one robot at a time may do it.
    pub exclusive: bool,
}

/// What a robot says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Talk {
    /// About the record.
    Council(Motion<TeamEntry>),
    /// "I am here", at a rate and when something has changed.
    Status {
        /// How far it knows the record.
        slot: u32,
        /// The highest ballot that it knows.
        promised: Ballot,
        /// Behaviours on its stack that it has ended.
        ended: Vec<FrameId>,
        /// Behaviours on its stack that it cannot begin.
        unable: Vec<FrameId>,
        /// Behaviours that may follow and whose preconditions hold, as far as it knows.
        enabled: Vec<NodeId>,
        /// True if the operator has it.
        taken: bool,
        /// True if it hears too few to take part.
        alone: bool,
    },
    /// "This is what I could do."
    Offers(FrameId, Vec<Offer>),
    /// "Contribute to this decision." The options are bits, in the order of the graph.
    Announce(FrameId, u16, u64),
    /// A vote, a bid, a choice.
    Contribution(FrameId, u16, Vec<f32>),
    /// "I go this way", by a protocol that asks nobody.
    Went(FrameId, u16, NodeId),
    /// A part of the team's state, for robots that know too little of the record.
    State {
        /// How far the record went then.
        slot: u32,
        /// The number of this part, and how many there are.
        part: (u16, u16),
        /// The part.
        bytes: Vec<u8>,
    },
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BiteMessage {
    /// The version of the sender's graph.
    pub plan: u16,
    /// The sender's life.
    pub life: u32,
    /// What it says.
    pub talk: Talk,
}

impl BiteMessage {
    /// Encodes the message.
    pub fn body(&self) -> Body {
        // Serialising plain data into a growing vector cannot fail.
        Body::Coordination(postcard::to_stdvec(self).unwrap_or_default())
    }

    /// Decodes a message; `None` if it is from another coordinator, damaged, or says what cannot be.
    pub fn of(body: &Body) -> Option<BiteMessage> {
        let Body::Coordination(bytes) = body else { return None };
        match postcard::take_from_bytes::<BiteMessage>(bytes) {
            Ok((message, [])) if message.talk.is_plausible() => Some(message),
            _ => None,
        }
    }
}

impl Talk {
    /// True if all behaviours that it names are in the graph, and views can be.
    pub fn fits(&self, graph: &Graph) -> bool {
        let known = |node: &NodeId| node.index() < graph.nodes.len();
        let entry = |entry: &TeamEntry| {
            entry.view.as_ref().is_none_or(View::is_sound)
                && entry.deeds.iter().all(|deed| deed.nodes().all(|node| known(&node)))
        };
        match self {
            Talk::Status { enabled, .. } => enabled.iter().all(known),
            Talk::Offers(_, offers) => offers.iter().all(|offer| known(&offer.child)),
            Talk::Went(.., node) => known(node),
            Talk::Council(motion) => motion.entry().is_none_or(entry),
            Talk::Announce(..) | Talk::Contribution(..) | Talk::State { .. } => true,
        }
    }

    fn is_plausible(&self) -> bool {
        match self {
            Talk::Status { ended, unable, enabled, .. } => {
                ended.len() <= LONGEST && unable.len() <= LONGEST && enabled.len() <= LONGEST
            }
            Talk::Offers(_, offers) => {
                offers.len() <= LONGEST && offers.iter().all(|o| o.cost.is_finite() && o.cost >= 0.0)
            }
            Talk::Contribution(_, _, values) => values.len() <= LONGEST && values.iter().all(|v| !v.is_nan()),
            Talk::State { part: (part, parts), .. } => part < parts,
            Talk::Council(_) | Talk::Announce(..) | Talk::Went(..) => true,
        }
    }
}
