//! The best coalition of a task when every robot has a price. Prices decouple the tasks, and the sum of the prices and of the
//! tasks' values above them bounds every allocation.

use super::problem::{Column, Problem, Rules, Way};
use crate::Reward;
use crate::assignment::Solver;

/// Plans of up to this many subtasks are searched directly.
const SMALL: usize = 4;
/// Node limit of the search for a coalition under a general reward function; beyond it only the bound is used.
const PATIENCE: u64 = 50_000;

/// The terms on which tasks choose their coalitions: what is allowed, and what robots cost.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub problem: &'a Problem,
    pub rules: &'a Rules,
    /// `[robot]`: its price.
    pub prices: &'a [f64],
}

/// The response of one task to given prices.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// Upper bound on the value of an allowed coalition above its prices; `-∞` if there is none.
    pub bound: f64,
    /// The best coalition found and what it is worth above its prices.
    pub column: Option<(Column, f64)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Pricer {
    /// Candidates of each row, the best first: worth above the price, robot, number of the pair.
    lists: Vec<Vec<(f64, u32, f64)>>,
    suffix: Vec<f64>,
    chosen: Vec<u32>,
    best: Vec<u32>,
    best_sum: f64,
    solver: Solver,
    costs: Vec<f64>,
    local: Vec<u32>,
    nodes: u64,
    hopes: Vec<(f64, usize)>,
}

impl Pricer {
    /// The best allowed coalition of a task, if it is worth more than `least` above its prices.
    pub fn offer(&mut self, terms: &Terms, task: usize, least: f64) -> Offer {
        let Terms { problem, rules, .. } = *terms;
        let mut offer = Offer { bound: f64::NEG_INFINITY, column: None };
        let ways = &problem.tasks[task];
        let mut hopes = std::mem::take(&mut self.hopes);
        hopes.clear();
        for (plan, way) in ways.iter().enumerate().filter(|(plan, _)| rules.plans[task][*plan]) {
            if let Some(hope) = hope(terms, task, way) {
                hopes.push((hope, plan));
            }
        }
        hopes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(hope, plan) in &hopes {
            let to_beat = offer.column.as_ref().map_or(least, |(_, net)| *net);
            if hope <= to_beat {
                offer.bound = offer.bound.max(hope);
                break;
            }
            let Some((bound, found)) = self.plan(terms, task, &ways[plan], hope, to_beat) else { continue };
            offer.bound = offer.bound.max(bound);
            if let Some(net) = found {
                let robots = self.best.clone();
                if let Some(value) = problem.value(task, plan, &robots) {
                    offer.column = Some((Column { task, plan, robots, value }, net));
                }
            }
        }
        self.hopes = hopes;
        offer
    }

    /// The best coalition of one plan whose value could reach `hope`: a bound and, if it exceeds `to_beat`, the value above its
    /// prices of the coalition left in `self.best`.
    pub fn plan(
        &mut self,
        terms: &Terms,
        task: usize,
        way: &Way,
        hope: f64,
        to_beat: f64,
    ) -> Option<(f64, Option<f64>)> {
        let Terms { problem, rules, prices } = *terms;
        let size = way.rows.len();
        let forced = &rules.forced[task];
        if forced.len() > size {
            return None;
        }
        if self.lists.len() < size {
            self.lists.resize(size, Vec::new());
        }
        let lure = lure(problem, size);
        let attraction = |robot: u32| if forced.contains(&robot) { lure } else { 0.0 };
        let unrestricted = forced.is_empty() && rules.barred[task].is_empty();
        // A pair further than this below the best of its row cannot be part of a better coalition.
        let spare = if way.linear && unrestricted { hope - to_beat } else { f64::INFINITY };
        for (row, list) in way.rows.iter().zip(&mut self.lists) {
            list.clear();
            let mut floor = f64::NEG_INFINITY;
            if spare < f64::INFINITY {
                floor = best_pair(row, prices) - spare;
            }
            for &(robot, value) in row {
                let mut net = value - prices[robot as usize];
                if net < floor {
                    continue;
                }
                if !unrestricted {
                    if rules.is_barred(task, robot) {
                        continue;
                    }
                    net += attraction(robot);
                }
                if way.linear {
                    keep_best(list, size, (net, robot, value));
                } else {
                    list.push((net, robot, value));
                }
            }
            if list.is_empty() {
                return None;
            }
        }
        let base = lure * forced.len() as f64;
        let found = match way.reward {
            _ if way.linear => self.largest_sum(size, to_beat + base),
            Reward::Max => self.largest_max(size, prices, &attraction, to_beat + base),
            _ => self.any_function(way, prices, &attraction, to_beat + base),
        };
        let (bound, found) = found?;
        // A sum that lacks a forced robot is one `lure` lower, far below anything that matters.
        Some((bound - base, found.map(|net| net - base).filter(|_| self.has_all(forced))))
    }

    fn has_all(&self, forced: &[u32]) -> bool {
        forced.iter().all(|robot| self.best.contains(robot))
    }

    /// The largest sum with a different robot for each row.
    fn largest_sum(&mut self, size: usize, to_beat: f64) -> Option<(f64, Option<f64>)> {
        self.suffix.clear();
        self.suffix.resize(size + 1, 0.0);
        for row in (0..size).rev() {
            self.suffix[row] = self.suffix[row + 1] + self.lists[row][0].0;
        }
        let hope = self.suffix[0];
        if hope <= to_beat {
            return Some((hope, None));
        }
        if size <= SMALL {
            self.chosen.clear();
            self.best.clear();
            self.best_sum = to_beat;
            self.choose(0, size, 0.0);
            if !self.best.is_empty() {
                return Some((self.best_sum, Some(self.best_sum)));
            }
            // Nothing exceeds `to_beat`, so it is a bound. Without a value to beat there is no coalition at all.
            return (to_beat > f64::NEG_INFINITY).then_some((to_beat, None));
        }
        self.by_assignment(size).map(|sum| (sum, Some(sum)))
    }

    /// Tries the candidates of one row after the other. `size` candidates per row are enough, because the other rows can take
    /// only `size - 1` of them.
    fn choose(&mut self, row: usize, size: usize, sum: f64) {
        if row == size {
            self.best_sum = sum;
            self.best.clone_from(&self.chosen);
            return;
        }
        for place in 0..self.lists[row].len() {
            let (net, robot, _) = self.lists[row][place];
            if sum + net + self.suffix[row + 1] <= self.best_sum {
                break;
            }
            if !self.chosen.contains(&robot) {
                self.chosen.push(robot);
                self.choose(row + 1, size, sum + net);
                self.chosen.pop();
            }
        }
    }

    fn by_assignment(&mut self, size: usize) -> Option<f64> {
        self.local.clear();
        self.local.extend(self.lists[..size].iter().flatten().map(|(_, robot, _)| *robot));
        self.local.sort_unstable();
        self.local.dedup();
        let columns = self.local.len();
        if size > columns {
            return None;
        }
        self.costs.clear();
        self.costs.resize(size * columns, f64::INFINITY);
        for (row, list) in self.lists[..size].iter().enumerate() {
            for (net, robot, _) in list {
                if let Ok(column) = self.local.binary_search(robot) {
                    self.costs[row * columns + column] = -net;
                }
            }
        }
        if !self.solver.solve(size, columns, &self.costs, f64::INFINITY) {
            return None;
        }
        self.best.clear();
        self.best.extend(self.solver.column_of.iter().map(|&column| self.local[column]));
        let sum = |(row, &column): (usize, &usize)| -self.costs[row * columns + column];
        Some(self.solver.column_of.iter().enumerate().map(sum).sum())
    }

    /// The largest reward counts: tries each row as the one that has it; the others contribute only their prices.
    fn largest_max(
        &mut self,
        size: usize,
        prices: &[f64],
        attraction: &dyn Fn(u32) -> f64,
        to_beat: f64,
    ) -> Option<(f64, Option<f64>)> {
        let all = std::mem::take(&mut self.lists);
        self.lists = vec![Vec::with_capacity(size + 1); size];
        let (mut best, mut robots, mut bound) = (to_beat, None, None);
        for counting in 0..size {
            for (row, list) in self.lists.iter_mut().enumerate() {
                list.clear();
                for &(_, robot, value) in &all[row] {
                    let net = attraction(robot) - prices[robot as usize];
                    let reward = if row == counting { value } else { 0.0 };
                    keep_best(list, size, (net + reward, robot, value));
                }
            }
            let Some((most, found)) = self.largest_sum(size, best) else { continue };
            bound = Some(f64::max(bound.unwrap_or(most), most));
            if let Some(sum) = found.filter(|sum| *sum > best) {
                (best, robots) = (sum, Some(self.best.clone()));
            }
        }
        self.lists = all;
        let found = robots.is_some().then_some(best);
        self.best = robots.unwrap_or_default();
        bound.map(|bound| (bound, found))
    }

    /// Any monotone reward function: drops candidates that `size` others dominate in both reward and price, and searches the rest
    /// with bounds.
    fn any_function(
        &mut self,
        way: &Way,
        prices: &[f64],
        attraction: &dyn Fn(u32) -> f64,
        to_beat: f64,
    ) -> Option<(f64, Option<f64>)> {
        let size = way.rows.len();
        let gain = |robot: u32| attraction(robot) - prices[robot as usize];
        for list in &mut self.lists[..size] {
            list.sort_by(|a, b| {
                b.2.total_cmp(&a.2).then(gain(b.1).total_cmp(&gain(a.1))).then(a.1.cmp(&b.1))
            });
            let mut gains: Vec<f64> = Vec::with_capacity(size + 1);
            list.retain(|(_, robot, _)| {
                let gain = gain(*robot);
                let beaten_by = gains.iter().filter(|other| **other >= gain).count();
                if beaten_by >= size {
                    return false;
                }
                let place = gains.partition_point(|other| *other >= gain);
                gains.insert(place, gain);
                gains.truncate(size);
                true
            });
        }
        let rewards: Vec<f64> = self.lists[..size].iter().map(|list| list[0].2).collect();
        let best_gain = |list: &Vec<(f64, u32, f64)>| {
            list.iter().fold(f64::NEG_INFINITY, |best, (_, robot, _)| best.max(gain(*robot)))
        };
        self.suffix.clear();
        self.suffix.resize(size + 1, 0.0);
        for row in (0..size).rev() {
            self.suffix[row] = self.suffix[row + 1] + best_gain(&self.lists[row]);
        }
        let hope = way.reward.value(&rewards) + self.suffix[0];
        if hope <= to_beat {
            return Some((hope, None));
        }
        self.chosen.clear();
        self.best.clear();
        self.best_sum = to_beat;
        self.nodes = 0;
        let mut rewards = rewards;
        self.try_all(0, size, way, &gain, &mut rewards, 0.0);
        let found = (!self.best.is_empty()).then_some(self.best_sum);
        if self.nodes >= PATIENCE {
            return Some((hope, found));
        }
        match found {
            Some(sum) => Some((sum, Some(sum))),
            None => (to_beat > f64::NEG_INFINITY).then_some((to_beat, None)),
        }
    }

    fn try_all(
        &mut self,
        row: usize,
        size: usize,
        way: &Way,
        gain: &dyn Fn(u32) -> f64,
        rewards: &mut [f64],
        gained: f64,
    ) {
        if row == size {
            self.best_sum = way.reward.value(rewards) + gained;
            self.best.clone_from(&self.chosen);
            return;
        }
        let top = rewards[row];
        for place in 0..self.lists[row].len() {
            let (_, robot, reward) = self.lists[row][place];
            if self.nodes >= PATIENCE {
                break;
            }
            if self.chosen.contains(&robot) {
                continue;
            }
            rewards[row] = reward;
            let gained = gained + gain(robot);
            if way.reward.value(rewards) + gained + self.suffix[row + 1] <= self.best_sum {
                continue;
            }
            self.nodes += 1;
            self.chosen.push(robot);
            self.try_all(row + 1, size, way, gain, rewards, gained);
            self.chosen.pop();
        }
        rewards[row] = top;
    }
}

/// A bonus for forced robots, so large that they are left out only if they are unavailable. No price is above `big`.
fn lure(problem: &Problem, size: usize) -> f64 {
    problem.big * (size as f64 + 3.0)
}

/// Upper bound on a plan's value above its prices: every subtask gets its best robot. `None` if a subtask has none.
fn hope(terms: &Terms, task: usize, way: &Way) -> Option<f64> {
    let Terms { problem, rules, prices } = *terms;
    if way.rows.iter().any(Vec::is_empty) {
        return None;
    }
    if !way.linear || !rules.forced[task].is_empty() {
        // No robot is worth more than everything together.
        return Some(problem.big * 2.0);
    }
    Some(way.rows.iter().map(|row| best_pair(row, prices)).sum())
}

/// The largest worth above the price in a row.
fn best_pair(row: &[(u32, f64)], prices: &[f64]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for &(robot, value) in row {
        let net = value - prices[robot as usize];
        if net > best {
            best = net;
        }
    }
    best
}

/// Keeps the `count` best candidates, the best first, the earlier one of equals.
fn keep_best(list: &mut Vec<(f64, u32, f64)>, count: usize, candidate: (f64, u32, f64)) {
    if list.len() == count {
        if list[count - 1].0 >= candidate.0 {
            return;
        }
        list.pop();
    }
    let mut place = list.len();
    while place > 0 && list[place - 1].0 < candidate.0 {
        place -= 1;
    }
    list.insert(place, candidate);
}
