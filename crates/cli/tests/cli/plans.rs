//! Plans of teams: drawn before a run, explained after it.

use super::harness::{Place, assert_says};
use serde_json::Value;

#[test]
fn a_plan_is_shown_as_text_drawing_graphviz_and_data() {
    let place = Place::new();
    let text = place.fine(&["graph", "formation"]);
    assert_says(
        &text,
        &["walk -> line-up | search", "decide: sf1 (no radio)", "\n  follow-left  (needs drive, head"],
    );
    assert_says(&place.fine(&["graph", "formation", "--svg", "plan.svg"]), &["wrote plan.svg"]);
    let svg = place.read("plan.svg");
    assert!(
        svg.starts_with("<svg") && svg.contains(">stand-up-third<") && svg.contains("organisation"),
        "{svg}"
    );
    let dot = place.fine(&["graph", "formation", "--dot"]);
    assert!(dot.starts_with("digraph") && dot.contains("walk"), "{dot}");
    let json: Value = serde_json::from_str(&place.fine(&["graph", "formation", "--json"])).expect("JSON");
    assert_eq!((&json["coordinator"], &json["plan"]["nodes"][0]["name"]), (&"bite".into(), &"ready".into()));
    // A mission without a plan of its own.
    let derived = place.fine(&["graph", "janitorial"]);
    assert_says(&derived, &["mission  (again while there is work; allocate: bidding)", "  clean-floor"]);
}

#[test]
fn what_is_wrong_with_a_plan_is_told_once_and_where_it_is() {
    let place = Place::new();
    place.write("s.yaml", "mission: formation\nteam: {coordinator: bite, bite: {graph: walk.yaml}}\n");
    place.write("walk.yaml", "root: a\nnodes:\n  a: {do: leed\n");
    let said = place.refused(&["graph", "s.yaml"]);
    assert_eq!(said.matches("a bracket is not closed").count(), 1, "{said}");
    assert_says(&said, &["walk.yaml:3:"]);
    place.write(
        "walk.yaml",
        "root: a\nnodes:\n  a: {do: leed, next: b}\n  b: {do: lead, children: [c]}\n  c: {children: [b]}\n",
    );
    let said = place.refused(&["graph", "s.yaml"]);
    assert_says(&said, &["walk.yaml:3:11", "did you mean `lead`?", "cannot be parts of each other"]);
    let accepted = said.lines().find(|line| line.contains("accepted: ")).expect("a list");
    assert_eq!(accepted.matches("follow-left").count(), 1, "{accepted}");
    // Another file instead: the first one does not matter any more.
    place.write("end.yaml", "root: end\nnodes:\n  end: {do: end}\n");
    assert_says(&place.fine(&["graph", "s.yaml", "--set", "team.bite.graph=end.yaml"]), &["end"]);
    assert_says(
        &place.refused(&["graph", "formation", "--svg", "nowhere/plan.svg"]),
        &["cannot write nowhere/plan.svg"],
    );
}

#[test]
fn agreements_are_explained() {
    let place = Place::new();
    let voting = "team.bite.points.stand-up.decide=voting";
    place.fine(&["run", "formation", "-q", "--set", voting, "--out", "walk"]);
    let all = place.fine(&["explain", "walk", "--agreements"]);
    assert_says(
        &all,
        &[
            " agreements in formation (seed 1)",
            "decided after stand-up, by voting: ",
            "(a: ",
            "allocated of walk, by sf3: a does lead",
            ", in 0.0",
        ],
    );
    let some = place.fine(&["explain", "walk", "--agreements", "--at", "16.5 s"]);
    assert_says(
        &some,
        &["around 16.5 s", "At 16.5 s:", "waits at `terminate line-up` for ", "line-up > line-up-third"],
    );
    let json = place.fine(&["explain", "walk", "--agreements", "--at", "16.5 s", "--json"]);
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(answer["stands"].as_array().map(Vec::len), Some(3), "{json}");
    assert_eq!(answer["in_all"].as_u64(), Some(place.read("walk/agreements.csv").lines().count() as u64 - 1));
    place.crewlab(&["run", "formation", "-q", "--set", "team.coordinator=greedy", "--out", "plain"]);
    assert_says(
        &place.refused(&["explain", "plain", "--agreements"]),
        &["nothing was agreed on in plain", "team.coordinator=bite"],
    );
    assert_eq!(place.crewlab(&["explain", "walk", "--agreements", "--auctions"]).code, 2);
}

/// What somebody drew in Groot: the team carries it out, and what cannot be mapped is shown in the file.
#[test]
fn a_behaviour_tree_is_a_plan() {
    let place = Place::new();
    place.write(
        "s.yaml",
        "mission: formation\nteam: {coordinator: bite, bite: {graph: tree.xml}}\nrun: {until: 30 s}\n",
    );
    let tree = |last: &str| {
        format!(
            "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Main\">\n    <Sequence name=\"walk\">\n      <Action ID=\"StandUp\"/>\n      \
             <Timeout msec=\"4000\"><Action ID=\"SearchBlue\"/></Timeout>\n      {last}\n    </Sequence>\n  </BehaviorTree>\n</root>\n"
        )
    };
    place.write("tree.xml", tree("<Action ID=\"End\"/>"));
    assert_says(&place.fine(&["graph", "s.yaml"]), &["stand-up", "search-blue", "elapsed > 4", "end"]);
    place.crewlab(&["run", "s.yaml", "-q", "--out", "drawn"]);
    let stacks = place.read("drawn/stacks.csv");
    let at = |text: &str| stacks.find(text).unwrap_or_else(|| panic!("{text}: {stacks}"));
    assert!(at("> stand-up") < at("> search-blue") && at("> search-blue") < at("> end"), "{stacks}");
    // The run's scenario contains the plan, so it needs no other file.
    std::fs::remove_file(place.path("tree.xml")).expect("removed");
    assert_says(&place.fine(&["graph", "drawn/scenario.yaml"]), &["search-blue"]);
    place.write("tree.xml", tree("<ForceFailure><Action ID=\"End\"/></ForceFailure>"));
    assert_says(&place.refused(&["graph", "s.yaml"]), &["tree.xml:6:", "ForceFailure"]);
}

/// Teams with a shared plan are compared and tuned as all others.
#[test]
fn shared_plans_are_compared_and_tuned() {
    let place = Place::new();
    let said =
        place.fine(&["compare", "formation", "--coordinators", "bite,greedy", "--seeds", "2", "--out", "c"]);
    assert!(said.contains("bite         2/2"), "{said}");
    place.write(
        "t.yaml",
        "crewlab: 1\nscenario: formation-swapped\nset: {run.until: 1 min}\nparameters:\n  \
         D: {key: team.bite.points.walk.allocate, choices: [sf2, sf3]}\nmetric: time_s\nseeds: 2\nheld-out: {first: 11, count: 2}\ncandidates: 2\n",
    );
    // So few seeds are warned about.
    let tuned = place.crewlab(&["tune", "t.yaml", "--out", "t"]);
    assert_eq!(tuned.code, 0, "{}", tuned.err);
    assert_says(&tuned.out, &["D", "sf3"]);
}
