//! `crewlab check`: who can do what, and whose loss would hurt; and capabilities in scenarios.

use super::harness::{Place, assert_says, check_body};
use serde_json::Value;

#[test]
fn check_tells_the_ways_to_do_a_task() {
    let place = Place::new();
    let said = place.fine(&["check", "waste-cleanup"]);
    assert_says(
        &said,
        &[
            "task find-locations: blue, gold, green\n",
            "by find-locations-methodical: blue\n",
            "by find-locations-wander: blue, gold, green\n",
            "task move-spill-top: blue, gold, green (after find-locations)\n",
            "heterogeneity of the team: 0.04\n",
        ],
    );
    assert!(!said.contains("note:"), "{said}");
    assert_says(&place.fine(&["check", "bounding-overwatch"]), &["heterogeneity of the team: 0.00\n"]);
}

#[test]
fn check_tells_whose_loss_would_leave_a_task_to_nobody() {
    let place = Place::with(
        "team: {robots: [{name: blue, type: cleaner}, {name: gold, type: cleaner, gripper: false}]}\n",
    );
    let said = place.fine(&["check", "scenario.yaml"]);
    assert_says(
        &said,
        &["note: only blue can do move-spill-top, move-spill-bottom: without it, nobody can\n"],
    );
    assert!(!said.contains("only gold"), "{said}");
}

#[test]
fn check_gives_its_findings_as_json() {
    let place = Place::with("team: {robots: [{name: blue, type: cleaner}]}\n");
    let json: Value = serde_json::from_str(&place.fine(&["check", "scenario.yaml", "--json"])).expect("JSON");
    assert_eq!((&json["can_run"], &json["heterogeneity"]), (&true.into(), &0.0.into()));
    let task = &json["tasks"][0];
    assert_eq!((&task["task"], &task["indispensable"][0]), (&"find-locations".into(), &"blue".into()));
    assert_eq!(task["ways"][0]["robots"][0], "blue");
    assert!(
        json["notes"][0].as_str().is_some_and(|note| note.starts_with("only blue can do find-locations"))
    );
    // Errors are reported in both formats, and nothing claims that the scenario can run.
    let args = ["check", "scenario.yaml", "--json", "--set", "team.alliance.slow-impatience=0"];
    let outcome = place.crewlab(&args);
    let json: Value = serde_json::from_str(&outcome.out).expect("JSON");
    assert_eq!((outcome.code, &json["can_run"]), (1, &false.into()));
    assert!(json["breaches"].as_array().is_some_and(|breaches| !breaches.is_empty()));
    assert_says(&outcome.err, &["error: the motivation of blue"]);
}

#[test]
fn a_task_that_nobody_can_do_is_still_a_mistake() {
    let place = Place::with("team: {robots: [{name: blue, type: cleaner, gripper: false}]}\n");
    let said = place.refused(&["check", "scenario.yaml"]);
    assert_says(&said, &["nobody can do task `move-spill-top`: `move-spill-top` needs ", "gripper"]);
}

/// A robot type with further capabilities, and a team of two.
const TALKERS: &str = "robot-types:
  talker:
    body: {circle: 0.15 m}
    sensors: {range-scanner: {}, position: {}, compass: {}}
    effectors: {drive: {}}
    capabilities: {dialog: 0.9, drive: 1}
team:
  robots:
    - {name: blue, type: cleaner, side-range: true}
    - {name: gold, type: talker}
    - {name: green, type: talker, capabilities: {dialog: false, song: 0.5, dance: true}}
";

#[test]
fn robots_may_differ_from_their_type_in_capabilities() {
    let place = Place::with(TALKERS);
    place.fine(&["check", "scenario.yaml"]);
    let heterogeneity = |sets: &[&str]| {
        let said = place.fine(&[&["check", "scenario.yaml", "--json"], sets].concat());
        let json: Value = serde_json::from_str(&said).expect("JSON");
        json["heterogeneity"].as_f64().expect("a number")
    };
    let (as_written, equal) =
        (heterogeneity(&[]), heterogeneity(&["--set", "team.robots.green.capabilities="]));
    assert!(as_written > equal, "{as_written} {equal}");
    // They are part of the written scenario, and mean the same when it is run again.
    let resolved = place.fine(&["check", "scenario.yaml", "--resolved"]);
    assert_says(&resolved, &["capabilities:", "dialog: 0.9"]);
    place.write("resolved.yaml", &resolved);
    assert_eq!(place.fine(&["check", "resolved.yaml", "--resolved"]), resolved);
}

#[test]
fn reliabilities_are_above_0_and_at_most_1() {
    let body = |value: &str| TALKERS.replace("dialog: 0.9", &format!("dialog: $0{value}"));
    check_body(&body("0"), &["must be greater than 0"]);
    check_body(&body("1.5"), &["1"]);
    check_body(&body("often"), &["often"]);
    check_body(&body("90 m"), &["90 m"]);
    check_body(&body("120 %"), &["1"]);
    Place::with(&TALKERS.replace("dialog: 0.9", "dialog: 90 %")).fine(&["check", "scenario.yaml"]);
    check_body(&TALKERS.replace("song: 0.5", "song: $02"), &["1"]);
    check_body(&TALKERS.replace("song: 0.5", "song: $0much"), &["much"]);
}

#[test]
fn plans_for_several_robots_are_staffed() {
    let place = Place::new();
    let said = place.fine(&["check", "service"]);
    assert_says(&said, &["together as fetch + bring: e.g. ", "note: only eddie can do order"]);
    // With one gripper in the team, one robot must serve alone, and the plan for two is impossible.
    let pair = "team.robots=[{name: tommy, type: billiard-player}, {name: eddie, type: speaker}]";
    let said = place.fine(&["check", "service", "--set", pair]);
    assert_says(&said, &["the team cannot staff it", "note: serve cannot be done as fetch + bring"]);
    assert_says(&said, &["note: without eddie nobody can do serve"]);
    let nobody = "team.robots=[{name: tommy, type: billiard-player}]";
    let said = place.refused(&["check", "service", "--set", nobody]);
    assert_says(
        &said,
        &["nobody can do task `serve`", "`fetch + bring` needs a robot for each of its parts"],
    );
    // A robot that lacks what its type has is not counted, be it a device or not.
    let silent = "team.robots.eddie.capabilities={dialog: false}";
    assert_says(&place.refused(&["check", "service", "--set", silent]), &["nobody can do task `order`"]);
}
