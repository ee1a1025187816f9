//! Swarms that plan: what SWARM says in words about exploration, convoys and networks, and what must not stop them.

use super::{experiment, finished, simulation};
use crewlab_lab::sim::onboard::geometry::Vec2;
use crewlab_lab::sim::onboard::{EventKind, RobotId};
use crewlab_lab::sim::{Logged, Simulation};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// A measure by its name.
fn measure(run: &Simulation, name: &str) -> f64 {
    let specs = run.model.mission.measures();
    let place = specs.iter().position(|spec| spec.name == name).expect("a measure of swarms");
    run.measures()[place].unwrap_or_else(|| panic!("{name} is undefined"))
}

/// The mean of a measure at the end of runs with the first seeds.
fn mean(name: &str, scenario: &str, seeds: u64, sets: &[&str]) -> f64 {
    let values: Vec<f64> =
        (1..=seeds).into_par_iter().map(|seed| measure(&finished(scenario, seed, sets).0, name)).collect();
    values.iter().sum::<f64>() / seeds as f64
}

fn run_until(run: &mut Simulation, seconds: f64) -> Vec<Logged> {
    let mut log = Vec::new();
    while run.now().seconds() < seconds {
        run.tick(&mut log);
    }
    log
}

fn rovers(run: &Simulation) -> Vec<Vec2> {
    let bodies = run.state.world.bodies.iter().filter(|body| &*body.robot_type == "rover");
    bodies.map(|body| body.pose.position).collect()
}

/// SWARM 3.4: robots leave traces, and go where nobody has been lately. Those who hear nothing go where others have been.
#[test]
fn robots_that_hear_each_other_see_more() {
    let deaf = "radio={model: ideal, loss: 100 %}";
    let with = mean("seen_share", "exploration", 4, &["run.until=5 min"]);
    let without = mean("seen_share", "exploration", 4, &["run.until=5 min", deaf]);
    assert!(with > 1.05 * without, "{with} with a radio, {without} without");
    assert!(without > 0.2, "{without}: they explore all the same");
}

/// Without the traces nothing drives a robot to where nobody has been.
#[test]
fn traces_are_what_makes_them_explore() {
    let with = mean("seen_share", "exploration", 3, &["run.until=5 min"]);
    let without = mean("seen_share", "exploration", 3, &["run.until=5 min", "parameters.explored-cost=0"]);
    assert!(with > 1.2 * without, "{with} with traces, {without} without");
}

/// SWARM 4.1, table 2: up to a length of the wall the robots find their way around it, and beyond another one none does. The paper has 7, 5, 4
/// and 0 of 7 for these lengths.
#[test]
fn the_convoy_follows_around_short_walls_and_not_around_long_ones() {
    let followers =
        |length: &str| mean("followers", "convoy", 4, &[&format!("world.objects.0.rectangle.1={length}")]);
    assert_eq!(followers("1 m"), 7.0, "all follow where nothing is in the way");
    let all = ["120 m", "180 m", "240 m", "390 m"].map(followers);
    assert!(all[0] >= 6.0 && all[3] <= 1.0, "{all:?}");
    assert!(all.is_sorted_by(|a, b| a >= b), "{all:?}");
}

/// SWARM 4.1: to explore besides helps stragglers to find their way around the wall (`experiments/swarm/stragglers.yaml`).
#[test]
fn exploring_helps_stragglers() {
    let followers = |weight: &str| {
        let wall = "world.objects.0.rectangle.1=240 m";
        mean("followers", "convoy", 8, &[wall, &format!("tasks.explore={{open: true, weight: {weight}}}")])
    };
    let (without, with) = (followers("0.001"), followers("0.5"));
    assert!(with > without + 0.3, "{without} without, {with} with");
}

/// Places around their centre: distances from it, and directions in ascending order. [m], [rad]
fn polar(places: &[Vec2]) -> (Vec<f64>, Vec<f64>) {
    let centre = places.iter().fold(Vec2::ZERO, |sum, at| sum + *at) * (1.0 / places.len() as f64);
    let mut angles: Vec<f64> = places.iter().map(|at| (*at - centre).angle()).collect();
    angles.sort_by(f64::total_cmp);
    (places.iter().map(|at| at.distance(centre)).collect(), angles)
}

/// Checks that places form a ring, as the paper's figures do: similar distances from the centre, and no wide gap.
fn assert_ring(places: &[Vec2]) {
    let count = places.len() as f64;
    let (radii, angles) = polar(places);
    let radius = radii.iter().sum::<f64>() / count;
    let deviation = (radii.iter().map(|r| (r - radius) * (r - radius)).sum::<f64>() / count).sqrt();
    assert!(deviation < 0.2 * radius, "radii {radii:?}");
    let gaps = angles.iter().zip(angles.iter().cycle().skip(1)).map(|(a, b)| (b - a).rem_euclid(TAU));
    let widest = gaps.fold(0.0, f64::max);
    assert!(widest < 3.0 * TAU / count, "a gap of {widest} rad");
}

/// SWARM 4.2, figures 21 and 22: with logarithmic distances the network becomes a ring, with twelve robots as with thirty. A guidance vehicle
/// among them changes nothing.
#[test]
fn a_network_becomes_a_ring() {
    let (run, _) = finished("manet", 1, &[]);
    assert_eq!(measure(&run, "connected_share"), 1.0);
    assert_ring(&rovers(&run));
    let (run, _) = finished(&experiment("swarm/figure-21.yaml"), 1, &["run.until=7 min"]);
    assert_ring(&rovers(&run));
    let truck = [
        "team.robots=[{name: truck, type: truck, at: [500 m, 400 m]}, {name: r, type: rover, count: 12}]",
        "parameters.guides={truck: {route: [[500 m, 600 m], [500 m, 400 m]], repeat: true}}",
    ];
    assert_ring(&rovers(&finished("manet", 2, &truck).0));
}

/// SWARM 4.2, figure 20: with distances that count by themselves the robots gather in three groups, the corners of an equilateral triangle.
#[test]
fn with_linear_distances_a_network_becomes_a_triangle() {
    let (run, _) = finished(&experiment("swarm/figure-20.yaml"), 1, &[]);
    let places = rovers(&run);
    // The three widest gaps between directions separate the groups.
    let (_, angles) = polar(&places);
    let gap = |n: usize| (angles[(n + 1) % angles.len()] - angles[n]).rem_euclid(TAU);
    let mut widest: Vec<usize> = (0..angles.len()).collect();
    widest.sort_by(|a, b| gap(*b).total_cmp(&gap(*a)));
    let mut ends: Vec<f64> = widest[..3].iter().map(|n| angles[*n]).collect();
    ends.sort_by(f64::total_cmp);
    let centre = places.iter().fold(Vec2::ZERO, |sum, at| sum + *at) * (1.0 / places.len() as f64);
    let group = |at: &Vec2| ends.iter().position(|end| (*at - centre).angle() <= *end).unwrap_or(0);
    let corner = |number: usize| {
        let members: Vec<Vec2> = places.iter().copied().filter(|at| group(at) == number).collect();
        members.iter().fold(Vec2::ZERO, |sum, at| sum + *at) * (1.0 / members.len() as f64)
    };
    let corners = [0, 1, 2].map(corner);
    let sides = [0, 1, 2].map(|n| corners[n].distance(corners[(n + 1) % 3]));
    let mean = sides.iter().sum::<f64>() / 3.0;
    assert!(sides.iter().all(|side| (side - mean).abs() < 0.15 * mean), "{sides:?}");
}

/// SWARM 4.2, figure 23: a ring with robots inside.
#[test]
fn robots_that_keep_apart_form_a_ring_with_robots_inside() {
    let (run, _) = finished(&experiment("swarm/figure-23.yaml"), 1, &["run.until=7 min"]);
    let places = rovers(&run);
    let (radii, _) = polar(&places);
    let widest = radii.iter().fold(0.0_f64, |a, b| a.max(*b));
    let (ring, inside): (Vec<_>, Vec<_>) = places.iter().zip(&radii).partition(|(_, r)| **r > 0.8 * widest);
    assert!(ring.len() >= 15 && inside.len() >= 4, "{radii:?}");
    assert_ring(&ring.iter().map(|(at, _)| **at).collect::<Vec<Vec2>>());
}

/// SWARM 3.6, figure 14: a jammer makes distances smaller.
#[test]
fn a_jammer_draws_a_network_together() {
    let spread = |sets: &[&str]| {
        let (run, _) = finished("manet", 1, sets);
        let places = rovers(&run);
        let pairs =
            places.iter().enumerate().flat_map(|(n, a)| places[n + 1..].iter().map(|b| a.distance(*b)));
        let (sum, count) = pairs.fold((0.0, 0), |(sum, count), distance| (sum + distance, count + 1));
        sum / f64::from(count)
    };
    let jammer = "world.objects=[{name: jammer, circle: 0.3 m, at: [500 m, 500 m], jammer: {power: 10 dBm}}]";
    let (free, jammed) = (spread(&["run.until=4 min"]), spread(&["run.until=4 min", jammer]));
    assert!(jammed < 0.9 * free, "{jammed} m with a jammer, {free} m without");
}

/// Guidance vehicles order by radio what is wanted, while the run goes on.
#[test]
fn a_truck_tells_the_swarm_what_to_do() {
    let mut run = simulation("swarm", 1, &[]);
    run_until(&mut run, 175.0);
    let exploring = measure(&run, "followers");
    let log = run_until(&mut run, 350.0);
    let told = log.iter().filter(|logged| logged.event.kind == EventKind::Ordered).count();
    assert!(told >= 8, "{told} robots were told to escort the truck");
    let escorting = measure(&run, "followers");
    assert!(escorting >= 6.0 && exploring <= 4.0, "{exploring} followers, then {escorting}");
}

#[test]
fn a_truck_that_dies_leaves_its_last_order() {
    let mut run = simulation("swarm", 2, &["disturbances=[{at: 1 min, stop: truck}]"]);
    run_until(&mut run, 60.0);
    let driven = |run: &Simulation| run.state.world.bodies.iter().map(|body| body.travelled).sum::<f64>();
    let before = driven(&run);
    run_until(&mut run, 240.0);
    assert!(driven(&run) > before + 8.0 * 60.0, "they go on exploring");
}

/// Controllers without a planner head for the cheapest place around.
#[test]
fn any_controller_can_pursue_costs() {
    for controller in ["cpbp", "mppi", "pilot", "free-direction"] {
        let sets = ["run.until=3 min", &format!("team.controller={controller}")];
        let (run, _) = finished("exploration", 1, &sets);
        let seen = measure(&run, "seen_share");
        assert!(seen > 0.15, "{controller}: {seen}");
    }
}

/// A scenario may divide the team: then the coordinator says who does what.
#[test]
fn any_coordinator_can_divide_the_objectives() {
    let divided = ["parameters.combine=false", "tasks.escort={open: true, weight: 1}", "run.until=2 min"];
    for coordinator in ["alliance", "muroco", "cbba", "greedy", "random"] {
        let chosen = format!("team.coordinator={coordinator}");
        let (run, _) = finished("convoy", 1, &[&divided[..], &[&chosen]].concat());
        let at_work = run.state.robots.iter().filter(|robot| robot.software.active.is_some()).count();
        assert!(at_work >= 7, "{coordinator}: {at_work} at work");
    }
}

/// A scenario adds costs of its own, here a formula that makes the south expensive, and one that is no number anywhere.
#[test]
fn costs_of_a_scenario_move_robots() {
    let north = |costs: &str| {
        let (run, _) = finished("exploration", 1, &["run.until=2 min", &format!("parameters.costs={costs}")]);
        let places = rovers(&run);
        places.iter().map(|at| at.y).sum::<f64>() / places.len() as f64
    };
    let (free, drawn) = (north("{}"), north("{north: {formula: '2 * (275 - y)'}}"));
    assert!(drawn > free + 30.0 && drawn > 200.0, "{drawn} m instead of {free} m");
    assert!(north("{nonsense: {formula: 'ln(0 - 1)'}}").is_finite());
}

/// Nobody to hear, nobody to escort, no link to keep: a robot alone goes on, whatever the objective.
#[test]
fn a_robot_without_team_mates_goes_on() {
    let alone = "team.robots=[{name: r, type: rover}]";
    for (open, least) in [("explore", 60.0), ("escort", 0.0), ("connect", 0.0)] {
        let only = |task: &str| format!("tasks.{task}={{open: {}, weight: 1}}", task == open);
        let tasks = ["explore", "escort", "connect"].map(only);
        let sets = [&[alone, "run.until=1 min"][..], &tasks.each_ref().map(String::as_str)].concat();
        let (run, _) = finished("exploration", 1, &sets);
        let body = &run.state.world.bodies[RobotId(0)];
        assert!(body.travelled >= least && body.pose.position.x.is_finite(), "{open}: {} m", body.travelled);
        let share = run.measures()[4];
        assert_eq!(share, Some(1.0), "{open}: a team of one is connected");
    }
}

/// With every message lost nobody learns of anybody, and each robot goes on by itself.
#[test]
fn robots_that_hear_nothing_go_on() {
    let deaf = "radio={model: ideal, loss: 100 %}";
    for scenario in ["exploration", "convoy", "manet", "swarm"] {
        let (run, _) = finished(scenario, 1, &["run.until=1 min", deaf]);
        let bodies = run.state.world.bodies.iter().filter(|body| &*body.robot_type == "rover");
        let driven: Vec<f64> = bodies.map(|body| body.travelled).collect();
        assert!(driven.iter().all(|way| way.is_finite()), "{scenario}: {driven:?}");
        assert!(scenario != "exploration" || driven.iter().all(|way| *way > 30.0), "{scenario}: {driven:?}");
    }
}

/// Bad places and bad numbers stop nobody for good, and nothing panics.
#[test]
fn robots_get_out_of_bad_places() {
    let strange = [
        "parameters.explored-cost=-50",
        "parameters.obstacle-radius=100 m",
        "parameters.mark-every=0.1 s",
        "parameters.team-mate-radius=200 m",
    ];
    for set in strange {
        let (run, _) = finished("exploration", 1, &["run.until=1 min", set]);
        let driven = run.state.world.bodies.iter().map(|body| body.travelled);
        assert!(driven.clone().all(f64::is_finite), "{set}");
        assert!(driven.sum::<f64>() > 8.0, "{set}: all of them are frozen");
    }
    let trapped = "disturbances=[{at: 10 s, trap: r-1}]";
    let (run, _) = finished("exploration", 1, &["run.until=2 min", trapped]);
    let others = run.state.world.bodies[1..].iter().map(|body| body.travelled).sum::<f64>();
    assert!(others > 700.0, "{others} m");
    assert!(run.state.world.bodies[RobotId(0)].pose.position.x.is_finite());
}
