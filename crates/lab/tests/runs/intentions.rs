//! The displayed state of a robot: its waypoints, and the cost field of its controller.

use super::simulation;
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::onboard::Pose;
use crewlab_lab::sim::world::Shape;
use crewlab_sim::onboard::RobotId;

/// Runs for some time. Counts how often driving robots get nearer to the goal that they report, how often they do not, and how
/// often they drive without reporting a goal.
fn approaches(run: &mut Simulation, seconds: f64) -> (usize, usize, usize) {
    let (mut nearer, mut farther, mut silent) = (0, 0, 0);
    while run.now().seconds() < seconds && !run.finished() {
        let before: Vec<_> = run.state.world.bodies.iter().map(|body| body.pose.position).collect();
        run.tick(&mut Vec::new());
        for (robot, before) in RobotId::enumerate(before) {
            let after = run.state.world.bodies[robot].pose.position;
            let plan = run.state.plan(robot);
            assert!(plan.iter().all(|point| point.x.is_finite() && point.y.is_finite()));
            if after.distance(before) < 0.01 {
                continue;
            }
            match plan.first() {
                Some(goal) if goal.distance(after) < goal.distance(before) => nearer += 1,
                Some(_) => farther += 1,
                None => silent += 1,
            }
        }
    }
    (nearer, farther, silent)
}

#[test]
fn robots_drive_towards_the_goal_that_they_report() {
    for (scenario, sets) in [
        ("waste-cleanup", &["team.coordinator=greedy"][..]),
        ("bounding-overwatch", &[]),
        ("janitorial", &["team.coordinator=greedy"]),
        ("service", &["team.coordinator=greedy"]),
    ] {
        let mut run = simulation(scenario, 1, sets);
        let (nearer, farther, silent) = approaches(&mut run, 150.0);
        // They drive around obstacles, and noise moves a robot that only turns.
        assert!(nearer > 200 && nearer > 4 * farther, "{scenario}: {nearer} nearer, {farther} farther");
        assert!(nearer > 20 * silent, "{scenario}: {silent} without a goal");
    }
}

#[test]
fn a_robot_without_a_goal_or_power_has_no_waypoints() {
    // Diffusing robots have no goal.
    let mut run = simulation("diffusion", 1, &[]);
    let (nearer, farther, _) = approaches(&mut run, 3.0);
    assert_eq!((nearer, farther), (0, 0));
    // No task is wanted, so nobody drives anywhere.
    let closed = "tasks={find-locations: {open: false}, move-spill-top: {open: false}, move-spill-bottom: {open: false}, \
                  report-progress: {open: false}}";
    let mut run = simulation("waste-cleanup", 1, &["team.coordinator=greedy", closed]);
    approaches(&mut run, 5.0);
    assert!(RobotId::team(3).all(|robot| run.state.plan(robot).is_empty()));
    // One that is stopped shows no plan, and there is no robot 99.
    let stop = "disturbances=[{at: 30 s, stop: all}]";
    let mut run = simulation("waste-cleanup", 1, &["team.coordinator=greedy", stop]);
    approaches(&mut run, 29.0);
    assert!(RobotId::team(3).any(|robot| !run.state.plan(robot).is_empty()));
    approaches(&mut run, 31.0);
    assert!(RobotId::team(3).all(|robot| run.state.plan(robot).is_empty()));
    assert!(RobotId::team(3).all(|robot| run.state.cost_field(&run.model, robot, 0.1, 1.0).is_none()));
    assert!(
        run.state.plan(RobotId(99)).is_empty()
            && run.state.cost_field(&run.model, RobotId(99), 0.1, 1.0).is_none()
    );
}

/// A robot with a wrong position heads for where it believes its goal to be: nobody tells it the truth.
#[test]
fn plans_are_based_on_the_robots_beliefs() {
    let one = "team.robots=[{name: blue, type: cleaner, side-range: true, at: [9 m, 4 m], heading: 180 deg}]";
    let biased =
        "disturbances=[{at: 1 s, sensor: {robot: blue, sensor: position, fault: biased, severity: 3}}]";
    let plan = |sets: &[&str]| {
        let mut run = simulation("waste-cleanup", 1, sets);
        approaches(&mut run, 3.0);
        run.state.plan(RobotId(0))[0]
    };
    let sound = plan(&["team.coordinator=greedy", one]);
    let wrong = plan(&["team.coordinator=greedy", one, biased]);
    assert!((wrong.x - sound.x).abs() > 2.5 && (wrong.y - sound.y).abs() > 2.5, "{sound:?} {wrong:?}");
}

#[test]
fn the_steering_sees_the_real_obstacles() {
    for scenario in ["waste-cleanup", "bounding-overwatch", "janitorial", "service", "diffusion"] {
        let mut run = simulation(scenario, 2, &[]);
        let (mut blocked, mut wrong) = (0, 0);
        for _ in 0..40 {
            // Readings were taken before the robots moved.
            let bodies = run.state.world.bodies.clone();
            run.tick(&mut Vec::new());
            for (robot, body) in RobotId::enumerate(bodies).take(8) {
                let Some(field) = run.state.cost_field(&run.model, robot, 0.1, 1.0) else { continue };
                assert_eq!((field.side, field.costs.len()), (20, 400), "{scenario}");
                assert!(field.costs.iter().all(|cost| *cost >= 0.0), "{scenario}");
                let worlds = field.heading != 0.0;
                for (cell, cost) in field.costs.iter().enumerate().filter(|_| worlds) {
                    let place = body.pose.position + field.place(cell % 20, cell / 20);
                    if cost.is_infinite() {
                        let pose = Pose { position: place, heading: 0.0 };
                        // Ranges of up to a metre have up to 20 % noise.
                        let near = Shape::Circle { radius: body.radius + 0.35 };
                        blocked += 1;
                        let there = run.state.world.overlap(&near.at(&pose), None).is_some();
                        wrong += usize::from(!there);
                    }
                }
            }
        }
        assert!(wrong * 20 <= blocked, "{scenario}: {wrong} of {blocked} blocked cells are free");
    }
}
