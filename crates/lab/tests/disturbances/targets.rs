//! The targets of disturbances.

use super::{Run, assert_times, disturbed, started};
use crewlab_sim::onboard::EventKind;

fn halted(run: &Run) -> Vec<&str> {
    let names = ["blue", "gold", "green"];
    names.into_iter().filter(|name| run.body(name).halted).collect()
}

#[test]
fn one_robot_or_all() {
    let mut run = disturbed("{at: 2 s, for: 2 s, stop: gold}, {at: 6 s, for: 2 s, stop: all}", &[]);
    assert_eq!(halted(run.to(2.0)), ["gold"]);
    assert_eq!(halted(run.to(4.0)), [""; 0]);
    assert_eq!(halted(run.to(6.0)), ["blue", "gold", "green"]);
    assert_eq!(halted(run.to(8.0)), [""; 0]);
    let told: Vec<_> = run.log.iter().filter(|l| l.event.kind == EventKind::Disturbance).collect();
    assert_eq!(told[0].robot.map(|robot| robot.0), Some(1));
    assert_eq!(told[1].robot, None);
    assert!(told[1].event.words.starts_with("blue, gold and green stop"), "{}", told[1].event.words);
}

#[test]
fn a_random_robot_is_a_running_one_and_depends_on_the_seed() {
    let hit = |seed: u64, coordinator: &str| {
        let coordinator = format!("team.coordinator={coordinator}");
        let stops = "disturbances=[{at: 1 s, stop: random}, {at: 2 s, stop: random}, {at: 3 s, stop: random}, \
                     {at: 4 s, stop: random}]";
        let mut run = started(seed, &[&coordinator, stops]);
        run.to(5.0);
        assert_eq!(halted(&run).len(), 3, "nobody is hit twice");
        assert_times(&run.times("disturbance-delayed"), &[4.0]);
        let told = run.log.iter().filter(|l| l.event.kind == EventKind::Disturbance);
        told.map(|l| l.robot.expect("one robot").0).collect::<Vec<_>>()
    };
    let mut orders: Vec<Vec<u16>> = (1..=12).map(|seed| hit(seed, "greedy")).collect();
    for (seed, order) in (1..=3).zip(&orders) {
        assert_eq!(&hit(seed, "random"), order);
        assert_eq!(&hit(seed, "alliance"), order);
    }
    orders.sort();
    orders.dedup();
    assert!(orders.len() >= 3, "six orders are possible, found {orders:?}");
}

#[test]
fn whoever_does_a_task() {
    let mut run = disturbed(
        "{at: 3 s, for: 1 s, stop: {doing: find-locations}}, {at: 3 s, stop: {doing: move-spill-top}}",
        &[],
    );
    assert_eq!(halted(run.to(3.0)), ["blue"]);
    assert_times(&run.times("disturbance-delayed"), &[3.0]);
    assert!(run.log.iter().any(|l| l.event.words.contains("nobody does move-spill-top now")));
    // It waits until somebody does.
    let happened = run.await_event("disturbance", 400.0);
    assert_eq!(halted(run.to(happened)).len(), 1);
}

#[test]
fn a_disturbance_waits_for_an_absent_robot() {
    let mut run = disturbed("{at: 2 s, for: 4 s, robot-removed: gold}, {at: 3 s, stop: gold}", &[]);
    run.to(7.0);
    assert_times(&run.times("disturbance"), &[2.0, 6.0]);
    assert_times(&run.times("disturbance-delayed"), &[3.0]);
    assert_eq!(halted(&run), ["gold"]);
}
