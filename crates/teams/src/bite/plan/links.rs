//! Names of behaviours, and the edges between them as numbers.

use super::names::Names;
use super::spec::GraphSpec;
use crate::Finding;
use crate::bite::graph::NodeId;
use std::collections::HashMap;

/// An edge to a behaviour, and its place in the list of names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: NodeId,
    pub(super) place: usize,
}

/// The behaviours of a graph by name, with their edges.
pub(super) struct Links<'a> {
    names: Vec<&'a str>,
    ids: HashMap<&'a str, NodeId>,
    pub(super) children: Vec<Vec<Edge>>,
    pub(super) next: Vec<Vec<Edge>>,
}

impl<'a> Links<'a> {
    /// All edges to behaviours that exist.
    pub(super) fn of(spec: &'a GraphSpec, findings: &mut Vec<Finding>) -> Links<'a> {
        let names: Vec<&str> = spec.nodes.0.iter().map(|(name, _)| name.as_str()).collect();
        let ids = names.iter().zip(0..).map(|(name, id)| (*name, NodeId(id))).collect();
        let mut links = Links { names, ids, children: Vec::new(), next: Vec::new() };
        for (name, node) in &spec.nodes.0 {
            let path = format!("graph.nodes.{name}");
            let children = links.edges(&node.children, &format!("{path}.children"), findings);
            let next = links.edges(&node.next, &format!("{path}.next"), findings);
            links.children.push(children);
            links.next.push(next);
        }
        links
    }

    fn edges(&self, names: &Names, path: &str, findings: &mut Vec<Finding>) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            match self.find(name) {
                Some(to) if edges.iter().any(|edge| edge.to == to) => {
                    let finding = Finding::error(format!("`{name}` is named twice"));
                    findings.push(finding.at(format!("{path}.{place}")));
                }
                Some(to) => edges.push(Edge { to, place }),
                None => {
                    let finding = Finding::error(format!("there is no behaviour `{name}` in the graph"));
                    findings.push(finding.at(format!("{path}.{place}")).unknown(name, self.names()));
                }
            }
        }
        edges
    }

    pub(super) fn find(&self, name: &str) -> Option<NodeId> {
        self.ids.get(name).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().copied()
    }

    pub(super) fn name(&self, id: NodeId) -> &'a str {
        self.names[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}
