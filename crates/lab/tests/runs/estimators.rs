//! Bidders that estimate: whole runs with every estimator, what they record, and what they learn from run to run.

use super::{experiment, finished, scenario};
use crewlab_lab::estimates::{EstimateRow, Estimates};
use crewlab_lab::sim::teams::estimators::{self, Memory};
use crewlab_lab::sim::teams::{Boot, Memories};
use crewlab_lab::sim::{Logged, Simulation};
use serde_json::Value;
use std::collections::BTreeMap;

/// The motors of the robot that is nearest to the top spill are worn.
const SLOW: &str = "disturbances=[{at: 0 s, drive: {robot: red, fault: slower, severity: 67 %}}]";

fn estimates(run: &Simulation, log: &[Logged]) -> Vec<EstimateRow> {
    let mut estimates = Estimates::default();
    estimates.tick(log, &run.model);
    estimates.rows().to_vec()
}

/// The memories of all robots after a run.
fn memories(run: &Simulation) -> BTreeMap<String, Value> {
    let now = run.now();
    let team = run.model.team.iter().zip(&run.state.robots);
    let memory = team.filter_map(|(member, robot)| {
        let boot = Boot {
            me: &member.identity,
            tasks: &run.model.tasks,
            roster: &[],
            signals: &[],
            restarted: false,
            reserve: &[],
        };
        Some((member.identity.name.clone(), robot.software.coordinator.memory(&boot, now)?))
    });
    memory.collect()
}

#[test]
fn every_estimator_serves_everybody_and_records_its_decisions() {
    for kind in estimators::KINDS {
        let set = format!("team.muroco.estimator={}", kind.name);
        let (run, log) = finished("service-rush", 3, &[&set]);
        assert!(run.state.verdict.completed, "{}", kind.name);
        let rows = estimates(&run, &log);
        let own: Vec<&EstimateRow> =
            rows.iter().filter(|row| row.estimator == kind.name && row.chosen).collect();
        assert!(own.len() >= 6, "{}: at least one decision per person, found {}", kind.name, own.len());
        assert!(own.iter().all(|row| row.estimate.is_some_and(f64::is_finite)), "{}", kind.name);
        assert!(own.iter().any(|row| row.status == "done" && row.cost.is_some_and(|cost| cost > 0.0)));
        assert!(own.iter().all(|row| row.evidence.contains("planned=")), "{}", kind.name);
        assert_eq!(memories(&run).is_empty(), !kind.learns, "{}", kind.name);
    }
}

/// The slow robot wins the spill that it is nearest to. In the next run it knows that it is slow, and another one gets the work.
#[test]
fn a_robot_that_knows_that_it_is_slow_leaves_the_work_to_others() {
    let file = experiment("estimation/waste.yaml");
    let (first, _) = finished(&file, 1, &[SLOW, "team.muroco.estimator=learned-mean"]);
    let memories = Memories::new("waste-cleanup", memories(&first));
    let red: Memory = serde_json::from_value(memories.robots["red"].clone()).expect("a memory");
    assert!(red.rows.iter().any(|row| row.overrun > 2.0), "{red:?}");
    let values = serde_json::to_string(&memories.robots).expect("plain data");
    let known = format!("team.muroco.estimation.values={values}");
    let (second, _) = finished(&file, 2, &[SLOW, "team.muroco.estimator=learned-mean", &known]);
    let (plain, _) = finished(&file, 2, &[SLOW]);
    // A third of the speed for half of the work: without experience the run takes much longer.
    let (with, without) = (second.now().seconds(), plain.now().seconds());
    assert!(with < 0.8 * without, "{with} s with and {without} s without experience");
}

#[test]
fn a_restarted_run_continues_with_what_was_learned() {
    let set = "team.muroco.estimator=learned-quantile";
    let (model, mut state) = scenario("service-rush", 1, &[set]).start;
    let mut log = Vec::new();
    let mut whole = Simulation::new(model.clone(), state.clone(), false);
    for _ in 0..1500 {
        whole.tick(&mut log);
    }
    // A snapshot half way.
    let mut half = Simulation::new(model.clone(), state, false);
    for _ in 0..750 {
        half.tick(&mut log);
    }
    let bytes = postcard::to_stdvec(&half.state).expect("plain data");
    state = postcard::from_bytes(&bytes).expect("the same data");
    let mut again = Simulation::new(model, state, false);
    for _ in 750..1500 {
        again.tick(&mut log);
    }
    assert_eq!(memories(&again), memories(&whole));
    assert_eq!(postcard::to_stdvec(&again.state).ok(), postcard::to_stdvec(&whole.state).ok());
}
