//! Missions with a non-ideal radio.

use super::{completed, experiment, finished, scenario, simulation};
use crewlab_lab::run::{RunOptions, run};
use crewlab_lab::sim::radio::{Loss, Radio};
use crewlab_sim::address::node;
use crewlab_sim::onboard::RobotId;

const NO_RADIO: &[&str] = &["radio=wifi-indoor", "radio.loss=1"];

#[test]
fn a_hundred_seeds_clean_up_behind_two_concrete_walls() {
    let (count, failed) = completed(&experiment("radio/waste-cleanup-two-walls.yaml"), 100, &[]);
    assert!(count >= 95, "{count} of 100, not seeds {failed:?}");
}

/// ALLIANCE 6.1: without any communication the team still completes the mission, more slowly.
#[test]
fn a_team_without_any_radio_gets_there_more_slowly() {
    let mean = |name: &str, sets: &[&str]| {
        let runs: Vec<_> = (1..=10).map(|seed| finished(name, seed, sets).0).collect();
        assert!(runs.iter().all(|run| run.state.verdict.completed), "{name} {sets:?}");
        runs.iter().map(|run| run.now().seconds()).sum::<f64>() / runs.len() as f64
    };
    for name in ["waste-cleanup", "janitorial"] {
        let (without, with) = (mean(name, NO_RADIO), mean(name, &["radio=wifi-indoor"]));
        assert!(without > with, "{name}: {without} s without, {with} s with a radio");
    }
}

#[test]
fn every_copy_is_accounted_for_in_every_tick() {
    let sets = [
        "radio={model: wifi-indoor, forwarding: flooding, hops: 3, power: -20 dBm}",
        "world.objects.+={name: wall, wall: [[0 m, -4 m], [0 m, 4 m]], at: [6 m, 4 m], penetrability: 1, damping: 30 dB}",
        "world.objects.+={name: siren, circle: 0.1 m, at: [9 m, 6 m], penetrability: 1, jammer: {power: -10 dBm, duty-cycle: 30 %}}",
        "disturbances.+={at: 60 s, for: 60 s, partition: {group: [blue]}}",
        "disturbances.+={at: 100 s, for: 60 s, radio: {robot: gold, fault: deaf}}",
        "disturbances.+={at: 150 s, for: 60 s, noise: {rise: 20 dB}}",
    ];
    let mut run = simulation("waste-cleanup", 2, &sets);
    run.listen = true;
    let (mut delivered, mut lost) = (0, 0);
    while !run.finished() {
        run.tick(&mut Vec::new());
        let tally = run.state.radio.tally();
        assert_eq!(tally.copies, tally.delivered + tally.lost.total() + tally.in_flight());
        delivered += run.fates.iter().filter(|fate| fate.lost.is_none()).count() as u64;
        lost += run.fates.iter().filter(|fate| fate.lost.is_some()).count() as u64;
        assert_eq!((delivered, lost), (tally.delivered, tally.lost.total()));
    }
    let tally = run.state.radio.tally();
    assert!(run.state.verdict.completed);
    assert!(tally.lost.of(Loss::Cut) > 0 && tally.lost.of(Loss::ReceiverDead) > 0, "{:?}", tally.lost);
}

/// A crowd that is large enough for all threads to be used.
#[test]
fn threads_do_not_change_what_a_crowd_hears() {
    let hash = |threads: usize| {
        let sets = [
            "radio=wifi-indoor",
            "world.size=[60 m, 40 m]",
            "team.robots.0.count=30",
            "team.robots.1.count=30",
            "team.robots.2.count=30",
            "run.until=60 s",
        ];
        let options = RunOptions {
            out: None,
            force: false,
            threads,
            timing: false,
            scan_logs: false,
            stop: Default::default(),
        };
        let scenario = scenario("waste-cleanup", 1, &sets);
        let summary = run(&scenario, &options, &mut |_| {}).expect("nothing is written");
        assert!(summary.messages.delivered > 5_000, "{}", summary.messages.delivered);
        summary.result_hash
    };
    let alone = hash(1);
    assert_eq!([hash(2), hash(8)], [alone.clone(), alone]);
}

/// A robot's radio module predicts links only from what it has heard. Here it does not know the wall, and learns its damping from
/// the first message that passes through it.
#[test]
fn links_are_predicted_from_what_was_heard() {
    let wall = "world.objects.+={name: wall, wall: [[0 m, -4 m], [0 m, 4 m]], at: [6 m, 4 m], penetrability: 1, damping: 20 dB}";
    let mut run = simulation("waste-cleanup", 1, &["radio=wifi-outdoor", wall]);
    let (mut through, mut worst) = (0, 0.0f64);
    while run.now().seconds() < 300.0 {
        run.tick(&mut Vec::new());
        let (now, bodies) = (run.now(), &run.state.world.bodies);
        let radio = run.state.radio.as_physical().expect("a physical radio");
        let place = |robot: RobotId| [bodies[robot].pose.position.x, bodies[robot].pose.position.y];
        for (me, partner) in [(0, 1), (1, 2), (2, 0)].map(|(me, partner)| (RobotId(me), RobotId(partner))) {
            let estimator = run.state.robots[me].estimator.as_deref().expect("a radio module");
            let Some((heard, _)) = estimator.heard(node(partner)) else { continue };
            // Measurements from long ago, on the other side of the wall, do not count.
            if now.0 - heard > 150_000_000 {
                continue;
            }
            let link = radio.link(node(partner), node(me)).expect("a link");
            let found = estimator.predict(radio.params(), &[], node(partner), place(me), place(partner));
            let differs = (found.rx - link.rx).abs();
            // If a robot has just passed the wall, the last message is no guide.
            if differs < 15.0 {
                worst = worst.max(differs);
                through += u32::from(link.walls > 0.0);
            }
        }
    }
    assert!(through > 20, "{through} predictions through the wall");
    assert!(worst < 2.0, "{worst} dB");
}
