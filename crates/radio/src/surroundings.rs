//! The radio's view of the world: nodes, walls and jammers. Callers describe it in every tick.

use crate::NodeId;
use serde::{Deserialize, Serialize};

/// Where a node is and whether its radio works.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Position. [m]
    pub position: [f64; 2],
    /// False if its radio does not send.
    pub speaks: bool,
    /// False if its radio does not receive.
    pub hears: bool,
    /// False if the robot is absent or has no power.
    pub alive: bool,
    /// Probability that its radio loses a frame, sent or received; 0 for an intact one.
    pub loss: f64,
}

impl Node {
    /// A node whose radio works.
    pub fn at(position: [f64; 2]) -> Node {
        Node { position, speaks: true, hears: true, alive: true, loss: 0.0 }
    }
}

/// The outline of a wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WallShape {
    /// A thin wall from end to end. [m]
    Segment([f64; 2], [f64; 2]),
    /// A convex polygon, corner by corner. [m]
    Polygon(Vec<[f64; 2]>),
    /// A disc. [m]
    Circle {
        /// Its centre.
        center: [f64; 2],
        /// Its radius.
        radius: f64,
    },
}

/// An obstacle to radio: damps every signal whose line of sight crosses it, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Where it is.
    pub shape: WallShape,
    /// Damping per crossing. [dB]
    pub damping: f64,
}

/// A noise transmitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jammer {
    /// Position. [m]
    pub position: [f64; 2],
    /// Power. [dBm]
    pub power: f64,
    /// Lower and upper end of the band it fills; `None` for the whole channel. [Hz]
    pub band: Option<[f64; 2]>,
    /// Share of the time during which it is on.
    pub duty_cycle: f64,
    /// Time from one burst to the next. [s]
    pub period: f64,
}

/// The surroundings of all radios at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The nodes.
    pub nodes: &'a [Node],
    /// The walls.
    pub walls: &'a [Wall],
    /// True if the caller knows that the walls are those of its last description, so that they need not be compared.
    pub same_walls: bool,
    /// The jammers that are switched on.
    pub jammers: &'a [Jammer],
    /// Pairs of nodes that cannot hear each other, whatever the physics; the lower number first,
    /// in order.
    pub cuts: &'a [(NodeId, NodeId)],
    /// Increase of the noise level. [dB]
    pub noise_rise: f64,
    /// Share of the channel's bandwidth that can be used.
    pub bandwidth_share: Option<f64>,
}

impl<'a> Surroundings<'a> {
    /// Surroundings with nodes only.
    pub fn of(nodes: &'a [Node]) -> Surroundings<'a> {
        Surroundings { nodes, ..Surroundings::default() }
    }
}

/// Pairs of nodes whose link is cut, as a sorted list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cuts(Vec<(NodeId, NodeId)>);

impl Cuts {
    pub(crate) fn copy_from(&mut self, pairs: &[(NodeId, NodeId)]) {
        if self.0 != pairs {
            self.0.clear();
            self.0.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
            self.0.sort_unstable();
        }
    }

    /// True if the pairs have not changed.
    pub(crate) fn same(&self, pairs: &[(NodeId, NodeId)]) -> bool {
        self.0 == pairs
    }

    /// True if the link between two nodes is cut.
    #[inline]
    pub(crate) fn part(&self, a: NodeId, b: NodeId) -> bool {
        !self.0.is_empty() && self.0.binary_search(&(a.min(b), a.max(b))).is_ok()
    }
}
