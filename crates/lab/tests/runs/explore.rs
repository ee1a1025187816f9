//! Robots that map a building: every coordinator completes it, maps are true, and what goes wrong is explained.

use super::{finished, simulation};
use crewlab_lab::sim::onboard::{Belief, EventKind, RobotId};
use crewlab_lab::sim::{Simulation, State};

const COORDINATORS: [&str; 5] = ["alliance", "muroco", "cbba", "greedy", "random"];
/// A radio that reaches a room, not the building.
const SHORT: &str = "radio={model: ideal, range: 5 m}";

fn coordinated(name: &str) -> String {
    format!("team.coordinator={name}")
}

/// Known to the base, known to anybody, errors.
fn figures(run: &Simulation) -> [f64; 3] {
    let values = run.measures();
    [0, 1, 2].map(|place| values[place].expect("a number"))
}

#[test]
fn every_coordinator_maps_the_building() {
    for name in COORDINATORS {
        let (run, _) = finished("explore-building", 2, &[&coordinated(name)]);
        let [base, _, errors] = figures(&run);
        assert!(run.state.verdict.completed && base >= 0.95, "{name}: {base}");
        assert!(errors < 1.0, "{name}: {errors} m² of the map are wrong");
        assert!(run.now().seconds() < 600.0, "{name} took {} s", run.now().seconds());
    }
}

/// The base stands in the corridor, and the only explorer starts behind it: there is nobody to wait for, or to make way for.
#[test]
fn nobody_waits_for_a_base_to_go_on() {
    let noise =
        ["range-scanner.absolute-noise=0.04", "position.absolute-noise=0.04", "compass.absolute-noise=1 deg"];
    let noise = noise.map(|noise| format!("robot-types.explorer.sensors.{noise}"));
    let team = "team.robots=[{name: base, type: base}, {name: robot, type: explorer}]";
    let sets = [team, "run.tick=50 ms", "team.coordinator=cbba", &noise[0], &noise[1], &noise[2]];
    let (run, log) = finished("explore-building", 61, &[&sets[..], &["parameters.wanted=40 %"]].concat());
    assert!(run.state.verdict.completed, "{:?}", figures(&run));
    assert!(log.iter().all(|logged| logged.event.kind != EventKind::Deadlock));
}

/// A third of each floor, so that it does not take long; `experiments/navigation/explore-building.yaml` maps all of them.
#[test]
fn coordinators_map_buildings_from_files() {
    let buildings = ["explore-office", "explore-hall", "explore-warehouse"];
    for (building, name) in buildings.iter().zip(["muroco", "alliance", "cbba"]) {
        let (run, _) = finished(building, 1, &[&coordinated(name), "parameters.wanted=33 %"]);
        assert!(run.state.verdict.completed, "{building} with {name}: {:?}", figures(&run));
    }
}

/// Robots must come back to be heard, and two of the coordinators stand for those that claim and those that get impatient.
#[test]
fn robots_that_are_out_of_reach_bring_their_maps_home() {
    for name in ["greedy", "alliance"] {
        let (run, log) =
            finished("explore-building", 1, &[SHORT, &coordinated(name), "parameters.report-at=20"]);
        assert!(run.state.verdict.completed, "{name}: {:?}", figures(&run));
        let task = |logged: &&crewlab_lab::sim::Logged| logged.event.task.is_some_and(|task| task.0 == 1);
        assert!(log.iter().filter(task).count() > 0, "{name}: nobody reported");
    }
}

#[test]
fn a_team_that_the_base_cannot_hear_ends_with_an_explanation() {
    let (run, _) = finished("explore-building", 1, &["radio={model: ideal, loss: 100 %}", "run.until=6 min"]);
    let [base, any, _] = figures(&run);
    assert!(base < 0.05 && any > 0.3, "the base knows {base}, somebody {any}");
    let why = run.why_incomplete().expect("it is not completed");
    let words = why.sentence(&run.model, &run.state);
    assert!(why.name() == "hindered" && words.contains("do not reach"), "{}: {words}", why.name());
    let dead = ["disturbances=[{at: 10 s, stop: base}]", "run.until=2 min"];
    let (run, _) = finished("explore-building", 1, &dead);
    let words = run.why_incomplete().expect("nobody collects").sentence(&run.model, &run.state);
    assert!(words.contains("base"), "{words}");
}

#[test]
fn what_happens_to_robots_does_not_stop_the_others() {
    let mishaps = "disturbances=[\
        {at: 20 s, stop: robot-1}, \
        {at: 30 s, robot-moved: {robot: robot-2, place: [18 m, 12.5 m]}}, \
        {at: 40 s, for: 20 s, sensor: {robot: robot-2, sensor: range-scanner, fault: dead}}, \
        {at: 50 s, object-added: {name: box, rectangle: [1 m, 1 m], at: [16 m, 4.5 m]}}, \
        {at: 70 s, crash: robot-3}]";
    for name in ["alliance", "muroco"] {
        let (run, _) = finished("explore-building", 1, &[mishaps, &coordinated(name)]);
        assert!(run.state.verdict.completed, "{name}: {:?}", figures(&run));
    }
}

/// What the base believes comes from robots that were there: nothing is known of a room whose door is closed.
#[test]
fn nobody_knows_what_nobody_has_seen() {
    let closed = "world.objects.+={name: door, rectangle: [1.4 m, 0.2 m], at: [17 m, 8 m]}";
    let (run, _) = finished("explore-building", 1, &[closed]);
    assert!(run.state.verdict.completed, "the room does not count: {:?}", figures(&run));
    let room =
        (0..50).flat_map(|x| (0..40).map(move |y| (14.5 + 0.1 * f64::from(x), 9.0 + 0.1 * f64::from(y))));
    for (x, y) in room {
        for robot in run.model.robots() {
            let findings = run.state.robots[robot].software.skills().findings().expect("a map");
            let place = crewlab_lab::sim::onboard::geometry::vec2(x, y);
            assert_eq!(findings.at(place), Belief::Unknown, "{robot:?} at {x}, {y}");
        }
    }
}

/// The planner is not part of a snapshot; it is made again.
#[test]
fn a_run_restored_from_a_snapshot_continues_as_the_original() {
    let mut original = simulation("explore-building", 3, &[SHORT]);
    for stop in [7, 123, 304] {
        while original.state.tick < stop {
            original.tick(&mut Vec::new());
        }
        let bytes = postcard::to_stdvec(&original.state).expect("plain data");
        let restored: State = postcard::from_bytes(&bytes).expect("the same plain data");
        let mut copy = Simulation::new(original.model.clone(), restored, true);
        let mut twin = Simulation::new(original.model.clone(), original.state.clone(), false);
        for _ in 0..100 {
            copy.tick(&mut Vec::new());
            twin.tick(&mut Vec::new());
        }
        let state = |run: &Simulation| postcard::to_stdvec(&run.state).expect("plain data");
        assert!(state(&copy) == state(&twin), "from tick {stop}");
    }
}

#[test]
fn a_robot_draws_its_map_and_its_plan() {
    let mut run = simulation("explore-building", 1, &[]);
    (0..150).for_each(|_| run.tick(&mut Vec::new()));
    for (place, layer) in run.model.mission.layers().iter().enumerate() {
        let drawn = run.model.robots().map(|robot| run.state.sketch(&run.model, robot, place).len());
        assert!(drawn.sum::<usize>() > 0, "{}", layer.name);
    }
    let base = run.state.sketch(&run.model, RobotId(0), 0);
    assert!(base.is_empty(), "the base plans nothing");
}
