//! The shape of a graph: chains of behaviours, each within one behaviour of another chain.
//!
//! Behaviours that sequential edges connect are a chain. The graph is sound if every chain but the first one's is entered by one
//! decomposition edge, and no chain lies within itself.

use super::DEEPEST;
use super::links::Links;
use crate::Finding;
use crate::bite::graph::NodeId;

/// Which chain each behaviour is in, and what each chain lies within.
pub(super) struct Shape {
    /// Per behaviour: the number of its chain, which is that of one of its behaviours.
    chains: Vec<usize>,
    /// Per chain: the behaviour that it lies within.
    parents: Vec<Option<NodeId>>,
}

impl Shape {
    /// Finds the chains, and reports what is wrong with them.
    pub(super) fn of(links: &Links, root: NodeId, findings: &mut Vec<Finding>) -> Shape {
        let shape = Shape { chains: chains(links), parents: vec![None; links.len()] };
        shape.entered(links, root, findings)
    }

    /// The behaviour that another one lies within.
    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents[self.chains[id.index()]]
    }

    /// A behaviour and all that it lies within, from the inside; cut where a graph is too deep or lies within itself.
    pub(super) fn path(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.parent(*id)).take(DEEPEST + 1)
    }

    fn entered(mut self, links: &Links, root: NodeId, findings: &mut Vec<Finding>) -> Shape {
        let mut entries: Vec<Option<(NodeId, usize, NodeId)>> = vec![None; links.len()];
        for parent in (0..links.len()).map(|node| NodeId(node as u16)) {
            let name = links.name(parent);
            for edge in &links.children[parent.index()] {
                let child = links.name(edge.to);
                let path = format!("graph.nodes.{name}.children.{}", edge.place);
                let chain = self.chains[edge.to.index()];
                let message = if edge.to == parent {
                    format!("`{name}` cannot be a child of itself")
                } else if chain == self.chains[parent.index()] {
                    format!(
                        "`{child}` is a child of `{name}` and is also in one chain with it: it cannot be a part and a neighbour"
                    )
                } else {
                    match entries[chain] {
                        None => {
                            entries[chain] = Some((parent, edge.place, edge.to));
                            continue;
                        }
                        Some((before, _, sibling)) if before == parent => format!(
                            "`{child}` and `{}` are children of `{name}` and also in one chain: only its first behaviour is a child",
                            links.name(sibling)
                        ),
                        Some((before, _, sibling)) if sibling == edge.to => {
                            format!(
                                "`{child}` is a child of `{}` and of `{name}`: one parent is accepted",
                                links.name(before)
                            )
                        }
                        Some((before, _, sibling)) => format!(
                            "`{child}` is in one chain with `{}`, a child of `{}`, so it cannot be a child of `{name}` too",
                            links.name(sibling),
                            links.name(before)
                        ),
                    }
                };
                findings.push(Finding::error(message).at(path));
            }
        }
        self.parents = entries.iter().map(|entry| entry.map(|(parent, ..)| parent)).collect();
        self.circles(links, &entries, findings);
        if let Some((parent, place, child)) = entries[self.chains[root.index()]]
            && self.path(root).count() <= DEEPEST
        {
            let (first, parent) = (links.name(root), links.name(parent));
            let which = if child == root { "" } else { ", which is in one chain with this child" };
            let message = format!("the team starts with `{first}`{which}: it cannot be a part of `{parent}`");
            findings.push(Finding::error(message).at(format!("graph.nodes.{parent}.children.{place}")));
        }
        self
    }

    /// Reports chains that lie within themselves, and those that lie too deep.
    fn circles(
        &self,
        links: &Links,
        entries: &[Option<(NodeId, usize, NodeId)>],
        findings: &mut Vec<Finding>,
    ) {
        // How far each chain has been followed: not at all, on the path being followed now, or to its end.
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            Now,
            Done(usize),
        }
        let mut seen = vec![Seen::No; links.len()];
        for start in 0..links.len() {
            let mut path = Vec::new();
            let mut at = Some(self.chains[start]);
            while let Some(chain) = at.filter(|&chain| seen[chain] == Seen::No) {
                seen[chain] = Seen::Now;
                path.push(chain);
                at = self.parents[chain].map(|parent| self.chains[parent.index()]);
            }
            let mut depth = match at.map(|chain| seen[chain]) {
                Some(Seen::Done(depth)) => depth,
                _ => 0,
            };
            if let Some(first) = at.filter(|&chain| seen[chain] == Seen::Now) {
                let from = path.iter().position(|&chain| chain == first).unwrap_or(0);
                report_circle(&path[from..], links, entries, findings);
            }
            for &chain in path.iter().rev() {
                depth += 1;
                seen[chain] = Seen::Done(depth);
                if depth == DEEPEST + 1
                    && let Some((parent, place, child)) = entries[chain]
                {
                    let message = format!(
                        "`{}` lies more than {DEEPEST} behaviours deep: more are not accepted",
                        links.name(child)
                    );
                    let path = format!("graph.nodes.{}.children.{place}", links.name(parent));
                    findings.push(Finding::error(message).at(path));
                }
            }
        }
    }

    /// Warns of behaviours that no edge leads to.
    pub(super) fn unreached(&self, links: &Links, root: NodeId, findings: &mut Vec<Finding>) {
        let mut reached = vec![false; links.len()];
        reached[root.index()] = true;
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            for edge in links.children[node.index()].iter().chain(&links.next[node.index()]) {
                if !std::mem::replace(&mut reached[edge.to.index()], true) {
                    open.push(edge.to);
                }
            }
        }
        for (name, _) in links.names().zip(reached).filter(|(_, reached)| !reached) {
            let start = links.name(root);
            let message = format!("`{name}` is never executed: no edges lead to it from `{start}`");
            findings.push(Finding::warning(message).at_key(format!("graph.nodes.{name}")));
        }
    }
}

/// The chain of each behaviour: what sequential edges connect, in whichever direction.
fn chains(links: &Links) -> Vec<usize> {
    let mut above: Vec<usize> = (0..links.len()).collect();
    fn top(above: &mut [usize], mut node: usize) -> usize {
        while above[node] != node {
            above[node] = above[above[node]];
            node = above[node];
        }
        node
    }
    for node in 0..links.len() {
        for edge in &links.next[node] {
            let (one, other) = (top(&mut above, node), top(&mut above, edge.to.index()));
            above[one.max(other)] = one.min(other);
        }
    }
    (0..links.len()).map(|node| top(&mut above, node)).collect()
}

fn report_circle(
    circle: &[usize],
    links: &Links,
    entries: &[Option<(NodeId, usize, NodeId)>],
    findings: &mut Vec<Finding>,
) {
    // The path was followed from the inside to the outside.
    let inside: Vec<(NodeId, usize, NodeId)> =
        circle.iter().rev().filter_map(|&chain| entries[chain]).collect();
    let (Some(&(parent, place, _)), Some(&(.., last))) = (inside.first(), inside.last()) else { return };
    let steps = inside
        .iter()
        .map(|(parent, _, child)| format!("`{}` has the part `{}`", links.name(*parent), links.name(*child)));
    let chain = match last == parent {
        true => String::new(),
        false => format!(", which is in one chain with `{}`", links.name(parent)),
    };
    let steps = steps.collect::<Vec<_>>().join(", ");
    let message = format!("behaviours cannot be parts of each other: {steps}{chain}");
    findings.push(Finding::error(message).at(format!("graph.nodes.{}.children.{place}", links.name(parent))));
}
