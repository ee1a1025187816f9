//! What robots draw on the layers of their missions, for people.

use super::simulation;
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::onboard::{Mark, RobotId};

/// All missions, each by one of its scenarios.
const SCENARIOS: [&str; 10] = [
    "waste-cleanup",
    "bounding-overwatch",
    "janitorial",
    "service",
    "diffusion",
    "exploration",
    "convoy",
    "manet",
    "traffic",
    "explore-building",
];

fn layer(run: &Simulation, name: &str) -> usize {
    run.model.mission.layers().iter().position(|layer| layer.name == name).expect("a layer")
}

fn marks(run: &Simulation, name: &str) -> Vec<(RobotId, Mark)> {
    let layer = layer(run, name);
    let of = |robot| run.state.sketch(&run.model, robot, layer).into_iter().map(move |mark| (robot, mark));
    run.model.robots().flat_map(of).collect()
}

fn run_for(run: &mut Simulation, seconds: f64) {
    let end = run.now().seconds() + seconds;
    while run.now().seconds() < end {
        run.tick(&mut Vec::new());
    }
}

#[test]
fn marks_are_finite_in_every_mission() {
    for scenario in SCENARIOS {
        let mut run = simulation(scenario, 1, &[]);
        for _ in 0..20 {
            run_for(&mut run, 1.0);
            let layers = run.model.mission.layers().len();
            // Places beyond the list have no marks.
            for (robot, place) in run.model.robots().flat_map(|robot| (0..=layers).map(move |n| (robot, n))) {
                let marks = run.state.sketch(&run.model, robot, place);
                assert!(place < layers || marks.is_empty(), "{scenario}");
                for (_, numbers) in marks.iter().map(Mark::numbers) {
                    assert!(numbers.iter().all(|number| number.is_finite()), "{scenario}: {numbers:?}");
                    assert!((0.0..=1.0).contains(&numbers[0]), "{scenario}: {numbers:?}");
                }
            }
        }
    }
}

#[test]
fn robots_of_a_swarm_draw_their_traces_and_the_collisions_that_they_predict() {
    let mut run = simulation("exploration", 1, &[]);
    let mut cones = 0;
    for _ in 0..120 {
        run_for(&mut run, 1.0);
        for (robot, mark) in marks(&run, "collisions") {
            let Mark::Cone { from, .. } = mark else { panic!("{mark:?}") };
            let at = run.state.world.bodies[robot].pose.position;
            assert!(from.distance(at) < 2.0, "{mark:?} of a robot at {at:?}");
            cones += 1;
        }
    }
    assert!(cones > 0, "somebody is in somebody's way");
    // A mark every ten seconds, the oldest the faintest.
    let mine: Vec<f64> = marks(&run, "traces")
        .iter()
        .filter(|(robot, _)| *robot == RobotId(0))
        .map(|(_, mark)| mark.numbers().1[0])
        .collect();
    assert!((12..=13).contains(&mine.len()), "{mine:?}");
    assert!(mine.is_sorted_by(|a, b| a < b), "{mine:?}");
    // Who is stopped draws nothing.
    let mut run = simulation("exploration", 1, &["disturbances=[{at: 5 s, stop: all}]"]);
    run_for(&mut run, 10.0);
    assert_eq!(marks(&run, "sensor-circles"), []);
}

#[test]
fn a_robot_knows_the_effect_only_of_obstacles_that_it_has_seen_or_was_told_of() {
    let wall = |run: &Simulation| {
        let near = |mark: &Mark| matches!(mark, Mark::Disc { at, .. } if (at.x - 300.0).abs() < 5.0 && (at.y - 300.0).abs() < 70.0);
        marks(run, "effects").iter().filter(|(_, mark)| near(mark)).count()
    };
    let mut run = simulation("convoy", 1, &[]);
    run_for(&mut run, 10.0);
    assert_eq!(wall(&run), 0, "it is far away");
    run_for(&mut run, 110.0);
    assert!(wall(&run) > 7 * 10, "all robots know about it");
}

#[test]
fn the_cost_field_of_a_swarm_has_everything_that_acts_on_its_cells() {
    let mut run = simulation("exploration", 1, &[]);
    run_for(&mut run, 60.0);
    let field = run.state.cost_field(&run.model, RobotId(0), 4.0, 60.0).expect("a field");
    let far = (0..field.side * field.side).filter(|index| {
        let place = field.place(index % field.side, index / field.side);
        place.x.hypot(place.y) > 45.0 && field.costs[*index] > 1.0
    });
    assert!(far.count() > 20, "traces are farther away than the robot gets in a moment");
}
