//! `crewlab explain`, and that the records of the radio agree with each other.

use super::harness::{Place, assert_says};
use serde_json::Value;
use std::collections::BTreeMap;

/// A weak radio, a wall and a jammer: messages are lost for several reasons.
const HARD: &str = "name: hard
radio: {model: wifi-indoor, power: -36 dBm}
world:
  objects:
    - {name: screen, wall: [[0 m, 0 m], [0 m, 2.2 m]], at: [5 m, 3.5 m], material: concrete}
    - {name: jammer, circle: 0.1 m, at: [3 m, 5.8 m], penetrability: 1, jammer: {power: -40 dBm}}
run: {until: 4 min}
";

/// A place with a finished run in the folder `results`.
fn finished(body: &str) -> Place {
    let place = Place::with(body);
    let outcome = place.crewlab(&["run", "scenario.yaml", "-q", "--out", "results"]);
    assert!([0, 3].contains(&outcome.code) && outcome.err.is_empty(), "{}", outcome.err);
    place
}

/// The cells of one column of a table.
fn column(place: &Place, table: &str, name: &str) -> Vec<String> {
    let text = place.read(table);
    let mut lines = text.lines();
    let at = lines.next().and_then(|head| head.split(',').position(|column| column == name));
    let at = at.unwrap_or_else(|| panic!("{table} has no column {name}"));
    lines.map(|line| line.split(',').nth(at).unwrap_or_default().to_string()).collect()
}

#[test]
fn every_copy_has_one_row_and_the_summary_agrees() {
    let ideal = "radio: {loss: 0.3, range: 5 m}\nrun: {until: 4 min}\n";
    let flooded = HARD.replace("-36 dBm", "-36 dBm, forwarding: flooding");
    for body in [HARD, ideal, &flooded] {
        let place = finished(body);
        let summary = place.json("results/summary.json");
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for outcome in column(&place, "results/radio.csv", "outcome") {
            *counts.entry(outcome.replace(' ', "_")).or_default() += 1;
        }
        let (radio, messages) = (&summary["radio"], &summary["messages"]);
        let delivered = counts.remove("delivered").unwrap_or(0);
        assert_eq!(messages["delivered"], delivered, "{body}");
        assert_eq!(radio["delivered"], delivered);
        let lost: BTreeMap<String, u64> =
            serde_json::from_value(radio["lost_by_reason"].clone()).expect("counts by reason");
        assert_eq!(lost, counts, "{body}");
        assert!(delivered > 0 && !lost.is_empty(), "{body}");
        assert_eq!(messages["lost"], lost.values().sum::<u64>());
        let in_flight = messages["in_flight"].as_u64().expect("a count");
        assert_eq!(messages["sent"], delivered + lost.values().sum::<u64>() + in_flight);
        for (one, two) in [("sent", "copies"), ("bytes", "bytes")] {
            assert_eq!(messages[one], radio[two], "{one}");
        }
        let count = |key: &str| messages[key].as_u64().expect("a count");
        assert_eq!(radio["messages"], count("broadcasts") + count("unicasts"));
    }
}

#[test]
fn a_physical_radio_leaves_links_and_figures_behind_and_an_ideal_one_does_not() {
    let place = finished(HARD);
    let times = column(&place, "results/links.csv", "time_s");
    let mut different = times.clone();
    different.dedup();
    assert!(different.len() > 10 && different.len() <= 201, "{} samples", different.len());
    assert_eq!(times.len() % 6, 0, "three robots have six links");
    for figure in ["links", "noise", "delivery", "airtime"] {
        assert!(place.exists(&format!("results/plots/{figure}.svg")), "{figure}");
    }
    let report = place.read("results/report.html");
    assert_says(&report, &["<h2>The radio</h2>", "of all copies arrived", "Communication costs"]);

    let plain = finished("run: {until: 1 min}\n");
    for file in ["links.csv", "plots/links.svg", "plots/delivery.svg", "plots/airtime.svg"] {
        assert!(!plain.exists(&format!("results/{file}")), "{file}");
    }
    assert!(!plain.read("results/report.html").contains("<h2>The radio</h2>"));
}

#[test]
fn a_run_that_lost_messages_says_why() {
    let place = Place::with(HARD);
    let said = place.crewlab(&["run", "scenario.yaml", "--out", "results"]).out;
    assert_says(&said, &["messages", "radio ", "of all copies arrived; lost: "]);
    let quiet = Place::with("run: {until: 1 min}\n");
    assert!(!quiet.crewlab(&["run", "scenario.yaml", "--out", "results"]).out.contains("radio "));
}

#[test]
fn costs_are_reported_per_completed_task() {
    let place = Place::new();
    place.fine(&["run", "waste-cleanup", "-q", "--set", "radio=wifi-indoor", "--out", "results"]);
    let summary = place.json("results/summary.json");
    let radio = &summary["radio"];
    let (tasks, messages) = (radio["completed_tasks"].as_u64(), radio["messages"].as_f64());
    let (tasks, messages) = (tasks.expect("a count"), messages.expect("a count"));
    // Finding the places and clearing two spills are done once; reporting recurs every two minutes.
    assert!(tasks >= 3, "{tasks}");
    let reports = place.read("results/events.csv").matches(",reported,").count() as u64;
    assert_eq!(tasks, 3 + reports);
    let per = radio["per_completed_task"]["messages"].as_f64().expect("a number");
    assert!((per - messages / tasks as f64).abs() < 1e-5);
    assert!(radio["airtime_s"].as_f64() > Some(0.0) && radio["energy_j"].as_f64() > Some(0.0));
}

#[test]
fn a_link_is_explained_line_by_line() {
    let place = finished(HARD);
    let said = place.fine(&["explain", "results", "--link", "blue", "gold", "--at", "1 min"]);
    assert_says(
        &said,
        &[
            "blue to gold after 1 min of hard (seed 1, radio wifi-indoor)",
            "Link budget for a message of",
            "power",
            "path loss",
            "received power",
            "jammer",
            "signal against noise",
            "Messages from blue to gold:",
            "last one before:",
            "next one after:",
        ],
    );
    let json = place
        .fine(&["explain", "results", "--link", "blue", "gold", "--at", "60", "--bytes", "1000", "--json"]);
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&answer["bytes"], &answer["at_s"]), (&1000.into(), &60.0.into()));
    assert!(answer["budget"].as_array().is_some_and(|lines| lines.len() > 8));
    let sent = |which: &str| answer[which]["sent_s"].as_f64().expect("a message");
    assert!(sent("before") <= 60.0 && sent("after") > 60.0);
    assert!(answer["warnings"].as_array().is_some_and(Vec::is_empty), "{}", answer["warnings"]);
}

#[test]
fn the_budget_is_that_of_the_recorded_links() {
    // A sample of links.csv and the repeated run must give the same received power.
    let place = finished(HARD);
    let rows = place.read("results/links.csv");
    let row: Vec<&str> =
        rows.lines().filter(|row| row.contains(",green,blue,")).nth(9).expect("a row").split(',').collect();
    let json = place.fine(&["explain", "results", "--link", "green", "blue", "--at", row[0], "--json"]);
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    let line = |name: &str| {
        let lines = answer["budget"].as_array().into_iter().flatten();
        let value = lines.filter(|line| line["name"] == name).find_map(|line| line["value"].as_f64());
        format!("{:.2}", value.unwrap_or_else(|| panic!("no line {name}")))
    };
    assert_eq!(line("received power"), row[5]);
    assert_eq!(line("signal against noise"), row[6]);
}

#[test]
fn a_dead_radio_and_a_cut_link_are_explained() {
    let body = format!(
        "{HARD}disturbances:\n  - {{at: 20 s, stop: gold}}\n  - {{at: 20 s, link-cut: {{between: [blue, green]}}}}\n"
    );
    let place = finished(&body);
    let said = place.fine(&["explain", "results", "--link", "blue", "gold", "--at", "30 s"]);
    assert_says(&said, &["Out of order: gold is not there, is stopped or has no power."]);
    let said = place.fine(&["explain", "results", "--link", "blue", "green", "--at", "30 s"]);
    assert_says(&said, &["Out of order: the link is cut"]);
}

#[test]
fn an_ideal_radio_has_no_budget_but_its_messages_are_explained() {
    let place = finished("radio: {loss: 0.5}\nrun: {until: 1 min}\n");
    let said = place.fine(&["explain", "results", "--link", "blue", "gold", "--at", "40 s"]);
    assert_says(&said, &["radio ideal", "has no link budget", "last one before:  heartbeat"]);
}

#[test]
fn unexplainable_requests_are_refused_with_a_reason() {
    let place = finished("run: {until: 1 min}\n");
    let explain = |args: &[&str]| place.refused(&[&["explain"], args].concat());
    let link = ["--link", "blue", "gold", "--at"];
    assert_says(&explain(&["results"]), &["nothing to explain", "--link A B --at TIME", "--auctions"]);
    assert_says(&explain(&["results", "--link", "blue", "gold"]), &["at which time?"]);
    assert_says(&explain(&[&["nowhere"], &link[..], &["1 s"]].concat()), &["no folder nowhere"]);
    std::fs::create_dir(place.path("empty")).expect("a folder");
    assert_says(&explain(&[&["empty"], &link[..], &["1 s"]].concat()), &["not the folder of a finished run"]);
    assert_says(
        &explain(&["results", "--link", "blu", "gold", "--at", "1 s"]),
        &["no robot `blu`", "did you mean `blue`?", "there are blue, "],
    );
    assert_says(
        &explain(&["results", "--link", "blue", "blue", "--at", "1 s"]),
        &["no radio link to itself"],
    );
    assert_says(
        &explain(&[&["results"], &link[..], &["2 min"]].concat()),
        &["ended at 1 min", "2 min is later"],
    );
    assert_says(&explain(&[&["results"], &link[..], &["soon"]].concat()), &["not a time such as `41.2 s`"]);
    assert_says(&explain(&[&["results"], &link[..], &["-1 s"]].concat()), &["before the start"]);
}

#[test]
fn a_run_that_differs_from_the_recorded_one_is_detected() {
    let place = finished("run: {until: 1 min}\n");
    let scenario = place.read("results/scenario.yaml").replace("seed: 1\n", "seed: 2\n");
    place.write("results/scenario.yaml", scenario);
    let outcome = place.crewlab(&["explain", "results", "--link", "blue", "gold", "--at", "50 s"]);
    assert_eq!(outcome.code, 0);
    assert_says(&outcome.err, &["scenario.yaml was changed", "not the run that was recorded"]);
}
