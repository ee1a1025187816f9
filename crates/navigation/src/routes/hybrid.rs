//! The hybrid graph (B.3.3): corners of obstacles' bounding boxes and points of the Voronoi graph, connected where they see each
//! other. Lines of sight are found when a search needs them, and kept until something changes where they run.

use super::bits::Bits;
use super::points::Points;
use super::search::{Graph, shortest};
use super::sight::Spot;
use super::tiles::{Tiles, Window};
use crate::Place;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its cell.
    pub place: Place,
    /// True if it comes from the Voronoi graph.
    pub voronoi: bool,
    /// False for points of the Voronoi graph with less than the preferred clearance: they serve only where nothing else does.
    pub preferred: bool,
}

/// What is seen from a node.
#[derive(Clone, Debug, PartialEq)]
struct Outlook {
    /// Nothing outside of it matters.
    window: Window,
    nodes: Vec<u32>,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct HybridGraph {
    /// Nodes farther apart than this, along or across, are not connected. [cells]
    range: i32,
    /// Ordered by row, then by column; at most one per cell.
    nodes: Vec<Node>,
    outlooks: Vec<Option<Outlook>>,
    points: Points,
}

fn order(node: &Node) -> (i32, i32) {
    (node.place.1, node.place.0)
}

impl HybridGraph {
    /// A graph without nodes, with lines of sight of at most this length along and across. [cells]
    pub fn new(range: i32) -> HybridGraph {
        HybridGraph { range, ..HybridGraph::default() }
    }

    /// Takes over new nodes, and keeps the outlooks of old ones if no tile in their view changed.
    pub fn update(&mut self, mut nodes: Vec<Node>, columns: usize, rows: usize, changed: &Tiles) {
        // Of two nodes in one cell, the corner goes: the other one knows more.
        nodes.sort_by_key(|node| (order(node), !node.voronoi));
        nodes.dedup_by_key(|node| node.place);
        let mut stale = changed.clone();
        let moved = self.renumber(&nodes, &mut stale);
        let mut outlooks = vec![None; nodes.len()];
        for (old, outlook) in std::mem::take(&mut self.outlooks).into_iter().enumerate() {
            let Some(mut outlook) = outlook.filter(|outlook| !stale.touch(outlook.window)) else { continue };
            if let Some(new) = moved[old] {
                outlook.nodes.iter_mut().for_each(|node| *node = moved[*node as usize].unwrap_or(*node));
                outlooks[new as usize] = Some(outlook);
            }
        }
        (self.nodes, self.outlooks) = (nodes, outlooks);
        self.points = Points::new(self.nodes.iter().map(|node| node.place).collect(), columns, rows);
    }

    /// The new number of every old node that is still there. Marks the tiles in which nodes came or went.
    fn renumber(&self, nodes: &[Node], stale: &mut Tiles) -> Vec<Option<u32>> {
        let mut moved = vec![None; self.nodes.len()];
        let mut new = 0;
        for (old, node) in self.nodes.iter().enumerate() {
            while new < nodes.len() && order(&nodes[new]) < order(node) {
                stale.mark(nodes[new].place);
                new += 1;
            }
            if nodes.get(new).is_some_and(|other| other.place == node.place) {
                moved[old] = Some(new as u32);
                new += 1;
            } else {
                stale.mark(node.place);
            }
        }
        nodes[new..].iter().for_each(|node| stale.mark(node.place));
        moved
    }

    /// Its nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The lines of sight that were found so far, each once.
    pub fn edges(&self) -> impl Iterator<Item = (Place, Place)> {
        let seen = self.outlooks.iter().enumerate().filter_map(|(at, outlook)| Some((at, outlook.as_ref()?)));
        seen.flat_map(move |(at, outlook)| {
            let known =
                move |other: &&u32| at < **other as usize || self.outlooks[**other as usize].is_none();
            outlook
                .nodes
                .iter()
                .filter(known)
                .map(move |other| (self.nodes[at].place, self.nodes[*other as usize].place))
        })
    }

    fn outlook(&self, passable: &Bits, from: Spot) -> Outlook {
        let (nodes, window) = self.points.seen(passable, from, self.range, |_| true);
        Outlook { window, nodes }
    }

    /// The nodes of the shortest path between two spots that do not see each other: over preferred nodes if possible, otherwise
    /// over all.
    pub fn path(&mut self, passable: &Bits, from: Spot, to: Spot) -> Option<Vec<Node>> {
        let starts = self.outlook(passable, from).nodes;
        let mut ends = vec![false; self.nodes.len()];
        self.outlook(passable, to).nodes.iter().for_each(|node| ends[*node as usize] = true);
        let found = [true, false].into_iter().find_map(|preferred| {
            let distance = |node: &u32| (*node, self.points.spot(*node).distance(from));
            let usable = |node: &&u32| !preferred || self.nodes[**node as usize].preferred;
            let starts: Vec<(u32, f64)> = starts.iter().filter(usable).map(distance).collect();
            shortest(&mut Query { graph: self, passable, goal: to, ends: &ends, preferred }, &starts)
        });
        found.map(|(_, nodes)| nodes.into_iter().map(|node| self.nodes[node as usize]).collect())
    }
}

/// A search through the graph.
struct Query<'a> {
    graph: &'a mut HybridGraph,
    passable: &'a Bits,
    goal: Spot,
    ends: &'a [bool],
    preferred: bool,
}

impl Graph for Query<'_> {
    fn count(&self) -> usize {
        self.graph.nodes.len()
    }

    fn neighbours(&mut self, node: u32, visit: &mut dyn FnMut(u32, f64)) {
        let from = self.graph.points.spot(node);
        if self.graph.outlooks[node as usize].is_none() {
            let outlook = self.graph.outlook(self.passable, from);
            self.graph.outlooks[node as usize] = Some(outlook);
        }
        let graph = &*self.graph;
        for other in graph.outlooks[node as usize].iter().flat_map(|outlook| &outlook.nodes) {
            if graph.nodes[*other as usize].preferred || !self.preferred {
                visit(*other, from.distance(graph.points.spot(*other)));
            }
        }
    }

    fn to_goal(&self, node: u32) -> Option<f64> {
        self.ends[node as usize].then(|| self.rest(node))
    }

    fn rest(&self, node: u32) -> f64 {
        self.graph.points.spot(node).distance(self.goal)
    }
}
