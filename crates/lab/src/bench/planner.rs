//! `crewlab bench planner`: the time of a plan in the reference scene, including the sampling of other robots' predicted trajectories, and
//! what the plans cost. The rows are those of SWARM's table 1 and figure 17, and the horizon that its swarms use.

use crewlab_sim::control::planning::{CostSet, Horizon, Planner, Problem, Scratch, reference};
use crewlab_sim::onboard::{Stream, StreamKind};
use crewlab_statistics::{mean, standard_deviation};
use serde::Serialize;
use std::time::Instant;

/// Samples per row, alternately over all rows.
const SAMPLES: usize = 200;
/// Simulated steps per sample, at least.
const STEPS: usize = 30_000;
/// Seeds over which costs are averaged.
const SEEDS: u64 = 5;
/// SWARM's bound on the time in which all robots must have planned. [µs]
const BOUND: f64 = 300_000.0;

/// What is measured in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlannerCase {
    /// The planner.
    pub planner: &'static str,
    /// Walkers.
    pub walkers: usize,
    /// Steps of a plan.
    pub steps: usize,
    /// Lengths of the steps: 0.5 s each, or growing from 75 ms by 5.5 %.
    pub horizon: &'static str,
}

/// SWARM's table 1, figure 17, and the horizon of its swarms; MPPI with as many walkers, and with about as much time.
pub const CASES: [PlannerCase; 10] = [
    PlannerCase { planner: "cpbp", walkers: 20, steps: 15, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 20, steps: 40, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 20, steps: 200, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 20, steps: 680, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 20, steps: 840, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 24, steps: 200, horizon: EQUIDISTANT },
    PlannerCase { planner: "cpbp", walkers: 24, steps: 60, horizon: EXPONENTIAL },
    PlannerCase { planner: "mppi", walkers: 20, steps: 40, horizon: EQUIDISTANT },
    PlannerCase { planner: "mppi", walkers: 24, steps: 60, horizon: EXPONENTIAL },
    PlannerCase { planner: "mppi", walkers: 64, steps: 60, horizon: EXPONENTIAL },
];

const EQUIDISTANT: &str = "equidistant";
const EXPONENTIAL: &str = "exponential";

impl PlannerCase {
    fn planner(&self) -> Box<dyn Planner> {
        let horizon = match self.horizon {
            EQUIDISTANT => Horizon::equidistant(self.steps, 0.5),
            _ => Horizon::exponential(self.steps, 0.075, 1.055),
        };
        match self.planner {
            "cpbp" => Box::new(reference::cpbp(self.walkers, horizon)),
            _ => Box::new(reference::mppi(self.walkers, horizon)),
        }
    }

    /// The mean cost of the plans of a drive of 30 s, over five seeds. Plans are made at every equidistant step, else every 0.3 s.
    pub fn cost(&self) -> f64 {
        let period = if self.horizon == EQUIDISTANT { 0.5 } else { 0.3 };
        let drives = (1..=SEEDS).map(|seed| reference::drive(self.planner().as_mut(), period, seed));
        drives.map(f64::from).sum::<f64>() / SEEDS as f64
    }
}

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct PlannerRow {
    /// What is measured.
    #[serde(flatten)]
    pub case: PlannerCase,
    /// Other robots.
    pub neighbours: usize,
    /// Time of a plan: the shortest of all samples. [µs]
    pub us_per_plan: f64,
    /// The longest. [µs]
    pub us_max: f64,
    /// The mean. [µs]
    pub us_mean: f64,
    /// The standard deviation. [µs]
    pub us_sd: f64,
    /// Steps of walkers per second, from the shortest time. [1/s]
    pub rollout_steps_per_s: f64,
    /// Number of robots whose plans one core makes within 300 ms, from the mean time.
    pub robots_within_300_ms: u64,
    /// The mean cost of plans.
    pub cost: f64,
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

/// Measures all cases on one core.
pub fn measure(neighbours: usize) -> Vec<PlannerRow> {
    let mut planners: Vec<Box<dyn Planner>> = CASES.iter().map(PlannerCase::planner).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(SAMPLES); CASES.len()];
    for _ in 0..SAMPLES {
        for (planner, times) in planners.iter_mut().zip(&mut times) {
            times.push(1e6 * sample(planner.as_mut(), neighbours));
        }
    }
    let row = |(case, times): (&PlannerCase, &Vec<f64>)| {
        let shortest = times.iter().copied().fold(f64::INFINITY, f64::min);
        let us_mean = mean(times).unwrap_or_default();
        PlannerRow {
            case: *case,
            neighbours,
            us_per_plan: shortest,
            us_max: times.iter().copied().fold(0.0, f64::max),
            us_mean,
            us_sd: standard_deviation(times).unwrap_or_default(),
            rollout_steps_per_s: 1e6 * (case.walkers * case.steps) as f64 / shortest,
            robots_within_300_ms: (BOUND / us_mean) as u64,
            cost: case.cost(),
        }
    };
    CASES.iter().zip(&times).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SWARM's table 1 and figure 17.
    #[test]
    fn the_published_cases_are_measured() {
        let has = |walkers, steps| {
            let case = PlannerCase { planner: "cpbp", walkers, steps, horizon: EQUIDISTANT };
            CASES.contains(&case) && case.planner().budget() == walkers * steps
        };
        assert!([15, 40, 200, 680, 840].into_iter().all(|steps| has(20, steps)) && has(24, 200));
    }

    /// At equal numbers of walkers as with more of them than C-PBP has time for.
    #[test]
    fn plans_of_cpbp_cost_less_than_those_of_mppi() {
        let cost =
            |planner, walkers| PlannerCase { planner, walkers, steps: 60, horizon: EXPONENTIAL }.cost();
        let (ours, theirs) = (cost("cpbp", 24), [cost("mppi", 24), cost("mppi", 64)]);
        assert!(theirs.iter().all(|theirs| ours < *theirs), "{ours}, MPPI {theirs:?}");
    }
}
