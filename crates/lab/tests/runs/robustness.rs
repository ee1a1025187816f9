//! Every coordinator finishes the mission, whatever the radio does, and nothing is lost or doubled on the way.

use super::{finished, simulation};
use crewlab_lab::sim::onboard::{Coordinator, GaugeState};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::teams;

#[test]
fn every_coordinator_completes_the_mission() {
    for kind in teams::KINDS {
        let set = format!("team.coordinator={}", kind.name);
        let (simulation, _) = finished("waste-cleanup", 3, &[&set]);
        assert!(simulation.state.verdict.completed, "{}", kind.name);
    }
}

/// A team whose radios are dead still does the mission, less coherently (ALLIANCE 6.1).
#[test]
fn a_bad_or_dead_radio_does_not_stop_the_team() {
    for set in ["radio.loss=0.5", "radio.loss=1", "radio.delay=2 s"] {
        for seed in 1..=3 {
            let (simulation, _) = finished("waste-cleanup", seed, &[set]);
            assert!(simulation.state.verdict.completed, "{set}, seed {seed}");
            let tally = simulation.state.radio.tally();
            assert_eq!(tally.copies, tally.delivered + tally.lost + tally.in_flight());
            assert!(set != "radio.loss=1" || tally.delivered == 0);
        }
    }
}

/// Looks at the whole state after every tick of a run with everything in it: trap, loss, noise.
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
            for (index, body) in world.bodies.iter().enumerate() {
                let outline = body.outline_at(&body.pose);
                let id = crewlab_lab::sim::world::BodyId(index as u32);
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
                assert_eq!(active.first().map(|g| g.behaviour), robot.software.active);
                assert!(gauges.iter().all(|g| (0.0..=100.0).contains(&g.level)));
            }
            assert!(run.state.verdict.progress >= last_progress, "waste does not leave the deposit");
            last_progress = run.state.verdict.progress;
        }
        assert!(run.state.verdict.completed, "seed {seed}");
    }
}

/// A robot whose energy is used up stops for good, silently, and the others finish.
#[test]
fn a_robot_out_of_energy_stops_and_the_others_finish() {
    let energy = "robot-types.cleaner.aspects={energy: {value: 1000, per-second: -1, per-metre: -1}}";
    // 1000 units last for a little more than 10 minutes of driving: longer than one robot needs to find the places,
    // so all robots die in the end and the clock, not the mission, ends the run.
    let (run, log) = finished("waste-cleanup", 1, &[energy, "world.items.waste=60", "run.until=30 min"]);
    let stopped = log.iter().filter(|l| l.event.kind == "exhausted").count();
    assert_eq!(stopped, 3);
    assert!(!run.state.verdict.completed && run.state.verdict.progress > 0.2);
    let last = log.iter().filter(|l| l.event.kind == "exhausted").map(|l| l.time).max().expect("three");
    assert!(log.iter().all(|l| l.time <= last), "a robot without energy does nothing");
}

/// An active robot that gets nowhere is reported: the trapped one.
#[test]
fn lack_of_progress_while_active_is_an_event() {
    let (simulation, log) = finished("waste-cleanup-trapped", 1, &[]);
    let stalled: Vec<&str> = log
        .iter()
        .filter(|l| l.event.kind == "no-progress")
        .filter_map(|l| l.robot.map(|id| simulation.model.robot_name(id)))
        .collect();
    assert!(!stalled.is_empty() && stalled.iter().all(|name| *name == "blue"), "{stalled:?}");
}
