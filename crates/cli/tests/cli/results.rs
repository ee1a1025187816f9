//! The results of a successful run, and that they depend only on the scenario and the seed.

use super::harness::{Place, assert_says, names};
use serde_json::Value;
use std::collections::BTreeMap;

/// A few seconds of a hundred robots: enough of them for work to be divided among threads.
const CROWD: [&str; 3] = ["run", "diffusion", "--set=run.until=20s"];

fn hash(place: &Place, folder: &str) -> String {
    let hash = place.json(&format!("{folder}/summary.json"))["result_hash"].clone();
    hash.as_str().filter(|hash| hash.len() == 64).expect("a hash").to_string()
}

/// The files of one folder, by their names in it.
fn files(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let below = format!("{folder}/");
    let inside = |(name, bytes): (String, Vec<u8>)| Some((name.strip_prefix(&below)?.to_string(), bytes));
    place.contents().into_iter().filter_map(inside).collect()
}

/// The initial places of the items: the hollow dots of the map.
fn items(place: &Place, folder: &str) -> Vec<String> {
    let map = place.read(&format!("{folder}/plots/world.svg"));
    let dots = map.split("<g fill=\"none\"").nth(1).and_then(|rest| rest.split("</g>").next());
    let dots: Vec<String> = dots.unwrap_or_default().split("<circle ").skip(1).map(str::to_string).collect();
    assert_eq!(dots.len(), 40, "two spills of 20");
    dots
}

#[test]
fn a_run_writes_a_whole_folder() {
    let place = Place::new();
    let printed = place.fine(&["run", "waste-cleanup", "--json", "-q", "--out", "results"]);
    let summary: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(place.json("results/summary.json"), summary);
    let keys = [
        "mission",
        "coordinator",
        "seed",
        "completed",
        "time_s",
        "progress",
        "ticks",
        "robots",
        "messages",
        "collisions",
        "result_hash",
    ];
    for key in keys {
        assert!(summary.get(key).is_some(), "{key}");
    }
    for key in ["sent", "delivered", "lost"] {
        assert!(summary["messages"][key].is_u64(), "{key}");
    }
    let said = ["mission", "coordinator", "completed", "seed", "robots"].map(|key| summary[key].to_string());
    assert_eq!(said, ["\"waste-cleanup\"", "\"alliance\"", "true", "1", "3"]);

    let files = files(&place, "results");
    let expected = [
        "scenario.yaml",
        "manifest.json",
        "events.csv",
        "robots.csv",
        "alliance.csv",
        "radio.csv",
        "summary.json",
        "plots/world.svg",
        "plots/tasks.svg",
        "plots/motivation-robot-blue.svg",
        "report.html",
    ];
    for name in expected {
        assert!(files.get(name).is_some_and(|bytes| !bytes.is_empty()), "{name}: {:?}", names(&files));
    }
    let manifest = place.json("results/manifest.json");
    assert_eq!(manifest["result_hash"], summary["result_hash"]);
    assert_eq!(manifest["seed"], summary["seed"]);
    for table in ["events", "robots", "alliance", "radio"] {
        let text = place.read(&format!("results/{table}.csv"));
        let columns = text.lines().next().map_or(0, |line| line.split(',').count());
        assert!(columns >= 5 && text.lines().count() > 10, "{table}");
        assert!(!text.contains("NaN"), "{table}");
    }
}

#[test]
fn a_run_says_how_it_went() {
    let place = Place::new();
    let printed = place.fine(&["run", "waste-cleanup", "--out", "results"]);
    let sentence = "3 robots coordinated by alliance completed waste-cleanup in ";
    assert_says(&printed, &[sentence, "seed", "messages", "result hash", "Report: results/report.html"]);
    assert_eq!(place.fine(&["run", "waste-cleanup", "-q", "--out", "quiet"]), "");
}

#[test]
fn the_written_scenario_gives_the_same_result() {
    let place = Place::new();
    place.fine(&["run", "waste-cleanup", "-q", "--seed", "7", "--set", "world.items.waste=12", "--out", "a"]);
    place.fine(&["run", "a/scenario.yaml", "-q", "--out", "b"]);
    assert_eq!(hash(&place, "a"), hash(&place, "b"));
    assert_eq!(place.read("a/scenario.yaml"), place.read("b/scenario.yaml"));
    let moved = ["run", "waste-cleanup-trapped", "-q", "--out", "c"];
    place.fine(&moved);
    place.fine(&["run", "c/scenario.yaml", "-q", "--out", "d"]);
    assert_eq!(hash(&place, "c"), hash(&place, "d"));
}

#[test]
fn the_written_scenario_gives_the_same_result_when_something_was_removed() {
    for nothing in ["team.alliance.robots=", "team.alliance.behaviours=", "team.alliance.robots.gold="] {
        let place = Place::new();
        place.fine(&["run", "waste-cleanup", "-q", "--set", nothing, "--out", "a"]);
        place.fine(&["run", "a/scenario.yaml", "-q", "--out", "b"]);
        assert_eq!(hash(&place, "a"), hash(&place, "b"), "{nothing}");
    }
}

#[test]
fn one_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let place = Place::new();
    for run in [&["run", "waste-cleanup"][..], &CROWD] {
        let runs = ["1", "2", "8", "1"].iter().enumerate().map(|(n, threads)| {
            let folder = format!("{}-{n}", run[1]);
            place.fine(&[run, &["-q", "--threads", threads, "--out", &folder]].concat());
            files(&place, &folder)
        });
        let runs: Vec<_> = runs.collect();
        for other in &runs[1..] {
            assert_eq!(names(&runs[0]), names(other));
            for (name, bytes) in other {
                assert!(runs[0][name] == *bytes, "{}/{name} differs", run[1]);
            }
        }
    }
}

#[test]
fn times_are_written_on_request_and_change_nothing_else() {
    let place = Place::new();
    let run = ["run", "waste-cleanup", "-q", "--set", "run.until=1 min", "--out"];
    for extra in [&["plain"][..], &["timed", "--timing"]] {
        // The mission is not completed in a minute.
        place.crewlab(&[&run[..], extra].concat());
    }
    let (plain, mut timed) = (files(&place, "plain"), files(&place, "timed"));
    let times = String::from_utf8(timed.remove("timing.csv").expect("times")).expect("text");
    assert_eq!(times.lines().count(), 4, "a row per robot: {times}");
    assert!(times.contains("blue,600,"), "{times}");
    assert!(plain == timed, "the other files are the same");
}

#[test]
fn different_seeds_give_different_results() {
    let place = Place::new();
    for seed in ["1", "2"] {
        place.fine(&["run", "waste-cleanup", "-q", "--seed", seed, "--out", seed]);
        place.fine(&[&CROWD[..], &["-q", "--seed", seed, "--out", &format!("crowd-{seed}")]].concat());
    }
    assert_ne!(hash(&place, "1"), hash(&place, "2"));
    assert_ne!(hash(&place, "crowd-1"), hash(&place, "crowd-2"));
    assert_ne!(items(&place, "1"), items(&place, "2"));
}

#[test]
fn one_seed_gives_the_same_world_to_every_coordinator() {
    let place = Place::new();
    let list: Value = serde_json::from_str(&place.fine(&["list", "coordinators", "--json"])).expect("JSON");
    let names: Vec<&str> =
        list["coordinators"].as_array().into_iter().flatten().filter_map(|c| c["name"].as_str()).collect();
    assert!(names.len() >= 3);
    let first = |table: &str| {
        table.lines().take(4).map(|line| line.rsplitn(3, ',').last().map(str::to_string)).collect::<Vec<_>>()
    };
    for name in &names {
        let coordinator = format!("team.coordinator={name}");
        place.fine(&["run", "waste-cleanup", "-q", "--set", &coordinator, "--out", name]);
        assert_eq!(place.json(&format!("{name}/summary.json"))["coordinator"], **name);
        assert_eq!(items(&place, name), items(&place, names[0]), "{name}");
        let start = |name: &str| first(&place.read(&format!("{name}/robots.csv")));
        assert_eq!(start(name), start(names[0]), "{name}: where the robots start");
    }
    assert_ne!(hash(&place, names[0]), hash(&place, names[1]));
}

#[test]
fn a_mission_that_is_not_completed_in_time_exits_with_3() {
    let place = Place::new();
    let outcome = place.crewlab(&["run", "waste-cleanup", "--set", "run.until=10s", "--out", "results"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (3, ""));
    assert_says(
        &outcome.out,
        &["did not complete waste-cleanup within 10 s", "was done", "Report: results/report.html"],
    );
    let summary = place.json("results/summary.json");
    assert_eq!((&summary["completed"], &summary["time_s"]), (&false.into(), &10.0.into()));
    assert!(place.exists("results/manifest.json"), "the results are incomplete");
    assert_eq!(place.crewlab(&["run", "waste-cleanup", "-q", "--set", "run.until=0s"]).code, 3);
    // This mission has nothing to complete.
    place.fine(&[&CROWD[..], &["-q"]].concat());
}

/// External resources would be loaded through one of these.
fn assert_self_contained(name: &str, text: &str) {
    let foreign = text.replace("http://www.w3.org/2000/svg", "");
    for mark in ["http://", "https://", "<link", "@import", "src=", "url(", "<iframe", "<object", "fetch("] {
        assert!(!foreign.contains(mark), "{name} contains {mark}");
    }
    for target in foreign.split("href=\"").skip(1) {
        assert!(target.starts_with('#'), "{name} refers to {}", &target[..target.len().min(40)]);
    }
}

#[test]
fn the_report_is_self_contained() {
    let place = Place::new();
    place.fine(&["run", "waste-cleanup", "-q", "--out", "results"]);
    for (name, bytes) in files(&place, "results") {
        let text = String::from_utf8(bytes).expect("text");
        if name == "report.html" || name.ends_with(".svg") {
            assert_self_contained(&name, &text);
        }
    }
    let report = place.read("results/report.html");
    assert_says(&report, &["<!DOCTYPE html>", "<title>", "waste-cleanup", "<svg", "</html>"]);
}

#[test]
fn names_cannot_break_out_of_the_results() {
    let place = Place::with(
        "team: {robots: [{name: ../../../x, type: cleaner}, {name: <script>alert(1)</script>, type: cleaner}]}\n",
    );
    let args = ["run", "scenario.yaml", "-q", "--set", "run.until=20s", "--out", "a/b/results"];
    assert_eq!(place.crewlab(&args).code, 3);
    let outside =
        place.contents().into_keys().filter(|name| !name.starts_with("a/b/results/") && !name.ends_with('/'));
    assert_eq!(outside.collect::<Vec<_>>(), ["scenario.yaml"]);
    for (name, bytes) in files(&place, "a/b/results") {
        let foreign = name.ends_with(".svg") || name.ends_with(".html");
        assert!(!foreign || !String::from_utf8_lossy(&bytes).contains("<script>alert"), "{name}");
    }
}

#[test]
fn every_robot_has_a_plot_of_its_own() {
    let place = Place::with("team: {robots: [{name: a/b, type: cleaner}, {name: a b, type: cleaner}]}\n");
    place.crewlab(&["run", "scenario.yaml", "-q", "--set", "run.until=20s", "--out", "results"]);
    let plots =
        files(&place, "results").into_keys().filter(|name| name.contains("motivation-robot-")).count();
    assert_eq!(plots, 2);
}

#[test]
fn a_disturbance_from_the_command_line_happens_and_one_that_never_does_is_reported() {
    let place = Place::new();
    let (once, never) = ("{at: 5 s, for: 1 s, stop: blue}", "{when: progress > 2, stop: gold}");
    let said =
        place.fine(&["run", "waste-cleanup", "--disturb", once, "--disturb", never, "--out", "results"]);
    assert_says(&said, &["disturbances that never happened: 1 (stop)"]);
    let events = place.read("results/events.csv");
    assert!(
        events.contains("blue stops")
            && events.contains("over: blue stops")
            && !events.contains("gold stops")
    );
    // The written scenario gives the same run again.
    place.fine(&["run", "results/scenario.yaml", "-q", "--out", "again"]);
    assert_eq!(hash(&place, "results"), hash(&place, "again"));
}
