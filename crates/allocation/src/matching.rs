//! The best injection from the subtasks of one plan to robots, by the method that fits the reward function.

use crate::assignment::Solver;
use crate::matrix::{INCAPABLE, Matrix, favourites};
use crate::{Coalition, CoalitionPlan, Reward, bottleneck, feasible, threshold};

/// Buffers that are reused from one plan to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    pub solver: Solver,
    costs: Vec<f64>,
}

impl Workspace {
    /// The assignment of every row with the largest sum of `summand(entry)`; `None` if not every row can be served.
    pub fn largest_sum(&mut self, matrix: &Matrix, summand: impl Fn(f64) -> f64) -> Option<Vec<usize>> {
        if matrix.rows > matrix.columns {
            return None;
        }
        self.costs.clear();
        self.costs.extend(matrix.cells.iter().map(|&cell| match cell {
            INCAPABLE => f64::INFINITY,
            cell => -summand(cell),
        }));
        let served = self.solver.solve(matrix.rows, matrix.columns, &self.costs, f64::INFINITY);
        served.then(|| self.solver.column_of.clone())
    }

    /// The best column for each row under a reward function; `None` if not every row can be served.
    pub fn best(&mut self, reward: Reward, matrix: &Matrix) -> Option<Vec<usize>> {
        if reward.linear(matrix.rows).is_some() {
            return self.largest_sum(matrix, |cell| cell);
        }
        match reward {
            Reward::Min => bottleneck::solve(matrix),
            Reward::Max => feasible::best_pair(matrix),
            Reward::MinPlusMean(lambda) => threshold::min_plus_mean(matrix, lambda, self),
            Reward::Worst(number) => threshold::worst(matrix, number, self),
            Reward::Sum | Reward::Mean | Reward::Product | Reward::Harmonic => {
                let summand = reward.summand()?;
                // A zero makes product and harmonic mean 0, so it is used only if nothing else is possible.
                let without_zeros = matrix.cells.contains(&0.0).then(|| {
                    let cells = matrix.cells.iter().map(|&cell| if cell == 0.0 { INCAPABLE } else { cell });
                    Matrix { cells: cells.collect(), ..*matrix }
                });
                let found = self.largest_sum(without_zeros.as_ref().unwrap_or(matrix), summand);
                found.or_else(|| without_zeros.and_then(|_| feasible::any(matrix)))
            }
        }
    }
}

/// The best coalition among the robots in `who`, over all plans. Plans are tried in order of promise; those that could not win
/// even if every subtask got its best robot are skipped.
pub(crate) fn best_coalition(
    plans: &[CoalitionPlan],
    who: &[usize],
    work: &mut Workspace,
) -> Option<Coalition> {
    struct Candidate {
        plan: usize,
        hope: f64,
        favourites: Vec<usize>,
    }
    let mut candidates: Vec<Candidate> = Vec::with_capacity(plans.len());
    for (number, plan) in plans.iter().enumerate().filter(|(_, plan)| plan.subtasks.len() <= who.len()) {
        let Some((favourites, rewards)) = favourites(plan, who) else { continue };
        candidates.push(Candidate { plan: number, hope: plan.reward.value(&rewards), favourites });
    }
    candidates.sort_by(|a, b| b.hope.total_cmp(&a.hope).then(a.plan.cmp(&b.plan)));
    let mut best: Option<Coalition> = None;
    let mut matrix = Matrix::default();
    let mut taken = Vec::new();
    for candidate in candidates {
        let hopeless = |best: &Coalition| {
            best.value > candidate.hope || (best.value == candidate.hope && best.plan < candidate.plan)
        };
        if best.as_ref().is_some_and(hopeless) {
            continue;
        }
        let plan = &plans[candidate.plan];
        taken.clear();
        taken.resize(who.len(), false);
        let agree = candidate.favourites.iter().all(|&column| !std::mem::replace(&mut taken[column], true));
        let (columns, value) = if agree {
            (candidate.favourites, candidate.hope)
        } else {
            matrix.fill(plan, who);
            let Some(columns) = work.best(plan.reward, &matrix) else { continue };
            let value = plan.reward.value(&matrix.pick(&columns));
            (columns, value)
        };
        let robots = columns.iter().map(|&column| who[column]).collect();
        best = crate::better(best, Some(Coalition { plan: candidate.plan, robots, value }));
    }
    best
}
