//! The planners on whole problems: published behaviours, and inputs that break optimisers.

use crewlab_control::planning::costs::{
    Cost, CostSet, Linear, Link, Overlap, Place, Polygon, Quadratic, Rational, Reach, Sector, Social,
    Stretch, Wall,
};
use crewlab_control::planning::unicycle::{Control, Pose};
use crewlab_control::planning::{Cpbp, Horizon, Planner, Problem, Scratch, price, reference};
use crewlab_onboard::{Stream, StreamKind};

const START: Pose = Pose { x: 0.0, y: 0.0, heading: 0.0 };

fn exponential() -> Horizon {
    Horizon::exponential(60, 0.075, 1.055)
}

fn stream(seed: u64) -> Stream {
    Stream::new(seed, StreamKind::Decisions, 1, 1)
}

fn problem(costs: &CostSet, elapsed: f32) -> Problem<'_> {
    Problem { start: START, bounds: reference::BOUNDS, costs, elapsed }
}

/// A goal ahead and something in the way.
fn scene() -> CostSet {
    let mut costs = CostSet::default();
    costs.add(Cost::Linear(Linear::new(-100.0, 100.0), Place::Fixed([80.0, 0.0])), 1.0);
    costs.add(Cost::Quadratic(Quadratic::new(25.0, 10.0), Place::Fixed([20.0, 1.0])), 1.0);
    costs
}

/// The plan's controls and the places that they lead to.
fn follow(controls: impl Iterator<Item = Control>, start: Pose, horizon: &Horizon) -> Vec<Pose> {
    let mut pose = start;
    let steps = controls.enumerate().map(|(step, control)| {
        pose = pose.after(control, horizon.step(step));
        pose
    });
    steps.collect()
}

#[test]
fn planning_again_on_a_static_scene_does_not_make_the_plan_worse() {
    let costs = scene();
    for seed in 1..=5 {
        let (mut planner, mut scratch, mut random) =
            (reference::cpbp(24, exponential()), Scratch::default(), stream(seed));
        let plans: Vec<f32> =
            (0..20).map(|_| planner.plan(&problem(&costs, 0.0), &mut scratch, &mut random)).collect();
        for pair in plans.windows(2) {
            // The best path is a walker of the next plan, so it costs at most as much, up to rounding.
            assert!(pair[1] <= pair[0] + 1e-3 * pair[0].abs(), "seed {seed}: {plans:?}");
        }
        assert!(plans[19] < plans[0] - 5.0, "seed {seed}: {plans:?}");
        // What it says is what the plan costs.
        let last = [reference::SPREAD.mean; 2];
        let (cost, _) =
            price(&problem(&costs, 0.0), planner.horizon(), &reference::SPREAD, last, planner.controls());
        assert!((cost - plans[19]).abs() < 1e-3 * cost.abs(), "{cost} {}", plans[19]);
    }
}

#[test]
fn a_plan_avoids_the_obstacle_and_comes_to_the_goal() {
    let costs = scene();
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(24, exponential()), Scratch::default(), stream(1));
    for _ in 0..20 {
        planner.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
    }
    let path = follow(planner.controls(), START, planner.horizon());
    let nearest = path.iter().map(|at| (at.x - 20.0).hypot(at.y - 1.0)).fold(f32::INFINITY, f32::min);
    assert!(nearest > 5.0, "{nearest} m from the middle of the obstacle");
    let end = path.last().expect("a plan");
    assert!((end.x - 80.0).hypot(end.y) < 25.0, "{end:?}");
}

/// Walkers 0 and 1 repeat the plan at t + elapsed: with nothing elapsed it is there again, later what is left of it.
#[test]
fn the_warm_start_goes_by_time() {
    let flat = CostSet::default();
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(24, exponential()), Scratch::default(), stream(1));
    planner.plan(&problem(&scene(), 0.0), &mut scratch, &mut random);
    let before: Vec<Control> = planner.controls().collect();
    // With more cost than any noise can save, the repeated plan stays the best one.
    let mut tight = reference::cpbp(3, exponential());
    let mut costs = scene();
    costs.add(Cost::Linear(Linear::new(-1e5, 100.0), Place::Fixed([80.0, 0.0])), 1.0);
    for _ in 0..50 {
        tight.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
    }
    let first: Vec<Control> = tight.controls().collect();
    let cost = tight.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
    let second: Vec<Control> = tight.controls().collect();
    let last = [reference::SPREAD.mean; 2];
    let priced = |controls: &[Control]| {
        let controls = controls.iter().copied();
        price(&problem(&costs, 0.0), &exponential(), &reference::SPREAD, last, controls).0
    };
    assert!(first == second || cost <= priced(&first), "{cost}, not {}", priced(&first));
    // After 0.3 s the control that is played is the one of that time in the old plan, not the next index.
    let horizon = exponential();
    let at = horizon.at(0.3).expect("within the plan");
    assert_eq!(at, 3, "0.075 s + 0.079 s + 0.083 s + 0.088 s > 0.3 s");
    assert_eq!(planner.control(0.3), Some(before[3]));
    assert_eq!(planner.last_controls(0.3), [before[3], before[2]]);
    planner.plan(&problem(&flat, 1e9), &mut scratch, &mut random);
    assert_eq!(planner.control(1e9), None, "the plan is over");
}

/// As many walkers as there are costs below zero: weights with exp(-s/2) would be infinite.
#[test]
fn negative_costs_do_not_degenerate() {
    let mut deep = CostSet::default();
    deep.add(Cost::Linear(Linear::new(-1e6, 1000.0), Place::Fixed([80.0, 40.0])), 1.0);
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(24, exponential()), Scratch::default(), stream(2));
    for _ in 0..10 {
        let cost = planner.plan(&problem(&deep, 0.0), &mut scratch, &mut random);
        assert!(cost.is_finite() && cost < 0.0);
    }
    let end = *follow(planner.controls(), START, planner.horizon()).last().expect("a plan");
    assert!((end.x - 80.0).hypot(end.y - 40.0) < 30.0, "{end:?}");
}

#[test]
fn a_robot_inside_an_obstacle_leaves_it() {
    let mut costs = CostSet::default();
    costs.add(Cost::Quadratic(Quadratic::new(1e4, 20.0), Place::Fixed([0.5, 0.0])), 1.0);
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(24, exponential()), Scratch::default(), stream(3));
    for _ in 0..5 {
        planner.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
    }
    let end = *follow(planner.controls(), START, planner.horizon()).last().expect("a plan");
    assert!((end.x - 0.5).hypot(end.y) > 19.0, "{end:?}");
}

#[test]
fn a_robot_between_walls_stays_between_them() {
    let mut costs = CostSet::default();
    let corners = [[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0]];
    for (n, from) in corners.iter().enumerate() {
        costs.add(Cost::Wall(Wall::new(*from, corners[(n + 1) % 4], 1000.0, 5.0)), 1.0);
    }
    costs.add(Cost::Linear(Linear::new(-100.0, 100.0), Place::Fixed([80.0, 0.0])), 0.1);
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(24, exponential()), Scratch::default(), stream(4));
    for _ in 0..30 {
        planner.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
    }
    for pose in follow(planner.controls(), START, planner.horizon()) {
        assert!(pose.x.abs() < 10.0 && pose.y.abs() < 10.0, "{pose:?}");
    }
}

/// An obstacle at a place that is not a number, costs that are not a number, and a pose that is not.
#[test]
fn what_is_not_a_number_neither_panics_nor_freezes_the_robot() {
    let mut broken = scene();
    let nowhere = Place::Fixed([f32::NAN; 2]);
    broken.add(Cost::Quadratic(Quadratic::new(25.0, 10.0), nowhere), 1.0);
    broken.add(Cost::Rational(Rational { factor: f32::NAN, cap: f32::NAN }, nowhere), 1.0);
    broken.add(Cost::Linear(Linear::new(f32::INFINITY, 0.0), Place::Fixed([1.0, 0.0])), f32::NAN);
    let (mut scratch, mut random) = (Scratch::default(), stream(5));
    let mut cpbp = reference::cpbp(24, exponential());
    let mut mppi = reference::mppi(24, exponential());
    let planners: [&mut dyn Planner; 2] = [&mut cpbp, &mut mppi];
    for planner in planners {
        for _ in 0..5 {
            planner.plan(&problem(&broken, 0.3), &mut scratch, &mut random);
            let control = planner.control(0.0).expect("a control");
            assert!(control.speed.is_finite() && control.turn.is_finite());
        }
        assert!((0..60).any(|n| planner.control(n as f32 * 0.1).expect("a control").speed > 0.1));
        let lost = Problem { start: Pose { x: f32::NAN, ..START }, ..problem(&broken, f32::NAN) };
        planner.plan(&lost, &mut scratch, &mut random);
        planner.plan(&problem(&scene(), 0.3), &mut scratch, &mut random);
        let control = planner.control(0.0).expect("a control");
        assert!(control.speed.is_finite() && control.turn.is_finite(), "{control:?}");
    }
}

#[test]
fn bounds_are_kept() {
    let costs = scene();
    let (mut planner, mut scratch, mut random) =
        (reference::cpbp(20, exponential()), Scratch::default(), stream(6));
    let mut average = reference::mppi(20, exponential());
    for _ in 0..5 {
        planner.plan(&problem(&costs, 0.3), &mut scratch, &mut random);
        average.plan(&problem(&costs, 0.3), &mut scratch, &mut random);
        for control in planner.controls().chain(average.controls()) {
            assert!((0.0..=3.0).contains(&control.speed) && control.turn.abs() <= 1.0, "{control:?}");
        }
    }
}

/// Same stream, same plan, whatever the buffers were used for before, and also after being saved.
#[test]
fn plans_are_a_function_of_their_input() {
    let plan = |scratch: &mut Scratch| {
        let mut planner = reference::cpbp(20, exponential());
        let mut costs = CostSet::default();
        for n in 0..5 {
            reference::fill(&mut costs, planner.horizon(), 7, 0.3 * n as f32);
            let problem =
                Problem { start: reference::START, bounds: reference::BOUNDS, costs: &costs, elapsed: 0.3 };
            planner.plan(&problem, scratch, &mut stream(n));
            let saved = serde_json::to_string(&planner).expect("plain data");
            let restored: Cpbp = serde_json::from_str(&saved).expect("plain data");
            assert_eq!(restored, planner);
            planner = restored;
        }
        planner
    };
    let mut used = Scratch::default();
    let first = plan(&mut used);
    assert_eq!(first, plan(&mut used));
    assert_eq!(first, plan(&mut Scratch::default()));
    // The same on every platform: no function of the system is used. Speeds are whole multiples of 2⁻³⁰ at least, so the sum is exact.
    let sum: f64 = first.controls().map(|control| f64::from(control.speed) + f64::from(control.turn)).sum();
    assert_eq!(sum.to_bits(), PINNED, "{sum}: {:#x}", sum.to_bits());
}

/// The reference scene and one of each other kind of cost.
fn fill_with_all(costs: &mut CostSet, horizon: &Horizon, now: f32) {
    reference::fill(costs, horizon, 7, now);
    let place = Place::Fixed([90.0, 140.0]);
    costs.add(Cost::Social(Social::new(-10.0, 20.0, 10.0, 2.0, 1.0), place), 0.5);
    costs.add(Cost::Overlap(Overlap { height: 20.0, radius: 30.0 }, place), 1.0);
    let reach = Reach::of(|distance| 2.0 - distance / 40.0);
    for stretch in [Stretch::Linear, Stretch::Logarithmic(10.0)] {
        costs.add(Cost::Link(Link { importance: 20.0, factor: 0.2, stretch, reach }, place), 1.0);
    }
    costs.add(Cost::Sector(Sector::new([100.0, 120.0], 2.0, 0.5, 25.0, 30.0)), 1.0);
    costs.add(Cost::Polygon(Polygon::new(&[[80.0, 150.0], [95.0, 150.0], [85.0, 165.0]], 25.0, 8.0)), 1.0);
}

/// Instructions that only some processors have make plans faster, not different: with any cost, and if the last block is not full.
#[test]
fn instructions_do_not_change_plans() {
    fn all_paths(planner: &mut dyn Planner, mut scratch: Scratch) -> Vec<Option<Control>> {
        let (mut costs, mut random, horizon) = (CostSet::default(), stream(8), exponential());
        for n in 0..5 {
            fill_with_all(&mut costs, &horizon, 0.3 * n as f32);
            let problem =
                Problem { start: reference::START, bounds: reference::BOUNDS, costs: &costs, elapsed: 0.3 };
            planner.plan(&problem, &mut scratch, &mut random);
        }
        let steps = (0..planner.paths()).flat_map(|path| (0..60).map(move |step| (path, step)));
        steps.map(|(path, step)| planner.control_on(path, horizon.middle(step))).collect()
    }
    let cpbp = |scratch| all_paths(&mut reference::cpbp(21, exponential()), scratch);
    assert_eq!(cpbp(Scratch::default()), cpbp(Scratch::narrow()));
    let mppi = |scratch| all_paths(&mut reference::mppi(21, exponential()), scratch);
    assert_eq!(mppi(Scratch::default()), mppi(Scratch::narrow()));
}

/// Pinned on x86-64 with SSE2; builds for other processors must give the same.
const PINNED: u64 = 0x4061_22e5_1b17_8000;

#[test]
fn neighbours_that_are_far_away_change_nothing() {
    let plan = |far: usize| {
        let mut costs = scene();
        for n in 0..far {
            let place = Place::Fixed([1000.0 + n as f32, 0.0]);
            costs.add(Cost::Quadratic(Quadratic::new(25.0, 10.0), place), 1.0);
        }
        let mut planner = reference::cpbp(24, exponential());
        planner.plan(&problem(&costs, 0.0), &mut Scratch::default(), &mut stream(7));
        planner
    };
    assert_eq!(plan(0), plan(40));
}

/// At equal rollout-steps on the reference scene C-PBP's plans are cheaper than those of MPPI.
#[test]
fn cpbp_is_no_worse_than_mppi_on_the_reference_scene() {
    let (mut ours, mut theirs) = (0.0, 0.0);
    for seed in 1..=5 {
        let cpbp = reference::drive(&mut reference::cpbp(24, exponential()), 0.3, seed);
        let mppi = reference::drive(&mut reference::mppi(24, exponential()), 0.3, seed);
        println!("seed {seed}: C-PBP {cpbp}, MPPI {mppi}");
        (ours, theirs) = (ours + cpbp, theirs + mppi);
        assert!(cpbp <= mppi, "seed {seed}: {cpbp}, MPPI {mppi}");
    }
    assert!(ours < theirs);
}

/// The nearest that the path of a plan comes to a place, between the moments that the planner looks at as well. [m]
fn nearest(planner: &impl Planner, place: [f32; 2]) -> f32 {
    let (mut pose, mut nearest) = (START, f32::INFINITY);
    for tick in 0..500 {
        let Some(control) = planner.control((tick as f32 + 0.5) * 0.01) else { break };
        pose = pose.after(control, 0.01);
        nearest = nearest.min((pose.x - place[0]).hypot(pose.y - place[1]));
    }
    nearest
}

/// SWARM 4.2, figure 17: with steps of 0.5 s near obstacles are ignored, the reason for exponential steps. At 3 m/s such steps are 1.5 m long,
/// so a robot passes between two of them through what is smaller.
#[test]
fn exponential_steps_see_a_near_obstacle_that_equidistant_steps_ignore() {
    let obstacle = [2.25, 0.0];
    let mut costs = CostSet::default();
    costs.add(Cost::Linear(Linear::new(-1000.0, 100.0), Place::Fixed([80.0, 0.0])), 1.0);
    costs.add(Cost::Quadratic(Quadratic::new(1e4, 0.7), Place::Fixed(obstacle)), 1.0);
    let clearance = |horizon: Horizon, seed: u64| {
        let (mut planner, mut scratch, mut random) =
            (reference::cpbp(24, horizon), Scratch::default(), stream(seed));
        for _ in 0..20 {
            planner.plan(&problem(&costs, 0.0), &mut scratch, &mut random);
        }
        nearest(&planner, obstacle)
    };
    let mean = |horizon: &Horizon| (1..=10).map(|seed| clearance(horizon.clone(), seed)).sum::<f32>() / 10.0;
    let (seen, ignored) = (mean(&exponential()), mean(&Horizon::equidistant(40, 0.5)));
    assert!(
        seen > 0.35 && seen > 2.0 * ignored,
        "{seen} m with exponential steps, {ignored} m with equidistant ones"
    );
}
