//! From the text of a plan to the plan, or to everything that is wrong with it.

use super::conditions::condition;
use super::derive::derive;
use super::links::Links;
use super::organise::organise;
use super::points::points;
use super::shape::Shape;
use super::spec::{GraphSpec, LocalData, NodeSpec, PlanSpec};
use super::version::version;
use super::{Known, MOST_EDGES, MOST_NODES, Plan};
use crate::Finding;
use crate::bite::graph::{Graph, Node, NodeId, Variable, Work};
use crate::bite::organisation::{Organisation, SubTeamId};
use crewlab_expression::Condition;
use crewlab_onboard::{RobotId, TaskId};

/// Checks a plan and gives its form for robots; `None` if there are errors among the findings. A plan without a graph gets one that is
/// derived from the tasks.
pub fn compile(spec: &PlanSpec, known: &Known, findings: &mut Vec<Finding>) -> Option<Plan> {
    let mut found = Vec::new();
    let organisation = organise(&spec.organisation, known, &mut found);
    let derived;
    let graph = match &spec.graph {
        Some(graph) => graph,
        None => {
            derived = derive(known.tasks);
            &derived
        }
    };
    let plan = whole(graph, spec, organisation, known, &mut found);
    let plan = plan.filter(|_| found.iter().all(|finding| finding.warning));
    findings.append(&mut found);
    plan
}

fn whole(
    graph: &GraphSpec,
    spec: &PlanSpec,
    organisation: Organisation,
    known: &Known,
    findings: &mut Vec<Finding>,
) -> Option<Plan> {
    if let Some(finding) = unusable(graph) {
        findings.push(finding);
        return None;
    }
    let links = Links::of(graph, findings);
    let root = root(graph, &links, findings);
    let shape = Shape::of(&links, root, findings);
    if findings.iter().all(|finding| finding.warning) {
        shape.unreached(&links, root, findings);
    }
    let mut nodes = Vec::with_capacity(links.len());
    for (place, (name, said)) in graph.nodes.0.iter().enumerate() {
        let path = format!("graph.nodes.{name}");
        nodes.push(Node {
            name: name.clone(),
            work: work(said, &path, known, findings),
            children: links.children[place].iter().map(|edge| edge.to).collect(),
            next: links.next[place].iter().map(|edge| edge.to).collect(),
            when: said.when.as_ref().and_then(|text| checked(text, &path, "when", known, findings)),
            until: said.until.as_ref().and_then(|text| checked(text, &path, "until", known, findings)),
            needs: needs(said, &path, known, findings),
            ends: said.ends,
            again: again(said, &path, findings),
            by: by(said, &path, &organisation, findings),
        });
    }
    deserted(&nodes, &shape, &organisation, known, findings);
    unequipped(&nodes, &organisation, known, findings);
    let points = points(spec, &links, &nodes, known, findings);
    let version = version(&nodes, root.0, &organisation, &points);
    let (repeats, own_data) = (spec.protocols.repeats, spec.protocols.local_data == LocalData::Own);
    let robots = known.robots.iter().map(|name| name.to_string()).collect();
    Some(Plan { graph: Graph { nodes, root, version }, organisation, points, robots, repeats, own_data })
}

/// Why nothing can be said about a graph.
fn unusable(graph: &GraphSpec) -> Option<Finding> {
    let nodes = &graph.nodes.0;
    if nodes.is_empty() {
        let message = "the graph is empty: it needs at least one behaviour under `nodes`";
        return Some(Finding::error(message).at("graph.nodes"));
    }
    if nodes.len() > MOST_NODES {
        let message = format!("at most {MOST_NODES} behaviours are accepted, found {}", nodes.len());
        return Some(Finding::error(message).at("graph.nodes"));
    }
    let edges: usize = nodes.iter().map(|(_, node)| node.children.len() + node.next.len()).sum();
    if edges > MOST_EDGES {
        let message = format!("at most {MOST_EDGES} edges are accepted, found {edges}");
        return Some(Finding::error(message).at("graph.nodes"));
    }
    let twice = |place: usize| nodes[..place].iter().any(|(name, _)| *name == nodes[place].0);
    if let Some(place) = (0..nodes.len()).find(|place| twice(*place)) {
        let message = format!("there are two behaviours `{}`", nodes[place].0);
        return Some(Finding::error(message).at_key("graph.nodes"));
    }
    // Paths of findings have dots between their parts.
    let odd = |name: &str| name.is_empty() || name.contains(|c: char| c == '.' || c.is_control());
    let (name, _) = nodes.iter().find(|(name, _)| odd(name))?;
    let message = format!(
        "the name of a behaviour has at least one character and no dots, found `{}`",
        name.escape_debug()
    );
    Some(Finding::error(message).at("graph.nodes"))
}

/// The behaviour that the team starts with: the first one if the named one does not exist.
fn root(graph: &GraphSpec, links: &Links, findings: &mut Vec<Finding>) -> NodeId {
    let Some(name) = &graph.root else { return NodeId(0) };
    links.find(name).unwrap_or_else(|| {
        let finding = Finding::error(format!("there is no behaviour `{name}` in the graph")).at("graph.root");
        findings.push(finding.unknown(name, links.names()));
        NodeId(0)
    })
}

fn work(said: &NodeSpec, path: &str, known: &Known, findings: &mut Vec<Finding>) -> Work {
    let Some(name) = &said.r#do else { return Work::None };
    if let Some(task) = known.tasks.iter().position(|task| task.name == *name) {
        return Work::Task(TaskId(task as u16));
    }
    let path = format!("{path}.do");
    if !known.sets.contains(&name.as_str()) {
        let signal = known.signals.contains(&name.as_str());
        let message = match signal {
            true => format!(
                "`{name}` is a signal: conditions (`when`, `until`) can use it, but no robot can do it"
            ),
            false => format!("there is no task and no behaviour set `{name}` in this mission"),
        };
        let sets = known.sets.iter().copied().filter(|set| known.tasks.iter().all(|task| task.name != **set));
        let names = known.tasks.iter().map(|task| task.name.as_str()).chain(sets);
        findings.push(Finding::error(message).at(path).unknown(name, names).listed());
        return Work::None;
    }
    if known.equipment.is_some_and(|team| !team.sets.contains(&name.as_str())) {
        let message =
            format!("nobody can do `{name}`: no robot of the team is equipped for this behaviour set");
        let able = known.equipment.iter().flat_map(|team| team.sets.iter().copied());
        findings.push(Finding::error(message).at(path).unknown(name, able).listed());
    }
    Work::Set(name.clone())
}

fn checked(
    text: &str,
    path: &str,
    key: &str,
    known: &Known,
    findings: &mut Vec<Finding>,
) -> Option<Condition<Variable>> {
    let parsed = condition(text, known.signals);
    parsed
        .map_err(|error| {
            let message = format!("the condition cannot be used: {error}");
            findings.push(Finding::error(message).at(format!("{path}.{key}")));
        })
        .ok()
}

fn needs(said: &NodeSpec, path: &str, known: &Known, findings: &mut Vec<Finding>) -> Vec<String> {
    if let Some(team) = known.equipment {
        for (place, effector) in said.needs.iter().enumerate() {
            if !team.effectors.contains(&effector.as_str()) {
                let message = format!("no robot of the team has an effector `{effector}`");
                let finding = Finding::error(message).at(format!("{path}.needs.{place}"));
                findings.push(finding.unknown(effector, team.effectors.iter().copied()).listed());
            }
        }
    }
    let mut needs = said.needs.0.clone();
    needs.sort_unstable();
    needs.dedup();
    needs
}

fn again(said: &NodeSpec, path: &str, findings: &mut Vec<Finding>) -> bool {
    if said.again && said.children.is_empty() {
        let message =
            "`again` allocates children again, and there are none: use `next` to repeat a behaviour";
        findings.push(Finding::warning(message).at(format!("{path}.again")));
    }
    said.again && !said.children.is_empty()
}

fn by(
    said: &NodeSpec,
    path: &str,
    organisation: &Organisation,
    findings: &mut Vec<Finding>,
) -> Option<SubTeamId> {
    let name = said.by.as_ref()?;
    let names = || organisation.0.iter().map(|team| team.name.as_str());
    let id = names().position(|known| known == name);
    if id.is_none() {
        let finding = Finding::error(format!("there is no sub-team `{name}` in `organisation`"));
        findings.push(finding.at(format!("{path}.by")).unknown(name, names()).listed());
    }
    id.map(|id| SubTeamId(id as u16))
}

/// Behaviours that need what no robot that may execute them has together.
fn unequipped(nodes: &[Node], organisation: &Organisation, known: &Known, findings: &mut Vec<Finding>) {
    let Some(team) = known.equipment else { return };
    let exists = |need: &String| team.effectors.contains(&need.as_str());
    // An effector that nobody has is reported where it is named.
    for node in nodes.iter().filter(|node| !node.needs.is_empty() && node.needs.iter().all(exists)) {
        let has_all = |fitted: &Vec<&str>| node.needs.iter().all(|need| fitted.contains(&need.as_str()));
        let mut able = RobotId::enumerate(team.fitted).filter(|(_, fitted)| has_all(fitted));
        if able.any(|(robot, _)| organisation.includes(node.by, robot)) {
            continue;
        }
        let group = node.by.and_then(|id| organisation.0.get(usize::from(id.0)));
        let group = group.map_or("team".into(), |group| format!("sub-team `{}`", group.name));
        let message = format!(
            "nobody can do `{}`: no robot of the {group} has all that it needs (`{}`)",
            node.name,
            node.needs.join("`, `")
        );
        findings.push(Finding::error(message).at(format!("graph.nodes.{}.needs", node.name)));
    }
}

/// Behaviours that nobody executes: whoever does must also belong to the sub-teams of all that they lie within.
fn deserted(
    nodes: &[Node],
    shape: &Shape,
    organisation: &Organisation,
    known: &Known,
    findings: &mut Vec<Finding>,
) {
    for (node, id) in nodes.iter().zip(0..).filter(|(node, _)| node.by.is_some()) {
        let Some(team) = node.by.and_then(|id| organisation.0.get(usize::from(id.0))) else { continue };
        let above: Vec<NodeId> = shape.path(NodeId(id)).skip(1).collect();
        let executes =
            |robot: RobotId| above.iter().all(|id| organisation.includes(nodes[id.index()].by, robot));
        // A sub-team without members is reported where it is defined.
        if !known.robots.is_empty()
            && !team.members.is_empty()
            && !team.members.iter().any(|robot| executes(*robot))
        {
            let outer = above.iter().find(|id| nodes[id.index()].by.is_some());
            let outer = outer.map_or("its parent", |id| nodes[id.index()].name.as_str());
            let message = format!(
                "nobody can decide or do `{}`: no robot of the sub-team `{}` executes `{outer}`, which it is a part of",
                node.name, team.name
            );
            findings.push(Finding::error(message).at(format!("graph.nodes.{}.by", node.name)));
        }
    }
}
