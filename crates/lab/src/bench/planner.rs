//! `crewlab bench planner`: the time of a plan in the reference scene, including the sampling of other robots' predicted trajectories.

use crewlab_sim::control::planning::{CostSet, Horizon, Planner, Problem, Scratch, reference};
use crewlab_sim::onboard::{Stream, StreamKind};
use serde::Serialize;
use std::time::Instant;

/// Samples per row, alternately over all rows; the shortest counts.
const SAMPLES: usize = 200;
/// Simulated steps per sample, at least.
const STEPS: usize = 30_000;

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct PlannerRow {
    /// The planner.
    pub planner: &'static str,
    /// Walkers.
    pub walkers: usize,
    /// Steps of a plan.
    pub steps: usize,
    /// Lengths of the steps.
    pub horizon: &'static str,
    /// Other robots.
    pub neighbours: usize,
    /// Time of a plan. [µs]
    pub us_per_plan: f64,
    /// Steps of walkers per second. [1/s]
    pub rollout_steps_per_s: f64,
}

/// Time of a plan while planning again and again. [s]
fn sample(planner: &mut dyn Planner, neighbours: usize) -> f64 {
    let (mut scratch, mut costs) = (Scratch::default(), CostSet::default());
    let mut random = Stream::new(1, StreamKind::Decisions, 0, 0);
    let horizon = planner.horizon().clone();
    let plans = STEPS.div_ceil(planner.budget());
    let mut plan = |n: usize| {
        reference::fill(&mut costs, &horizon, neighbours, 0.01 * n as f32);
        let (start, bounds) = (reference::START, reference::BOUNDS);
        let problem = Problem { start, bounds, costs: &costs, elapsed: 0.3 };
        std::hint::black_box(planner.plan(&problem, &mut scratch, &mut random));
    };
    (0..3).for_each(&mut plan);
    // The clock of processor time is too coarse for samples that are short enough not to be interrupted.
    let start = Instant::now();
    (0..plans).for_each(plan);
    start.elapsed().as_secs_f64() / plans as f64
}

/// Measures both planners on one core.
pub fn measure(neighbours: usize) -> Vec<PlannerRow> {
    let exponential = || Horizon::exponential(60, 0.075, 1.055);
    let mut rows: Vec<(PlannerRow, Box<dyn Planner>)> = Vec::new();
    let horizons = [
        (20, "equidistant", Horizon::equidistant(15, 0.5)),
        (20, "equidistant", Horizon::equidistant(680, 0.5)),
        (24, "exponential", exponential()),
    ];
    for (walkers, name, horizon) in horizons {
        let planners: [(&str, Box<dyn Planner>); 2] = [
            ("cpbp", Box::new(reference::cpbp(walkers, horizon.clone()))),
            ("mppi", Box::new(reference::mppi(walkers, horizon.clone()))),
        ];
        for (planner, made) in planners {
            let row = PlannerRow {
                planner,
                walkers,
                steps: horizon.steps(),
                horizon: name,
                neighbours,
                us_per_plan: f64::INFINITY,
                rollout_steps_per_s: 0.0,
            };
            rows.push((row, made));
        }
    }
    for _ in 0..SAMPLES {
        for (row, planner) in &mut rows {
            row.us_per_plan = row.us_per_plan.min(1e6 * sample(planner.as_mut(), neighbours));
            row.rollout_steps_per_s = 1e6 * planner.budget() as f64 / row.us_per_plan;
        }
    }
    rows.into_iter().map(|(row, _)| row).collect()
}
