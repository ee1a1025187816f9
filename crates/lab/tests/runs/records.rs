//! Recording a run must not change it.

use super::scenario;
use crewlab_lab::run::{Options, run};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn a_run_is_the_same_with_and_without_records() {
    for radio in ["ideal", "wifi-indoor", "{model: wifi-indoor, power: -36 dBm, forwarding: flooding}", "lte"]
    {
        let radio = format!("radio={radio}");
        let scenario = scenario("waste-cleanup", 3, &[&radio, "run.until=90 s"]);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
        let options = |out| Options { out, force: true, threads: 1, stop: Arc::new(AtomicBool::new(false)) };
        let unseen = run(&scenario, &options(None), &mut |_| {}).expect("a run");
        let seen = run(&scenario, &options(Some(folder.clone())), &mut |_| {}).expect("a run");
        assert_eq!(unseen, seen, "{radio}");
        std::fs::remove_dir_all(folder).expect("the folder of the run");
    }
}

/// Every coordinator with levels has its own table, whoever began; a run without such has none.
#[test]
fn another_coordinator_that_takes_over_has_a_table_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("taken-over");
    for (first, second) in
        [("greedy", "alliance"), ("alliance", "greedy"), ("alliance", "cbba"), ("cbba", "muroco")]
    {
        let change = format!("disturbances=[{{at: 20 s, for: 20 s, coordinator: {second}}}]");
        let chosen = format!("team.coordinator={first}");
        let scenario = scenario("waste-cleanup", 1, &[&chosen, &change, "run.until=60 s"]);
        let options = Options {
            out: Some(folder.clone()),
            force: true,
            threads: 1,
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
