//! Analysis of a plan's runs: means with their confidence intervals, and significant differences.

mod comparison;
mod spread;
mod words;

pub use comparison::{Comparison, SIGNIFICANT};
pub use spread::Spread;
pub use words::{amount, chance, signed};

use crate::metrics::{self, Better, METRICS, Metric};
use crate::plan::{Plan, Purpose};
use crate::store::{Failure, RunOutcome, Store};
use crewlab_statistics::{Interval, KaplanMeier, Lifetime, Test, friedman, wilson};
use serde::Serialize;

/// The metrics that are analysed by default.
const USUAL: [&str; 5] = ["time_s", "completed", "messages_per_task", "idle_share", "reallocation_s"];

/// Largest number of a mission's measures that are analysed by default.
const MOST: usize = 8;

/// Number of a cell's worst runs that are listed.
const WORST: usize = 3;

/// An experiment in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub purpose: Purpose,
    /// The base scenario.
    pub scenario: String,
    /// The version of the program that did the runs.
    pub crewlab: String,
    /// Number of runs requested.
    pub asked: usize,
    /// Number of runs done, including failed ones.
    pub runs: usize,
    /// Runs without results.
    pub failed: Vec<FailedRun>,
    /// Names of the analysed metrics, the most important first.
    pub metrics: Vec<&'static str>,
    /// The cells, in the plan's order.
    pub cells: Vec<CellFigures>,
    /// Indices of the cells, the best first, if the plan ranks them.
    pub ranking: Vec<usize>,
    /// Differences between levels, seed by seed, for all analysed metrics.
    pub comparisons: Vec<Comparison>,
    /// Whether the cells of a comparison differ at all in the most important metric (Friedman's test).
    pub any_difference: Option<Test>,
}

/// A run without results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedRun {
    /// Index of the cell.
    pub cell: usize,
    /// The seed.
    pub seed: u64,
    /// The kind of failure.
    pub failure: Failure,
    /// The reason.
    pub reason: String,
}

/// A run and its most important metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NamedRun {
    /// The seed.
    pub seed: u64,
    /// Whether the mission was completed.
    pub completed: bool,
    /// The most important metric.
    pub value: f64,
}

/// A cell in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CellFigures {
    /// The level of each factor.
    pub levels: Vec<String>,
    /// Runs with results.
    pub runs: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Runs that completed the mission.
    pub completed: usize,
    /// The share of completed runs, with Wilson's 95 % interval.
    pub completion: Option<Interval>,
    /// Time by which half of the runs are completed (Kaplan-Meier). [s]
    pub median_completion_s: Option<f64>,
    /// One per metric of the table, in its order; `None` where a metric is undefined.
    pub figures: Vec<Option<Spread>>,
    /// The worst runs by the most important metric, the worst first.
    pub worst: Vec<NamedRun>,
}

/// The runs of a plan, by cell and seed.
pub struct Runs<'a> {
    plan: &'a Plan,
    store: &'a Store,
}

impl<'a> Runs<'a> {
    /// The runs of a plan.
    pub fn new(plan: &'a Plan, store: &'a Store) -> Runs<'a> {
        Runs { plan, store }
    }

    fn outcome(&self, cell: usize, seed: u64) -> Option<&'a RunOutcome> {
        self.store.get(&self.plan.cells[cell].trial(seed).key)
    }

    /// A metric of a run.
    pub fn value(&self, cell: usize, seed: u64, metric: usize) -> Option<f64> {
        self.outcome(cell, seed)?.value(metric)
    }

    /// A metric of all runs of a cell in which it is defined.
    pub fn values(&self, cell: usize, metric: usize) -> Vec<f64> {
        self.plan.seeds.iter().filter_map(|seed| self.value(cell, *seed, metric)).collect()
    }

    /// The lifetimes of a cell's runs; those not completed are censored at their end.
    pub fn lifetimes(&self, cell: usize) -> Vec<Lifetime> {
        let place = |name| metrics::find(name).map_or(0, |(place, _)| place);
        let (completed, time) = (place("completed"), place("time_s"));
        let lifetime = |seed: &u64| {
            let observed = self.value(cell, *seed, completed)? > 0.5;
            Some(Lifetime { time: self.value(cell, *seed, time)?, observed })
        };
        self.plan.seeds.iter().filter_map(lifetime).collect()
    }
}

/// The metrics that a plan analyses, with their indices.
pub fn looked_at(plan: &Plan) -> Vec<(usize, &'static Metric)> {
    let asked: Vec<_> = plan.metrics.iter().filter_map(|name| metrics::find(name)).collect();
    if !asked.is_empty() {
        return asked;
    }
    let measures = of_endless(plan);
    let names = if measures.is_empty() { USUAL.to_vec() } else { measures };
    names.into_iter().filter_map(metrics::find).collect()
}

/// The metrics of a mission without an end: its measures say how well it went, and its time nothing. Those of the goal come first,
/// together with whether it was reached.
fn of_endless(plan: &Plan) -> Vec<&'static str> {
    let (measures, goal) = (plan.endless(), plan.goal());
    let asked = goal.as_ref().map_or(&[][..], |goal| goal.asked());
    let others = (0..measures.len()).filter(|place| !asked.contains(place));
    let mut names: Vec<&str> =
        asked.iter().copied().chain(others).map(|place| measures[place].name).take(MOST).collect();
    if goal.is_some() {
        names.insert(asked.len().min(names.len()), "completed");
    }
    names
}

impl Analysis {
    /// Analyses all runs of a plan that are in the store.
    pub fn of(plan: &Plan, store: &Store) -> Analysis {
        let runs = Runs::new(plan, store);
        let looked = looked_at(plan);
        let cells: Vec<CellFigures> =
            (0..plan.cells.len()).map(|cell| CellFigures::of(cell, &runs, &looked)).collect();
        let mut failed = Vec::new();
        for seed in &plan.seeds {
            for cell in 0..plan.cells.len() {
                if let Some(RunOutcome::Failed { failure, reason }) = runs.outcome(cell, *seed) {
                    failed.push(FailedRun { cell, seed: *seed, failure: *failure, reason: reason.clone() });
                }
            }
        }
        let (main, metric) = looked[0];
        let ranking =
            if plan.purpose == Purpose::Comparison { ranking(&cells, main, metric) } else { Vec::new() };
        Analysis {
            name: plan.name.clone(),
            purpose: plan.purpose,
            scenario: plan.scenario.clone(),
            crewlab: store.version().to_string(),
            asked: plan.len(),
            runs: plan.done(store),
            failed,
            metrics: looked.iter().map(|(_, metric)| metric.name).collect(),
            any_difference: any_difference(plan, &runs, main),
            comparisons: comparison::all(plan, &runs, &looked),
            ranking,
            cells,
        }
    }

    /// The most important metric, with its index.
    pub fn main(&self) -> (usize, &'static Metric) {
        metrics::find(self.metrics[0]).unwrap_or((1, &METRICS[1]))
    }

    /// The metrics with their indices, without measures that no run has: those of other missions.
    pub fn measured(&self) -> impl Iterator<Item = (usize, &'static Metric)> + '_ {
        let has = |place: usize| self.cells.iter().any(|cell| cell.figures[place].is_some());
        METRICS.iter().enumerate().filter(move |(place, metric)| !metric.is_measure() || has(*place))
    }

    /// The comparisons in one metric.
    pub fn comparisons_in(&self, metric: &str) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().filter(move |comparison| comparison.metric == metric)
    }
}

/// Indices of the cells, the best first: by the mean of the most important metric, then by completed runs.
fn ranking(cells: &[CellFigures], main: usize, metric: &Metric) -> Vec<usize> {
    let mean = |cell: &usize| cells[*cell].figures[main].as_ref().map(|spread| spread.mean);
    let worse = |one: &usize, other: &usize| match (mean(one), mean(other)) {
        (Some(one), Some(other)) if metric.better == Better::More => other.total_cmp(&one),
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    let mut places: Vec<usize> = (0..cells.len()).collect();
    places.sort_by(|one, other| worse(one, other).then(cells[*other].completed.cmp(&cells[*one].completed)));
    places
}

fn any_difference(plan: &Plan, runs: &Runs, metric: usize) -> Option<Test> {
    if plan.purpose != Purpose::Comparison || plan.cells.len() < 3 {
        return None;
    }
    let block = |seed: &u64| (0..plan.cells.len()).map(|cell| runs.value(cell, *seed, metric)).collect();
    friedman(&plan.seeds.iter().filter_map(block).collect::<Vec<Vec<f64>>>())
}

impl CellFigures {
    fn of(cell: usize, runs: &Runs, looked: &[(usize, &Metric)]) -> CellFigures {
        let lifetimes = runs.lifetimes(cell);
        let completed = lifetimes.iter().filter(|lifetime| lifetime.observed).count();
        let is_looked_at = |place: usize| looked.iter().any(|(other, _)| *other == place);
        let spread = |place| Spread::of(&runs.values(cell, place), is_looked_at(place));
        let plan = runs.plan;
        let failed = plan
            .seeds
            .iter()
            .filter(|seed| matches!(runs.outcome(cell, **seed), Some(RunOutcome::Failed { .. })));
        CellFigures {
            levels: plan.cells[cell].levels.clone(),
            runs: lifetimes.len(),
            failed: failed.count(),
            completed,
            completion: wilson(completed as u64, lifetimes.len() as u64, 0.95),
            median_completion_s: KaplanMeier::of(&lifetimes).and_then(|curve| curve.median()),
            figures: (0..METRICS.len()).map(spread).collect(),
            worst: worst(cell, runs, looked[0]),
        }
    }

    /// The 95 % interval of a metric's mean, by its index; Wilson's interval for the share of completed runs.
    pub fn interval(&self, place: usize) -> Option<Interval> {
        match METRICS[place].name {
            "completed" => self.completion,
            _ => self.figures[place]?.interval,
        }
    }

    /// The cell's name.
    pub fn title(&self) -> String {
        if self.levels.is_empty() { "all runs".into() } else { self.levels.join(", ") }
    }
}

/// The worst runs of a cell, those not completed first.
fn worst(cell: usize, runs: &Runs, (place, metric): (usize, &Metric)) -> Vec<NamedRun> {
    let completed = metrics::find("completed").map_or(0, |(place, _)| place);
    let named = |seed: &u64| {
        let completed = runs.value(cell, *seed, completed)? > 0.5;
        Some(NamedRun { seed: *seed, completed, value: runs.value(cell, *seed, place)? })
    };
    let mut all: Vec<NamedRun> = runs.plan.seeds.iter().filter_map(named).collect();
    all.sort_by(|one, other| {
        let by_value = match metric.better {
            Better::More => one.value.total_cmp(&other.value),
            Better::Less | Better::Neither => other.value.total_cmp(&one.value),
        };
        one.completed.cmp(&other.completed).then(by_value).then(one.seed.cmp(&other.seed))
    });
    all.truncate(WORST);
    all
}

#[cfg(test)]
mod tests;
