//! Robots without positioning system and compass: they do their missions by their own estimate, and know what to do if it fails.

use super::{scenario, simulation};
use crewlab_lab::mapping::{Log, survey};
use crewlab_lab::navigation::slam::SlamParams;
use crewlab_lab::run::{RunOptions, Summary, run};
use crewlab_lab::sim::onboard::locating::layer;
use crewlab_lab::sim::onboard::sketch::Mark;
use crewlab_lab::sim::onboard::{EventKind, Performer};
use crewlab_lab::sim::{Logged, Simulation};
use crewlab_scenario::{Request, Scenario, load};
use std::path::{Path, PathBuf};

fn options(out: Option<PathBuf>, threads: usize) -> RunOptions {
    RunOptions {
        scan_logs: out.is_some(),
        out,
        force: true,
        threads,
        timing: false,
        stop: Default::default(),
    }
}

fn summary(name: &str, sets: &[&str], threads: usize) -> Summary {
    run(&scenario(name, 1, sets), &options(None, threads), &mut |_| {}).expect("nothing is written")
}

/// A short version of `experiments/navigation/slam-*.yaml`.
#[test]
fn missions_are_completed_by_own_estimate_alone() {
    for (name, sets) in [("waste-cleanup-slam", &["world.items.waste=2"][..]), ("janitorial-slam", &[])] {
        let summary = summary(name, sets, 2);
        assert!(summary.completed, "{name}: {} of the mission", summary.progress);
        let errors = summary.localisation.expect("robots that locate themselves");
        // A robot's radius is 0.2 m.
        assert!(errors.mean_error_m < 0.1 && errors.max_error_m < 0.3, "{name}: {errors:?}");
        assert_eq!(errors.lost_share, 0.0, "{name}");
    }
}

#[test]
fn robots_that_are_told_where_they_are_have_no_pose_errors() {
    assert_eq!(summary("waste-cleanup", &["run.until=10 s"], 1).localisation, None);
}

/// Loads a scenario with one setting of the filter.
fn with_filter(name: &str, filter: &str) -> Result<Scenario, String> {
    let sets = vec![format!("team.slam={filter}")];
    let request = Request { scenario: name.into(), sets, ..Request::default() };
    load(&request).map_err(|problems| problems.to_string())
}

#[test]
fn a_scenario_chooses_the_filter() {
    let filter = "{particles: 7, likelihood: correlation, resolution: 20 cm}";
    let (model, state) = with_filter("janitorial-slam", filter).expect("a scenario").start;
    let (mut run, mut log) = (Simulation::new(model, state, false), Vec::new());
    (0..5).for_each(|_| run.tick(&mut log));
    for robot in &run.state.robots {
        let locating = robot.software.performer.skills().locating().expect("an estimate");
        let (mut particles, mut walls) = (Vec::new(), Vec::new());
        locating.sketch(layer::PARTICLES, &mut particles);
        locating.sketch(layer::MAP, &mut walls);
        assert_eq!(particles.len(), 7);
        let half = |mark: &Mark| matches!(mark, Mark::Band { radius, .. } if (radius - 0.1).abs() < 1e-9);
        assert!(!walls.is_empty() && walls.iter().all(half), "cells of 0.2 m");
    }
}

#[test]
fn absurd_filters_are_refused_and_idle_ones_are_mentioned() {
    for (filter, said) in [
        ("{particles: 0}", "1"),
        ("{particles: 100000}", "1000"),
        ("{resolution: 3 m}", "0.5"),
        ("{resolution: 2 s}", "m"),
        ("{likelihood: guess}", "correlation"),
        ("{samples: 9}", "particles"),
    ] {
        let Err(message) = with_filter("janitorial-slam", filter) else { panic!("{filter} is accepted") };
        assert!(message.contains("slam") && message.contains(said), "{filter}: {message}");
    }
    let idle = with_filter("janitorial", "{particles: 9}").expect("a scenario");
    let warnings = idle.warnings.to_string();
    assert!(warnings.contains("no robot locates itself"), "{warnings}");
}

#[test]
fn threads_do_not_change_robots_that_locate_themselves() {
    let hash = |threads| summary("waste-cleanup-slam", &["run.until=20 s"], threads).result_hash;
    assert_eq!(hash(1), hash(3));
}

#[test]
fn a_snapshot_goes_on_like_the_original() {
    let mut original = simulation("janitorial-slam", 2, &[]);
    let mut log = Vec::new();
    (0..150).for_each(|_| original.tick(&mut log));
    let bytes = postcard::to_stdvec(&original.state).expect("plain data");
    let state = postcard::from_bytes(&bytes).expect("plain data");
    let mut copy = Simulation::new(original.model.clone(), state, false);
    for _ in 0..60 {
        original.tick(&mut log);
        copy.tick(&mut log);
    }
    let bytes = |run: &Simulation| postcard::to_stdvec(&run.state).expect("plain data");
    assert!(bytes(&original) == bytes(&copy));
}

/// The events of a run with one disturbance, and its end.
fn disturbed(what: &str, until: &str) -> (Simulation, Vec<Logged>) {
    let request = Request {
        scenario: "janitorial-slam".into(),
        disturbances: vec![what.into()],
        sets: vec![format!("run.until={until}")],
        seed: Some(1),
        ..Request::default()
    };
    let (model, state) = load(&request).unwrap_or_else(|problems| panic!("{problems}")).start;
    let (mut simulation, mut log) = (Simulation::new(model, state, false), Vec::new());
    while !simulation.finished() {
        simulation.tick(&mut log);
    }
    (simulation, log)
}

fn told(log: &[Logged], kind: EventKind) -> Vec<f64> {
    log.iter().filter(|logged| logged.event.kind == kind).map(|logged| logged.time.seconds()).collect()
}

#[test]
fn a_kidnapped_robot_notices_it_and_finds_itself_again() {
    let (run, log) = disturbed("{at: 60 s, robot-moved: {robot: r2, place: [3 m, 3 m]}}", "100 s");
    let (lost, located) = (told(&log, EventKind::Lost), told(&log, EventKind::Located));
    assert!(lost.first().is_some_and(|at| (60.0..70.0).contains(at)), "{lost:?}");
    assert!(located.first().is_some_and(|at| *at > lost[0]), "{located:?}");
    let robot = run.model.roster.iter().find(|(name, _)| name == "r2").expect("a robot").1;
    let locating = run.state.robots[robot].software.performer.skills().locating().expect("an estimate");
    let error = locating.believed().map(|pose| pose.position.distance(run.sensed_at(robot).position));
    assert!(error.is_some_and(|error| error < 0.2), "{error:?}");
}

#[test]
fn without_scans_odometry_counts_and_without_odometry_nothing_does() {
    let dead = |sensor: &str| {
        format!("{{at: 20 s, for: 20 s, sensor: {{robot: r1, sensor: {sensor}, fault: dead}}}}")
    };
    let (_, log) = disturbed(&dead("range-scanner"), "50 s");
    assert_eq!(told(&log, EventKind::DeadReckoning).len(), 1);
    assert_eq!(told(&log, EventKind::Located).len(), 1, "the scanner works again");
    let (_, log) = disturbed(&dead("odometry"), "50 s");
    let lost: Vec<_> = log.iter().filter(|logged| logged.event.kind == EventKind::Lost).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].event.thing.as_deref(), Some("odometry"));
    assert_eq!(told(&log, EventKind::Located).len(), 1, "odometry works again");
}

#[test]
fn a_team_goes_on_without_a_robot_that_is_lost_for_good() {
    let (run, _) = disturbed("{at: 20 s, sensor: {robot: r1, sensor: odometry, fault: dead}}", "11 min");
    // The others do its work. Only the floor under it cannot be cleaned.
    let done = run.state.verdict.progress;
    assert!(done > 0.99, "{done}");
}

#[test]
fn a_map_can_be_made_from_the_log_of_a_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scan-logs");
    let scenario = scenario("janitorial-slam", 1, &["run.until=60 s"]);
    run(&scenario, &options(Some(folder.clone()), 1), &mut |_| {}).expect("a run");
    let log = Log::open(&folder.join("scans-2-r2.csv"), 180.0, 50.0).expect("a log");
    let params = SlamParams { particles: 10, ..SlamParams::default() };
    let summary = survey(log, params, 1, || {}).expect("a map").summary;
    let (path, odometry) =
        (summary.ate_rmse_m.expect("a reference"), summary.ate_odometry_m.expect("a reference"));
    assert!(summary.scans > 100 && path < 0.1 && path < odometry, "{summary:?}");
    std::fs::remove_dir_all(&folder).expect("the folder of the run");
}
