//! The search through the coalitions for one plan.

use super::Extras;
use crate::assignment::NONE;
use crate::matching::Workspace;
use crate::matrix::{INCAPABLE, Matrix};
use crate::{Coalition, Reward};

pub(super) struct Search<'a> {
    plan: usize,
    reward: Reward,
    /// The factor of each reward if the reward function is linear.
    factor: Option<f64>,
    matrix: &'a Matrix,
    who: &'a [usize],
    extras: &'a Extras<'a>,
    /// For each column, the other columns by descending link.
    partners: Vec<Vec<(usize, f64)>>,
    /// The column of each row so far.
    fixed: Vec<usize>,
    used: Vec<bool>,
    /// Synergies of each free column with the fixed ones.
    links: Vec<f64>,
    /// Synergies among the fixed ones.
    linked: f64,
    order: Vec<usize>,
    to_beat: f64,
    left: u64,
    open_bound: f64,
    pub best: Option<Coalition>,
    pub nodes: u64,
    pub complete: bool,
}

/// The relaxation at a node, used to order and prune its children.
struct Relaxation {
    bound: f64,
    /// Upper bound for each child of the next row.
    children: Vec<(f64, usize)>,
}

impl<'a> Search<'a> {
    pub fn new(
        plan: usize,
        reward: Reward,
        matrix: &'a Matrix,
        who: &'a [usize],
        extras: &'a Extras<'a>,
        to_beat: f64,
        left: u64,
    ) -> Search<'a> {
        let columns = matrix.columns;
        let partners = match extras.pairs {
            None => Vec::new(),
            Some(pairs) => (0..columns)
                .map(|one| {
                    let others = (0..columns).filter(|&other| other != one);
                    let mut others: Vec<(usize, f64)> =
                        others.map(|other| (other, pairs.synergy(who[one], who[other]))).collect();
                    others.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                    others
                })
                .collect(),
        };
        // Rows with few capable robots first: they leave the least choice.
        let capable = |row: usize| matrix.row(row).iter().filter(|cell| cell.is_finite()).count();
        let mut order: Vec<usize> = (0..matrix.rows).collect();
        order.sort_by_key(|&row| (capable(row), row));
        Search {
            plan,
            reward,
            factor: reward.linear(matrix.rows),
            matrix,
            who,
            extras,
            partners,
            fixed: vec![NONE; matrix.rows],
            used: vec![false; columns],
            links: vec![0.0; columns],
            linked: 0.0,
            order,
            to_beat,
            left,
            open_bound: f64::NEG_INFINITY,
            best: None,
            nodes: 0,
            complete: true,
        }
    }

    pub fn run(&mut self, work: &mut Workspace) {
        self.open_bound = self.visit(0, work);
    }

    /// Exchanges single members while that helps, so that the search starts with a good solution.
    fn improve(&mut self, columns: &mut [usize]) {
        let mut value = self.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.value);
        loop {
            let before = value;
            for row in 0..columns.len() {
                for column in 0..self.matrix.columns {
                    let old = columns[row];
                    if columns.contains(&column) {
                        continue;
                    }
                    columns[row] = column;
                    match self.value(columns) {
                        Some(found) if found > value => value = found,
                        _ => columns[row] = old,
                    }
                }
            }
            if value <= before {
                break;
            }
        }
        self.consider(columns);
    }

    /// Upper bound on the value of any coalition that this plan could win with.
    pub fn bound(&self) -> f64 {
        let found = self.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.value);
        if self.complete { found } else { self.open_bound.max(found) }
    }

    /// Searches below the fixed rows. Returns an upper bound on the part that was not visited, `-∞` if everything was.
    fn visit(&mut self, depth: usize, work: &mut Workspace) -> f64 {
        const NOTHING: f64 = f64::NEG_INFINITY;
        if self.nodes >= self.left {
            self.complete = false;
            return f64::INFINITY;
        }
        self.nodes += 1;
        if !self.limits_can_be_kept() {
            return NOTHING;
        }
        if depth == self.order.len() {
            self.consider(&self.fixed.clone());
            return NOTHING;
        }
        let Some(mut relaxation) = self.relax(depth, work) else { return NOTHING };
        if !self.promising(relaxation.bound) {
            return NOTHING;
        }
        relaxation.children.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let row = self.order[depth];
        for (place, &(hope, column)) in relaxation.children.iter().enumerate() {
            if !self.promising(hope) {
                break;
            }
            // Restored instead of subtracted again, so that backtracking leaves no rounding error.
            let before = (self.linked, self.links.clone());
            self.fix(row, column);
            let open = self.visit(depth + 1, work);
            (self.fixed[row], self.used[column]) = (NONE, false);
            (self.linked, self.links) = before;
            if !self.complete {
                let later = relaxation.children.get(place + 1).map_or(NOTHING, |(hope, _)| *hope);
                return open.min(hope).max(later).min(relaxation.bound);
            }
        }
        NOTHING
    }

    /// False if the bound exceeds the best value by no more than rounding error.
    fn promising(&self, bound: f64) -> bool {
        let best = self.best.as_ref().map_or(self.to_beat, |best| best.value.max(self.to_beat));
        best == f64::NEG_INFINITY || bound > best + 1e-12 * best.abs()
    }

    fn fix(&mut self, row: usize, column: usize) {
        self.linked += self.links[column];
        (self.fixed[row], self.used[column]) = (column, true);
        if let Some(pairs) = self.extras.pairs {
            for (link, &robot) in self.links.iter_mut().zip(self.who) {
                *link += pairs.synergy(robot, self.who[column]);
            }
        }
    }

    /// Half of the best `count` links of a column with free ones.
    fn half_of_best_links(&self, column: usize, count: usize) -> f64 {
        let Some(partners) = self.partners.get(column) else { return 0.0 };
        let free = partners.iter().filter(|(other, _)| !self.used[*other]);
        free.take(count).map(|(_, synergy)| synergy).sum::<f64>() / 2.0
    }

    /// Upper bound on what each free column can add to a row besides the reward.
    fn additions(&self, remaining: usize) -> Vec<f64> {
        let addition = |column: usize| match self.used[column] {
            true => INCAPABLE,
            false => self.links[column] + self.half_of_best_links(column, remaining - 1),
        };
        (0..self.matrix.columns).map(addition).collect()
    }

    fn relax(&mut self, depth: usize, work: &mut Workspace) -> Option<Relaxation> {
        let remaining = self.order.len() - depth;
        let additions = self.additions(remaining);
        let most = match self.extras.beyond {
            None => 0.0,
            Some(beyond) => {
                let named = |&column: &usize| (column != NONE).then(|| self.who[column]);
                let robots: Vec<Option<usize>> = self.fixed.iter().map(named).collect();
                let most = beyond.most(self.plan, &robots);
                if most.is_nan() { f64::INFINITY } else { most }
            }
        };
        match self.factor {
            Some(factor) => self.relax_linear(depth, factor, &additions, most, work),
            None => self.relax_monotone(depth, &additions, most),
        }
    }

    /// Linear reward functions: one assignment of the remaining rows, whose prices bound the children too.
    fn relax_linear(
        &mut self,
        depth: usize,
        factor: f64,
        additions: &[f64],
        most: f64,
        work: &mut Workspace,
    ) -> Option<Relaxation> {
        let columns: Vec<usize> =
            (0..additions.len()).filter(|&column| additions[column] > INCAPABLE).collect();
        let rows = &self.order[depth..];
        if rows.len() > columns.len() {
            return None;
        }
        let mut costs = Vec::with_capacity(rows.len() * columns.len());
        for &row in rows {
            let line = self.matrix.row(row);
            costs.extend(columns.iter().map(|&column| -(factor * line[column] + additions[column])));
        }
        if !work.solver.solve(rows.len(), columns.len(), &costs, f64::INFINITY) {
            return None;
        }
        let duals = work.solver.row_duals(&costs, f64::INFINITY);
        let mut completed = self.fixed.clone();
        let mut sum = 0.0;
        for (place, &row) in rows.iter().enumerate() {
            let column = work.solver.column_of[place];
            completed[row] = columns[column];
            sum -= costs[place * columns.len() + column];
        }
        let rewards = self.fixed.iter().enumerate().filter(|(_, column)| **column != NONE);
        let fixed: f64 = rewards.map(|(row, &column)| factor * self.matrix.at(row, column)).sum();
        let bound = fixed + self.linked + sum + most;
        let children = columns.iter().enumerate().filter(|(place, _)| costs[*place] < f64::INFINITY);
        let children = children
            .map(|(place, &column)| {
                (bound - (costs[place] - work.solver.dual[place] - duals[0]).max(0.0), column)
            })
            .collect();
        self.consider(&completed);
        if depth == 0 && self.extras.pairs.is_some() {
            self.improve(&mut completed);
        }
        Some(Relaxation { bound, children })
    }

    /// Other reward functions: every remaining row gets its best free robot, even if several rows get the same one.
    fn relax_monotone(&mut self, depth: usize, additions: &[f64], most: f64) -> Option<Relaxation> {
        let free = |row: usize| {
            let cells = self.matrix.row(row).iter().zip(additions).enumerate();
            cells.filter(|(_, (cell, addition))| **cell > INCAPABLE && **addition > INCAPABLE)
        };
        let mut rewards: Vec<f64> = (0..self.matrix.rows)
            .map(|row| match self.fixed[row] {
                NONE => free(row).fold(INCAPABLE, |best, (_, (cell, _))| best.max(*cell)),
                column => self.matrix.at(row, column),
            })
            .collect();
        let best_addition =
            |row: usize| free(row).fold(INCAPABLE, |best, (_, (_, addition))| best.max(*addition));
        if rewards.contains(&INCAPABLE) {
            return None;
        }
        let added: f64 = self.order[depth + 1..].iter().map(|&row| best_addition(row)).sum();
        let row = self.order[depth];
        let base = self.linked + most + added;
        let bound = base + best_addition(row) + self.reward.value(&rewards);
        let candidates: Vec<(usize, f64, f64)> = free(row).map(|(c, (cell, add))| (c, *cell, *add)).collect();
        let mut children = Vec::with_capacity(candidates.len());
        for (column, cell, addition) in candidates {
            rewards[row] = cell;
            children.push((base + addition + self.reward.value(&rewards), column));
        }
        Some(Relaxation { bound, children })
    }

    /// False if the members fixed so far, with the best of the free ones, break a limit.
    fn limits_can_be_kept(&self) -> bool {
        let remaining = self.fixed.iter().filter(|column| **column == NONE).count();
        self.extras.limits.iter().all(|limit| {
            let load = |column: usize| limit.loads[self.who[column]];
            let fixed: f64 = self.fixed.iter().filter(|c| **c != NONE).map(|&column| load(column)).sum();
            let mut free: Vec<f64> = (0..self.used.len()).filter(|&c| !self.used[c]).map(load).collect();
            free.sort_by(f64::total_cmp);
            let least: f64 = free.iter().take(remaining).sum();
            let most: f64 = free.iter().rev().take(remaining).sum();
            fixed + most >= limit.at_least && fixed + least <= limit.at_most
        })
    }

    /// The value of a complete coalition; `None` if it is impossible.
    fn value(&self, columns: &[usize]) -> Option<f64> {
        let rewards = self.matrix.pick(columns);
        if rewards.contains(&INCAPABLE) {
            return None;
        }
        let mut value = self.reward.value(&rewards);
        if let Some(pairs) = self.extras.pairs {
            for (place, &one) in columns.iter().enumerate() {
                let others = columns[..place].iter();
                value += others.map(|&other| pairs.synergy(self.who[one], self.who[other])).sum::<f64>();
            }
        }
        for limit in self.extras.limits {
            let sum: f64 = columns.iter().map(|&column| limit.loads[self.who[column]]).sum();
            if sum < limit.at_least || sum > limit.at_most {
                return None;
            }
        }
        if let Some(beyond) = self.extras.beyond {
            let robots: Vec<usize> = columns.iter().map(|&column| self.who[column]).collect();
            value += beyond.value(self.plan, &robots)?;
        }
        value.is_finite().then_some(value)
    }

    /// Keeps a complete coalition if it is possible and better than the best one.
    fn consider(&mut self, columns: &[usize]) {
        let Some(value) = self.value(columns) else { return };
        if self.best.as_ref().is_some_and(|best| value < best.value) {
            return;
        }
        let robots = columns.iter().map(|&column| self.who[column]).collect();
        let candidate = Coalition { plan: self.plan, robots, value };
        if self.best.as_ref().is_none_or(|best| candidate.beats(best)) {
            self.best = Some(candidate);
        }
    }
}
