//! What plans become.

use super::super::{PlanSpec, derive, spelt};
use super::{compiled, tasks};
use crate::bite::graph::{Ends, NodeId, Variable, Work};
use crate::bite::protocols::{PROTOCOLS, PointKind};
use crewlab_expression::Value;
use crewlab_onboard::{RobotId, TaskId};
use proptest::prelude::*;
use serde_json::json;

fn example() -> serde_json::Value {
    json!({
        "graph": {"root": "stand-up", "nodes": {
            "search": {"children": ["search-blue", "search-pink"], "next": ["walk"]},
            "stand-up": {"do": "walk", "next": "search"},
            "search-blue": {"do": "sweep"}, "search-pink": {"do": "sweep-well"},
            "walk": {"ends": "any", "children": ["lead", "follow"], "next": ["search", "end"], "by": "pair"},
            "lead": {"do": "mop", "until": "lost > 0 || sees-colour == 0", "needs": ["drive", "brush", "drive"]},
            "follow": {"when": "elapsed < 20 && count < 4"},
            "end": {}
        }},
        "organisation": {"front": {"members": ["c", "a"]}, "pair": {"members": "a", "within": "front"}},
        "protocols": {"decide": "leader"},
        "points": {"walk": {"decide": "sf1"}}
    })
}

#[test]
fn a_plan_becomes_numbers() {
    let (plan, findings) = compiled(&example());
    let plan = plan.unwrap_or_else(|| panic!("{findings:?}"));
    let id = |name: &str| plan.graph.find(name).expect(name);
    assert_eq!((findings.len(), plan.graph.root, id("search")), (0, NodeId(1), NodeId(0)));
    let node = |name: &str| plan.graph.node(id(name));
    assert_eq!((&node("search").work, &node("search-blue").work), (&Work::None, &Work::Task(TaskId(0))));
    assert_eq!(node("search-pink").work, Work::Set("sweep-well".into()));
    assert_eq!(node("lead").work, Work::Task(TaskId(1)));
    assert_eq!(node("walk").children, [id("lead"), id("follow")]);
    assert_eq!(node("walk").next, [id("search"), id("end")]);
    assert_eq!((node("walk").ends, node("search").ends), (Ends::Any, Ends::All));
    assert_eq!(node("lead").needs, ["brush", "drive"]);
    let pair = node("walk").by.expect("a sub-team");
    assert!(
        plan.organisation.includes(Some(pair), RobotId(0))
            && !plan.organisation.includes(Some(pair), RobotId(2))
    );
    assert_eq!(plan.organisation.0[0].members, [RobotId(0), RobotId(2)]);
    let served = |name: &str| PointKind::ALL.map(|kind| plan.points(id(name)).of(kind).kind().name);
    assert_eq!(served("walk"), ["sf1", "bidding", "any-ends-all"]);
    assert_eq!(served("search"), ["leader", "bidding", "wait-all"]);
}

#[test]
fn conditions_hold_for_signals_time_and_count() {
    let (plan, _) = compiled(&example());
    let plan = plan.expect("a plan");
    let until = plan.graph.node(plan.graph.find("lead").expect("lead")).until.clone().expect("a condition");
    let ends = |lost: f64, sees: f64| {
        until.holds(|variable| match variable {
            Variable::Signal(0) => Value::Number(lost),
            Variable::Signal(1) => Value::Number(sees),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!((ends(0.0, 1.0), ends(1.0, 1.0), ends(0.0, 0.0)), (false, true, true));
    let when = plan.graph.node(plan.graph.find("follow").expect("follow")).when.clone().expect("a condition");
    let may = |elapsed: f64, count: f64| {
        when.holds(|variable| Value::Number(if *variable == Variable::Elapsed { elapsed } else { count }))
    };
    assert_eq!((may(1.0, 1.0), may(21.0, 1.0), may(1.0, 4.0)), (true, false, false));
}

#[test]
fn a_signal_keeps_its_name_in_a_condition() {
    assert_eq!(spelt("sees-colour"), "sees_colour");
    // `colour` alone is another signal, and a difference is written with spaces.
    for (text, holds) in [
        ("sees-colour > 0", true),
        ("lost-colour < 0", true),
        ("lost - sees-colour < 0", true),
        ("sees_colour - colour < 0", true),
    ] {
        let (plan, findings) = compiled(&json!({"graph": {"nodes": {"a": {"when": text}}}}));
        let plan = plan.unwrap_or_else(|| panic!("{text}: {findings:?}"));
        let when = plan.graph.nodes[0].when.clone().expect("a condition");
        let value = |variable: &Variable| match variable {
            Variable::Signal(0) => 0.0,
            Variable::Signal(1) => 1.0,
            _ => 2.0,
        };
        assert_eq!(when.holds(|variable| Value::Number(value(variable))), holds, "{text}");
    }
}

#[test]
fn a_mission_without_a_graph_gets_one_from_its_tasks() {
    let (plan, findings) = compiled(&json!({}));
    let plan = plan.unwrap_or_else(|| panic!("{findings:?}"));
    let names: Vec<&str> = plan.graph.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!((names, findings.len()), (vec!["mission", "sweep", "mop"], 0));
    let root = plan.graph.node(plan.graph.root);
    assert_eq!((root.again, root.children.as_slice()), (true, &[NodeId(1), NodeId(2)][..]));
    assert_eq!(plan.graph.nodes[2].work, Work::Task(TaskId(1)));
    // A task may have the root's name.
    let mut named = tasks();
    named[0].name = "mission".into();
    let graph = derive(&named);
    assert_eq!((graph.root.as_deref(), graph.nodes.0.len()), (Some("the-mission"), 3));
    // A mission without tasks is over at once.
    assert!(derive(&[]).nodes.0.len() == 1 && !derive(&[]).nodes.0[0].1.again);
}

#[test]
fn plans_that_differ_have_different_versions() {
    let version = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut plan = example();
        change(&mut plan);
        compiled(&plan).0.expect("a plan").graph.version
    };
    let same = version(&|_| ());
    assert_eq!(version(&|plan| plan["protocols"]["terminate"] = json!(null)), same);
    let others = [
        version(&|plan| plan["graph"]["nodes"]["end"] = json!({"until": "elapsed > 1"})),
        version(&|plan| plan["graph"]["root"] = json!("search")),
        version(&|plan| plan["points"]["walk"]["decide"] = json!("sf4")),
        version(&|plan| plan["organisation"]["front"]["members"] = json!(["a"])),
    ];
    assert!(others.iter().all(|other| *other != same), "{same} {others:?}");
    // Robots that were built at different times must agree on it.
    assert_eq!(same, VERSION);
}

/// The version of the example.
const VERSION: u16 = 25_873;

#[test]
fn a_plan_is_written_as_it_was_read() {
    let spec: PlanSpec = serde_json::from_value(example()).expect("a plan");
    let written = serde_json::to_value(&spec).expect("plain data");
    assert_eq!(serde_json::from_value::<PlanSpec>(written.clone()).expect("a plan"), spec);
    let nodes = written["graph"]["nodes"].as_object().expect("a map");
    assert_eq!(nodes.keys().next().map(String::as_str), Some("search"), "the order of the file is kept");
}

#[test]
fn protocols_are_known_by_one_name_and_serve_a_point() {
    for (place, protocol) in PROTOCOLS.iter().enumerate() {
        assert!(!protocol.fits.is_empty() && !protocol.summary.is_empty(), "{}", protocol.name);
        assert!(PROTOCOLS[..place].iter().all(|other| other.name != protocol.name), "{}", protocol.name);
    }
}

#[test]
fn the_table_in_the_documents_lists_every_protocol() {
    let document = include_str!("../../../../../../docs/bite.md");
    for protocol in PROTOCOLS {
        let fits: Vec<&str> = protocol.fits.iter().map(|kind| kind.name()).collect();
        let radio = if protocol.network { "yes" } else { "no" };
        let row = format!("| `{}` | {} | {radio} |", protocol.name, fits.join(", "));
        assert!(document.contains(&row), "docs/bite.md has no row {row}");
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("sweep"),
        Just("mop"),
        Just("sweep-well"),
        Just("n0"),
        Just("n1"),
        Just("n2"),
        Just("n3"),
        Just("n4"),
        Just("n5"),
        Just("?"),
        Just("")
    ]
    .prop_map(String::from)
}

fn condition() -> impl Strategy<Value = Option<String>> {
    let text = prop_oneof![
        Just("lost > 0".to_string()),
        Just("count < 2 && elapsed > 3".into()),
        "[a-z0-9<>&|() .+-]{0,20}"
    ];
    prop::option::of(text)
}

prop_compose! {
    fn node()(
        work in prop::option::weighted(0.5, word()),
        children in prop::collection::vec("n[0-7]", 0..3),
        next in prop::collection::vec("n[0-7]", 0..3),
        when in condition(),
        until in condition(),
        by in prop::option::weighted(0.2, prop_oneof!["x", "y", "z"]),
        any in any::<bool>(),
        again in any::<bool>(),
    ) -> serde_json::Value {
        json!({"do": work, "children": children, "next": next, "when": when, "until": until, "by": by,
            "ends": if any { "any" } else { "all" }, "again": again})
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_written_is_a_plan_or_has_findings(
        nodes in prop::collection::vec(node(), 0..8),
        root in prop::option::of("n[0-8]"),
        members in prop::collection::vec(prop::collection::vec("[a-d]", 0..3), 0..3),
        within in prop::collection::vec("[x-z]", 3),
        protocol in prop_oneof![Just("voting"), Just("bidding"), Just("nobody")],
    ) {
        let nodes: serde_json::Map<_, _> = nodes.into_iter().enumerate().map(|(n, node)| (format!("n{n}"), node)).collect();
        let teams: serde_json::Map<_, _> = members.into_iter().zip(["x", "y", "z"]).zip(within)
            .map(|((members, name), within)| (name.to_string(), json!({"members": members, "within": within}))).collect();
        let plan = json!({"graph": {"root": root, "nodes": nodes}, "organisation": teams, "points": {"n0": {"decide": protocol}}});
        let (plan, findings) = compiled(&plan);
        if let Some(plan) = plan {
            // Every behaviour lies within at most one other, and nothing within itself.
            let mut parents = vec![0; plan.graph.nodes.len()];
            plan.graph.nodes.iter().flat_map(|node| &node.children).for_each(|child| parents[child.index()] += 1);
            prop_assert!(parents.iter().all(|count| *count <= 1), "{plan:?}");
            prop_assert_eq!(parents[plan.graph.root.index()], 0);
            prop_assert!(plan.organisation.0.iter().all(|team| !team.members.is_empty()));
        } else {
            prop_assert!(findings.iter().all(|finding| finding.path.is_some()), "{:?}", findings);
        }
    }
}
