//! An instance as the joint search sees it: the possible pairs of every subtask, and the rules at a node.

use crate::{Coalition, Instance, Reward};

/// A plan: for every subtask the capable robots with their contributions. The search removes pairs that cannot be part of a
/// better allocation.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub rows: Vec<Vec<(u32, f64)>>,
    /// True if the value is the sum of the pairs' numbers; otherwise they are the arguments of `reward`.
    pub linear: bool,
    pub reward: Reward,
}

#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub robots: usize,
    /// The ways of each task.
    pub tasks: Vec<Vec<Way>>,
    /// Above any value that matters, but small enough to preserve the digits of values.
    pub big: f64,
    /// Upper bound on the value of one task.
    pub top: f64,
}

impl Problem {
    pub fn new(instance: &Instance) -> Problem {
        let (mut big, mut top): (f64, f64) = (1.0, 0.0);
        let mut tasks = Vec::with_capacity(instance.tasks.len());
        for task in &instance.tasks {
            let mut most: f64 = 0.0;
            let mut ways = Vec::with_capacity(task.plans.len());
            for plan in &task.plans {
                let factor = plan.reward.linear(plan.subtasks.len());
                let pairs = |row: &Vec<Option<f64>>| {
                    let capable =
                        row.iter().enumerate().filter_map(|(robot, r)| r.map(|r| (robot as u32, r)));
                    capable.map(|(robot, reward)| (robot, factor.unwrap_or(1.0) * reward)).collect()
                };
                let rows: Vec<Vec<(u32, f64)>> = plan.subtasks.iter().map(pairs).collect();
                let largest = |row: &Vec<(u32, f64)>| row.iter().fold(0.0, |m: f64, (_, v)| m.max(v.abs()));
                let largest: Vec<f64> = rows.iter().map(largest).collect();
                most = most.max(match factor {
                    Some(_) => largest.iter().sum(),
                    None => plan.reward.value(&largest).abs(),
                });
                ways.push(Way { rows, linear: factor.is_some(), reward: plan.reward });
            }
            big += most;
            top = top.max(most);
            tasks.push(ways);
        }
        Problem { robots: instance.robots, tasks, big, top }
    }

    /// The value of a coalition of these robots, if none of its pairs has been removed.
    pub fn value(&self, task: usize, plan: usize, robots: &[u32]) -> Option<f64> {
        let way = &self.tasks[task][plan];
        let reward = |(row, robot): (&Vec<(u32, f64)>, &u32)| {
            row.binary_search_by_key(robot, |(robot, _)| *robot).ok().map(|place| row[place].1)
        };
        let rewards: Vec<f64> = way.rows.iter().zip(robots).map(reward).collect::<Option<_>>()?;
        Some(if way.linear { rewards.iter().sum() } else { way.reward.value(&rewards) })
    }
}

/// A coalition as a column of the restricted problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub task: usize,
    pub plan: usize,
    pub robots: Vec<u32>,
    pub value: f64,
}

impl Column {
    /// The coalition, with its value computed from the instance.
    pub fn coalition(&self, instance: &Instance) -> Coalition {
        let plan = &instance.tasks[self.task].plans[self.plan];
        let robots: Vec<usize> = self.robots.iter().map(|&robot| robot as usize).collect();
        let rewards: Vec<f64> =
            plan.subtasks.iter().zip(&robots).filter_map(|(row, &robot)| row[robot]).collect();
        Coalition { plan: self.plan, value: plan.reward.value(&rewards), robots }
    }
}

/// The restrictions at a node of the search tree.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// `[task][plan]`: may be followed.
    pub plans: Vec<Vec<bool>>,
    /// `[task]`: must be served.
    pub must: Vec<bool>,
    /// `[task][robot]`: must not be used for it; empty while no robot is barred.
    pub barred: Vec<Vec<bool>>,
    /// `[task]`: robots that must be in its coalition.
    pub forced: Vec<Vec<u32>>,
}

impl Rules {
    /// Everything is allowed, except to use a robot in `without`.
    pub fn new(problem: &Problem) -> Rules {
        let tasks = problem.tasks.len();
        Rules {
            plans: problem.tasks.iter().map(|ways| vec![true; ways.len()]).collect(),
            must: vec![false; tasks],
            barred: vec![Vec::new(); tasks],
            forced: vec![Vec::new(); tasks],
        }
    }

    pub fn is_barred(&self, task: usize, robot: u32) -> bool {
        self.barred[task].get(robot as usize).copied().unwrap_or(false)
    }

    pub fn bar(&mut self, task: usize, robot: u32, robots: usize) {
        self.barred[task].resize(robots, false);
        self.barred[task][robot as usize] = true;
    }

    pub fn allow(&self, column: &Column) -> bool {
        self.plans[column.task][column.plan]
            && (self.barred[column.task].is_empty()
                || !column.robots.iter().any(|&robot| self.is_barred(column.task, robot)))
            && self.forced[column.task].iter().all(|robot| column.robots.contains(robot))
    }
}
