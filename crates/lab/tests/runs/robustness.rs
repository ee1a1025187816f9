//! Every coordinator finishes the mission with any radio, and nothing is lost or duplicated on the way.

use super::{completed, finished, simulation};
use crewlab_lab::sim::onboard::{Coordinator, GaugeState, RobotId};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::{missions, teams};
use crewlab_sim::onboard::EventKind;

#[test]
fn every_coordinator_completes_the_mission() {
    for kind in teams::KINDS {
        let set = format!("team.coordinator={}", kind.name);
        let (simulation, _) = finished("waste-cleanup", 3, &[&set]);
        assert!(simulation.state.verdict.completed, "{}", kind.name);
    }
}

/// A team with dead radios still completes the mission, less coherently (ALLIANCE 6.1).
#[test]
fn a_bad_or_dead_radio_does_not_stop_the_team() {
    for set in ["radio.loss=0.5", "radio.loss=1", "radio.delay=2 s"] {
        for seed in 1..=3 {
            let (simulation, _) = finished("waste-cleanup", seed, &[set]);
            assert!(simulation.state.verdict.completed, "{set}, seed {seed}");
            let tally = simulation.state.radio.tally();
            assert_eq!(tally.copies, tally.delivered + tally.lost.total() + tally.in_flight());
            assert!(set != "radio.loss=1" || tally.delivered == 0);
        }
    }
}

/// A robot with a silent detector does not mistake that for a clean floor: `crewlab break` found that it did.
#[test]
fn a_detector_that_fails_for_a_moment_leaves_no_waste_behind() {
    let dead = ["item-detector", "area-detector"].map(|detector| (detector, "dead"));
    for (detector, fault) in dead.into_iter().chain([("item-detector", "drops-out, severity: 1")]) {
        let fault = format!("{{robot: gold, sensor: {detector}, fault: {fault}}}");
        let set = format!("disturbances=[{{at: 500 s, for: 5 s, sensor: {fault}}}]");
        for seed in 1..=3 {
            let (simulation, _) = finished("waste-cleanup", seed, &[&set]);
            assert!(simulation.state.verdict.completed, "{fault}, seed {seed}");
        }
    }
}

/// Checks the whole state after every tick of a run with a trap, losses and noise.
#[test]
fn invariants_hold_in_every_tick() {
    for seed in 1..=3 {
        let mut run = simulation("waste-cleanup-trapped", seed, &["radio.loss=0.2", "world.items.waste=5"]);
        let items = run.state.world.items.len();
        let mut last_progress = 0.0;
        while !run.finished() {
            run.tick(&mut Vec::new());
            let world = &run.state.world;
            assert_eq!(world.items.len(), items);
            for (id, body) in RobotId::enumerate(&world.bodies) {
                let outline = body.outline_at(&body.pose);
                assert_eq!(
                    world.overlap(&outline, Some(id)),
                    None,
                    "seed {seed} at {} s",
                    run.now().seconds()
                );
                if let Some(item) = body.holding {
                    assert_eq!(world.items[item as usize].holder, Some(id));
                }
            }
            let held = world.items.iter().filter(|item| item.holder.is_some()).count();
            assert_eq!(held, world.bodies.iter().filter(|body| body.holding.is_some()).count());
            for robot in &run.state.robots {
                let mut gauges = Vec::new();
                robot.software.coordinator.gauges(&mut gauges);
                let active: Vec<_> = gauges.iter().filter(|g| g.state == GaugeState::Active).collect();
                assert!(active.len() <= 1);
                assert_eq!(
                    active.first().map(|g| g.behaviour),
                    robot.software.active.map(|choice| choice.behaviour)
                );
                assert!(gauges.iter().all(|g| (0.0..=100.0).contains(&g.level)));
            }
            assert!(run.state.verdict.progress >= last_progress, "waste does not leave the deposit");
            last_progress = run.state.verdict.progress;
        }
        assert!(run.state.verdict.completed, "seed {seed}");
    }
}

/// A robot that runs out of energy stops permanently and silently, and the others finish.
#[test]
fn a_robot_out_of_energy_stops_and_the_others_finish() {
    let energy = "robot-types.cleaner.aspects={energy: {value: 1000, per-second: -1, per-metre: -1}}";
    // 1000 units last for a little more than 10 minutes of driving: longer than one robot needs to find the places. So all robots
    // stop in the end, and the run ends at the time limit.
    let (run, log) = finished("waste-cleanup", 1, &[energy, "world.items.waste=60", "run.until=30 min"]);
    let stopped = log.iter().filter(|l| l.event.kind == EventKind::Exhausted).count();
    assert_eq!(stopped, 3);
    assert!(!run.state.verdict.completed && run.state.verdict.progress > 0.2);
    let last =
        log.iter().filter(|l| l.event.kind == EventKind::Exhausted).map(|l| l.time).max().expect("three");
    let late = |l: &&crewlab_sim::Logged| l.time > last && l.event.kind != EventKind::Dropped;
    assert_eq!(log.iter().find(late), None, "a robot without energy does nothing but let go of what it held");
}

/// An active robot without progress is reported: the trapped one.
#[test]
fn lack_of_progress_while_active_is_an_event() {
    let (simulation, log) = finished("waste-cleanup-trapped", 1, &[]);
    let stalled: Vec<&str> = log
        .iter()
        .filter(|l| l.event.kind == EventKind::NoProgress)
        .filter_map(|l| l.robot.map(|id| simulation.model.robot_name(id)))
        .collect();
    assert!(!stalled.is_empty() && stalled.iter().all(|name| *name == "blue"), "{stalled:?}");
}

/// A robot parked in the middle of the deposit, or a pillar there, does not prevent delivery.
#[test]
fn something_at_the_centre_of_the_deposit_does_not_stop_delivery() {
    let parked = "team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner}, \
                  {name: dead, type: cleaner, at: [9.6 m, 4 m], gripper: false, report: false, position: false}]";
    let pillar = "world.objects=[{name: pillar, circle: 0.2 m, at: [9.6 m, 4 m]}]";
    for set in [parked, pillar] {
        for coordinator in ["alliance", "greedy"] {
            let chosen = format!("team.coordinator={coordinator}");
            let (run, _) = finished("waste-cleanup", 2, &[set, &chosen]);
            assert!(run.state.verdict.completed, "{set} with {coordinator}");
        }
    }
}

/// Obstacles on the way: a box, a wall and a dead end between the spills and the deposit.
#[test]
fn obstacles_on_the_way_are_passed() {
    let dead_end = "{rectangle: [0.2 m, 4 m], at: [7.5 m, 4 m]}, {rectangle: [2 m, 0.2 m], at: [6.5 m, 6 m]}, \
                    {rectangle: [2 m, 0.2 m], at: [6.5 m, 2 m]}";
    for objects in [
        "{rectangle: [1.5 m, 3 m], at: [6.5 m, 4 m]}",
        "{wall: [[0 m, -1.5 m], [0 m, 1.5 m]], at: [6.5 m, 4 m]}",
        dead_end,
    ] {
        for seed in 1..=3 {
            let (run, _) = finished("waste-cleanup", seed, &[&format!("world.objects=[{objects}]")]);
            assert!(run.state.verdict.completed, "{objects}, seed {seed}");
        }
    }
}

/// Rooms of other shapes, and spills larger than the detectors' range, are cleaned up too.
#[test]
fn other_rooms_and_spills_are_cleaned_up() {
    for set in [
        "world.size=[20 m, 6 m]",
        "world.size=[6 m, 20 m]",
        "world.size=[6 m, 6 m]",
        "world.size=[30 m, 30 m]",
        "parameters.spill-radius=2.6",
    ] {
        let (run, _) = finished("waste-cleanup", 4, &[set]);
        assert!(run.state.verdict.completed, "{set}: {:?}", run.state.verdict);
    }
}

/// Waste is not put where no robot can reach it.
#[test]
fn items_lie_free_of_obstacles() {
    let run = simulation("waste-cleanup", 1, &["world.objects=[{circle: 0.5 m, at: [4 m, 5.33 m]}]"]);
    let pillar = &run.state.world.objects()[0].outline;
    assert!(run.state.world.items.iter().all(|item| pillar.distance(item.position) > 0.2));
}

/// Rays that all point the same way are unusual, but must not cause a crash.
#[test]
fn a_scanner_without_a_field_of_view_is_no_bug() {
    let (run, _) = finished(
        "waste-cleanup",
        1,
        &["robot-types.cleaner.sensors.range-scanner.fov=0", "world.items.waste=2", "run.until=20 min"],
    );
    assert!(run.state.verdict.progress > 0.0);
}

/// A trap without room waits, and the log says so.
#[test]
fn a_delayed_trap_is_reported() {
    let side_by_side = "team.robots=[{name: blue, type: cleaner, side-range: true, at: [6 m, 4 m], drive: false}, \
                        {name: gold, type: cleaner, at: [6.42 m, 4 m], drive: false}, {name: green, type: cleaner}]";
    let sets = [side_by_side, "disturbances=[{at: 1 s, trap: blue}]", "run.until=10 s"];
    let (_, log) = finished("waste-cleanup", 1, &sets);
    let told: Vec<&str> =
        log.iter().map(|l| l.event.kind.name()).filter(|kind| kind.starts_with("disturbance")).collect();
    assert_eq!(told, ["disturbance-delayed"]);
}

/// Every scenario that comes with the program can be run.
#[test]
fn every_shipped_scenario_runs() {
    for kind in missions::KINDS {
        assert!(!kind.shipped.is_empty(), "{} comes without a scenario", kind.name);
        for shipped in kind.shipped {
            let mut run = simulation(shipped.name, 1, &[]);
            let moved = (0..3000).any(|_| {
                run.tick(&mut Vec::new());
                run.state.world.bodies.iter().any(|body| body.travelled > 0.1)
            });
            assert!(moved, "nobody moves in {}", shipped.name);
        }
    }
}

/// One random robot dies at a random time: the others take over and find what it dropped.
#[test]
fn when_one_robot_dies_the_others_finish() {
    for coordinator in ["alliance", "greedy"] {
        let set = format!("team.coordinator={coordinator}");
        let (count, failed) = completed("waste-cleanup-death", 100, &[&set]);
        assert!(count >= 95, "{coordinator}: {count} of 100, not seeds {failed:?}");
    }
}
