//! Robots that come late, that cannot begin their part, or that the operator has: nobody waits for them, and they end nothing for others.

use super::script::{Crew, plan};
use serde_json::{Value, json};

/// A team that shares a behaviour, which ends as said, and what follows it.
fn crew(ends: &str, parts: &[&str], robots: usize) -> Crew {
    let mut nodes = serde_json::Map::new();
    nodes.insert("walk".into(), json!({"ends": ends, "children": parts, "next": "rest"}));
    nodes.insert("rest".into(), json!({}));
    parts.iter().for_each(|part| _ = nodes.insert((*part).into(), json!({})));
    let text: Value = json!({"graph": {"root": "walk", "nodes": nodes}, "protocols": {"allocate": "by-id"}});
    Crew::new(plan(text, &["a", "b", "c"][..robots]), robots)
}

/// Stops a robot for long enough to be missed, and lets it go on.
fn miss(crew: &mut Crew, robot: usize) {
    crew.stopped.push(robot);
    crew.steps(60);
    crew.stopped.clear();
    crew.steps(40);
}

#[test]
fn a_robot_that_comes_late_takes_the_part_that_nobody_has() {
    for ends in ["any", "all"] {
        let mut crew = crew(ends, &["lead", "left", "right"], 3);
        crew.steps(10);
        miss(&mut crew, 2);
        assert_eq!(crew.stacks(), ["walk > lead", "walk > left", "walk > right"], "{ends}");
    }
}

#[test]
fn a_robot_that_comes_late_and_finds_nothing_open_ends_nothing() {
    for ends in ["any", "all"] {
        let mut crew = crew(ends, &["lead", "left"], 3);
        crew.steps(10);
        miss(&mut crew, 2);
        assert_eq!(crew.stacks(), ["walk > lead", "walk > left", "walk"], "{ends}");
        // What the others end is over for it, too: it is not waited for.
        let (lead, left) = (crew.node("lead"), crew.node("left"));
        crew.answers[0].ended = vec![lead];
        crew.answers[1].ended = vec![left];
        crew.steps(15);
        assert_eq!(crew.stacks(), ["rest", "rest", "rest"], "{ends}");
    }
}

#[test]
fn a_robot_without_a_part_ends_nothing_for_the_others() {
    let text = json!({
        "graph": {"root": "walk", "nodes": {
            "walk": {"ends": "any", "children": ["lead", "left"], "next": "rest"}, "lead": {}, "left": {}, "rest": {}
        }}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    for (robot, part) in [(0, "lead"), (1, "left")] {
        let node = crew.node(part);
        crew.answers[robot].costs.insert(node, 1.0);
    }
    crew.steps(30);
    assert_eq!(crew.stacks(), ["walk > lead", "walk > left", "walk"]);
}

#[test]
fn a_robot_that_cannot_begin_its_part_ends_nothing_for_the_others() {
    let mut crew = crew("any", &["lead", "left", "right"], 3);
    let left = crew.node("left");
    crew.answers[1].unable = vec![left];
    crew.steps(50);
    // It tries on, and begins as soon as it can.
    assert_eq!(crew.stacks(), ["walk > lead", "walk > left", "walk > right"]);
    assert!(crew.engines.iter().all(|engine| engine.team().frames().iter().any(|f| !f.unable.is_empty())));
    crew.answers[1].unable.clear();
    crew.steps(10);
    assert!(crew.engines.iter().all(|engine| engine.team().frames().iter().all(|f| f.unable.is_empty())));
    crew.answers[1].ended = vec![left];
    crew.steps(10);
    assert_eq!(crew.stacks(), ["rest", "rest", "rest"]);
}

#[test]
fn what_nobody_can_begin_is_over() {
    let mut crew = crew("any", &["lead", "left"], 2);
    let parts = vec![crew.node("lead"), crew.node("left")];
    crew.answers.iter_mut().for_each(|answers| answers.unable.clone_from(&parts));
    crew.steps(20);
    assert_eq!(crew.stacks(), ["rest", "rest"]);
    // In what everybody ends for itself, nobody waits for a robot that cannot begin.
    let mut crew = self::crew("all", &["lead", "left"], 2);
    let (lead, left) = (crew.node("lead"), crew.node("left"));
    crew.answers[0].ended = vec![lead];
    crew.answers[1].unable = vec![left];
    crew.steps(20);
    assert_eq!(crew.stacks(), ["rest", "rest"]);
}

#[test]
fn the_part_of_a_robot_that_the_operator_takes_is_done_by_others() {
    for taken in 0..3 {
        let mut crew = crew("any", &["lead", "left", "right"], 3);
        crew.steps(10);
        crew.answers[taken].taken = true;
        crew.steps(10);
        let others: Vec<String> = crew
            .stacks()
            .into_iter()
            .enumerate()
            .filter(|(place, _)| *place != taken)
            .map(|(_, s)| s)
            .collect();
        assert_eq!(others, ["walk > lead", "walk > left"], "{taken}");
        // Released, it takes what is open.
        crew.answers[taken].taken = false;
        crew.steps(10);
        assert_eq!(crew.stacks(), ["walk > lead", "walk > left", "walk > right"], "{taken}");
    }
}

#[test]
fn a_team_of_one_waits_for_its_robot_while_the_operator_has_it() {
    let mut crew = crew("any", &["lead", "left"], 1);
    crew.steps(10);
    crew.answers[0].taken = true;
    crew.steps(20);
    assert_eq!(crew.stacks(), [""]);
    crew.answers[0].taken = false;
    crew.steps(10);
    assert_eq!(crew.stacks(), ["walk > lead"]);
}

#[test]
fn a_part_that_two_share_is_over_when_the_one_that_can_has_ended_it() {
    let mut crew = crew("any", &["lead", "left"], 3);
    let lead = crew.node("lead");
    crew.steps(10);
    assert_eq!(crew.stacks()[2], "walk > lead");
    crew.answers[2].unable = vec![lead];
    crew.answers[0].ended = vec![lead];
    crew.steps(15);
    assert_eq!(crew.stacks(), ["rest", "rest", "rest"]);
}
