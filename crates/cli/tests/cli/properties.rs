//! `.properties` files as a source of ALLIANCE's parameters.

use super::harness::{Place, assert_says, places};

/// A file with everything that waste-cleanup needs.
fn whole() -> String {
    let sets = [
        "find-locations-methodical",
        "find-locations-wander",
        "move-spill-top",
        "move-spill-bottom",
        "report-progress",
    ];
    let mut text = "# ALLIANCE-SIM figure 3.4\nthreshold = 100\n".to_string();
    for set in sets {
        text += &format!("broadcastRate.{set} = 1\ntimeAllowedTillCeased.{set} = 5\n");
        text += &format!("fastImpatience.{set} = 4\ntimeBeforeYielding.{set} = 150\n");
        text += &format!("timeBeforeGivingUp.{set} = 600\n");
        for robot in ["blue", "gold", "green"] {
            text += &format!("timeWillingToAffect.{robot}.{set} = 100\nslowImpatience.{robot}.{set} = 0.3\n");
        }
    }
    text
}

fn place(properties: &str) -> Place {
    let place = Place::with("team:\n  alliance: {properties: team.properties}\n");
    place.write("team.properties", properties);
    place
}

/// Checks a file that is wrong: every message points into it, or at the scenario's line that names it.
fn check(properties: &str, parts: &[&str]) {
    let place = place(properties);
    for command in ["check", "run"] {
        let said = place.refused(&[command, "scenario.yaml"]);
        assert!(!places(&said).is_empty());
        let right = |place: &&str| *place == "scenario.yaml:4:26" || place.starts_with("team.properties:");
        assert!(places(&said).iter().all(right), "{said}");
        assert_says(&said, parts);
    }
}

#[test]
fn a_whole_file_is_accepted() {
    let place = place(&whole());
    assert_says(&place.fine(&["check", "scenario.yaml"]), &["can run", "ALLIANCE's guarantee"]);
    place.fine(&["run", "scenario.yaml", "-q"]);
}

#[test]
fn missing_parameters_are_all_named() {
    check(&whole().replace("threshold = 100\n", ""), &["team.properties: `threshold` is missing"]);
    let lacking = whole()
        .replace("fastImpatience.move-spill-top = 4\n", "")
        .replace("slowImpatience.gold.report-progress = 0.3\n", "");
    check(
        &lacking,
        &[
            "`fastImpatience.move-spill-top` is missing: add a line",
            "`slowImpatience.gold.report-progress` is missing: add a line",
        ],
    );
    check("", &["`threshold` is missing"]);
}

#[test]
fn unknown_keys_are_named_with_their_line() {
    let typo = whole().replace("threshold = 100", "treshold = 100");
    check(&typo, &["`threshold` is missing", "unknown key `treshold`", "team.properties:2:1"]);
}

#[test]
fn unknown_keys_get_a_suggestion() {
    let place = place(&whole().replace("threshold = 100", "treshold = 100"));
    let said = place.refused(&["check", "scenario.yaml"]);
    assert_says(&said, &["treshold", "did you mean `threshold`?"]);
    assert!(said.contains("team.properties:2:1"), "{said}");
}

#[test]
fn values_must_be_numbers() {
    let bad = "x\nthreshold = NaN\nthreshold = inf\nthreshold = -1\nthreshold = 1e999\nthreshold = a\nthreshold = 0\n";
    check(
        &(whole() + bad),
        &[
            "expected `key = value`, found `x`",
            "team.properties:58:1",
            "`NaN` must be finite",
            "team.properties:59:1",
            "`inf` must be finite",
            "`-1` must be finite and not negative",
            "`1e999` must be finite",
            "`a` is not a number",
            "`threshold` must be above 0",
            "team.properties:64:1",
        ],
    );
}

#[test]
fn parameters_for_absent_robots_are_a_note() {
    let place = place(&(whole() + "slowImpatience.red.move-spill-top = 3\n"));
    let outcome = place.crewlab(&["check", "scenario.yaml"]);
    assert_eq!(outcome.code, 0);
    assert_says(
        &outcome.err,
        &["warning: ", "`slowImpatience.red.move-spill-top` is ignored: no robot `red`"],
    );
}

#[test]
fn a_file_that_cannot_be_read_is_pointed_at() {
    let place = Place::with("team:\n  alliance: {properties: nothere.properties}\n");
    let said = place.refused(&["run", "scenario.yaml"]);
    assert_says(&said, &["cannot read ", "nothere.properties: No such file", "scenario.yaml:4:26"]);
    place.write("nothere.properties", b"threshold = \xff\n");
    assert_says(&place.refused(&["run", "scenario.yaml"]), &["nothere.properties", "UTF-8"]);
}

#[test]
fn the_scenario_may_supply_what_a_file_lacks() {
    let place = Place::with("team: {alliance: {properties: team.properties, threshold: 100}}\n");
    place.write("team.properties", whole().replace("threshold = 100\n", ""));
    place.fine(&["check", "scenario.yaml"]);
}

#[test]
fn the_written_scenario_gives_the_same_result() {
    let place = place(&whole());
    place.fine(&["run", "scenario.yaml", "-q", "--out", "first"]);
    place.fine(&["run", "first/scenario.yaml", "-q", "--out", "again"]);
    let hash = |folder: &str| place.json(&format!("{folder}/summary.json"))["result_hash"].clone();
    assert_eq!(hash("first"), hash("again"));
}
