//! Recording a run must not change it.

use super::scenario;
use crewlab_lab::run::{RunOptions, Summary, run};
use crewlab_lab::sim::teams;
use crewlab_scenario::{Request, Scenario, load};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn a_run_is_the_same_with_and_without_records() {
    for radio in ["ideal", "wifi-indoor", "{model: wifi-indoor, power: -36 dBm, forwarding: flooding}", "lte"]
    {
        let radio = format!("radio={radio}");
        let scenario = scenario("waste-cleanup", 3, &[&radio, "run.until=90 s"]);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
        let options = |out| RunOptions {
            out,
            force: true,
            threads: 1,
            timing: false,
            scan_logs: false,
            stop: Arc::new(AtomicBool::new(false)),
        };
        let unseen = run(&scenario, &options(None), &mut |_| {}).expect("a run");
        let seen = run(&scenario, &options(Some(folder.clone())), &mut |_| {}).expect("a run");
        assert_eq!(unseen, seen, "{radio}");
        std::fs::remove_dir_all(folder).expect("the folder of the run");
    }
}

/// Every coordinator with levels has its own table, whichever began; a run without such coordinators has none.
#[test]
fn another_coordinator_that_takes_over_has_a_table_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("taken-over");
    for (first, second) in
        [("greedy", "alliance"), ("alliance", "greedy"), ("alliance", "cbba"), ("cbba", "muroco")]
    {
        let change = format!("disturbances=[{{at: 20 s, for: 20 s, coordinator: {second}}}]");
        let chosen = format!("team.coordinator={first}");
        let scenario = scenario("waste-cleanup", 1, &[&chosen, &change, "run.until=60 s"]);
        let options = RunOptions {
            out: Some(folder.clone()),
            force: true,
            threads: 1,
            timing: false,
            scan_logs: false,
            stop: Arc::new(AtomicBool::new(false)),
        };
        let summary = run(&scenario, &options, &mut |_| {}).expect("a run");
        assert_eq!(summary.coordinator, first);
        for (name, times) in [(first, [0.0..20.0, 40.0..60.1]), (second, [20.0..40.0, 20.0..40.0])] {
            let levels = ["alliance", "cbba", "muroco"].contains(&name);
            let text = std::fs::read_to_string(folder.join(format!("{name}.csv"))).ok();
            assert_eq!(text.is_some(), levels, "{first}, then {second}: {name}");
            for row in text.iter().flat_map(|text| text.lines().skip(1)) {
                let time: f64 = row.split(',').next().and_then(|time| time.parse().ok()).expect("a time");
                assert!(times.iter().any(|span| span.contains(&time)), "{name}: {row}");
            }
        }
        std::fs::remove_dir_all(&folder).expect("the folder of the run");
    }
}

/// A run's folder.
fn recorded(name: &str, scenario: &Scenario) -> (Summary, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let stop = Arc::new(AtomicBool::new(false));
    let options = RunOptions {
        out: Some(folder.clone()),
        force: true,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop,
    };
    (run(scenario, &options, &mut |_| {}).expect("a run"), folder)
}

/// A run's scenario.yaml leaves nothing to defaults, whatever the coordinator.
#[test]
fn a_scenario_that_was_written_out_gives_the_same_run() {
    for coordinator in teams::KINDS {
        let set = format!("team.coordinator={}", coordinator.name);
        let sets = [set.as_str(), "run.until=90 s", "team.muroco.pledge=0.5", "team.cbba.bundle=2"];
        let (first, folder) = recorded("written-out", &scenario("waste-cleanup", 4, &sets));
        let text = std::fs::read_to_string(folder.join("scenario.yaml")).expect("the scenario");
        let request = Request { scenario: "again".into(), text: Some(text), ..Request::default() };
        let again = load(&request).unwrap_or_else(|problems| panic!("{problems}"));
        let (second, folder) = recorded("written-out", &again);
        assert_eq!(second.result_hash, first.result_hash, "{}", coordinator.name);
        std::fs::remove_dir_all(folder).expect("the folder of the run");
    }
}

/// MuRoCo has a level only for the sets that a robot has bid for: a robot that dusts and cleans the floor may have bid only for
/// the floor.
#[test]
fn levels_are_recorded_with_their_behaviour_sets() {
    let run = scenario("janitorial", 1, &["team.coordinator=muroco", "run.until=15 s"]);
    let (_, folder) = recorded("levels", &run);
    let table = std::fs::read_to_string(folder.join("muroco.csv")).expect("the table of levels");
    let mut shifts = 0;
    for member in &run.start.0.team {
        let me = &member.identity;
        let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let bids: BTreeSet<String> =
            rows.filter(|row| row[1] == me.name).map(|row| row[2].to_string()).collect();
        let figure = folder.join(format!("plots/motivation-robot-{}.svg", me.name));
        let figure = std::fs::read_to_string(&figure).unwrap_or_else(|error| panic!("{figure:?}: {error}"));
        for set in me.behaviours.iter() {
            let label = format!(">{}<", set.name);
            assert_eq!(figure.contains(&label), bids.contains(&set.name), "{}: {}", me.name, set.name);
        }
        let skipped = me.behaviours.iter().position(|set| !bids.contains(&set.name));
        let last = me.behaviours.iter().rposition(|set| bids.contains(&set.name));
        shifts += usize::from(skipped.zip(last).is_some_and(|(skipped, last)| skipped < last));
    }
    assert!(shifts > 0, "nobody skipped a set before one that it bid for: this proves nothing");
    std::fs::remove_dir_all(folder).expect("the folder of the run");
}

/// Janitorial robots are motivated per frequency, object and quadrant: the table has them all.
#[test]
fn levels_of_all_subjects_are_recorded() {
    let (_, folder) = recorded("subjects", &scenario("janitorial", 1, &["run.until=30 s"]));
    let table = std::fs::read_to_string(folder.join("alliance.csv")).expect("a table");
    std::fs::remove_dir_all(folder).expect("the folder of the run");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time_s,robot,behaviour,subject,level,state"));
    let mut subjects = BTreeSet::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(subjects.insert((cells[0], cells[1], cells[2], cells[3])), "twice: {line}");
    }
    let of = |robot: &str| {
        subjects
            .iter()
            .filter(|(time, name, set, _)| {
                time.starts_with("20") && *name == robot && set.contains("garbage")
            })
            .count()
    };
    assert!(of("r1") > 1, "several cans sound at once");
}
