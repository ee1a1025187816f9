//! `crewlab break`. The missions are small, so that hundreds of runs take seconds.

use super::harness::{Place, assert_says};

const SMALL: [&str; 6] =
    ["waste-cleanup", "--set", "world.items={waste: 5}", "--set", "run.until=15 min", "--seeds=1"];

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["break"][..], &SMALL, more].concat()
}

/// The found schedule defeats the one coordinator and not the other, in the file as in the search. Neither the number of threads
/// nor the time of day changes a byte of it.
#[test]
fn greedy_is_defeated_and_alliance_is_not() {
    let place = Place::new();
    let hunt = ["--coordinator=greedy", "--spare=alliance", "--kinds=stop,trap"];
    let said = place.fine(&args(&[&hunt[..], &["--jobs=1"]].concat()));
    let parts = [
        "undisturbed, greedy completes it after",
        "1 disturbance",
        "`greedy` does not complete this mission within 15 min, with seed 1, and `alliance` does.",
        "is walled in at",
        "no single step makes it smaller",
        "Scenario: broken/waste-cleanup-greedy.yaml",
        "crewlab run broken/waste-cleanup-greedy.yaml --set team.coordinator=alliance",
    ];
    assert_says(&said, &parts);
    let file = "broken/waste-cleanup-greedy.yaml";
    let text = place.read(file);
    assert_says(&text, &["# Found by: crewlab break waste-cleanup", "\nmission: waste-cleanup\n", "trap: "]);
    assert!(!place.exists("broken/waste-cleanup-greedy.search"), "the runs are left behind");

    let greedy = place.crewlab(&["run", file, "--quiet", "--out", "greedy"]);
    assert_eq!((greedy.code, greedy.err.as_str()), (3, ""));
    place.fine(&["run", file, "--set", "team.coordinator=alliance", "--quiet", "--out", "alliance"]);

    let told = place.refused(&args(&hunt));
    assert_says(&told, &["broken/waste-cleanup-greedy.yaml already exists", "--force"]);
    let json = place.fine(&args(&[&hunt[..], &["--jobs=3", "--force", "--json"]].concat()));
    assert_eq!(place.read(file), text);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["found"]["minimal"], true);
    assert_eq!(json["file"], file);
}

/// Removed waste is forgotten, and it comes back, so that nobody is defeated by definition.
#[test]
fn disturbances_of_the_world_are_tried_by_name() {
    let place = Place::new();
    let said = place.fine(&args(&["--coordinator=greedy", "--kinds=clock", "--most=1"]));
    let parts = [
        "24 schedules tried (of 36, the smallest first)",
        "clock goes",
        "clock: {robot: ",
        "lowered",
        "no single step makes it smaller",
    ];
    assert_says(&said, &parts);
    let file = "broken/waste-cleanup-greedy.yaml";
    assert_says(&place.read(file), &["  - {at: ", "clock: {robot: "]);
    let greedy = place.crewlab(&["run", file, "--quiet", "--out", "greedy"]);
    assert_eq!((greedy.code, greedy.err.as_str()), (3, ""));
    // The ideal radio has no signal that noise could drown.
    let told = place.refused(&args(&["--kinds=noise,jammer", "--force"]));
    assert_says(&told, &["no disturbance of the kinds noise, jammer is possible in this scenario"]);
}

#[test]
fn the_help_names_every_kind() {
    let said = Place::new().fine(&["break", "--help"]);
    let words: Vec<&str> = said.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    for kind in crewlab_experiments::breaking::palette::kinds() {
        assert!(words.contains(&kind.name), "{} is missing", kind.name);
    }
}

#[test]
fn an_unsuccessful_search_is_reported() {
    let place = Place::new();
    let more = ["--coordinator=greedy", "--spare=alliance", "--kinds=crash", "--most=1", "--budget=40"];
    let outcome = place.crewlab(&args(&more));
    assert_eq!(outcome.code, 3, "{}{}", outcome.out, outcome.err);
    assert_says(
        &outcome.out,
        &["18 schedules tried (all of them)", "Nothing was found in", "use --resume to continue"],
    );
    assert!(!place.exists("broken/waste-cleanup-greedy.yaml"));
    let again = place.crewlab(&args(&[&more[..], &["--resume"]].concat()));
    assert_eq!((again.code, again.out), (3, outcome.out));
}

#[test]
fn invalid_requests_are_refused_and_leave_no_files() {
    let place = Place::new();
    let check = |more: &[&str], parts: &[&str]| {
        assert_says(&place.refused(&[&["break"][..], more].concat()), parts);
    };
    check(
        &["waste-cleanup", "--kinds=stop,trp"],
        &["no kind `trp`", "did you mean `trap`?", "emergency-stop"],
    );
    check(&["waste-cleanup", "--spare=alliance"], &["`alliance` cannot be defeated and spared at once"]);
    check(&["waste-cleanup", "--coordinator=greed"], &["did you mean `greedy`?"]);
    check(&["waste-cleanup", "--spare=greed"], &["did you mean `greedy`?"]);
    check(&["wast-cleanup"], &["did you mean `waste-cleanup`?"]);
    check(&["diffusion"], &["`diffusion` has nothing to complete", "--goal 'spread_m >= 1'"]);
    let late = ["waste-cleanup", "--set=run.until=60 s", "--seeds=1"];
    check(
        &late,
        &["`alliance` does not complete the mission within 60 s with seed 1", "nothing to search for"],
    );
    check(&["waste-cleanup", "--budget=1"], &["raise --budget"]);
    check(&["waste-cleanup", "--out=."], &["is a folder"]);
}
