//! Every mistake, and where it is shown.

use super::compiled;
use serde_json::{Value, json};

/// Expects exactly these findings: a path and a part of the message each, warnings with a `?` in front.
fn check(plan: Value, expected: &[(&str, &str)]) {
    let (_, findings) = compiled(&plan);
    let found: Vec<(String, &str)> = findings
        .iter()
        .map(|found| {
            let mark = if found.warning { "?" } else { "" };
            (format!("{mark}{}", found.path.as_deref().unwrap_or_default()), found.message.as_str())
        })
        .collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|((path, message), (at, words))| path == at && message.contains(words));
    assert!(same, "found {found:#?}\nexpected {expected:#?}");
}

fn graph(nodes: Value) -> Value {
    json!({"graph": {"nodes": nodes}})
}

#[test]
fn names_that_do_not_exist_are_shown_where_they_are() {
    check(json!({"graph": {"root": "b", "nodes": {"a": {}}}}), &[("graph.root", "no behaviour `b`")]);
    check(
        graph(json!({"a": {"children": ["b", "c"], "next": "d"}, "b": {}})),
        &[("graph.nodes.a.children.1", "no behaviour `c`"), ("graph.nodes.a.next.0", "no behaviour `d`")],
    );
    check(
        graph(json!({"a": {"do": "swep"}})),
        &[("graph.nodes.a.do", "no task and no behaviour set `swep`")],
    );
    check(graph(json!({"a": {"do": "lost"}})), &[("graph.nodes.a.do", "`lost` is a signal")]);
    check(graph(json!({"a": {"by": "front"}})), &[("graph.nodes.a.by", "no sub-team `front`")]);
    check(
        graph(json!({"a": {"when": "lots > 0", "until": "lost >"}})),
        &[
            (
                "graph.nodes.a.when",
                "column 1: there is no `lots`; there are lost, sees_colour, colour, elapsed, count",
            ),
            ("graph.nodes.a.until", "column 7: found the end"),
        ],
    );
    check(
        json!({"organisation": {"front": {"members": ["a", "d", "a"], "within": "frond"}}}),
        &[
            ("organisation.front.members.1", "no robot `d`"),
            ("organisation.front.members.2", "`a` is named twice"),
            ("organisation.front.within.0", "no sub-team `frond`"),
        ],
    );
    check(json!({"points": {"walk": {}}}), &[("points.walk", "no behaviour `walk`")]);
    check(
        json!({"protocols": {"decide": "votng"}, "points": {"mission": {"allocate": "biding"}}}),
        &[("protocols.decide", "no protocol `votng`"), ("points.mission.allocate", "no protocol `biding`")],
    );
}

#[test]
fn a_name_that_is_nearly_right_comes_with_the_known_ones() {
    let (_, findings) = compiled(&graph(json!({"a": {"do": "swep"}})));
    let (word, known) = findings[0].unknown.clone().expect("names");
    assert_eq!(
        (word.as_str(), known),
        ("swep", ["sweep", "mop", "hold", "sweep-well", "sweep-fast", "walk"].map(String::from).to_vec())
    );
}

#[test]
fn what_nobody_has_or_can_do_is_an_error() {
    check(graph(json!({"a": {"do": "sweep-fast"}})), &[("graph.nodes.a.do", "nobody can do `sweep-fast`")]);
    check(
        graph(json!({"a": {"needs": ["drive", "gripper"]}})),
        &[("graph.nodes.a.needs.1", "no robot of the team has an effector `gripper`")],
    );
    check(
        json!({"organisation": {"front": {}}, "graph": {"nodes": {"a": {"by": "front"}}}}),
        &[("organisation.front", "nobody belongs to the sub-team `front`")],
    );
    check(
        json!({
            "organisation": {"front": {"members": "a"}, "rear": {"members": ["b", "c"]}},
            "graph": {"nodes": {"go": {"children": "back", "by": "front"}, "back": {"by": "rear"}}},
        }),
        &[("graph.nodes.back.by", "no robot of the sub-team `rear` executes `go`")],
    );
}

#[test]
fn a_graph_has_the_shape_of_chains_within_behaviours() {
    check(graph(json!({})), &[("graph.nodes", "the graph is empty")]);
    check(graph(json!({"a.b": {}})), &[("graph.nodes", "no dots, found `a.b`")]);
    check(
        graph(json!({"a": {"children": "a"}})),
        &[("graph.nodes.a.children.0", "`a` cannot be a child of itself")],
    );
    check(
        graph(
            json!({"r": {"children": "a"}, "a": {"children": "b", "next": "c"}, "b": {}, "c": {"children": "d"}, "d": {"next": "b"}}),
        ),
        &[(
            "graph.nodes.c.children.0",
            "`d` is in one chain with `b`, a child of `a`, so it cannot be a child of `c` too",
        )],
    );
    check(
        graph(json!({"a": {"children": ["b"], "next": ["b"]}, "b": {}})),
        &[("graph.nodes.a.children.0", "it cannot be a part and a neighbour")],
    );
    check(
        graph(json!({"a": {"children": ["b", "c"]}, "b": {"next": "c"}, "c": {}})),
        &[("graph.nodes.a.children.1", "`c` and `b` are children of `a` and also in one chain")],
    );
    check(
        graph(
            json!({"a": {"children": ["b", "c"]}, "b": {"children": "d"}, "c": {"children": "d"}, "d": {}}),
        ),
        &[("graph.nodes.c.children.0", "`d` is a child of `b` and of `c`")],
    );
    check(
        graph(json!({"a": {"children": ["b", "b"], "next": ["c", "c"]}, "b": {}, "c": {}})),
        &[("graph.nodes.a.children.1", "`b` is named twice"), ("graph.nodes.a.next.1", "`c` is named twice")],
    );
    check(
        json!({"graph": {"root": "b", "nodes": {"a": {"children": "b"}, "b": {}}}}),
        &[("graph.nodes.a.children.0", "the team starts with `b`: it cannot be a part of `a`")],
    );
}

#[test]
fn a_circle_of_parts_is_told_once_with_its_path() {
    check(
        graph(
            json!({"r": {}, "a": {"children": "b"}, "b": {"next": "c"}, "c": {"children": "d"}, "d": {"children": "a"}}),
        ),
        &[("graph.nodes.a.children.0", "`a` has the part `b`, `c` has the part `d`, `d` has the part `a`")],
    );
    check(
        graph(json!({"a": {"children": "b"}, "b": {"children": "a"}})),
        &[(
            "graph.nodes.a.children.0",
            "cannot be parts of each other: `a` has the part `b`, `b` has the part `a`",
        )],
    );
}

#[test]
fn a_loop_of_successors_is_no_circle() {
    check(
        graph(
            json!({"a": {"next": "b", "children": "x"}, "b": {"next": ["a", "c"]}, "c": {}, "x": {"next": ["x", "y"]}, "y": {"next": "x"}}),
        ),
        &[],
    );
}

#[test]
fn behaviours_that_no_edge_leads_to_are_a_warning() {
    check(
        graph(json!({"a": {}, "b": {"next": "a", "children": "c"}, "c": {}})),
        &[("?graph.nodes.b", "`b` is never executed"), ("?graph.nodes.c", "`c` is never executed")],
    );
}

#[test]
fn graphs_have_limits() {
    let chain = |count: usize, key: &str| {
        let node = |n: usize| match n + 1 < count {
            true => json!({key: [(n + 1).to_string()]}),
            false => json!({}),
        };
        graph((0..count).map(|n| (n.to_string(), node(n))).collect::<serde_json::Map<_, _>>().into())
    };
    check(chain(1000, "next"), &[]);
    check(chain(1001, "next"), &[("graph.nodes", "at most 1000 behaviours are accepted, found 1001")]);
    check(chain(64, "children"), &[]);
    check(chain(200, "children"), &[("graph.nodes.63.children.0", "`64` lies more than 64 behaviours deep")]);
    let names: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let all = names.iter().map(|name| (name.clone(), json!({"next": names})));
    check(
        graph(all.collect::<serde_json::Map<_, _>>().into()),
        &[("graph.nodes", "at most 10000 edges are accepted, found 40000")],
    );
}

#[test]
fn a_protocol_fits_its_point() {
    let two = json!({"a": {"next": ["b", "c"], "children": ["x", "y"]}, "b": {}, "c": {}, "x": {}, "y": {}});
    let with = |points: Value| json!({"graph": {"nodes": two}, "points": points});
    check(with(json!({"a": {"decide": "leader", "allocate": "sf2", "terminate": "any-ends-all"}})), &[]);
    check(
        with(json!({"a": {"decide": "wait-all", "terminate": "voting"}})),
        &[
            ("points.a.decide", "`wait-all` does not fit a point of kind `decide`; it is for `terminate`"),
            ("points.a.terminate", "`voting` does not fit a point of kind `terminate`; it is for `decide`"),
        ],
    );
    check(
        with(json!({"b": {"decide": "voting"}, "c": {"allocate": "bidding", "terminate": "wait-all"}})),
        &[
            ("?points.b.decide", "nothing is to be decided at `b`"),
            ("?points.c.allocate", "nothing is to be allocated at `c`"),
        ],
    );
    check(
        json!({"protocols": {"allocate": "wait-all"}}),
        &[("protocols.allocate", "`wait-all` does not fit a point of kind `allocate`")],
    );
}

#[test]
fn sub_teams_are_parts_of_sub_teams() {
    let members = json!(["a", "b"]);
    check(
        json!({"organisation": {"x": {"members": members, "within": "y"}, "y": {"members": members, "within": ["z"]}, "z": {"members": members, "within": "x"}}}),
        &[("organisation.x.within", "cannot be parts of each other: x within y within z within x")],
    );
    check(
        json!({"organisation": {"x": {"members": "a", "within": "x"}}}),
        &[("organisation.x.within.0", "`x` cannot be a part of itself")],
    );
    check(
        json!({"organisation": {"x": {"members": ["b", "a"], "within": "y"}, "y": {"members": "a"}}}),
        &[("organisation.x.members.0", "`b` does not belong to `y`, which `x` is a part of")],
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    let plan = json!({
        "graph": {"root": "nowhere", "nodes": {"a": {"do": "fly", "next": "b", "again": true, "when": "1"}}},
        "organisation": {"x": {"members": "z"}},
        "points": {"c": {}},
    });
    let (_, findings) = compiled(&plan);
    let paths: Vec<&str> = findings.iter().filter_map(|found| found.path.as_deref()).collect();
    assert_eq!(
        paths,
        [
            "organisation.x.members.0",
            "graph.nodes.a.next.0",
            "graph.root",
            "graph.nodes.a.do",
            "graph.nodes.a.when",
            "graph.nodes.a.again",
            "points.c",
        ]
    );
}

#[test]
fn protocols_that_could_not_work_are_refused() {
    check(
        json!({"graph": {"nodes": {"a": {"children": ["b", "c"]}, "b": {}, "c": {}}}, "points": {"a": {"allocate": "sf3"}}}),
        &[(
            "points.a.allocate",
            "`sf3` ranks robots by the signal `head-angle`, which this mission does not have",
        )],
    );
    check(
        json!({"graph": {"nodes": {"a": {"children": ["b", "c"], "again": true}, "b": {}, "c": {}}}, "points": {"a": {"allocate": "by-id"}}}),
        &[("points.a.allocate", "allocated `again` and again: that is always done by `bidding`")],
    );
    let many: Vec<String> = (0..65).map(|number| format!("n{number}")).collect();
    let mut nodes = serde_json::Map::from_iter(many.iter().map(|name| (name.clone(), json!({}))));
    nodes.insert("a".into(), json!({"next": many}));
    check(
        json!({"graph": {"root": "a", "nodes": nodes}}),
        &[("graph.nodes.a.next", "at most 64 behaviours can be chosen among, found 65")],
    );
}

#[test]
fn what_no_single_robot_has_together_is_an_error() {
    check(
        graph(json!({"a": {"needs": ["arm", "drive"]}, "b": {"needs": ["drive", "brush"]}})),
        &[
            ("?graph.nodes.b", "never executed"),
            ("graph.nodes.a.needs", "no robot of the team has all that it needs (`arm`, `drive`)"),
        ],
    );
    check(
        json!({
            "graph": {"nodes": {"a": {"needs": "brush", "by": "pair"}}},
            "organisation": {"pair": {"members": ["a", "c"]}}
        }),
        &[("graph.nodes.a.needs", "no robot of the sub-team `pair` has all that it needs (`brush`)")],
    );
}

#[test]
fn a_behaviour_within_itself_is_told_in_short() {
    let nodes =
        json!({"start": {"next": "end"}, "end": {}, "one": {"children": "two"}, "two": {"children": "one"}});
    let (_, findings) = compiled(&graph(nodes));
    let message =
        findings.iter().map(|found| &found.message).find(|message| message.contains("parts of each"));
    let message = message.expect("a circle");
    assert!(message.contains("has the part") && !message.contains("one chain"), "{message}");
}

#[test]
fn a_silence_that_one_lost_message_makes_is_a_warning() {
    let warned = |rate: f64, silence: f64| {
        let params = crate::bite::BiteParams { status_rate: rate, silence, ..Default::default() };
        params.hasty().is_some_and(|finding| finding.warning && finding.path.as_deref() == Some("silence"))
    };
    assert!(!warned(2.0, 5.0) && !warned(2.0, 1.0));
    assert!(warned(2.0, 0.9) && warned(0.1, 5.0));
}
