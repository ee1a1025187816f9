//! From prices and preferences to a feasible allocation.

use super::pricing::{Pricer, Terms};
use super::problem::{Column, Problem, Rules};
use crate::assignment::{NONE, Solver};

/// A partial allocation.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub columns: Vec<Option<Column>>,
    pub value: f64,
}

impl Draft {
    pub fn empty(tasks: usize) -> Draft {
        Draft { columns: vec![None; tasks], value: 0.0 }
    }

    pub fn set(&mut self, column: Column) {
        let task = column.task;
        self.columns[task] = Some(column);
        self.reckon();
    }

    fn reckon(&mut self) {
        self.value = self.columns.iter().flatten().map(|column| column.value).sum();
    }
}

/// Serves tasks one by one in the given order, at the given prices and with free robots; then reassigns the robots of all linear
/// plans.
pub(super) fn round(terms: &Terms, order: &[usize], start: Draft, pricer: &mut Pricer) -> Draft {
    let Terms { problem, rules, prices } = *terms;
    let mut draft = start;
    let mut free = Free::without(problem, rules, &draft);
    // First at the prices, then at no prices at all.
    let nothing = vec![0.0; problem.robots];
    for (prices, rest) in [(prices, false), (&nothing[..], true)] {
        let mut changed = !rest;
        for &task in order {
            if draft.columns[task].is_some() {
                continue;
            }
            let terms = Terms { problem, rules: free.rules(task), prices };
            let offer = pricer.offer(&terms, task, f64::NEG_INFINITY);
            if let Some((column, net)) = offer.column
                && (net >= 0.0 || rest)
                && column.value >= 0.0
            {
                free.take(&column);
                draft.columns[task] = Some(column);
                changed = true;
            }
        }
        if changed {
            polish(problem, rules, &mut draft);
            free = Free::without(problem, rules, &draft);
        }
    }
    draft.reckon();
    draft
}

/// Which robots are free, as rules for one task after the other.
struct Free {
    rules: Rules,
    taken: Vec<bool>,
    own: Vec<Vec<bool>>,
}

impl Free {
    fn without(problem: &Problem, rules: &Rules, draft: &Draft) -> Free {
        let mut rules = rules.clone();
        let own = std::mem::replace(&mut rules.barred, vec![Vec::new(); problem.tasks.len()]);
        // Forced robots guide the tree, not the rounding: an allocation is good whoever is in it.
        rules.forced.iter_mut().for_each(Vec::clear);
        let mut free = Free { rules, taken: vec![false; problem.robots], own };
        draft.columns.iter().flatten().for_each(|column| free.take(column));
        free
    }

    fn take(&mut self, column: &Column) {
        column.robots.iter().for_each(|&robot| self.taken[robot as usize] = true);
    }

    /// Rules for one task: only free robots.
    fn rules(&mut self, task: usize) -> &Rules {
        let barred = &mut self.rules.barred[task];
        barred.clone_from(&self.taken);
        barred.iter_mut().zip(&self.own[task]).for_each(|(barred, own)| *barred |= own);
        &self.rules
    }
}

/// One assignment over all subtasks of the chosen linear plans: robots may change, plans do not.
pub(super) fn polish(problem: &Problem, rules: &Rules, draft: &mut Draft) {
    let mut taken = vec![false; problem.robots];
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for (task, column) in draft.columns.iter().enumerate() {
        let Some(column) = column else { continue };
        if problem.tasks[task][column.plan].linear {
            rows.extend((0..column.robots.len()).map(|subtask| (task, subtask)));
        } else {
            column.robots.iter().for_each(|&robot| taken[robot as usize] = true);
        }
    }
    let columns = problem.robots;
    let mut costs = vec![f64::INFINITY; rows.len() * columns];
    for (&(task, subtask), line) in rows.iter().zip(costs.chunks_exact_mut(columns.max(1))) {
        let Some(column) = &draft.columns[task] else { continue };
        for &(robot, value) in &problem.tasks[task][column.plan].rows[subtask] {
            if !taken[robot as usize] && !rules.is_barred(task, robot) {
                line[robot as usize] = -value;
            }
        }
    }
    let mut solver = Solver::default();
    if rows.is_empty() || !solver.solve(rows.len(), columns, &costs, f64::INFINITY) {
        return;
    }
    for (&(task, subtask), &robot) in rows.iter().zip(&solver.column_of) {
        if let (Some(column), true) = (&mut draft.columns[task], robot != NONE) {
            column.robots[subtask] = robot as u32;
        }
    }
    for (task, column) in draft.columns.iter_mut().enumerate() {
        if let Some(column) = column {
            column.value = problem.value(task, column.plan, &column.robots).unwrap_or(column.value);
        }
    }
    // Coalitions whose value is negative now are dropped.
    draft.columns.iter_mut().for_each(|column| {
        if column.as_ref().is_some_and(|column| column.value < 0.0) {
            *column = None;
        }
    });
    draft.reckon();
}
