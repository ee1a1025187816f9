//! Whole runs among persons who walk, carts that do not stop, and ground that differs by robot type.

use super::simulation;
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::onboard::{EventKind, Reason, RobotId};
use crewlab_lab::sim::world::Object;

fn nothing_overlaps(run: &Simulation) {
    let world = &run.state.world;
    for (robot, body) in RobotId::enumerate(&world.bodies) {
        let overlap = world.overlap(&body.outline_at(&body.pose), Some(robot));
        assert_eq!(overlap, None, "robot {robot} at {} s", run.now().seconds());
    }
}

fn object<'a>(run: &'a Simulation, name: &str) -> Option<&'a Object> {
    run.state.world.objects().iter().find(|object| object.name == name)
}

const PERSONS: &str = "world.persons=[\
    {name: visitor, at: [9 m, 2 m], wander: {speed: 0.8 m/s, yields: false}}, \
    {name: guard, at: [2 m, 1 m], path: {points: [[2 m, 7 m], [2 m, 1 m]], speed: 0.6 m/s, repeat: true, yields: false}}, \
    {name: clerk, at: [10 m, 7 m], wander: {within: [[8 m, 5 m], [12 m, 8 m]]}}]";

/// Robots work among persons who do not wait for them: nothing overlaps in any tick, contacts are reported and counted, and
/// everything follows from the seed.
#[test]
fn robots_work_among_persons_who_do_not_wait() {
    let run_to = |seed: u64| {
        let mut run = simulation("waste-cleanup", seed, &[PERSONS, "world.items.waste=4"]);
        let mut log = Vec::new();
        let mut walked = 0.0;
        while !run.finished() && run.now().seconds() < 600.0 {
            let before = object(&run, "visitor").expect("the visitor").pose.position;
            run.tick(&mut log);
            nothing_overlaps(&run);
            walked += before.distance(object(&run, "visitor").expect("the visitor").pose.position);
            let clerk = object(&run, "clerk").expect("the clerk").pose.position;
            assert!((8.0..=12.0).contains(&clerk.x) && (5.0..=8.0).contains(&clerk.y));
        }
        assert!(walked > 50.0, "the visitor walked {walked} m");
        let told = log
            .iter()
            .filter(|l| l.event.kind == EventKind::Contact && l.event.reason == Some(Reason::Struck));
        let struck: u64 = run.state.world.bodies.iter().map(|body| body.struck).sum();
        assert_eq!(told.count() as u64, struck);
        (struck, run.state.world.bodies.iter().map(|body| body.pose.position).collect::<Vec<_>>())
    };
    let first = run_to(2);
    assert!(first.0 > 0, "nobody met");
    assert_eq!(first, run_to(2));
    assert_ne!(first.1, run_to(3).1);
}

/// A person who was added by a disturbance can be moved and removed by name, and comes back when that ends.
#[test]
fn a_person_comes_is_moved_and_is_sent_away() {
    let disturbances = "disturbances=[{at: 2 s, person: {name: visitor, place: [9 m, 2 m], speed: 0.5 m/s}}, \
                        {at: 4 s, object-moved: {object: visitor, to: [6 m, 7 m]}}, \
                        {at: 6 s, for: 2 s, object-removed: visitor}]";
    let mut run = simulation("waste-cleanup", 1, &[disturbances]);
    let mut places = Vec::new();
    for _ in 0..90 {
        run.tick(&mut Vec::new());
        places.push(object(&run, "visitor").map(|visitor| visitor.pose.position));
    }
    let at = |seconds: f64| places[(seconds * 10.0) as usize];
    assert_eq!(at(1.5), None);
    let (early, late) = (at(2.5).expect("the visitor"), at(3.5).expect("the visitor"));
    assert!((early.distance(late) - 0.5).abs() < 0.1, "{early:?} {late:?}");
    assert!(
        at(4.2)
            .is_some_and(|place| place.distance(crewlab_lab::sim::onboard::geometry::vec2(6.0, 7.0)) < 0.3)
    );
    assert_eq!(at(7.0), None);
    assert!(at(8.5).is_some());
}

/// A kerb keeps cleaners from their work, unless it is passable for them. It is too low to be seen, so nobody avoids it.
#[test]
fn a_kerb_lets_some_robot_types_pass() {
    let reached = |exception: &str| {
        let kerb = format!(
            "world.objects=[{{name: kerb, rectangle: [0.4 m, 8 m], at: [5.5 m, 4 m], height: 0 m{exception}}}]"
        );
        let mut run = simulation("waste-cleanup", 1, &[&kerb]);
        let mut farthest = 0.0_f64;
        while !run.finished() && run.now().seconds() < 400.0 {
            run.tick(&mut Vec::new());
            nothing_overlaps(&run);
            farthest =
                run.state.world.bodies.iter().map(|body| body.pose.position.x).fold(farthest, f64::max);
        }
        farthest
    };
    assert!(reached("") < 5.3);
    assert!(reached(", passable-for: {cleaner: 0.9}") > 7.0);
}

/// Ground that costs more energy drains batteries sooner, and changes nothing else.
#[test]
fn heavy_ground_empties_batteries() {
    let after = |sets: &[&str]| {
        let energy = "robot-types.cleaner.aspects={energy: {value: 10000, per-metre: -10}}";
        let mut run = simulation("waste-cleanup", 1, &[&[energy], sets].concat());
        for _ in 0..600 {
            run.tick(&mut Vec::new());
        }
        let bodies = &run.state.world.bodies;
        let used: f64 = bodies.iter().map(|body| 10000.0 - body.aspects[0].value).sum();
        (used, bodies.iter().map(|body| body.pose.position).collect::<Vec<_>>())
    };
    let (plain, places) = after(&[]);
    for heavy in [
        "world.terrain={cell: 100 m, rows: [[1]], energy: [[3]]}",
        "disturbances=[{at: 0 s, terrain: {energy: 3}}]",
        "world.objects=[{name: sand, rectangle: [12 m, 8 m], at: [6 m, 4 m], penetrability: 1, energy: 3, height: 0 m}]",
    ] {
        let (used, same) = after(&[heavy]);
        assert!(used > 2.9 * plain && used < 3.1 * plain, "{heavy}: {used} of {plain}");
        assert_eq!(same, places, "{heavy}");
    }
}
