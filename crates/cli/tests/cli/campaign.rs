//! `crewlab campaign`, in small.

use super::harness::{Place, assert_says};
use serde_json::Value;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All arguments but the words of a command: the shell's quotes are taken off.
fn words(command: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => all.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    all.push(word);
    all
}

/// Every run is accounted for, and neither the sample nor the result depends on the number of threads.
#[test]
fn a_short_campaign_over_everything_accounts_for_every_run() {
    let place = Place::new();
    let args =
        ["campaign", "--runs=60", "--seeds=1", "--robots=1..8", "--tick=200ms,500ms", "--json", "--quiet"];
    let one = place.crewlab(&[&args[..], &["--jobs=1", "--out=here"]].concat());
    let summary = place.read("here/summary.json");
    let two = place.crewlab(&[&args[..], &["--jobs=3", "--out=here", "--force"]].concat());
    assert_eq!((one.code, &one.out), (two.code, &two.out));
    assert_eq!(place.read("here/summary.json"), summary);
    let report = parsed(&one.out);
    let count = |key: &str| report[key].as_u64().unwrap_or_else(|| panic!("{key}"));
    assert_eq!((count("runs"), count("missing"), count("settings")), (60, 0, 60));
    assert_eq!(count("completed") + count("explained") + count("unexplained"), 60);
    assert!(count("completed") > 20, "{report}");
    assert_eq!(one.code, if count("unexplained") == 0 { 0 } else { 3 }, "{}", one.err);
    let groups = report["groups"].as_array().expect("groups");
    let named: usize = groups.iter().map(|group| group["runs"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(
        named as u64,
        count("explained") + count("unexplained"),
        "every run that did not complete is named"
    );
    for (factor, levels) in
        report["factors"].as_array().expect("factors").iter().map(|pair| (&pair[0], &pair[1]))
    {
        let runs: u64 =
            levels.as_array().into_iter().flatten().filter_map(|level| level["runs"].as_u64()).sum();
        assert_eq!(runs, 60, "{factor}");
    }
    let page = place.read("here/report.html");
    assert_says(&page, &["Causes", "Where it happens", "--runs 60", "--tick"]);
}

const PART: [&str; 8] = [
    "campaign",
    "--mission=waste-cleanup",
    "--coordinator=greedy",
    "--robots=3",
    "--room=own",
    "--tick=200ms",
    "--noise=1",
    "--json",
];

/// A planted failure is found with its cause, and its command shows it again.
#[test]
fn a_planted_failure_is_found_and_its_command_shows_it() {
    let plinth = "{at: 1 s, object-added: {name: plinth, circle: 1.3 m, at: [9.6 m, 4 m]}}";
    let blind = "{at: 0 s, sensor: {robot: all, sensor: item-detector, fault: dead}}";
    for (planted, explained, code) in [(plinth, true, 0), (blind, false, 3)] {
        let place = Place::new();
        let said = place.crewlab(&[&PART[..], &["--runs=2", "--disturb", planted]].concat());
        assert_eq!(said.code, code, "{}", said.err);
        let report = parsed(&said.out);
        assert_eq!(report["completed"], 0, "{report}");
        let group = &report["groups"][0];
        assert_eq!(group["explained"], explained, "{group}");
        assert_eq!(group["mission"], "waste-cleanup");
        if explained {
            assert_eq!(group["cause"], "out-of-reach");
        } else {
            assert_ne!(group["cause"], "too-short");
        }
        let run = &group["runs"][0];
        let command = words(run["command"].as_str().expect("a command"));
        let args: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
        let again = place.crewlab(&args);
        assert_eq!(again.code, 3, "{}", again.err);
        assert_says(
            &again.out,
            &["did not complete waste-cleanup", &format!("Why: {}.", run["words"].as_str().unwrap_or("?"))],
        );
        let text = place.crewlab(&[&PART[..7], &["--runs=2", "--resume", "--disturb", planted]].concat());
        assert_says(&text.out, &[run["command"].as_str().unwrap_or("?"), "Report: campaigns/1/report.html"]);
    }
}

/// A campaign continues where it was, also with more runs.
#[test]
fn a_campaign_is_resumed_and_extended() {
    let place = Place::new();
    let lines = || {
        let files = std::fs::read_dir(place.path("campaigns/1/journal")).expect("journals").flatten();
        files
            .map(|file| std::fs::read_to_string(file.path()).expect("a journal").lines().count())
            .sum::<usize>()
    };
    let args = |runs: &'static str| [&PART[..4], &["--tick=500ms", "--seeds=1", "--quiet", runs]].concat();
    place.crewlab(&args("--runs=3"));
    assert_eq!(lines(), 3);
    let refused = place.crewlab(&args("--runs=3"));
    assert_says(&refused.err, &["already has results", "--resume"]);
    place.crewlab(&[&args("--runs=6")[..], &["--resume"]].concat());
    assert_eq!(lines(), 6, "the first three runs are not repeated");
}

#[test]
fn mistakes_are_explained() {
    let place = Place::new();
    let unknown = ["there is no mission `wast-cleanup`", "did you mean `waste-cleanup`?"];
    assert_says(&place.refused(&["campaign", "--mission=wast-cleanup"]), &unknown);
    for (args, part) in [
        (&["campaign", "--coordinator=allianc"][..], "did you mean `alliance`?"),
        (&["campaign", "--noise=-1"], "from 0 on"),
        (&["campaign", "--room=attic"], "there is no room `attic`"),
        (&["campaign", "--mission=service", "--robots=30"], "2 to 10 robots"),
        (&["campaign", "--disturb=random-deth", "--runs=2"], "did you mean `random-death`?"),
    ] {
        assert_says(&place.refused(args), &[part]);
    }
    for (arg, part) in [
        ("--robots=0..3", "a range such as 1..40"),
        ("--robots=9..3", "a range such as 1..40"),
        ("--tick=5", "a time with its unit such as 100 ms"),
    ] {
        let outcome = place.crewlab(&["campaign", arg]);
        assert_eq!(outcome.code, 2, "{arg}");
        assert_says(&outcome.err, &[part]);
    }
}
