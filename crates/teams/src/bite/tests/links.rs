//! Behaviours that are linked to sub-teams, and preconditions that count.

use super::script::{Crew, plan};
use serde_json::json;

fn allocated(allocate: &str) -> Crew {
    let text = json!({
        "graph": {"root": "walk", "nodes": {
            "walk": {"ends": "any", "children": ["lead", "follow-right", "follow-left"]},
            "lead": {}, "follow-right": {}, "follow-left": {"by": "pair"}
        }},
        "organisation": {"front": {"members": ["a", "b"]}, "pair": {"members": ["b"], "within": "front"}},
        "protocols": {"allocate": allocate}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    // Whoever stands best for it does not belong to the pair.
    for (place, part) in ["lead", "follow-right", "follow-left"].into_iter().enumerate() {
        let node = crew.node(part);
        (0..3).for_each(|robot| {
            _ = crew.answers[robot].costs.insert(node, if robot == place { 1.0 } else { 9.0 });
        });
    }
    (0..3).for_each(|robot| _ = crew.answers[robot].signals.insert("colour", robot as f64));
    crew
}

/// The example of the documents: `follow-left` is for the pair.
#[test]
fn only_members_of_its_sub_team_get_a_child() {
    for allocate in ["bidding", "by-id", "sf6"] {
        let mut crew = allocated(allocate);
        crew.steps(30);
        let stacks = crew.stacks();
        assert_eq!(stacks[1], "walk > follow-left", "{allocate}");
        assert!(stacks.contains(&"walk > lead".into()), "{allocate}: {stacks:?}");
        assert!(stacks.contains(&"walk > follow-right".into()), "{allocate}: {stacks:?}");
    }
}

#[test]
fn a_child_whose_sub_team_is_lost_is_done_by_nobody_else() {
    let mut crew = allocated("bidding");
    crew.stopped.push(1);
    crew.steps(120);
    let stacks = [crew.stacks()[0].clone(), crew.stacks()[2].clone()];
    assert_eq!(stacks, ["walk > lead", "walk > follow-right"]);
}

/// Each step is done by those of its sub-team that execute the parent, whoever did the step before.
#[test]
fn the_steps_of_a_chain_may_belong_to_different_sub_teams() {
    let text = json!({
        "graph": {"root": "all", "nodes": {
            "all": {"children": "one", "next": "rest"},
            "one": {"by": "first", "next": "two"}, "two": {"by": "second", "next": "three"}, "three": {}, "rest": {}
        }},
        "organisation": {"first": {"members": ["a"]}, "second": {"members": ["b"]}}
    });
    let mut crew = Crew::new(plan(text.clone(), &["a", "b", "c"]), 3);
    let steps = [crew.node("one"), crew.node("two"), crew.node("three")];
    crew.steps(5);
    assert_eq!(crew.stacks(), ["all > one", "all", "all"]);
    crew.answers[0].ended = vec![steps[0]];
    crew.steps(5);
    assert_eq!(crew.stacks(), ["all", "all > two", "all"]);
    crew.answers[1].ended = vec![steps[1]];
    crew.steps(5);
    assert_eq!(crew.stacks(), ["all > three", "all > three", "all > three"]);
    crew.answers.iter_mut().for_each(|answers| answers.ended = vec![steps[2]]);
    crew.steps(10);
    assert_eq!(crew.stacks(), ["rest", "rest", "rest"]);
    // If the sub-team is lost, the others go on with what follows.
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    crew.stopped.push(1);
    crew.steps(60);
    crew.answers[0].ended = vec![steps[0]];
    crew.steps(20);
    assert_eq!([crew.stacks()[0].as_str(), crew.stacks()[2].as_str()], ["all > three", "all > three"]);
}

/// What `Repeat` of a behaviour tree becomes.
#[test]
fn a_loop_that_counts_comes_to_its_end() {
    let text = json!({
        "graph": {"root": "ready", "nodes": {
            "ready": {"next": "step"}, "step": {"next": ["step", "end"], "when": "count < 3"}, "end": {"when": "colour > 0"}
        }}
    });
    let mut crew = Crew::new(plan(text, &["a", "b"]), 2);
    let (ready, step, end) = (crew.node("ready"), crew.node("step"), crew.node("end"));
    for answers in &mut crew.answers {
        answers.ended = vec![ready, step];
        answers.at_most.insert(step, 3);
        answers.disabled = vec![end];
    }
    crew.steps(60);
    assert!(crew.engines.iter().all(|engine| engine.team().is_over()));
    assert!(crew.engines.iter().all(|engine| engine.team().count(step) == 3));
}

/// A plan that gets nowhere does not spin: what is over at once is repeated with growing pauses, what takes time is not slowed down.
#[test]
fn a_loop_that_gets_nowhere_slows_down() {
    let text = json!({"graph": {"root": "step", "nodes": {"step": {"next": ["step", "end"]}, "end": {}}},
        "protocols": {"decide": "by-id"}});
    let mut crew = Crew::new(plan(text, &["a", "b"]), 2);
    let step = crew.node("step");
    crew.answers.iter_mut().for_each(|answers| answers.ended = vec![step]);
    crew.steps(1200);
    let often = crew.engines[0].team().count(step);
    assert!((10..25).contains(&often), "{often} times in two minutes");
    // Once it takes two seconds, the team goes on at once.
    let mut begun = crew.engines[0].team().frames().len();
    let mut frames = std::collections::BTreeMap::new();
    for tick in 0..600 {
        crew.step();
        let running =
            crew.engines[0].team().frames().iter().filter(|frame| !frame.held).map(|frame| frame.id);
        running.for_each(|id| _ = *frames.entry(id).or_insert(tick));
        let long = frames.values().last().is_some_and(|since| tick - since >= 20);
        crew.answers
            .iter_mut()
            .for_each(|answers| answers.ended = if long { vec![step] } else { Vec::new() });
        begun = frames.len();
    }
    assert!(begun > 12, "{begun} times in a minute");
}

/// A behaviour with both a local allocation and a local decision: the second is another point than the first.
#[test]
fn robots_that_go_by_their_own_data_allocate_and_then_decide() {
    let text = json!({
        "graph": {"root": "work", "nodes": {
            "work": {"children": ["left", "right"], "next": ["rest", "end"]}, "left": {}, "right": {}, "rest": {}, "end": {}
        }},
        "protocols": {"allocate": "by-id", "decide": "by-id", "local-data": "own"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b"]), 2);
    crew.steps(15);
    // They have not heard each other yet, so both may take the first part.
    assert!(crew.stacks().iter().all(|stack| stack.starts_with("work > ")), "{:?}", crew.stacks());
    let parts = vec![crew.node("left"), crew.node("right")];
    crew.answers.iter_mut().for_each(|answers| answers.ended.clone_from(&parts));
    crew.steps(15);
    assert_eq!(crew.stacks(), ["rest", "rest"]);
}
