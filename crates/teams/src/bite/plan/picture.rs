//! A plan as people see it.

use super::derive::derive;
use super::spec::{NodeSpec, PlanSpec};
use crate::bite::graph::Ends;
use crate::bite::protocols::{PointKind, ProtocolId};
use crate::{Picture, PictureNode, PicturePoint, PictureTeam};
use crewlab_onboard::TaskSpec;

/// The picture of a plan. What a wrong plan has too much is left out.
pub fn picture(spec: &PlanSpec, tasks: &[TaskSpec]) -> Picture {
    let graph = spec.graph.clone().unwrap_or_else(|| derive(tasks));
    let names: Vec<&str> = graph.nodes.0.iter().map(|(name, _)| name.as_str()).collect();
    let place = place_of(&names);
    let nodes = graph.nodes.0.iter().map(|(name, node)| PictureNode {
        name: name.clone(),
        work: node.r#do.clone(),
        when: node.when.clone(),
        until: node.until.clone(),
        needs: node.needs.0.clone(),
        any: node.ends == Ends::Any,
        again: node.again,
        by: node.by.clone(),
        children: node.children.iter().filter_map(&place).collect(),
        next: node.next.iter().filter_map(&place).collect(),
        points: points(name, node, spec),
    });
    let team = |name: &String| spec.organisation.keys().position(|known| known == name);
    let teams = spec.organisation.iter().map(|(name, said)| PictureTeam {
        name: name.clone(),
        members: said.members.0.clone(),
        within: said.within.iter().filter_map(team).collect(),
    });
    Picture {
        nodes: nodes.collect(),
        root: graph.root.as_ref().and_then(&place).unwrap_or(0),
        teams: teams.collect(),
    }
}

fn place_of<'a>(names: &'a [&'a str]) -> impl Fn(&String) -> Option<usize> + 'a {
    move |name| names.iter().position(|known| known == name)
}

/// The points at which there is something to do. How a behaviour ends is told only where a protocol is named for it.
fn points(name: &str, node: &NodeSpec, spec: &PlanSpec) -> Vec<PicturePoint> {
    let at = |kind: PointKind| spec.points.get(name).and_then(|point| point.of(kind)).map(String::from);
    let decide =
        (node.next.len() > 1).then(|| at(PointKind::Decide).unwrap_or(spec.protocols.decide.clone()));
    let allocate =
        (node.children.len() > 1).then(|| at(PointKind::Allocate).unwrap_or(spec.protocols.allocate.clone()));
    let terminate = at(PointKind::Terminate).or(spec.protocols.terminate.clone());
    let point = |(kind, protocol): (PointKind, Option<String>)| {
        let protocol = protocol?;
        let network = ProtocolId::find(&protocol).is_some_and(|id| id.kind().network);
        Some(PicturePoint { kind: kind.name().into(), protocol, network })
    };
    PointKind::ALL.into_iter().zip([decide, allocate, terminate]).filter_map(point).collect()
}
