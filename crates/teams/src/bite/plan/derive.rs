//! A graph for missions that bring none.

use super::names::Names;
use super::nodes::Nodes;
use super::spec::{GraphSpec, NodeSpec};
use crewlab_onboard::TaskSpec;

/// The name of the root of a derived graph.
const ROOT: &str = "mission";

/// One behaviour per task that is not a mere part of another one's plan, under a root that is allocated again as long as there is
/// work. The order of tasks is kept by whoever works on them: see [`crewlab_onboard::Agenda`].
pub fn derive(tasks: &[TaskSpec]) -> GraphSpec {
    let whole = || tasks.iter().filter(|task| !task.part).map(|task| task.name.as_str());
    let mut root = String::from(ROOT);
    while tasks.iter().any(|task| task.name == root) {
        root.insert_str(0, "the-");
    }
    let children: Names = whole().collect();
    let top = NodeSpec { again: !children.is_empty(), children, ..NodeSpec::default() };
    let leaf = |name: &str| NodeSpec { r#do: Some(name.into()), ..NodeSpec::default() };
    let leaves = whole().map(|name| (name.to_string(), leaf(name)));
    let nodes = [(root.clone(), top)].into_iter().chain(leaves).collect();
    GraphSpec { root: Some(root), nodes: Nodes(nodes) }
}
