//! `crewlab compare`: a ranking, and significant differences.

use super::harness::{Place, assert_says};
use serde_json::Value;

/// With one random death per run, ALLIANCE is significantly better than random.
#[test]
fn with_a_death_per_run_alliance_is_significantly_better_than_random() {
    let place = Place::new();
    let args = ["compare", "waste-cleanup", "--coordinators", "random,alliance", "--seeds", "100"];
    let said = place.fine(&[&args[..], &["--disturb", "random-death", "--out", "out", "--json"]].concat());
    let summary: Value = serde_json::from_str(&said).unwrap();
    let ranking: Vec<&str> = summary["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| summary["cells"][cell.as_u64().unwrap() as usize]["levels"][0].as_str().unwrap())
        .collect();
    assert_eq!(ranking, ["alliance", "random"]);
    let comparison =
        summary["comparisons"].as_array().unwrap().iter().find(|c| c["metric"] == "time_s").unwrap();
    assert_eq!((&comparison["one"], &comparison["other"]), (&"alliance".into(), &"random".into()));
    assert_eq!(comparison["pairs"], 100);
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&comparison["adjusted_p"]) < 0.01, "{comparison}");
    assert!(number(&comparison["interval"]["high"]) < 0.0, "{comparison}");
    let page = place.read("out/report.html");
    assert_says(&page, &["coordinators compared", "alliance is better than random in mission time"]);
    assert_says(&place.read("out/comparisons.csv"), &["time_s,coordinator,alliance,random,100,"]);
}

#[test]
fn a_comparison_reports_what_is_not_significant() {
    let place = Place::with("world: {items: {waste: 2}}\nrun: {until: 10 min}\n");
    let args = ["compare", "scenario.yaml", "--coordinators", "greedy,random,alliance", "--seeds", "3"];
    let said = place.fine(&args);
    assert_says(
        &said,
        &["3 coordinators on scenario.yaml, 3 seeds each.", "1.", "no significant differences in completed"],
    );
    assert!(place.exists("comparisons/scenario/report.html"));
}

#[test]
fn unknown_coordinators_cannot_be_compared() {
    let place = Place::new();
    let refused = |args: &[&str]| place.refused(&[&["compare", "waste-cleanup"], args].concat());
    assert_says(
        &refused(&["--coordinators", "alliance,gredy"]),
        &["there is no coordinator `gredy`", "did you mean `greedy`?"],
    );
    assert_says(&refused(&["--coordinators", "alliance"]), &["needs at least two coordinators"]);
    assert_says(&refused(&["--coordinators", "alliance,alliance"]), &["`alliance` is named twice"]);
    assert_says(&refused(&["--metrics", "speed"]), &["there is no metric `speed`", "time_s"]);
    assert_says(&refused(&["--disturb", "random-deth"]), &["did you mean `random-death`?"]);
}
