//! The thesis' example (section 3.3), step by step: robots A, B and C stand up, search the colour that they will follow, walk in a
//! triangle, and search again or end.

use super::script::{Crew, plan};
use serde_json::json;

fn crew() -> Crew {
    let text = json!({
        "graph": {"root": "stand-up", "nodes": {
            "stand-up": {"next": "search"},
            "search": {"children": ["search-blue", "search-pink"], "next": "walk"},
            "search-blue": {}, "search-pink": {},
            "walk": {"ends": "any", "children": ["lead", "follow-right", "follow-left"], "next": ["search", "end"]},
            "lead": {}, "follow-right": {}, "follow-left": {}, "end": {}
        }},
        "organisation": {"abc": {"members": ["a", "b", "c"]}},
        "protocols": {"decide": "leader", "allocate": "bidding"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    // A will follow the blue paper on the wall, B and C the pink marker of A. B's own marker is blue, too, but nobody follows it.
    let bids = [("search-blue", [1.0, 9.0, 9.0]), ("search-pink", [9.0, 1.0, 1.0])];
    for (name, costs) in bids {
        let node = crew.node(name);
        (0..3).for_each(|robot| _ = crew.answers[robot].costs.insert(node, costs[robot]));
    }
    crew
}

fn end(crew: &mut Crew, robots: &[usize], name: &str) {
    let node = crew.node(name);
    robots.iter().for_each(|robot| crew.answers[*robot].ended = vec![node]);
}

#[test]
fn the_example_of_the_thesis_step_by_step() {
    let mut crew = crew();
    // 1. All stand up.
    crew.steps(5);
    assert_eq!(crew.stacks(), ["stand-up", "stand-up", "stand-up"]);
    // 2. A and B end: their stacks are empty, and they wait. C still stands up.
    end(&mut crew, &[0, 1], "stand-up");
    crew.steps(10);
    assert_eq!(crew.stacks(), ["", "", "stand-up"]);
    // 3. C ends: all search, and nothing had to be decided, since only one behaviour may follow.
    end(&mut crew, &[2], "stand-up");
    crew.steps(4);
    assert!(
        crew.engines.iter().all(|engine| engine
            .team()
            .frames()
            .iter()
            .all(|f| f.node != crew.node("stand-up")))
    );
    // 4. A searches blue, B and C search pink.
    crew.steps(8);
    assert_eq!(crew.stacks(), ["search > search-blue", "search > search-pink", "search > search-pink"]);
    // 5. B and C have found it: they tell, and wait.
    end(&mut crew, &[1, 2], "search-pink");
    crew.steps(10);
    assert_eq!(crew.stacks(), ["search > search-blue", "search", "search"]);
    // 6. A has found it, too: all walk. 7. The roles go by the colour that was searched and the angle of the head.
    let bids =
        [("lead", [0.0, 9.0, 9.0]), ("follow-right", [9.0, 1.0, 2.0]), ("follow-left", [9.0, 2.0, 1.0])];
    for (name, costs) in bids {
        let node = crew.node(name);
        (0..3).for_each(|robot| _ = crew.answers[robot].costs.insert(node, costs[robot]));
    }
    end(&mut crew, &[0], "search-blue");
    crew.steps(15);
    assert_eq!(crew.stacks(), ["walk > lead", "walk > follow-right", "walk > follow-left"]);
    // 8. C loses its colour, ends Walk, and tells: all end it.
    let (search, finish) = (crew.node("search"), crew.node("end"));
    crew.answers[0].costs.extend([(search, 9.0), (finish, 1.0)]);
    end(&mut crew, &[2], "follow-left");
    crew.steps(15);
    // 9. A, the leader of the walk, picks the end, and tells.
    assert_eq!(crew.stacks(), ["end", "end", "end"]);
    end(&mut crew, &[0, 1, 2], "end");
    crew.steps(10);
    assert!(crew.engines.iter().all(|engine| engine.team().is_over()));
}

#[test]
fn the_leader_may_also_begin_again() {
    let mut crew = crew();
    let (search, finish) = (crew.node("search"), crew.node("end"));
    crew.answers.iter_mut().for_each(|answers| answers.costs.extend([(search, 1.0), (finish, 9.0)]));
    for name in ["stand-up", "search-blue", "search-pink", "lead"] {
        let node = crew.node(name);
        crew.answers.iter_mut().for_each(|answers| answers.ended.push(node));
    }
    let roles =
        [("lead", [1.0, 9.0, 9.0]), ("follow-right", [9.0, 1.0, 2.0]), ("follow-left", [9.0, 2.0, 1.0])];
    for (name, costs) in roles {
        let node = crew.node(name);
        (0..3).for_each(|robot| _ = crew.answers[robot].costs.insert(node, costs[robot]));
    }
    crew.steps(200);
    let walk = crew.node("walk");
    assert!(crew.engines.iter().all(|engine| engine.team().count(walk) > 2 && !engine.team().is_over()));
}

#[test]
fn a_robot_that_dies_at_a_barrier_does_not_block_the_others() {
    let mut crew = crew();
    end(&mut crew, &[0, 1], "stand-up");
    crew.steps(5);
    crew.stopped.push(2);
    crew.steps(60);
    assert_eq!(crew.stacks()[..2], ["search > search-blue", "search > search-pink"]);
    assert_eq!(crew.engines[0].council().view().0.len(), 2);
}

#[test]
fn the_role_of_a_robot_that_dies_is_taken_by_another_one() {
    let mut crew = crew();
    let roles =
        [("lead", [1.0, 9.0, 9.0]), ("follow-right", [9.0, 1.0, 2.0]), ("follow-left", [9.0, 2.0, 1.0])];
    for (name, costs) in roles {
        let node = crew.node(name);
        (0..3).for_each(|robot| _ = crew.answers[robot].costs.insert(node, costs[robot]));
    }
    for name in ["stand-up", "search-blue", "search-pink"] {
        let node = crew.node(name);
        crew.answers.iter_mut().for_each(|answers| answers.ended.push(node));
    }
    crew.steps(40);
    assert_eq!(crew.stacks(), ["walk > lead", "walk > follow-right", "walk > follow-left"]);
    crew.stopped.push(0);
    crew.steps(80);
    // With two robots the first two roles are taken, at the least cost.
    let mut stacks = crew.stacks()[1..].to_vec();
    stacks.sort();
    assert_eq!(stacks, ["walk > follow-right", "walk > lead"]);
}

#[test]
fn the_operator_takes_a_robot_while_the_team_goes_on() {
    let mut crew = crew();
    crew.answers[2].taken = true;
    end(&mut crew, &[0, 1], "stand-up");
    crew.steps(30);
    // C has no vote and is not waited for, but it knows where the team is.
    assert_eq!(crew.stacks()[..2], ["search > search-blue", "search > search-pink"]);
    assert_eq!(crew.engines[2].team(), crew.engines[0].team());
    // Released, it comes to where the team is now, not to where it was.
    for (place, name) in ["lead", "follow-right", "follow-left"].into_iter().enumerate() {
        let node = crew.node(name);
        (0..3).for_each(|robot| {
            _ = crew.answers[robot].costs.insert(node, if robot == place { 1.0 } else { 9.0 })
        });
    }
    crew.answers[2].taken = false;
    end(&mut crew, &[0], "search-blue");
    end(&mut crew, &[1], "search-pink");
    crew.steps(30);
    assert!(crew.engines[0].team().taken().is_empty());
    assert!(crew.stacks().iter().all(|stack| stack.starts_with("walk")), "{:?}", crew.stacks());
}

/// A deaf robot is still heard. Nobody waits for it for ever, also if it leads: it stops, the others go on without it, and it comes
/// back when it hears again.
#[test]
fn nobody_waits_for_a_robot_that_is_deaf() {
    for deaf in 0..3 {
        let mut crew = crew();
        crew.steps(5);
        crew.deaf.push(deaf);
        let others: Vec<usize> = (0..3).filter(|robot| *robot != deaf).collect();
        end(&mut crew, &others, "stand-up");
        crew.steps(160);
        let stacks = crew.stacks();
        assert_eq!(stacks[deaf], "", "it has stopped");
        assert!(others.iter().all(|robot| stacks[*robot].starts_with("search")), "{stacks:?}");
        crew.deaf.clear();
        crew.steps(60);
        assert!(crew.engines.iter().all(|engine| engine.is_steady()), "{deaf}");
        let same = |engine: &crate::bite::teamwork::Teamwork| engine.team() == crew.engines[0].team();
        assert!(crew.engines.iter().all(same), "{deaf}");
    }
}
