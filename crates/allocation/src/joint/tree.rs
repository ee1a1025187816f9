//! The search tree: every node has prices and a bound; every branch takes or leaves a plan or a robot.

use super::fixing::fix;
use super::master::Master;
use super::prices::{Market, ask, step};
use super::pricing::{Pricer, Terms};
use super::problem::{Column, Problem, Rules};
use super::rounding::{Draft, polish, round};
use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};

/// Values whose relative difference is below this count as equal.
const EQUAL: f64 = 1e-10;
/// Above this number of rows the linear program costs more than it gains.
const MOST_ROWS: usize = 2500;
/// Rounds to make the prices valid for the whole problem, and the gap that is good enough.
const PUBLISHING_ROUNDS: usize = 10;
const PUBLISHED_GAP: f64 = 3e-4;
/// Rounds of new coalitions at one node.
const MOST_ROUNDS: usize = 200;

pub(super) struct Tree {
    pub problem: Problem,
    pub best: Draft,
    pub prices: Vec<f64>,
    pub nodes: usize,
    pub pricings: usize,
    root: Rules,
    /// The whole problem, once pairs have been dropped, and the best prices for it.
    whole: Option<(Problem, Vec<f64>)>,
    /// The smallest bound of the root.
    root_bound: f64,
    /// No open node has a larger bound.
    open_bound: f64,
    pricer: Pricer,
    known: BTreeSet<(usize, usize, Vec<u32>)>,
    pool: Vec<Column>,
}

struct Node {
    bound: f64,
    number: usize,
    rules: Rules,
}

/// The result of processing a node.
enum NodeResult {
    /// Nothing better below it.
    Closed,
    /// Still open, with this bound; branch.
    Open(f64, Branch),
    /// Still open, but the program offers nothing to branch on.
    Stuck(f64),
}

enum Branch {
    Plan { task: usize, plan: usize },
    Robot { task: usize, robot: u32 },
}

impl Tree {
    pub fn new(problem: Problem, prices: Vec<f64>) -> Tree {
        Tree {
            best: Draft::empty(problem.tasks.len()),
            root: Rules::new(&problem),
            problem,
            prices,
            nodes: 0,
            pricings: 0,
            whole: None,
            root_bound: f64::INFINITY,
            open_bound: f64::INFINITY,
            pricer: Pricer::default(),
            known: BTreeSet::new(),
            pool: Vec::new(),
        }
    }

    /// Upper bound on every allocation.
    pub fn bound(&self) -> f64 {
        self.root_bound.min(self.open_bound).max(self.best.value)
    }

    fn ask(&mut self, rules: &Rules, prices: &[f64]) -> Market {
        self.pricings += 1;
        ask(&Terms { problem: &self.problem, rules, prices }, &mut self.pricer)
    }

    fn learn(&mut self, market: &Market) -> usize {
        let mut new = 0;
        for (column, _) in &market.wanted {
            if self.known.insert((column.task, column.plan, column.robots.clone())) {
                self.pool.push(column.clone());
                new += 1;
            }
        }
        new
    }

    /// The value that a better allocation must exceed.
    fn to_beat(&self) -> f64 {
        self.best.value + EQUAL * self.best.value.abs().max(self.problem.big * 1e-3)
    }

    pub fn offer_draft(&mut self, draft: Draft) {
        if draft.value > self.best.value {
            self.best = draft;
        }
    }

    /// Walks from the current prices to better ones and keeps the best.
    pub fn walk(&mut self, steps: usize) {
        let rules = self.root.clone();
        let mut prices = self.prices.clone();
        let mut direction = vec![0.0; prices.len()];
        let (mut pace, mut stale) = (1.0, 0);
        for number in 0..steps.max(1) {
            let market = self.ask(&rules, &prices);
            if number * 2 >= steps {
                self.learn(&market);
            }
            if market.bound < self.root_bound {
                self.root_bound = market.bound;
                self.prices.clone_from(&prices);
                stale = 0;
            } else {
                stale += 1;
            }
            if number % 20 == 0 || number + 1 >= steps {
                self.round_by(&rules, &market, &prices);
            }
            if self.root_bound <= self.to_beat() {
                break;
            }
            if number % 20 == 10 {
                // The fewer pairs are left, the faster the rest of the walk.
                self.tighten();
            }
            if stale >= 4 {
                (pace, stale) = (pace * 0.6, 0);
            }
            let target = self.best.value.max(self.root_bound * 0.98);
            step(&mut prices, &market, &mut direction, target, pace);
        }
    }

    /// Starts from coalitions to keep, and serves the other tasks with the remaining robots.
    pub fn mend(&mut self, kept: Vec<Column>) {
        let rules = self.root.clone();
        let prices = self.prices.clone();
        let market = self.ask(&rules, &prices);
        self.root_bound = self.root_bound.min(market.bound);
        let mut start = Draft::empty(self.problem.tasks.len());
        kept.into_iter().for_each(|column| start.set(column));
        let mut order: Vec<usize> = (0..self.problem.tasks.len()).collect();
        order.sort_by(|a, b| market.gains[*b].total_cmp(&market.gains[*a]).then(a.cmp(b)));
        let terms = Terms { problem: &self.problem, rules: &rules, prices: &prices };
        let draft = round(&terms, &order, start, &mut self.pricer);
        self.offer_draft(draft);
        if self.root_bound > self.to_beat() {
            self.round_by(&rules, &market, &prices);
        }
    }

    /// Rounds a market: tasks with the largest gain first.
    fn round_by(&mut self, rules: &Rules, market: &Market, prices: &[f64]) {
        let mut order: Vec<usize> = (0..self.problem.tasks.len()).collect();
        order.sort_by(|a, b| market.gains[*b].total_cmp(&market.gains[*a]).then(a.cmp(b)));
        let start = Draft::empty(order.len());
        let terms = Terms { problem: &self.problem, rules, prices };
        let draft = round(&terms, &order, start, &mut self.pricer);
        self.offer_draft(draft);
    }

    /// Searches until bound and value meet or the node limit is reached.
    pub fn search(&mut self, most_nodes: usize) {
        if most_nodes == 0 || self.root_bound <= self.to_beat() {
            return;
        }
        if self.problem.robots + self.problem.tasks.len() > MOST_ROWS {
            return;
        }
        self.tighten();
        let mut master = Master::new(self.problem.tasks.len(), self.problem.robots, self.problem.big * 1e-3);
        for column in std::mem::take(&mut self.pool) {
            master.add(column);
        }
        let mut open = BinaryHeap::new();
        let mut stuck = f64::NEG_INFINITY;
        open.push(Node { bound: self.root_bound, number: 0, rules: self.root.clone() });
        let mut made = 1;
        while let Some(node) = open.pop() {
            if node.bound <= self.to_beat() {
                open.clear();
                break;
            }
            if self.nodes >= most_nodes {
                open.push(node);
                break;
            }
            self.nodes += 1;
            match self.visit(&node, &mut master) {
                NodeResult::Closed => {}
                NodeResult::Stuck(bound) => stuck = stuck.max(bound),
                NodeResult::Open(bound, branch) => {
                    for rules in self.children(&node.rules, &branch) {
                        open.push(Node { bound, number: made, rules });
                        made += 1;
                    }
                }
            }
        }
        let left = open.peek().map_or(f64::NEG_INFINITY, |node| node.bound);
        self.open_bound = left.max(stuck);
        self.publish(Some(&mut master));
    }

    /// Makes the prices valid for the whole problem, dropped pairs included, because callers rely on them.
    pub fn publish(&mut self, master: Option<&mut Master>) {
        let Some((whole, earlier)) = self.whole.take() else { return };
        let known = self.bound();
        self.problem = whole;
        self.root = Rules::new(&self.problem);
        let rules = self.root.clone();
        let (now, before) = (self.ask(&rules, &self.prices.clone()).bound, self.ask(&rules, &earlier).bound);
        let mut best = now;
        if before < now {
            (best, self.prices) = (before, earlier);
        }
        let Some(master) = master else { return };
        let big = self.problem.big;
        for _ in 0..PUBLISHING_ROUNDS {
            if best <= known + PUBLISHED_GAP * known.abs() {
                break;
            }
            master.set_worths(|column| column.value, |_| 0.0);
            master.solve(2000);
            let prices: Vec<f64> = master.prices().into_iter().map(|price| price.min(big)).collect();
            let market = self.ask(&rules, &prices);
            if market.bound < best {
                (best, self.prices) = (market.bound, prices);
            }
            if self.learn(&market) == 0 {
                break;
            }
            std::mem::take(&mut self.pool).into_iter().for_each(|column| master.add(column));
        }
    }

    /// Drops everything that cannot be part of a better allocation at the best prices of the root.
    pub fn tighten(&mut self) {
        let rules = self.root.clone();
        let prices = self.prices.clone();
        let market = self.ask(&rules, &prices);
        let slack = market.bound - self.to_beat();
        if slack > 0.0 {
            if self.whole.is_none() {
                self.whole = Some((self.problem.clone(), prices.clone()));
            }
            fix(&mut self.problem, &mut self.root, &prices, &market.gains, slack, &mut self.pricer);
        }
    }

    fn visit(&mut self, node: &Node, master: &mut Master) -> NodeResult {
        let big = self.problem.big;
        // A forbidden column costs more than it gains, and skipping a task that must be served costs more than the others can bring
        // in. No more than that: large numbers only mislead the program, and the bound does not depend on them.
        let top = self.problem.top;
        let set_worths = |master: &mut Master, rules: &Rules| {
            let left = |task: usize| if rules.must[task] { -8.0 * top } else { 0.0 };
            master.set_worths(
                |column| if rules.allow(column) { column.value } else { left(column.task) - top },
                left,
            );
        };
        set_worths(master, &node.rules);
        let mut bound = node.bound;
        let is_root = node.number == 0;
        for round_number in 0..MOST_ROUNDS {
            let value = master.solve(5000);
            let prices: Vec<f64> = master.prices().into_iter().map(|price| price.min(big)).collect();
            let market = self.ask(&node.rules, &prices);
            if market.bound < bound {
                bound = market.bound;
                if is_root {
                    self.root_bound = self.root_bound.min(bound);
                    self.prices.clone_from(&prices);
                }
            }
            if bound <= self.to_beat() {
                return NodeResult::Closed;
            }
            let new = self.learn(&market);
            let added = std::mem::take(&mut self.pool);
            let done = new == 0 || bound - value <= EQUAL * big;
            for column in added {
                master.add(column);
            }
            if done {
                break;
            }
            if is_root && round_number % 5 == 4 {
                self.round_mix(&node.rules, master, &prices);
            }
            set_worths(master, &node.rules);
        }
        let prices: Vec<f64> = master.prices().into_iter().map(|price| price.min(big)).collect();
        self.round_mix(&node.rules, master, &prices);
        if bound <= self.to_beat() {
            return NodeResult::Closed;
        }
        if is_root {
            self.tighten();
        }
        match self.torn(&node.rules, master) {
            Some(branch) => NodeResult::Open(bound, branch),
            None => NodeResult::Stuck(bound),
        }
    }

    /// Builds allocations from the program's mix of coalitions: the most decided tasks first.
    fn round_mix(&mut self, rules: &Rules, master: &Master, prices: &[f64]) {
        let mut mix: Vec<(&Column, f64)> =
            master.mix().into_iter().filter(|(column, _)| rules.allow(column)).collect();
        mix.sort_by(|a, b| {
            let by_share = b.1.total_cmp(&a.1);
            by_share.then(b.0.value.total_cmp(&a.0.value)).then(a.0.task.cmp(&b.0.task))
        });
        let tasks = self.problem.tasks.len();
        let mut start = Draft::empty(tasks);
        let mut taken = vec![false; self.problem.robots];
        let mut share = vec![0.0; tasks];
        for (column, level) in &mix {
            share[column.task] += level;
            let free = column.robots.iter().all(|&robot| !taken[robot as usize]);
            if start.columns[column.task].is_none() && free {
                column.robots.iter().for_each(|&robot| taken[robot as usize] = true);
                start.columns[column.task] = Some((*column).clone());
            }
        }
        let mut order: Vec<usize> = (0..tasks).collect();
        order.sort_by(|a, b| share[*b].total_cmp(&share[*a]).then(a.cmp(b)));
        polish(&self.problem, &self.root, &mut start);
        let terms = Terms { problem: &self.problem, rules: &self.root, prices };
        let draft = round(&terms, &order, start, &mut self.pricer);
        self.offer_draft(draft);
        // Again with the plans that the tasks prefer, assigned by prices alone.
        let mut preferred = rules.clone();
        for task in 0..tasks {
            let mut shares = vec![0.0; preferred.plans[task].len()];
            mix.iter().filter(|(c, _)| c.task == task).for_each(|(c, level)| shares[c.plan] += level);
            if let Some(best) = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b]))
                && shares[best] > 0.5
            {
                preferred.plans[task].fill(false);
                preferred.plans[task][best] = true;
            }
        }
        let terms = Terms { problem: &self.problem, rules: &preferred, prices };
        let draft = round(&terms, &order, Draft::empty(tasks), &mut self.pricer);
        self.offer_draft(draft);
    }

    /// The most undecided part of the mix: plans first, then robots.
    fn torn(&self, rules: &Rules, master: &Master) -> Option<Branch> {
        let undecided = |share: f64| (0.5 - (share - 0.5).abs()).max(0.0);
        let mut plans: Vec<Vec<f64>> = self.problem.tasks.iter().map(|ways| vec![0.0; ways.len()]).collect();
        let mix = master.mix();
        for (column, level) in &mix {
            plans[column.task][column.plan] += level;
        }
        let mut best: (f64, Option<Branch>) = (1e-4, None);
        for (task, shares) in plans.iter().enumerate() {
            for (plan, &share) in shares.iter().enumerate() {
                if rules.plans[task][plan] && undecided(share) > best.0 {
                    best = (undecided(share), Some(Branch::Plan { task, plan }));
                }
            }
        }
        if best.1.is_some() {
            return best.1;
        }
        let mut robots = vec![0.0; self.problem.robots * self.problem.tasks.len()];
        for (column, level) in &mix {
            for &robot in &column.robots {
                robots[column.task * self.problem.robots + robot as usize] += level;
            }
        }
        for (place, &share) in robots.iter().enumerate() {
            if undecided(share) > best.0 {
                let (task, robot) = (place / self.problem.robots, (place % self.problem.robots) as u32);
                best = (undecided(share), Some(Branch::Robot { task, robot }));
            }
        }
        best.1
    }

    fn children(&self, rules: &Rules, branch: &Branch) -> [Rules; 2] {
        let (mut with, mut without) = (rules.clone(), rules.clone());
        match *branch {
            Branch::Plan { task, plan } => {
                with.plans[task].fill(false);
                with.plans[task][plan] = true;
                with.must[task] = true;
                without.plans[task][plan] = false;
            }
            Branch::Robot { task, robot } => {
                with.must[task] = true;
                with.forced[task].push(robot);
                for other in (0..self.problem.tasks.len()).filter(|other| *other != task) {
                    with.bar(other, robot, self.problem.robots);
                }
                without.bar(task, robot, self.problem.robots);
            }
        }
        [with, without]
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The largest bound first, then the latest made.
    fn cmp(&self, other: &Node) -> Ordering {
        self.bound.total_cmp(&other.bound).then(self.number.cmp(&other.number))
    }
}
