//! The city: a robot finds its way by asking, follows people across streets, and says why it does not get on.

use super::{finished, simulation};
use crewlab_lab::sim::onboard::{EventKind, Vec2};
use crewlab_lab::sim::{Logged, Simulation};

/// A small city: one crossroads, the goal on the other side of both streets.
const SMALL: [&str; 3] = [
    "world.size=[67 m, 47 m]",
    "parameters={blocks: [2, 2], pedestrian: [], walkers: 24}",
    "run.until=30 min",
];

fn count(log: &[Logged], kind: EventKind) -> usize {
    log.iter().filter(|logged| logged.event.kind == kind).count()
}

fn at(run: &Simulation) -> Vec2 {
    run.state.world.bodies[0].pose.position
}

#[test]
fn the_goal_is_found_by_asking() {
    let (run, log) = finished("city", 1, &[]);
    assert!(run.state.verdict.completed, "stands at {:?}", at(&run));
    let asked = count(&log, EventKind::AskedWay);
    assert!(asked >= 5, "asked {asked} times");
    assert_eq!(run.measures()[0], Some(asked as f64));
}

#[test]
fn a_street_is_crossed_behind_a_person() {
    let (run, log) = finished("city", 1, &SMALL);
    assert!(run.state.verdict.completed, "stands at {:?}", at(&run));
    let followed = log.iter().find(|logged| logged.event.kind == EventKind::FollowsPerson);
    assert!(followed.is_some(), "both streets lie between start and goal");
}

/// Somebody leads the robot past the middle of the corner on the other side, and goes on along a pavement that is a dead end: the
/// robot stops at the corner and asks.
#[test]
fn a_person_is_followed_no_farther_than_across_the_street() {
    let start = "parameters.start=[119.6 m, 57.4 m]";
    let mut run = simulation("city", 6, &[start, "run.until=10 min"]);
    let (mut log, mut farthest) = (Vec::new(), 0.0_f64);
    while !run.finished() {
        run.tick(&mut log);
        farthest = farthest.max(at(&run).y);
    }
    assert!(run.state.verdict.completed, "stands at {:?}", at(&run));
    assert!(farthest < 72.0, "the corner ends at 69 m, and the robot came to {farthest} m");
    assert_eq!(count(&log, EventKind::Stuck), 0);
}

/// A pavement that is closed before the first corner: the robot stays before the fence and runs into nothing.
#[test]
fn a_closed_pavement_is_not_forced() {
    let fence = "world.objects=[{name: fence, rectangle: [0.5 m, 3 m], at: [12 m, 18.5 m]}]";
    let (run, _) = finished("city", 2, &[SMALL[0], SMALL[1], SMALL[2], fence, "run.until=5 min"]);
    // The robot starts west of the fence on a pavement that ends there: nobody knows a way.
    assert!(!run.state.verdict.completed && at(&run).x < 12.0, "stands at {:?}", at(&run));
}

#[test]
fn nobody_to_ask_is_a_reason() {
    let empty = "parameters={blocks: [2, 2], pedestrian: [], walkers: 0, strollers: 0}";
    let (run, log) = finished("city", 1, &[SMALL[0], empty, "run.until=6 min"]);
    assert!(!run.state.verdict.completed && count(&log, EventKind::AskedWay) == 0);
    let why = run.why_incomplete().expect("not completed");
    assert!(why.explained() && why.name() == "hindered", "{why:?}");
}

#[test]
fn a_blind_robot_stands() {
    let dead = "disturbances=[{at: 20 s, sensor: {robot: ace, sensor: range-scanner, fault: dead}}]";
    let (run, _) = finished("city", 1, &[SMALL[0], SMALL[1], dead, "run.until=2 min"]);
    assert!(!run.state.verdict.completed);
    let active = run.state.robots[0].software.active;
    assert_eq!(active, None, "without its scanner it gives the task up");
}

/// Mean of an indicator while the robot drives, by its place in the mission's list.
fn mean(run: &str, place: usize) -> f64 {
    let mut simulation = super::simulation(run, 2, &["run.until=6 min"]);
    let (mut sum, mut number, mut log) = (0.0, 0, Vec::new());
    while !simulation.finished() {
        simulation.tick(&mut log);
        let values = simulation.state.robots[0].software.skills().indicators(simulation.now());
        let driving = values.get(8).copied().flatten().is_some_and(|speed| speed > 0.05);
        if let Some(value) = values.get(place).copied().flatten().filter(|_| driving) {
            (sum, number) = (sum + value, number + 1);
        }
    }
    sum / f64::from(number.max(1))
}

/// Thesis, section 4.4.3: 43 % more map uncertainty and 45 % more variance of orientation in the pedestrian zone, at the same speed.
#[test]
fn a_crowd_makes_map_and_orientation_less_certain() {
    let more = |place| mean("city-zone", place) / mean("city-sidewalk", place);
    let (map, heading, speed) = (more(0), more(9), more(8));
    assert!(map > 1.15 && heading > 1.2, "map {map}, heading {heading}");
    assert!((0.7..1.3).contains(&speed), "speed {speed}");
}
