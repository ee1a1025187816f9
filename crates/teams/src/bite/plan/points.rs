//! Which protocol serves which point.

use super::spec::{PlanSpec, PointSpec};
use super::{Known, Points, links::Links};
use crate::Finding;
use crate::bite::graph::{Ends, Node};
use crate::bite::protocols::{PROTOCOLS, PointKind, ProtocolId};

/// More options than this at one point are refused.
const MOST_OPTIONS: usize = 64;

/// The protocols at each behaviour.
pub(super) fn points(
    spec: &PlanSpec,
    links: &Links,
    nodes: &[Node],
    known: &Known,
    findings: &mut Vec<Finding>,
) -> Vec<Points> {
    nodes.iter().for_each(|node| crowded(node, findings));
    let team = PointSpec {
        decide: Some(spec.protocols.decide.clone()),
        allocate: Some(spec.protocols.allocate.clone()),
        terminate: spec.protocols.terminate.clone(),
    };
    let defaults = PointKind::ALL.map(|kind| served(&team, kind, "protocols", known, findings));
    let mut points: Vec<Points> = nodes
        .iter()
        .map(|node| Points {
            decide: defaults[0].unwrap_or(ProtocolId(0)),
            allocate: defaults[1].unwrap_or(ProtocolId(0)),
            terminate: defaults[2].unwrap_or_else(|| ending(node.ends)),
        })
        .collect();
    for (name, said) in &spec.points {
        let path = format!("points.{name}");
        let Some(id) = links.find(name) else {
            let finding = Finding::error(format!("there is no behaviour `{name}`")).at_key(path);
            findings.push(finding.unknown(name, links.names()));
            continue;
        };
        let [decide, allocate, terminate] = PointKind::ALL.map(|kind| {
            let protocol = served(said, kind, &path, known, findings)?;
            idle(&nodes[id.index()], kind, &path, findings);
            if kind == PointKind::Allocate {
                unused(&nodes[id.index()], protocol, &path, findings);
            }
            Some(protocol)
        });
        let at = &mut points[id.index()];
        at.decide = decide.unwrap_or(at.decide);
        at.allocate = allocate.unwrap_or(at.allocate);
        at.terminate = terminate.unwrap_or(at.terminate);
    }
    points
}

/// The protocol that ends a behaviour as its `ends` says.
fn ending(ends: Ends) -> ProtocolId {
    let name = match ends {
        Ends::All => "wait-all",
        Ends::Any => "any-ends-all",
    };
    ProtocolId::find(name).unwrap_or(ProtocolId(0))
}

/// The protocol that is named for a kind of point, if there is one that fits.
fn served(
    said: &PointSpec,
    kind: PointKind,
    path: &str,
    known: &Known,
    findings: &mut Vec<Finding>,
) -> Option<ProtocolId> {
    let name = said.of(kind)?;
    let path = format!("{path}.{}", kind.name());
    let fitting = || PROTOCOLS.iter().filter(|spec| spec.fits.contains(&kind)).map(|spec| spec.name);
    let Some(id) = ProtocolId::find(name) else {
        let finding = Finding::error(format!("there is no protocol `{name}`")).at(path);
        findings.push(finding.unknown(name, fitting()).listed());
        return None;
    };
    if !id.kind().fits.contains(&kind) {
        let does: Vec<&str> = id.kind().fits.iter().map(|kind| kind.name()).collect();
        let message = format!(
            "the protocol `{name}` does not fit a point of kind `{}`; it is for `{}`",
            kind.name(),
            does.join("` and `")
        );
        findings.push(Finding::error(message).at(path).unknown(name, fitting()).listed());
        return None;
    }
    if let Some(signal) = id.kind().signal.filter(|signal| !known.signals.contains(signal)) {
        let message = format!(
            "the protocol `{name}` ranks robots by the signal `{signal}`, which this mission does not have"
        );
        findings.push(Finding::error(message).at(path));
        return None;
    }
    Some(id)
}

/// What is divided again and again goes to whom it costs least, whatever protocol is named.
fn unused(node: &Node, protocol: ProtocolId, path: &str, findings: &mut Vec<Finding>) {
    let name = protocol.kind().name;
    if node.again && name != "bidding" {
        let message = format!(
            "`{name}` cannot allocate the children of `{}`, which are allocated `again` and again: that is always done by `bidding`",
            node.name
        );
        findings.push(Finding::error(message).at(format!("{path}.allocate")));
    }
}

/// Messages have a bit per option.
fn crowded(node: &Node, findings: &mut Vec<Finding>) {
    // What is divided again and again is told by name.
    let children = if node.again { 0 } else { node.children.len() };
    let lists = [("children", children), ("next", node.next.len())];
    for (key, found) in lists.into_iter().filter(|(_, found)| *found > MOST_OPTIONS) {
        let message = format!("at most {MOST_OPTIONS} behaviours can be chosen among, found {found}");
        findings.push(Finding::error(message).at(format!("graph.nodes.{}.{key}", node.name)));
    }
}

/// A protocol where there is nothing to do for one.
fn idle(node: &Node, kind: PointKind, path: &str, findings: &mut Vec<Finding>) {
    let (found, what) = match kind {
        PointKind::Decide => (node.next.len(), "behaviours may follow"),
        PointKind::Allocate => (node.children.len(), "children"),
        PointKind::Terminate => return,
    };
    if found < 2 {
        let message = format!(
            "nothing is to be {} at `{}`: {what}: {found}; the protocol is never used",
            if kind == PointKind::Decide { "decided" } else { "allocated" },
            node.name
        );
        findings.push(Finding::warning(message).at(format!("{path}.{}", kind.name())));
    }
}
