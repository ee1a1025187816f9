//! Traffic: robots that cross each other's way get on, touch nobody, and resolve deadlocks.

use super::{finished, simulation};
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::onboard::{EventKind, RobotId};

/// Controllers whose robots tell each other where they are.
const SOCIABLE: [&str; 2] = ["orca", "human-like"];

fn efficacy(run: &Simulation) -> f64 {
    run.measures()[0].expect("they were under way")
}

fn contacts(run: &Simulation) -> u64 {
    run.state.world.collisions()
}

/// navground counts collisions in its own Corridor and Cross; here there must be none.
#[test]
fn robots_that_hear_each_other_touch_nobody_and_get_on() {
    let floors = [("traffic", 0.7), ("traffic-cross", 0.5), ("traffic-corridor", 0.2)];
    for controller in SOCIABLE {
        for (scene, floor) in floors {
            let (run, _) = finished(scene, 1, &[&format!("team.controller={controller}"), "run.until=60 s"]);
            assert_eq!(contacts(&run), 0, "{scene} with {controller}");
            assert!(efficacy(&run) > floor, "{scene} with {controller}: {}", efficacy(&run));
        }
    }
}

/// The one with the higher number gives way, and both get through.
#[test]
fn a_deadlock_in_a_lane_is_resolved_by_priority_and_told() {
    for controller in SOCIABLE {
        let (run, log) = finished("traffic-lane", 1, &[&format!("team.controller={controller}")]);
        let told: Vec<_> = log.iter().filter(|logged| logged.event.kind == EventKind::Deadlock).collect();
        let first = told.first().unwrap_or_else(|| panic!("{controller}: no deadlock"));
        assert_eq!((first.robot, first.event.other), (Some(RobotId(1)), Some(RobotId(0))), "{controller}");
        let arrivals = run.measures()[1].expect("a count");
        assert!(arrivals >= 2.0, "{controller}: {arrivals} arrivals");
        assert_eq!(contacts(&run), 0, "{controller}");
    }
}

/// Whoever has the lower number in `priority` goes first, whatever the order of the team.
#[test]
fn priority_goes_before_the_order_of_the_team() {
    let (_, log) = finished("traffic-lane", 1, &["team.robots.1.priority=-1"]);
    let first = log.iter().find(|logged| logged.event.kind == EventKind::Deadlock).expect("a deadlock");
    assert_eq!(first.robot, Some(RobotId(0)));
}

/// Without a radio the others are what the scanner sees, and robots still move.
#[test]
fn deaf_robots_avoid_what_they_see() {
    for controller in SOCIABLE {
        let sets = [&*format!("team.controller={controller}"), "radio={model: ideal, loss: 100 %}"];
        let mut run = simulation("traffic", 1, &sets);
        (0..300).for_each(|_| run.tick(&mut Vec::new()));
        assert!(efficacy(&run) > 0.2, "{controller}: {}", efficacy(&run));
    }
}
