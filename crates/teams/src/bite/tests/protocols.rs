//! The protocols, each at a point that it fits.

use super::script::{Crew, plan};
use crate::bite::protocols::{PROTOCOLS, PointKind};
use crate::bite::talk::Talk;
use serde_json::json;

/// A team that has to choose between two behaviours, and divides itself in the first.
fn crew(decide: &str, allocate: &str) -> Crew {
    let text = json!({
        "graph": {"root": "begin", "nodes": {
            "begin": {"next": ["one", "two"]},
            "one": {"children": ["left", "right", "middle"]},
            "left": {}, "right": {}, "middle": {}, "two": {"needs": ["drive"]}
        }},
        "protocols": {"decide": decide, "allocate": allocate, "repeats": 1}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    let begin = crew.node("begin");
    for robot in 0..3 {
        crew.answers[robot].ended.push(begin);
        crew.answers[robot]
            .signals
            .extend([("head-angle", [0.5, -0.3, 0.1][robot]), ("colour", [2.0, 0.0, 1.0][robot])]);
        for (name, cost) in [("one", 1.0), ("two", 2.0), ("left", 3.0), ("right", 3.0), ("middle", 3.0)] {
            let node = crew.node(name);
            crew.answers[robot].costs.insert(node, cost);
        }
    }
    crew
}

#[test]
fn every_protocol_serves_every_point_that_it_fits_and_all_robots_agree() {
    for protocol in PROTOCOLS {
        for kind in protocol.fits.iter().filter(|kind| **kind != PointKind::Terminate) {
            let (decide, allocate) = match kind {
                PointKind::Decide => (protocol.name, "by-id"),
                _ => ("by-id", protocol.name),
            };
            let mut crew = crew(decide, allocate);
            crew.steps(60);
            let stacks = crew.stacks();
            assert!(
                stacks.iter().all(|stack| !stack.is_empty() && !stack.starts_with("begin")),
                "{}: {stacks:?}",
                protocol.name
            );
            let same = |engine: &crate::bite::teamwork::Teamwork| engine.team() == crew.engines[0].team();
            assert!(crew.engines.iter().all(same), "{}", protocol.name);
            if stacks[0].starts_with("one") {
                let mut roles: Vec<&str> = stacks.iter().map(|stack| &stack[6..]).collect();
                roles.sort_unstable();
                assert_eq!(roles, ["left", "middle", "right"], "{}", protocol.name);
            }
        }
    }
}

#[test]
fn local_protocols_decide_at_once_and_say_nothing() {
    for (decide, allocate) in
        [("sf1", "sf2"), ("sf7", "by-id"), ("by-count", "sf2"), ("by-resource", "by-id")]
    {
        let mut crew = crew(decide, allocate);
        for _ in 0..40 {
            crew.step();
            let of_points =
                |talk: &Talk| matches!(talk, Talk::Announce(..) | Talk::Contribution(..) | Talk::Went(..));
            assert!(!crew.said.iter().flatten().any(of_points), "{decide} {allocate}");
        }
        assert!(crew.stacks()[0].starts_with("one > "), "{:?}", crew.stacks());
    }
}

#[test]
fn votes_bids_and_ranks_decide() {
    let mut crew = crew("voting", "sf3");
    let (one, two) = (crew.node("one"), crew.node("two"));
    crew.answers[0].costs.extend([(one, 5.0), (two, 1.0)]);
    crew.steps(60);
    // Two against one; then by head angle, the leftmost first.
    assert_eq!(crew.stacks(), ["one > middle", "one > left", "one > right"]);
    let mut crew = self::crew("sf8", "sf6");
    crew.answers[0].costs.extend([(one, 50.0), (two, 1.0)]);
    crew.steps(60);
    // The total of the costs counts, so one robot outbids two.
    assert_eq!(crew.stacks(), ["two", "two", "two"]);
    let mut crew = self::crew("by-id", "sf6");
    crew.steps(60);
    assert_eq!(crew.stacks(), ["one > middle", "one > left", "one > right"]);
    let mut crew = self::crew("by-id", "bidding");
    let (left, right, middle) = (crew.node("left"), crew.node("right"), crew.node("middle"));
    crew.answers[0].costs.extend([(left, 1.0), (right, 2.0), (middle, 9.0)]);
    crew.answers[1].costs.extend([(left, 1.5), (right, 9.0), (middle, 9.0)]);
    crew.answers[2].costs.extend([(left, 1.0), (right, 9.0), (middle, 1.0)]);
    crew.steps(60);
    assert_eq!(crew.stacks(), ["one > right", "one > left", "one > middle"]);
}

#[test]
fn a_decision_is_left_to_the_operator_and_robots_run_on() {
    let mut crew = crew("ask-operator", "by-id");
    crew.steps(10);
    assert_eq!(crew.answers[0].asked, ["what follows begin?"]);
    assert_eq!(crew.stacks(), ["", "", ""]);
    crew.told[0] = vec![(1, 1)];
    crew.steps(10);
    assert_eq!(crew.stacks(), ["two", "two", "two"]);
    // Without an answer the first option follows, after a while.
    let mut crew = self::crew("ask-operator", "by-id");
    crew.steps(15);
    assert_eq!(crew.stacks(), ["", "", ""]);
    crew.steps(25);
    assert!(crew.stacks()[0].starts_with("one"));
    assert_eq!(crew.answers[0].withdrawn, [1]);
}

/// Two groups ask at the same time: both questions stay open, each with its own time.
#[test]
fn groups_ask_the_operator_independently() {
    let text = json!({
        "graph": {"root": "all", "nodes": {
            "all": {"children": ["left", "right"]},
            "left": {"next": ["l1", "l2"]}, "l1": {}, "l2": {},
            "right": {"next": ["r1", "r2"]}, "r1": {}, "r2": {}
        }},
        "protocols": {"decide": "ask-operator", "allocate": "by-id"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b"]), 2);
    let (left, right) = (crew.node("left"), crew.node("right"));
    crew.answers.iter_mut().for_each(|answers| answers.ended = vec![left, right]);
    crew.steps(12);
    let mut asked = crew.answers[0].asked.clone();
    asked.sort_unstable();
    assert_eq!(asked, ["what follows left?", "what follows right?"]);
    let first = crew.answers[0].asked.iter().position(|text| text.contains("left")).expect("asked") as u32;
    crew.told[0] = vec![(first + 1, 1)];
    crew.steps(8);
    assert_eq!(crew.stacks(), ["all > l2", "all"]);
    // Nobody answers the other one, so its first option follows after a while.
    crew.steps(25);
    assert_eq!(crew.stacks(), ["all > l2", "all > r1"]);
}

#[test]
fn the_successor_of_a_leader_that_dies_asks_the_operator_again() {
    let mut crew = crew("ask-operator", "by-id");
    crew.steps(8);
    crew.stopped.push(0);
    crew.steps(45);
    assert_eq!(crew.answers[1].asked, ["what follows begin?"]);
}

#[test]
fn what_nobody_may_choose_is_not_chosen() {
    let text = json!({
        "graph": {"root": "begin", "nodes": {
            "begin": {"next": ["one", "two"]}, "one": {"when": "colour > 0"}, "two": {}
        }},
        "protocols": {"decide": "by-id"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    let (begin, one) = (crew.node("begin"), crew.node("one"));
    for answers in &mut crew.answers {
        (answers.ended, answers.disabled) = (vec![begin], vec![one]);
    }
    crew.steps(30);
    assert_eq!(crew.stacks(), ["two", "two", "two"]);
}

#[test]
fn messages_about_another_plan_and_garbage_are_counted_and_change_nothing() {
    let mut crew = crew("voting", "bidding");
    let mut say = Vec::new();
    let other = crate::bite::talk::BiteMessage { plan: 1, life: 0, talk: Talk::Went(0, 0, crew.node("one")) };
    crew.engines[0].hear(crewlab_onboard::Time::ZERO, crewlab_onboard::RobotId(1), other, &mut say);
    assert_eq!((crew.engines[0].foreign(), say.len()), (1, 0));
}
