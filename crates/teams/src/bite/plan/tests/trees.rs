//! Behaviour trees as graphs, and what cannot become one.

use super::super::{GraphSpec, import};
use super::compiled;
use crate::{Placed, PlacedValue};
use proptest::prelude::*;
use serde_json::{Value, json};

fn plain(placed: &Placed) -> Value {
    match &placed.value {
        PlacedValue::Text(text) => text.clone().into(),
        PlacedValue::List(items) => items.iter().map(plain).collect(),
        PlacedValue::Map(entries) => {
            entries.iter().map(|(key, _, value)| (key.clone(), plain(value))).collect()
        }
    }
}

fn tree(content: &str) -> String {
    format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">{content}</BehaviorTree></root>")
}

/// The graph of a tree without misfits.
fn graph(content: &str) -> Value {
    let text = tree(content);
    let (graph, misfits) = import(&text);
    assert!(misfits.is_empty(), "{misfits:?}");
    plain(&graph.expect("a graph"))
}

/// Expects one error: the marked text, and a part of the message.
fn misfit(text: &str, marked: &str, words: &str) {
    let (graph, misfits) = import(text);
    assert!(graph.is_none(), "{text}");
    let found: Vec<(&str, &str)> =
        misfits.iter().map(|misfit| (&text[misfit.span.clone()], misfit.message.as_str())).collect();
    assert!(
        matches!(found.as_slice(), [(at, message)] if *at == marked && message.contains(words)),
        "found {found:?}, expected {marked:?}: {words:?}"
    );
}

#[test]
fn a_sequence_becomes_a_chain_within_a_behaviour() {
    let found = graph(
        "<Sequence name=\"Clean Up\"><Action ID=\"Sweep\"/><SweepWell/><Parallel><Mop/><Mop name=\"again\"/></Parallel></Sequence>",
    );
    assert_eq!(
        found,
        json!({"root": "clean-up", "nodes": {
            "clean-up": {"children": ["sweep"]},
            "sweep": {"do": "sweep", "next": ["sweep-well"]},
            "sweep-well": {"do": "sweep-well", "next": ["parallel"]},
            "parallel": {"children": ["mop", "again"]},
            "mop": {"do": "mop"},
            "again": {"do": "mop"},
        }})
    );
    let (plan, findings) = compiled(&json!({"graph": found}));
    assert!(plan.is_some() && findings.is_empty(), "{findings:?}");
}

#[test]
fn conditions_belong_to_what_follows_them() {
    assert_eq!(
        graph(
            "<Sequence><Condition ID=\"SeesColour\"/><Mop/><Inverter><Condition ID=\"lost\"/></Inverter><Sweep/></Sequence>"
        ),
        json!({"root": "sequence", "nodes": {
            "sequence": {"children": ["mop"], "when": "sees_colour > 0"},
            "mop": {"do": "mop", "next": ["sweep"]},
            "sweep": {"do": "sweep", "when": "!(lost > 0)"},
        }})
    );
    assert_eq!(
        graph(
            "<ReactiveSequence><ScriptCondition code=\"lost == 0 &amp;&amp; count &lt; 3\"/><Mop/></ReactiveSequence>"
        ),
        json!({"root": "reactive-sequence", "nodes": {
            "reactive-sequence": {"children": ["mop"], "when": "lost == 0 && count < 3", "until": "!(lost == 0 && count < 3)"},
            "mop": {"do": "mop"},
        }})
    );
    assert_eq!(
        graph("<Mop _skipIf=\"lost > 0\" _while=\"count &lt; 2\"/>")["nodes"]["mop"],
        json!({"do": "mop", "when": "!(lost > 0) && (count < 2)", "until": "!(count < 2)"}),
    );
}

#[test]
fn a_fallback_becomes_alternatives_that_exclude_each_other() {
    let found = graph(
        "<Fallback name=\"choose\"><Condition ID=\"lost\"/><Sequence name=\"a\"><Condition ID=\"colour\"/><Mop/></Sequence><Sweep/></Fallback>",
    );
    assert_eq!(
        found,
        json!({"root": "choose", "nodes": {
            "choose": {"children": ["choose-choice"]},
            "choose-choice": {"next": ["a", "sweep"]},
            "a": {"children": ["mop"], "when": "!(lost > 0) && (colour > 0)"},
            "mop": {"do": "mop"},
            "sweep": {"do": "sweep", "when": "!(lost > 0) && !(colour > 0)"},
        }})
    );
    let (plan, findings) = compiled(&json!({"graph": found}));
    assert!(plan.is_some() && findings.is_empty(), "{findings:?}");
    let found = graph("<IfThenElse name=\"if\"><Condition ID=\"lost\"/><Mop/><Sweep/></IfThenElse>");
    assert_eq!(found["nodes"]["mop"], json!({"do": "mop", "when": "lost > 0"}));
    assert_eq!(found["nodes"]["sweep"], json!({"do": "sweep", "when": "!(lost > 0)"}));
    let found = graph("<ReactiveFallback name=\"f\"><Condition ID=\"lost\"/><Mop/></ReactiveFallback>");
    assert_eq!(found["nodes"]["mop"], json!({"do": "mop", "when": "!(lost > 0)", "until": "lost > 0"}));
}

#[test]
fn decorators_become_conditions_and_loops() {
    assert_eq!(
        graph("<Repeat num_cycles=\"3\"><Mop/></Repeat>"),
        json!({"root": "repeat", "nodes": {
            "mop": {"do": "mop", "next": ["mop"], "when": "count < 3"},
            "repeat": {"children": ["mop"]},
        }})
    );
    assert_eq!(
        graph("<Repeat num_cycles=\"-1\"><Mop/></Repeat>")["nodes"]["mop"],
        json!({"do": "mop", "next": ["mop"]})
    );
    assert_eq!(
        graph("<Timeout msec=\"2500\"><Mop/></Timeout>")["nodes"]["mop"]["until"],
        json!("elapsed > 2.5")
    );
    assert_eq!(
        graph("<RunOnce><ForceSuccess><Mop/></ForceSuccess></RunOnce>")["nodes"],
        json!({"mop": {"do": "mop", "when": "count == 0"}})
    );
    assert_eq!(
        graph("<RetryUntilSuccessful num_attempts=\"3\"><Mop/></RetryUntilSuccessful>")["nodes"],
        json!({"mop": {"do": "mop"}})
    );
    assert_eq!(
        graph("<Delay delay_msec=\"1000\"><Mop/></Delay>")["nodes"],
        json!({"delay": {"children": ["delay-wait"]}, "delay-wait": {"next": ["mop"], "until": "elapsed > 1"}, "mop": {"do": "mop"}})
    );
    assert_eq!(graph("<Sleep msec=\"500\"/>")["nodes"], json!({"sleep": {"until": "elapsed > 0.5"}}));
    assert_eq!(
        graph("<Parallel success_count=\"1\"><Mop/><Sweep/></Parallel>")["nodes"]["parallel"]["ends"],
        json!("any")
    );
}

#[test]
fn trees_within_trees_are_written_out() {
    let text = "<?xml version=\"1.0\"?><!-- drawn -->\n<root main_tree_to_execute='Main'><BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"Part\"/><Part/><Ready/><Mop/></Sequence></BehaviorTree>
        <BehaviorTree ID=\"Part\"><Sweep/></BehaviorTree><TreeNodesModel><Condition ID=\"Ready\"/><SubTree ID=\"Part\"/></TreeNodesModel></root>";
    let (found, misfits) = import(text);
    assert!(misfits.is_empty(), "{misfits:?}");
    assert_eq!(
        plain(&found.expect("a graph"))["nodes"],
        json!({
            "sequence": {"children": ["sweep"]}, "sweep": {"do": "sweep", "next": ["sweep-2"]},
            "sweep-2": {"do": "sweep", "next": ["mop"]}, "mop": {"do": "mop", "when": "ready > 0"},
        })
    );
}

#[test]
fn every_part_of_a_graph_knows_its_place_in_the_tree() {
    let text = tree("<Sequence><Condition ID=\"Lost\"/><Action ID=\"MopUp\" name=\"x\"/></Sequence>");
    let (graph, _) = import(&text);
    fn visit(placed: &Placed, text: &str, found: &mut Vec<(String, String)>) {
        match &placed.value {
            PlacedValue::Text(value) => found.push((value.clone(), text[placed.span.clone()].into())),
            PlacedValue::List(items) => items.iter().for_each(|item| visit(item, text, found)),
            PlacedValue::Map(entries) => entries.iter().for_each(|(_, _, value)| visit(value, text, found)),
        }
    }
    let mut found = Vec::new();
    visit(&graph.expect("a graph"), &text, &mut found);
    for (value, place) in [("mop-up", "MopUp"), ("lost > 0", "Lost"), ("x", "Action")] {
        assert!(found.contains(&(value.into(), place.into())), "{found:?}");
    }
}

#[test]
fn what_does_not_map_is_told_where_it_is() {
    misfit(&tree("<Inverter><Mop/></Inverter>"), "Inverter", "behaviours only end");
    misfit(&tree("<Sequence><Mop/><Script code=\"x:=1\"/></Sequence>"), "Script", "no blackboard");
    misfit(
        &tree("<Sequence><Mop/><Condition ID=\"lost\"/></Sequence>"),
        "lost",
        "a condition at the end of a sequence",
    );
    misfit(
        &tree("<Fallback><Mop/><Sweep/></Fallback>"),
        "Mop",
        "what follows `mop` would be done if it fails",
    );
    misfit(
        &tree("<Parallel><Condition ID=\"lost\"/><Mop/></Parallel>"),
        "lost",
        "cannot be a branch of its own",
    );
    misfit(&tree("<Parallel success_count=\"2\"><Mop/><Mop/><Mop/></Parallel>"), "2", "found 2");
    misfit(&tree("<Condition ID=\"lost\"/>"), "lost", "conditions only");
    misfit(&tree("<Switch2 variable=\"x\"><Mop/><Mop/></Switch2>"), "Switch2", "accepted are Sequence");
    misfit(&tree("<MySpecialLoop><Mop/></MySpecialLoop>"), "MySpecialLoop", "accepted are Sequence");
    misfit(&tree("<Repeat num_cycles=\"often\"><Mop/></Repeat>"), "often", "`num_cycles` is a number");
    misfit(
        &tree(
            "<Repeat num_cycles=\"2\"><Sequence><Repeat num_cycles=\"3\"><Mop/></Repeat></Sequence></Repeat>",
        ),
        "Repeat",
        "`count` counts over the whole run",
    );
    misfit(&tree("<Mop _onSuccess=\"x:=1\"/>"), "_onSuccess", "accepted are `_skipIf` and `_while`");
    misfit(&tree("<Timeout><Mop/></Timeout>"), "Timeout", "`Timeout` needs `msec`");
    misfit(&tree("<SubTree ID=\"Other\"/>"), "Other", "there is no tree `Other`; there are `Main`");
    misfit(
        &tree("<SubTree ID=\"Main\"/>")
            .replace("<Beh", "<BehaviorTree ID='X'><Mop/></BehaviorTree><Beh")
            .replace("<root ", "<root main_tree_to_execute='Main' "),
        "Main",
        "contain each other",
    );
    misfit(&tree("<Mop/><Mop/>"), "BehaviorTree", "one element at its top, found 2");
    misfit(&tree("<Action/>"), "Action", "needs an `ID`");
    misfit("<tree/>", "tree", "`<root>`, found `<tree>`");
    misfit("<root><include path=\"x\"/><BehaviorTree><Mop/></BehaviorTree></root>", "include", "not read");
}

#[test]
fn inputs_of_actions_are_a_warning() {
    let text = tree("<Mop goal=\"{target}\"/>");
    let (graph, misfits) = import(&text);
    assert!(graph.is_some() && misfits.len() == 1 && misfits[0].warning);
    assert_eq!(&text[misfits[0].span.clone()], "goal");
}

#[test]
fn a_file_that_is_no_xml_is_told_where_it_breaks() {
    misfit("", "", "an element such as `<root>` is missing");
    misfit("hello", "h", "no text between");
    misfit("<root><BehaviorTree></root>", "</root>", "ends what `<BehaviorTree>` has begun");
    misfit("<root>", "", "`</root>` is missing");
    misfit("<root a=1/>", "1", "in quotes");
    misfit("<root a=\"1/>", "1", "`\"` is missing");
    misfit("<root a=\"1\" a=\"2\"/>", "a", "given twice");
    misfit("<root a=\"&bomb;\"/>", "&bomb;", "is no character");
    misfit("<!DOCTYPE x [<!ENTITY a \"b\">]><root/>", "<", "document types");
    misfit("<root/><root/>", "<", "goes on");
    let deep = "<a>".repeat(100);
    let (graph, misfits) = import(&deep);
    assert!(graph.is_none() && misfits[0].message.contains("more than 64 levels"));
}

#[test]
fn trees_that_multiply_come_to_an_end() {
    // Each tree has the next one ten times: a million behaviours if all were written out.
    let part = |n: usize| {
        let inner = if n < 6 { format!("<SubTree ID=\"t{}\"/>", n + 1).repeat(10) } else { "<Mop/>".into() };
        format!("<BehaviorTree ID=\"t{n}\"><Sequence>{inner}</Sequence></BehaviorTree>")
    };
    let text = format!("<root main_tree_to_execute=\"t0\">{}</root>", (0..7).map(part).collect::<String>());
    let (graph, misfits) = import(&text);
    assert!(graph.is_none());
    assert!(misfits.iter().any(|misfit| misfit.message.contains("more than 1000 behaviours")), "{misfits:?}");
}

/// Elements that look like trees.
fn element() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("<Mop/>"),
        Just("<Condition ID=\"lost\"/>"),
        Just("<AlwaysSuccess/>"),
        Just("<SubTree ID=\"Main\"/>"),
        Just("<Sleep msec=\"10\"/>"),
        Just("<Mop _while=\"lost > 0\"/>"),
    ]
    .prop_map(String::from);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let tags = prop_oneof![
            Just("Sequence"),
            Just("Fallback"),
            Just("Parallel"),
            Just("Inverter"),
            Just("ReactiveSequence"),
            Just("ReactiveFallback"),
            Just("ForceSuccess"),
            Just("KeepRunningUntilFailure"),
            Just("IfThenElse"),
            Just("RunOnce"),
        ];
        (tags, prop::collection::vec(inner, 0..4))
            .prop_map(|(tag, parts)| format!("<{tag}>{}</{tag}>", parts.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_tree_is_a_sound_graph_or_has_misfits(content in element()) {
        let text = tree(&content);
        let (graph, misfits) = import(&text);
        prop_assert!(misfits.iter().all(|misfit| text.get(misfit.span.clone()).is_some()));
        match graph {
            Some(graph) => {
                let graph = plain(&graph);
                prop_assert!(serde_json::from_value::<GraphSpec>(graph.clone()).is_ok());
                let (plan, findings) = compiled(&json!({"graph": graph}));
                prop_assert!(plan.is_some(), "{}: {:?}", text, findings);
            }
            None => prop_assert!(misfits.iter().any(|misfit| !misfit.warning), "{}", text),
        }
    }

    #[test]
    fn garbage_is_refused_without_a_panic(text in "[<>/=\"'&;!?a-zäN -]{0,60}", cut in 0_usize..200) {
        let _ = import(&text);
        let whole = tree("<Sequence name='ä'><Condition ID=\"a&#228;\"/><Mop/></Sequence>");
        let cut = whole.floor_char_boundary(cut.min(whole.len()));
        let _ = import(&whole[..cut]);
        let _ = import(&format!("{}{text}{}", &whole[..cut], &whole[cut..]));
    }
}
