//! The measures of missions and the indicators of coordinators: in the summary, in a table over time, in figures.

use super::{finished, scenario, simulation};
use crewlab_lab::run::{RunOptions, run};
use crewlab_lab::sim::missions::KINDS;
use crewlab_lab::sim::teams;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn every_mission_gives_a_value_per_measure() {
    for kind in KINDS {
        for shipped in kind.shipped {
            let run = simulation(shipped.name, 1, &[]);
            let values = run.measures();
            assert_eq!(values.len(), kind.measures.len(), "{}", shipped.name);
            assert!(values.iter().flatten().all(|value| value.is_finite()), "{}: {values:?}", shipped.name);
        }
    }
    assert!(KINDS.iter().all(|kind| !kind.measures.is_empty()));
}

#[test]
fn a_completed_mission_has_measured_all_of_it() {
    let (waste, _) = finished("waste-cleanup", 1, &["team.coordinator=greedy", "world.items.waste=3"]);
    assert!(waste.state.verdict.completed);
    let items = waste.state.world.present_items().count() as f64;
    let [deposited, left, reports] = waste.measures()[..] else { panic!("three measures") };
    assert_eq!((deposited, left), (Some(items), Some(0.0)));
    assert!(reports.is_some_and(|reports| reports >= 1.0), "{reports:?}");

    let coffee = "world.items={coffee: 1, tea: 0, water: 0}";
    let (service, _) = finished("service", 1, &["team.coordinator=greedy", coffee]);
    let [served, waiting, waited] = service.measures()[..] else { panic!("three measures") };
    assert_eq!((served, waiting), (Some(1.0), Some(0.0)));
    let end = service.now().seconds();
    assert!(waited.is_some_and(|waited| waited > 1.0 && waited < end), "{waited:?} of {end} s");
}

#[test]
fn the_table_has_the_measures_over_time_and_the_summary_the_last_of_them() {
    let folder = std::env::temp_dir().join(format!("crewlab-measures-{}", std::process::id()));
    let out = folder.join("run");
    let sets = ["team.coordinator=greedy", "world.items.waste=3"];
    let scenario = scenario("waste-cleanup", 1, &sets);
    let options = RunOptions {
        out: Some(out.clone()),
        force: true,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: Arc::new(AtomicBool::new(false)),
    };
    let summary = run(&scenario, &options, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
    let table = std::fs::read_to_string(out.join("measures.csv")).expect("a table");
    assert!(out.join("plots/measure-items_deposited.svg").exists());
    std::fs::remove_dir_all(&folder).expect("our own folder");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time_s,items_deposited,items_left,reports"));
    let deposited: Vec<f64> =
        lines.filter_map(|line| line.split(',').nth(1)).filter_map(|cell| cell.parse().ok()).collect();
    assert_eq!(deposited.first(), Some(&0.0));
    assert!(deposited.is_sorted() && deposited.len() > 100, "{} rows", deposited.len());
    let named: Vec<(&str, Option<f64>)> = summary.measures.iter().map(|m| (m.spec.name, m.value)).collect();
    assert_eq!(named[..2], [("items_deposited", Some(6.0)), ("items_left", Some(0.0))]);
    assert!(named[2].0 == "reports" && named[2].1 >= Some(1.0), "{named:?}");
}

/// One robot's values of an indicator over time.
fn indicated(table: &str, robot: &str, name: &str) -> Vec<f64> {
    let cells = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let named = cells.filter(|cells| cells[1] == robot && cells[3] == name);
    named.map(|cells| cells[4].parse().expect("a number")).collect()
}

#[test]
fn indicators_of_a_coordinator_have_a_table_and_a_figure_each() {
    for coordinator in ["cbba", "muroco"] {
        let specs = teams::kind(coordinator).expect("a coordinator").indicators;
        let folder = std::env::temp_dir().join(format!("crewlab-{coordinator}-{}", std::process::id()));
        let scenario = scenario("service", 1, &[&format!("team.coordinator={coordinator}")]);
        let options = RunOptions {
            out: Some(folder.join("run")),
            force: true,
            threads: 1,
            timing: false,
            scan_logs: false,
            stop: Arc::new(AtomicBool::new(false)),
        };
        let summary = run(&scenario, &options, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        let table = std::fs::read_to_string(folder.join("run/indicators.csv")).expect("a table");
        for spec in specs {
            let figure = folder.join(format!("run/plots/indicator-{}.svg", spec.name));
            assert!(figure.exists(), "{coordinator}: {figure:?}");
        }
        std::fs::remove_dir_all(&folder).expect("our own folder");
        assert_eq!(table.lines().next(), Some("time_s,robot,source,indicator,value"));
        for spec in specs {
            let told: Vec<f64> =
                summary.team.iter().flat_map(|robot| indicated(&table, &robot.name, spec.name)).collect();
            assert!(told.iter().any(|value| *value > 0.0), "{coordinator} gives {}: {told:?}", spec.name);
        }
    }
}
