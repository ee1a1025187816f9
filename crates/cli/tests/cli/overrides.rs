//! `--set` and `--seed`.

use super::harness::{HEAD, Place, assert_says, places};

/// Checks an assignment that is wrong at a column.
fn check(assignment: &str, column: usize, parts: &[&str]) {
    let place = Place::new();
    for command in ["check", "run"] {
        let said = place.refused(&[command, "waste-cleanup", "--set", assignment]);
        assert_eq!(places(&said), [format!("--set:1:{column}")], "{said}");
        assert!(said.contains(assignment), "the assignment is not quoted:\n{said}");
        assert_says(&said, parts);
    }
}

#[test]
fn badly_formed_assignments_are_refused() {
    check("foo", 1, &["missing `=` in the assignment", "write `key.path=VALUE`"]);
    check("run.until", 1, &["missing `=` in the assignment"]);
    check("=3", 1, &["the key before `=` is empty"]);
    check("run..until=3 s", 5, &["a part of the path is empty"]);
    check(".=3", 1, &["a part of the path is empty"]);
    check("run.until=[1,", 13, &["a bracket is not closed"]);
    check("run={until: 4 s", 15, &["a bracket is not closed"]);
    check("run.until=", 5, &["`run.until` is empty, but it has no default"]);
}

#[test]
fn assignments_that_lead_nowhere_are_refused() {
    check("run.until.x=3", 11, &["`run.until` is the text \"60 min\", so `x` cannot be set inside it"]);
    check("team.robots.bleu.at=[1 m, 1 m]", 13, &["has no item `bleu`", "did you mean `blue`?", "`green`"]);
    check("team.robots.9.at=[1 m, 1 m]", 13, &["`team.robots` has no item `9`", "items: `blue`"]);
    check("team.alliance.treshold=4", 15, &["unknown key `treshold`", "did you mean `threshold`?"]);
}

#[test]
fn assigned_values_are_checked_like_those_in_files() {
    check("run.until=40 m", 11, &["found `40 m`, which is a length"]);
    check("run.until=.nan", 11, &["numbers must be finite"]);
    check("run.until=1e999", 11, &["numbers must be finite"]);
    check("team.coordinator=greed", 18, &["did you mean `greedy`?"]);
    check("team.robots.blue.type=cleanr", 23, &["did you mean `cleaner`?"]);
    check("disturbances=[{at: 4 s, trap: blu}]", 31, &["did you mean `blue`?"]);
    check("mission=diffuson", 9, &["did you mean `diffusion`?"]);
    check("crewlab=3", 9, &["this file has format 3"]);
}

#[test]
fn mistakes_in_several_assignments_are_reported_at_once() {
    let place = Place::new();
    let args = ["check", "waste-cleanup", "--set", "team.coordinator=greed", "--set", "run.until=3m"];
    let said = place.refused(&args);
    assert_says(&said, &["`greed`", "found `3m`, which is a length"]);
}

#[test]
fn several_assignments_that_lead_nowhere_are_reported_at_once() {
    let place = Place::new();
    let sets = ["--set", "foo", "--set", "team.robots.bleu.at=3", "--set", "run.untl=3"];
    let said = place.refused(&[&["check", "waste-cleanup"][..], &sets].concat());
    assert_says(&said, &["missing `=`", "did you mean `blue`?", "did you mean `until`?"]);
}

#[test]
fn a_parameter_that_was_set_to_nothing_is_pointed_at() {
    check("team.alliance.threshold=", 15, &["parameter `threshold` of alliance is missing"]);
}

#[test]
fn assignments_change_what_files_say() {
    let place = Place::with("run: {until: 20 s, seed: 4}\n");
    let args = ["check", "scenario.yaml", "--resolved", "--set", "run.until=30 s"];
    assert_says(&place.fine(&args), &["until: 30", "seed: 4"]);
    place.write("scenario.yaml", HEAD);
    let args = ["check", "scenario.yaml", "--resolved", "--set", "team.robots.gold.at=[6 m, 4 m]"];
    assert_says(&place.fine(&args), &["name: gold", "at: [6.0, 4.0]"]);
}

#[test]
fn seeds_keep_all_their_digits() {
    let place = Place::new();
    // The first whole number that floating point cannot represent, and the largest signed one.
    for seed in ["0", "9007199254740993", "9223372036854775807"] {
        let args = ["run", "waste-cleanup", "-q", "--seed", seed, "--set", "run.until=1s", "--out", seed];
        assert_eq!(place.crewlab(&args).code, 3);
        let summary = place.json(&format!("{seed}/summary.json"));
        assert_eq!(summary["seed"].to_string(), seed);
        assert_says(&place.read(&format!("{seed}/scenario.yaml")), &[&format!("seed: {seed}\n")]);
    }
}

#[test]
fn the_largest_seed_is_accepted_and_a_larger_one_refused_where_it_was_given() {
    let place = Place::new();
    let args = |seed| ["run", "waste-cleanup", "-q", "--seed", seed, "--set", "run.until=1s"];
    assert_eq!(place.crewlab(&args("9223372036854775807")).code, 3);
    let refused = place.crewlab(&args("9223372036854775808"));
    assert_eq!(refused.code, 2);
    assert_says(&refused.err, &["--seed"]);
}
