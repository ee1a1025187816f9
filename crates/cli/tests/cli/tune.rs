//! `crewlab tune`: a search from the file to the tuned scenario.

use super::harness::{Place, assert_says};

/// Little waste and little time, so that a search takes a moment.
const FILE: &str = "
crewlab: 1
scenario: waste-cleanup
set: {world.items.waste: 1, run.until: 3 min}
parameters:
  threshold: {key: team.alliance.threshold, from: 5, to: 200, scale: log}
seeds: 2
candidates: 4
start: 2
";

#[test]
fn a_search_leaves_a_scenario_that_runs() {
    let place = Place::new();
    place.write("small.yaml", FILE);
    let tuned = place.crewlab(&["tune", "small.yaml"]);
    assert_eq!(tuned.code, 0, "{}", tuned.err);
    assert_says(
        &tuned.out,
        &[
            "small: minimise mission time of waste-cleanup, 4 candidates on 2 seeds",
            "runs",
            "parameter",
            "threshold",
            "2 search seeds",
            "2 held-out seeds",
            "on seeds that the search has not seen",
            "Scenario: tunings/small/tuned.yaml",
            "Report: tunings/small/report.html",
        ],
    );
    assert!(tuned.err.contains("warning: 2 held-out seeds are too few"), "{}", tuned.err);
    let summary = place.json("tunings/small/summary.json");
    assert_eq!(summary["effort"]["candidates"], 4);
    assert_eq!(summary["held_out"]["default"]["runs"], 2);
    assert_eq!(place.read("tunings/small/candidates.csv").lines().count(), 5);
    assert!(place.read("tunings/small/report.html").contains("<svg "));
    assert_eq!(place.read("tunings/small/tuning.yaml"), FILE);
    let run = place.crewlab(&["run", "tunings/small/tuned.yaml", "--quiet", "--out", "again"]);
    assert!(run.code == 0 || run.code == 3, "{}", run.err);
    assert_eq!(place.json("again/summary.json")["scenario"], "small-tuned");
}

#[test]
fn results_are_neither_replaced_nor_repeated_unasked() {
    let place = Place::new();
    place.write("small.yaml", FILE);
    let first = place.crewlab(&["tune", "small.yaml", "--json", "--quiet"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let journals = |place: &Place| place.contents().keys().filter(|name| name.ends_with(".jsonl")).count();
    assert_eq!(journals(&place), 1);
    let refused = place.refused(&["tune", "small.yaml"]);
    assert_says(&refused, &["tunings/small already has results", "--resume", "--force"]);
    let again = place.crewlab(&["tune", "small.yaml", "--json", "--quiet", "--resume", "--jobs", "1"]);
    assert_eq!((again.code, &again.out), (0, &first.out));
    assert_eq!(journals(&place), 1, "there was nothing left to run");
}

#[test]
fn an_impossible_search_is_refused() {
    let place = Place::new();
    place.write("overlap.yaml", FILE.replace("seeds: 2", "seeds: 5\nheld-out: [5, 6]"));
    let said = place.refused(&["tune", "overlap.yaml"]);
    assert_says(
        &said,
        &["1 seed is used both for the search and for the held-out comparison, e.g. 5", "overlap.yaml:8:"],
    );
    let said = place.refused(&["tune", "missing.yaml"]);
    assert_says(&said, &["cannot read missing.yaml"]);
    place.write("unknown.yaml", FILE.replace("start: 2", "strat: 2"));
    assert_says(&place.refused(&["tune", "unknown.yaml"]), &["strat", "start"]);
}
