//! Removes plans and pairs that cannot be part of a better allocation because they would cost more than the gap.

use super::pricing::{Pricer, Terms};
use super::problem::{Problem, Rules};
use crate::assignment::Solver;

/// Drops pairs and plans that cannot be part of a better allocation, given prices at which the tasks gain `gains` and whose
/// bound is `slack` above the value to beat.
pub(super) fn fix(
    problem: &mut Problem,
    rules: &mut Rules,
    prices: &[f64],
    gains: &[f64],
    slack: f64,
    pricer: &mut Pricer,
) {
    let mut solver = Solver::default();
    for (task, gain) in gains.iter().enumerate() {
        // The least value above its prices at which a coalition matters.
        let least = gain - slack;
        for plan in 0..problem.tasks[task].len() {
            if !rules.plans[task][plan] {
                continue;
            }
            let way = &problem.tasks[task][plan];
            let terms = Terms { problem, rules, prices };
            let found = pricer.plan(&terms, task, way, f64::INFINITY, f64::NEG_INFINITY);
            let Some((best, _)) = found.filter(|(best, _)| *best >= least) else {
                rules.plans[task][plan] = false;
                problem.tasks[task][plan].rows.iter_mut().for_each(Vec::clear);
                continue;
            };
            if way.linear {
                drop_pairs(&mut problem.tasks[task][plan].rows, prices, best - least, &mut solver);
            }
        }
    }
}

/// Drops pairs whose use costs the plan more than `spare`, judged by the duals of the plan's own assignment.
fn drop_pairs(rows: &mut [Vec<(u32, f64)>], prices: &[f64], spare: f64, solver: &mut Solver) {
    let mut robots: Vec<u32> = rows.iter().flatten().map(|(robot, _)| *robot).collect();
    robots.sort_unstable();
    robots.dedup();
    let columns = robots.len();
    if rows.len() > columns {
        return;
    }
    let mut costs = vec![f64::INFINITY; rows.len() * columns];
    for (row, line) in rows.iter().zip(costs.chunks_exact_mut(columns)) {
        for &(robot, value) in row {
            if let Ok(column) = robots.binary_search(&robot) {
                line[column] = prices[robot as usize] - value;
            }
        }
    }
    if !solver.solve(rows.len(), columns, &costs, f64::INFINITY) {
        return;
    }
    let duals = solver.row_duals(&costs, f64::INFINITY);
    for (row, dual) in rows.iter_mut().zip(duals) {
        row.retain(|&(robot, value)| {
            let Ok(column) = robots.binary_search(&robot) else { return false };
            prices[robot as usize] - value - dual - solver.dual[column] <= spare
        });
    }
}
