//! By what the options need, from what all know.

use super::{Outcome, Point, PointKind, Protocol};
use crate::bite::graph::{Graph, NodeId};

/// The option that needs the fewest effectors, its parts included; among those the one whose turn it is by the number of the first robot.
pub(super) struct ByResource;

impl Protocol for ByResource {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = false;

    fn at_once(point: &Point) -> Option<Outcome> {
        let count = |place: &usize| {
            let mut needs = Vec::new();
            collect(&point.plan.graph, point.options[*place], &mut needs);
            needs.sort_unstable();
            needs.dedup();
            needs.len()
        };
        let counts: Vec<usize> = (0..point.options.len()).map(|place| count(&place)).collect();
        let least = *counts.iter().min()?;
        let cheapest: Vec<usize> = (0..counts.len()).filter(|place| counts[*place] == least).collect();
        let place = cheapest[point.voters.first()?.index() % cheapest.len()];
        Some(Outcome::Next(Some(point.options[place])))
    }
}

/// What a behaviour and its parts need. Parts are within each other at most as deep as plans may be.
fn collect<'a>(graph: &'a Graph, node: NodeId, needs: &mut Vec<&'a str>) {
    let node = graph.node(node);
    needs.extend(node.needs.iter().map(String::as_str));
    for child in &node.children {
        collect(graph, *child, needs);
    }
}
