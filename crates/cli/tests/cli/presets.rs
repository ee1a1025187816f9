//! `--disturb`: entries, presets and files.

use super::harness::{Place, assert_says, places};
use serde_json::Value;

/// The disturbances of a scenario with these arguments, as it would run.
fn resolved(place: &Place, args: &[&str]) -> String {
    let said = place.fine(&[&["check", "waste-cleanup", "--resolved"][..], args].concat());
    let lines = said.lines().skip_while(|line| *line != "disturbances:").skip(1);
    lines.take_while(|line| line.starts_with(' ')).map(|line| format!("{}\n", line.trim())).collect()
}

const DEATH: &str = "{between: [0 s, 10 min], stop: random}";

#[test]
fn a_preset_a_file_and_an_entry_mean_the_same() {
    let place = Place::new();
    place.write("list.yaml", format!("# What may go wrong.\n- {DEATH}\n"));
    place.write("block.yaml", "- between: [0 s, 10 min]\n  stop: random\n");
    place.write("map.yaml", format!("crewlab: 1\ndisturbances:\n  - {DEATH}\n"));
    place.write("scenario.yaml", format!("mission: service\nrun: {{until: 5 s}}\ndisturbances: [{DEATH}]\n"));
    place.write("one.yaml", "between: [0 s, 10 min]\nstop: random\n");
    let expected = resolved(&place, &["--disturb", DEATH]);
    assert_eq!(expected, "- between: [0.0, 600.0]\nstop: random\n");
    for said in ["random-death", "list.yaml", "block.yaml", "map.yaml", "scenario.yaml", "one.yaml"] {
        assert_eq!(resolved(&place, &["--disturb", said]), expected, "{said}");
    }
    // A file takes precedence over a preset of its name.
    place.write("slow-robots", format!("- {DEATH}\n"));
    assert_eq!(resolved(&place, &["--disturb", "slow-robots"]), expected);
}

#[test]
fn disturbances_add_up_in_their_order() {
    let place = Place::new();
    place.write("none.yaml", "disturbances: []\n");
    let args = ["--disturb", "two-deaths", "--disturb", "none.yaml", "--disturb", "{at: 1 s, crash: blue}"];
    let found = resolved(&place, &[&["--set", "disturbances.+={at: 2 s, trap: gold}"], &args[..]].concat());
    let kinds = found.lines().filter(|line| !line.starts_with("- "));
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["trap: gold", "stop: random", "stop: random", "crash: blue"],
        "{found}"
    );
}

#[test]
fn a_run_with_a_preset_is_the_run_of_the_shipped_scenario() {
    let place = Place::new();
    place.fine(&["run", "waste-cleanup", "-q", "--disturb", "random-death", "--out", "preset"]);
    place.fine(&["run", "waste-cleanup-death", "-q", "--out", "shipped"]);
    let hash = |folder: &str| place.json(&format!("{folder}/summary.json"))["result_hash"].clone();
    assert_eq!(hash("preset"), hash("shipped"));
    assert_says(&place.read("preset/scenario.yaml"), &["stop: random"]);
}

#[test]
fn every_preset_is_listed_and_runs_in_every_mission() {
    let place = Place::new();
    let listed = |sort: &str| {
        let list: Value = serde_json::from_str(&place.fine(&["list", sort, "--json"])).expect("JSON");
        let entries = list[sort].as_array().cloned().expect("a list");
        entries.iter().map(|entry| entry["name"].as_str().expect("a name").to_string()).collect::<Vec<_>>()
    };
    let presets = listed("presets");
    assert!(presets.len() >= 10, "{presets:?}");
    let all: Vec<&str> = presets.iter().flat_map(|name| ["--disturb", name]).collect();
    for mission in listed("missions") {
        // All at once, until all have begun.
        let args = ["run", &mission, "-q", "--set", "run.until=10 min", "--out", &mission];
        let outcome = place.crewlab(&[&args[..], &all].concat());
        assert!([0, 3].contains(&outcome.code) && outcome.err.is_empty(), "{mission}: {}", outcome.err);
    }
}

#[test]
fn errors_in_an_entry_point_to_where_it_was_given() {
    let place = Place::new();
    place.write("trouble.yaml", "- {at: 1 s, stop: blue}\n- {at: 60 s, stop: blu}\n");
    for command in ["check", "run", "learn"] {
        let said = place.refused(&[command, "waste-cleanup", "--disturb", "{at: 60 s, stop: blu}"]);
        assert_eq!(places(&said), ["--disturb:1:18"], "{said}");
        assert_says(&said, &["{at: 60 s, stop: blu}", "did you mean `blue`?"]);
        assert!(!said.contains("--set"), "{said}");
    }
    let said = place.refused(&["check", "waste-cleanup", "--disturb", "trouble.yaml"]);
    assert_eq!(places(&said), ["trouble.yaml:2:20"], "{said}");
    let said = place.refused(&["check", "waste-cleanup", "--disturb", "{at: 60 s, stop: blue"]);
    assert_says(&said, &["a bracket is not closed", "--disturb:1:21"]);
    let said = place.refused(&["check", "waste-cleanup", "--disturb", "{at: 60 s, stpo: blue}"]);
    assert_eq!(places(&said), ["--disturb:1:12"], "{said}");
    assert_says(&said, &["`stpo`", "`stop`"]);
}

#[test]
fn an_unknown_preset_lists_the_known_ones() {
    let place = Place::new();
    let refused = |said: &str| place.refused(&["check", "waste-cleanup", "--disturb", said]);
    assert_says(
        &refused("deaf-robt"),
        &[
            "an entry, the name of a preset or a file; found `deaf-robt`, which is none of them",
            "did you mean `deaf-robot`?",
            "presets: random-death, ",
            "`{at: 60 s, stop: blue}`",
        ],
    );
    assert_says(&refused("trouble.yaml"), &["found `trouble.yaml`"]);
    assert_says(&refused(""), &["found nothing"]);
    place.write("text.yaml", "just words\n");
    place.write("other.yaml", "disturbances: []\nrun: {until: 1 s}\n");
    place.write("bytes.yaml", [0xff, 0xfe]);
    place.write("folder/file", "");
    place.write("empty.yaml", "");
    assert_says(&refused("empty.yaml"), &["a file of disturbances is a list of entries", "empty.yaml"]);
    assert_says(&refused("text.yaml"), &["a list of entries", "text.yaml:1:1"]);
    assert_says(
        &refused("other.yaml"),
        &["unknown key `run`", "other.yaml:2:1", "only `crewlab` is allowed"],
    );
    assert_says(&refused("bytes.yaml"), &["cannot read bytes.yaml", "not UTF-8"]);
    assert_says(&refused("folder"), &["cannot read folder: it is a directory; give a file of disturbances"]);
    // Errors of the scenario are reported at the same time.
    let said = place.refused(&["check", "waste-cleanup", "--disturb", "nope", "--set", "run.until=3m"]);
    assert_says(&said, &["found `3m`, which is a length", "found `nope`"]);
}
