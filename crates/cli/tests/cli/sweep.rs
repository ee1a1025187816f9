//! Sweeps: `crewlab sweep`, killed and resumed, with other processes in the same folder; `crewlab report`.

use super::harness::{CREWLAB, Place, assert_says};
use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

/// Two coordinators, with and without message loss, on a few seeds; little waste, so that a run is short.
const SMALL: &str = "crewlab: 1
scenario: waste-cleanup
set: {world.items.waste: 3, run.until: 10 min}
factors:
  coordinator: {key: team.coordinator, levels: [greedy, random]}
  radio.loss: [0 %, 40 %]
seeds: 3
";

/// More runs, for interrupted sweeps.
fn larger(seeds: u32) -> String {
    SMALL
        .replace("seeds: 3", &format!("seeds: {seeds}"))
        .replace("world.items.waste: 3", "world.items.waste: 12")
}

fn with(text: &str) -> Place {
    let place = Place::new();
    place.write("small.yaml", text);
    place
}

/// The files that must not depend on how the runs were done.
const TABLES: [&str; 7] = [
    "runs.csv",
    "runs.parquet",
    "cells.csv",
    "comparisons.csv",
    "summary.json",
    "plots/spread.svg",
    "plots/completion.svg",
];

fn assert_same(place: &Place, one: &str, other: &str) {
    for table in TABLES {
        let read = |folder: &str| fs::read(place.path(folder).join(table)).unwrap();
        assert!(read(one) == read(other), "{table} differs between {one} and {other}");
    }
}

/// Rows in all journals of a sweep.
fn kept(place: &Place, folder: &str) -> usize {
    let Ok(entries) = fs::read_dir(place.path(folder).join("journal")) else { return 0 };
    let lines = |path| fs::read_to_string(path).unwrap_or_default().matches('\n').count();
    entries.map(|entry| lines(entry.unwrap().path())).sum()
}

fn start(place: &Place, args: &[&str]) -> Child {
    place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

#[test]
fn a_sweep_leaves_tables_figures_and_a_report() {
    let place = with(SMALL);
    let said = place.fine(&["sweep", "small.yaml"]);
    assert_says(
        &said,
        &[
            "waste-cleanup over 4 cells, 3 seeds each.",
            "greedy",
            "40 %",
            "Seed by seed",
            "sweeps/small/report.html",
        ],
    );
    let runs = place.read("sweeps/small/runs.csv");
    assert_eq!(runs.lines().count(), 1 + 2 * 2 * 3);
    assert!(runs.starts_with("cell,coordinator,radio.loss,seed,status,reason,completed,time_s,"), "{runs}");
    let cells: Vec<&str> = runs.lines().skip(1).take(4).collect();
    for (line, start) in
        cells.iter().zip(["1,greedy,0 %,1,done,", "2,greedy,40 %,1,", "3,random,0 %,1,", "4,random,40 %,1,"])
    {
        assert!(line.starts_with(start), "{line}");
    }
    let parquet = fs::read(place.path("sweeps/small/runs.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let page = place.read("sweeps/small/report.html");
    let needed =
        ["Results", "Significance of differences", "The worst runs", "crewlab live sweeps/small", "/replay/"];
    assert_says(&page, &needed);
    assert!(!page.contains("src=\"http") && !page.contains("@import"), "the page needs something else");
    assert!(place.exists("sweeps/small/plots/levels-radio-loss.svg"));
    let summary = place.json("sweeps/small/summary.json");
    assert_eq!((&summary["runs"], &summary["failed"]), (&12.into(), &serde_json::json!([])));
    // A row equals the result of `crewlab run` with the same scenario and seed.
    let sets =
        ["--set", "world.items.waste=3", "--set", "run.until=10 min", "--set", "team.coordinator=random"];
    let run =
        place.fine(&[&["run", "waste-cleanup", "--seed", "2", "--json", "--out", "one"][..], &sets].concat());
    let run: serde_json::Value = serde_json::from_str(&run).unwrap();
    let hash = run["result_hash"].as_str().unwrap();
    let row = runs.lines().find(|line| line.starts_with("3,random,0 %,2,")).unwrap();
    assert!(row.ends_with(hash), "{row} is not {hash}");
}

#[test]
fn neither_the_number_of_jobs_nor_a_repeated_report_changes_anything() {
    let place = with(SMALL);
    place.fine(&["sweep", "small.yaml", "--quiet", "--jobs", "1", "--out", "one"]);
    place.fine(&["sweep", "small.yaml", "--quiet", "--jobs", "5", "--out", "five"]);
    assert_same(&place, "one", "five");
    let before = place.read("five/report.html");
    fs::remove_file(place.path("five/report.html")).unwrap();
    place.fine(&["report", "five"]);
    assert_eq!(before, place.read("five/report.html"));
    assert_same(&place, "one", "five");
}

/// A sweep that is killed at any time loses only its unfinished runs.
#[test]
fn a_sweep_that_is_killed_twenty_times_ends_with_the_same_table() {
    let place = with(&larger(16));
    let all = 2 * 2 * 16;
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "whole"]);
    let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut progress = Vec::new();
    for kill in 0..20 {
        let mut sweep = start(&place, &["sweep", "small.yaml", "--quiet", "--out", "killed", "--resume"]);
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_millis(20 + (chance >> 33) % 180));
        sweep.kill().expect("it can be killed");
        sweep.wait().expect("it ends");
        progress.push(kept(&place, "killed"));
        assert!(progress[kill] >= *progress.iter().max().unwrap(), "runs got lost: {progress:?}");
    }
    assert!(progress[0] < all, "nothing was interrupted: {progress:?}");
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "killed", "--resume"]);
    assert_same(&place, "whole", "killed");
    // No complete run was repeated.
    assert_eq!(kept(&place, "killed"), all);
}

#[test]
fn two_sweeps_in_one_folder_share_the_work() {
    let place = with(&larger(10));
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "alone"]);
    let mut first = start(&place, &["sweep", "small.yaml", "--quiet", "--jobs", "1", "--out", "shared"]);
    while !place.exists("shared/plan.json") {
        thread::sleep(Duration::from_millis(1));
    }
    place.fine(&["sweep", "small.yaml", "--quiet", "--jobs", "1", "--out", "shared", "--resume"]);
    assert!(first.wait().unwrap().success());
    assert_same(&place, "alone", "shared");
    let journals = fs::read_dir(place.path("shared/journal")).unwrap().count();
    assert_eq!(journals, 2, "both have done something");
}

#[test]
fn more_seeds_later_cost_only_what_is_new() {
    let place = with(SMALL);
    place.fine(&["sweep", "small.yaml", "--quiet"]);
    place.write("small.yaml", SMALL.replace("seeds: 3", "seeds: [2, 3, 9]"));
    place.fine(&["sweep", "small.yaml", "--quiet", "--resume"]);
    assert_eq!(kept(&place, "sweeps/small"), 12 + 4);
    let runs = place.read("sweeps/small/runs.csv");
    assert_eq!(runs.lines().count(), 1 + 12);
    assert!(!runs.contains(",1,done,") && runs.matches(",9,done,").count() == 4, "{runs}");
}

#[test]
fn results_of_another_version_are_left_untouched() {
    let place = with(SMALL);
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "here"]);
    let other = place.read("here/plan.json").replace(crewlab_lab::VERSION, "0.0.1");
    assert_says(&other, &["\"version\": \"0.0.1\""]);
    place.write("here/plan.json", &other);
    let before = place.contents();
    let refused = place.refused(&["sweep", "small.yaml", "--quiet", "--out", "here", "--resume"]);
    assert_says(&refused, &["started by crewlab 0.0.1", crewlab_lab::VERSION, "--out", "--force"]);
    // The plan was made by that version, but the runs were not.
    assert_says(&place.refused(&["report", "here"]), &["version of crewlab that made its plan"]);
    assert!(before == place.contents(), "nothing is written");
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "here", "--force"]);
    assert_says(&place.read("here/plan.json"), &[crewlab_lab::VERSION]);
}

#[test]
fn a_run_that_takes_too_long_is_recorded_and_the_sweep_goes_on() {
    // Timeouts are checked every 20 ms, and these runs take longer than that.
    let long = SMALL.replace("world.items.waste: 3", "world.items.waste: 40");
    let place = with(&format!("{long}budget: {{per-run: 1 us}}\n"));
    let outcome = place.crewlab(&["sweep", "small.yaml"]);
    assert_eq!(outcome.code, 3, "{}", outcome.err);
    assert_says(&outcome.out, &["Failed: greedy, 0 %, seed 1, timed-out: it took longer than 0.000001 s"]);
    let runs = place.read("sweeps/small/runs.csv");
    assert_eq!(runs.matches(",timed-out,it took longer than").count(), 12, "{runs}");
    assert_says(&place.read("sweeps/small/report.html"), &["Runs that failed", "timed-out"]);
    // They are repeated on request, and the budget is not part of their identity.
    place.write("small.yaml", long);
    let still = place.crewlab(&["sweep", "small.yaml", "--quiet", "--resume"]);
    assert_eq!(still.code, 3);
    place.fine(&["sweep", "small.yaml", "--quiet", "--resume", "--retry"]);
    assert!(!place.read("sweeps/small/runs.csv").contains("timed-out"));
}

#[test]
fn a_budget_leaves_out_whole_seeds() {
    let place = with(&format!("{SMALL}budget: {{runs: 9}}\n"));
    let outcome = place.crewlab(&["sweep", "small.yaml"]);
    assert_eq!(outcome.code, 0);
    assert_says(&outcome.err, &["The budget allows 8 runs: 1 of 3 seeds are left out."]);
    assert_eq!(place.read("sweeps/small/runs.csv").lines().count(), 1 + 8);
    let place = with(&format!("{SMALL}budget: {{time: 0 s}}\n"));
    let outcome = place.crewlab(&["sweep", "small.yaml", "--quiet"]);
    assert_eq!(outcome.code, 3);
    assert_says(&outcome.err, &["0 of 12 runs are done: use --resume to continue."]);
}

#[test]
fn a_latin_hypercube_covers_every_factor() {
    let text = "crewlab: 1\nscenario: waste-cleanup\nset: {world.items.waste: 1, run.until: 1 min}\ndesign: latin-hypercube\npoints: 6\nseeds: 1\nfactors:\n  radio.loss: {from: 0 %, to: 60 %}\n  waste: {key: world.items.waste, from: 1, to: 100, scale: log, whole: true}\n  who: {key: team.coordinator, levels: [greedy, random]}\n";
    let place = with(text);
    place.fine(&["sweep", "small.yaml", "--quiet"]);
    let cells = place.read("sweeps/small/cells.csv");
    let losses: Vec<f64> = cells
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().trim_end_matches(" %").parse().unwrap())
        .collect();
    let mut parts: Vec<usize> = losses.iter().map(|loss| (loss / 10.0) as usize).collect();
    parts.sort_unstable();
    assert_eq!(parts, [0, 1, 2, 3, 4, 5], "{losses:?}");
    for who in ["greedy", "random"] {
        assert_eq!(cells.matches(&format!(",{who},")).count(), 3, "{cells}");
    }
}

#[test]
fn mistakes_in_experiments_are_pointed_at() {
    let cases = [
        ("factors:", "factrs:", "did you mean `factors`?"),
        ("radio.loss: [0 %, 40 %]", "radio.los: [0 %, 40 %]", "the cell `greedy, 0 %` cannot be run"),
        ("radio.loss: [0 %, 40 %]", "radio.loss: [0 %, 0 %]", "the level `0 %` is given twice"),
        (
            "radio.loss: [0 %, 40 %]",
            "radio.loss: {from: 40 %, to: 0 %, steps: 3}",
            "`from` must be below `to`",
        ),
        ("radio.loss: [0 %, 40 %]", "radio.loss: {from: 0 %, to: 40 %}", "add `steps`"),
        ("radio.loss: [0 %, 40 %]", "radio.loss: {from: 0 %, to: 1 s, steps: 3}", "different units"),
        ("radio.loss: [0 %, 40 %]", "radio.loss: []", "the factor has no levels"),
        ("radio.loss: [0 %, 40 %]", "x: {disturb: [none, random-deth]}", "did you mean `random-death`?"),
        ("radio.loss: [0 %, 40 %]", "a: {levels: [1], steps: 7}", "`steps` goes with `from` and `to`"),
        ("radio.loss: [0 %, 40 %]", "a: {key: b, disturb: [none]}", "`key` goes with levels of a key"),
        ("radio.loss: [0 %, 40 %]", "run.seed: [1, 2]", "are the same scenario"),
        (
            "radio.loss: [0 %, 40 %]",
            "seed: {key: radio.loss, levels: [0 %]}",
            "`seed` is a column of the table",
        ),
        ("seeds: 3", "seeds: 3\nname: ../outside", "usable as a folder"),
        ("seeds: 3", "seeds: 3\nmetrics: [time_s, time_s]", "`time_s` is given twice"),
        ("seeds: 3", "seeds: [1, 2, 1]", "the seed 1 is given twice"),
        ("seeds: 3", "seeds: 0", "seeds"),
        ("seeds: 3", "seeds: 3\nmetrics: [time]", "there is no metric `time`"),
        ("seeds: 3", "seeds: 3\npoints: 4", "the design is a grid"),
        ("seeds: 3", "seeds: 3\ndesign: latin-hypercube", "needs `points`"),
        ("seeds: 3", "seeds: 3\nbudget: {runs: 2}", "not even one seed fits"),
        ("scenario: waste-cleanup", "scenario: waste-cleanupp", "did you mean `waste-cleanup`?"),
        ("levels: [greedy, random]", "levels: [greedy, rndom]", "random"),
    ];
    for (from, to, says) in cases {
        let place = with(&SMALL.replace(from, to));
        let said = place.refused(&["sweep", "small.yaml"]);
        assert!(said.contains(says), "`{to}` says\n{said}\nnot `{says}`");
    }
}

#[test]
fn a_folder_with_other_content_is_never_replaced() {
    let place = with(SMALL);
    assert_says(&place.refused(&["sweep", "none.yaml"]), &["cannot read none.yaml"]);
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "out"]);
    assert_says(
        &place.refused(&["sweep", "small.yaml", "--out", "out"]),
        &["--resume to continue", "--force to replace"],
    );
    place.write("other.yaml", SMALL.replace("seeds: 3", "seeds: 2"));
    let said = place.refused(&["sweep", "other.yaml", "--out", "out", "--resume"]);
    assert_says(&said, &["contains the experiment `small`, but this is the different experiment `other`"]);
    place.write("mine/diary.txt", "dear diary");
    for force in [&[][..], &["--force"], &["--resume"]] {
        let said = place.refused(&[&["sweep", "small.yaml", "--out", "mine"], force].concat());
        assert_says(&said, &["contains no experiment"]);
    }
    assert_says(&place.refused(&["report", "mine"]), &["neither an experiment", "nor a run"]);
    place.fine(&["sweep", "other.yaml", "--quiet", "--out", "out", "--force"]);
    assert_eq!(place.read("out/runs.csv").lines().count(), 1 + 8);
}

#[test]
fn a_folder_in_use_is_neither_replaced_nor_taken_for_something_else() {
    let place = with(&larger(100));
    place.write("mine.txt", "not ours");
    let mut first = start(&place, &["sweep", "small.yaml", "--quiet", "--out", "out"]);
    while kept(&place, "out") < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    let busy = |args: &[&str]| {
        let outcome = place.crewlab(&[&["sweep", "small.yaml", "--quiet", "--out", "out"], args].concat());
        assert_eq!(outcome.code, 1, "{}", outcome.err);
        assert_says(&outcome.err, &["another process is working in out"]);
    };
    busy(&["--force"]);
    place.write("small.yaml", larger(2));
    busy(&["--resume"]);
    first.kill().unwrap();
    first.wait().unwrap();
    // A process killed before its start leaves nothing that counts; foreign files stay.
    place.write("begun/plan.json.partial-1", "{");
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "begun"]);
    place.write("out/notes.txt", "mine");
    place.fine(&["sweep", "small.yaml", "--quiet", "--out", "out", "--force"]);
    assert_eq!(place.read("out/notes.txt"), "mine");
    assert_eq!(kept(&place, "out"), 8);
    place.write("other/plan.json", "{\"made by\": \"somebody else\"}");
    assert_says(&place.refused(&["sweep", "small.yaml", "--out", "other", "--force"]), &["cannot be read"]);
    assert_says(&place.refused(&["sweep", "small.yaml", "--hq", "hq", "--out", "new"]), &["add --on hq"]);
}

#[test]
fn the_report_of_a_run_is_made_by_repeating_it() {
    let place = Place::with("world: {items: {waste: 1}}\n");
    place.fine(&["run", "scenario.yaml", "--quiet", "--out", "run"]);
    let page = place.read("run/report.html");
    fs::remove_file(place.path("run/report.html")).unwrap();
    place.fine(&["report", "run"]);
    assert_eq!(page, place.read("run/report.html"));
    let changed = place.read("run/scenario.yaml").replace("waste: 1", "waste: 2");
    place.write("run/scenario.yaml", changed);
    assert_says(&place.refused(&["report", "run"]), &["gives another result", "nothing was written"]);
}

#[test]
fn an_interrupted_sweep_says_how_to_continue() {
    let place = with(&larger(50));
    let sweep = place
        .command(&["sweep", "small.yaml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while kept(&place, "sweeps/small") < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    let id = sweep.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = sweep.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{CREWLAB}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_says(&said, &["of 200 runs are done: use --resume to continue."]);
    assert!(place.exists("sweeps/small/report.html"), "there is no report of the finished runs");
}
