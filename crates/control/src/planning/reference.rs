//! The reference scene of planning, as in SWARM section 4: a view of 600 x 275 m with two radial obstacles, two walls, a moving
//! radial obstacle, a radiation source and a moving one, terrain from 0 to 36, and other robots whose plans are known. Benchmarks and
//! tests use it. What the publication does not give is chosen here: speeds, weights and standard deviations.

use super::costs::{Cost, CostSet, Ground, Knot, Linear, Movement, Place, Quadratic, Rational, Wall};
use super::horizon::Horizon;
use super::unicycle::{Bounds, Control, Pose};
use super::{Planner, Problem, Scratch, Spread, cpbp, mppi, price};
use crewlab_onboard::{Stream, StreamKind};

/// Speeds of its robots, forwards only.
pub const BOUNDS: Bounds =
    Bounds { low: Control { speed: 0.0, turn: -1.0 }, high: Control { speed: 3.0, turn: 1.0 } };

/// Where the planning robot begins.
pub const START: Pose = Pose { x: 60.0, y: 130.0, heading: 0.3 };

/// Where it wants to go. [m]
pub const GOAL: [f32; 2] = [540.0, 150.0];

/// Standard deviations of its controls.
pub const SPREAD: Spread = Spread {
    mean: Control { speed: 1.5, turn: 0.0 },
    control: Control { speed: 1.5, turn: 0.5 },
    change: Control { speed: 0.75, turn: 0.25 },
    bend: Control { speed: 1.5, turn: 0.5 },
};

/// C-PBP with this many walkers.
pub fn cpbp(walkers: usize, horizon: Horizon) -> cpbp::Cpbp {
    let sampling = cpbp::Sampling { walkers, spread: SPREAD, free: 0.2, resample: 0.5, follow: 0.25 };
    cpbp::Cpbp::new(sampling, horizon)
}

/// MPPI with this many walkers.
pub fn mppi(walkers: usize, horizon: Horizon) -> mppi::Mppi {
    let noise = Control { speed: 0.75, turn: 0.25 };
    let sampling = mppi::Sampling { walkers, spread: SPREAD, noise, temperature: 5.0 };
    mppi::Mppi::new(sampling, horizon)
}

/// Fills the costs as they are `now` seconds after the beginning, with this many other robots.
pub fn fill(costs: &mut CostSet, horizon: &Horizon, neighbours: usize, now: f32) {
    // The ground stays what it is; to lay it again would take longer than a plan.
    let movement = costs.movement.take();
    costs.clear();
    costs.movement = movement.or_else(|| {
        let hill = |n: usize| ((n % 30 * 7 + n / 30 * 11) % 37) as f32;
        let ground = Ground::grid([0.0, 0.0], 20.0, 30, (0..30 * 14).map(hill).collect());
        ground.map(|ground| Movement { ground, driving: 0.01, turning: 0.01 })
    });
    costs.add(Cost::Linear(Linear::new(-600.0, 600.0), Place::Fixed(GOAL)), 1.0);
    for place in [[110.0, 140.0], [160.0, 115.0]] {
        costs.add(Cost::Quadratic(Quadratic::new(25.0, 15.0), Place::Fixed(place)), 1.0);
    }
    costs.add(Cost::Wall(Wall::new([135.0, 150.0], [135.0, 200.0], 25.0, 10.0)), 1.0);
    costs.add(Cost::Wall(Wall::new([190.0, 60.0], [215.0, 120.0], 25.0, 10.0)), 1.0);
    let moving = |costs: &mut CostSet, from: [f32; 2], velocity: [f32; 2]| {
        let knot = |time: f32| Knot {
            time,
            place: [from[0] + velocity[0] * (now + time), from[1] + velocity[1] * (now + time)],
        };
        // As many knots as a robot would send of its plan.
        let knots: [Knot; 8] = std::array::from_fn(|n| knot(horizon.length() * n as f32 / 7.0));
        Place::Moving(costs.track(&knots, horizon))
    };
    let truck = moving(costs, [170.0, 140.0], [-1.5, 0.2]);
    costs.add(Cost::Quadratic(Quadratic::new(25.0, 12.0), truck), 1.0);
    let source = Place::Fixed([90.0, 100.0]);
    costs.add(Cost::Rational(Rational { factor: 60.0, cap: 20.0 }, source), 1.0);
    let source = moving(costs, [120.0, 190.0], [0.5, -0.5]);
    costs.add(Cost::Rational(Rational { factor: 60.0, cap: 20.0 }, source), 1.0);
    for n in 0..neighbours {
        let (row, column) = ((n / 2) as f32, (n % 2) as f32);
        let from = [START.x - 15.0 * column + 5.0 * row, START.y + 14.0 * (row - 1.5) + 7.0 * column + 4.0];
        let neighbour = moving(costs, from, [2.0, 0.1 * row - 0.1]);
        costs.add(Cost::Quadratic(Quadratic::new(25.0, 6.0), neighbour), 1.0);
    }
}

/// Tick in which a drive plays its plans. [s]
const TICK: f32 = 0.05;

/// Drives the scene for 30 s with seven other robots, planning every `period`. Returns the mean cost of the plans. [s]
pub fn drive(planner: &mut dyn Planner, period: f32, seed: u64) -> f32 {
    let (mut scratch, mut random) = (Scratch::default(), Stream::new(seed, StreamKind::Decisions, 1, 1));
    let (mut costs, mut pose, mut sum) = (CostSet::default(), START, 0.0);
    let horizon = planner.horizon().clone();
    let mut last = [SPREAD.mean; 2];
    let (plans, ticks) = ((30.0 / period) as usize, (period / TICK).round() as usize);
    for plan in 0..plans {
        fill(&mut costs, &horizon, 7, plan as f32 * period);
        let elapsed = if plan == 0 { 0.0 } else { period };
        let problem = Problem { start: pose, bounds: BOUNDS, costs: &costs, elapsed };
        planner.plan(&problem, &mut scratch, &mut random);
        let controls = (0..horizon.steps()).filter_map(|step| planner.control(horizon.middle(step)));
        sum += price(&problem, &horizon, &SPREAD, last, controls).0;
        for tick in 0..ticks {
            let Some(control) = planner.control((tick as f32 + 0.5) * TICK) else { break };
            pose = pose.after(control, TICK);
            last = [control, last[0]];
        }
    }
    sum / plans as f32
}
