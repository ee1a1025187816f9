//! The result of an allocation: which coalition does which task, its value, and a bound on the optimum.

use crate::{Coalition, Error, Instance};
use serde::{Deserialize, Serialize};

/// An allocation of tasks to coalitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Allocation {
    /// The coalition of each task; `None` for tasks that are not served.
    pub assignment: Vec<Option<Coalition>>,
    /// The sum of the coalitions' values.
    pub value: f64,
    /// No allocation is worth more than this.
    pub bound: f64,
    /// `(bound - value) / |bound|`: the largest possible relative shortfall. 0 if the value is proven optimal.
    pub gap: f64,
    /// Price of each robot: an upper bound on the team's gain from one more robot like it. The prices plus the value of every
    /// task's best coalition above the prices of its members bound every allocation, so anyone can verify the bound. The search
    /// may have proven a tighter one since.
    pub prices: Vec<f64>,
    /// How much was searched. Informative only.
    pub effort: Effort,
}

/// Counts of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Nodes of the search tree.
    pub nodes: usize,
    /// How often the best coalition of every task was computed for given prices.
    pub pricings: usize,
}

impl Allocation {
    /// An allocation of these coalitions with a bound that was proven for it.
    pub(crate) fn new(assignment: Vec<Option<Coalition>>, bound: f64, prices: Vec<f64>) -> Allocation {
        // `sum` of an empty iterator would be -0.
        let value = assignment.iter().flatten().fold(0.0, |sum, coalition| sum + coalition.value);
        let bound = bound.max(value) + 0.0;
        // A difference within rounding error is no gap.
        let short = if bound - value <= 1e-9 * bound.abs().max(1e-9) { 0.0 } else { bound - value };
        let gap = if short == 0.0 { 0.0 } else { short / bound.abs() };
        Allocation { assignment, value, bound, gap, prices, effort: Effort::default() }
    }

    /// For each robot, whether a coalition uses it.
    pub fn busy(&self, robots: usize) -> Vec<bool> {
        let mut busy = vec![false; robots];
        for &robot in self.assignment.iter().flatten().flat_map(|coalition| &coalition.robots) {
            if let Some(busy) = busy.get_mut(robot) {
                *busy = true;
            }
        }
        busy
    }

    /// Refuses an allocation that does not fit the instance: unknown plans or robots, incapable robots, robots used twice, wrong
    /// values.
    pub fn check(&self, instance: &Instance) -> Result<(), Error> {
        if self.assignment.len() != instance.tasks.len() {
            let accepted = format!("{} entries, one per task", instance.tasks.len());
            return Err(Error::new("assignment", self.assignment.len(), accepted));
        }
        let mut used = vec![false; instance.robots];
        for (number, coalition) in self.assignment.iter().enumerate() {
            let Some(coalition) = coalition else { continue };
            let place = |what: &str| format!("assignment[{number}].{what}");
            let plans = &instance.tasks[number].plans;
            let Some(plan) = plans.get(coalition.plan) else {
                let accepted = format!("a plan below {}", plans.len());
                return Err(Error::new(place("plan"), coalition.plan, accepted));
            };
            if coalition.robots.len() != plan.subtasks.len() {
                let accepted = format!("{} robots, one per subtask", plan.subtasks.len());
                return Err(Error::new(place("robots"), coalition.robots.len(), accepted));
            }
            let mut rewards = Vec::new();
            for (row, &robot) in plan.subtasks.iter().zip(&coalition.robots) {
                let Some(reward) = row.get(robot).copied().flatten() else {
                    return Err(Error::new(place("robots"), robot, "a robot that is capable of the subtask"));
                };
                if std::mem::replace(&mut used[robot], true) {
                    return Err(Error::new(place("robots"), robot, "a robot that does nothing else"));
                }
                rewards.push(reward);
            }
            let value = plan.reward.value(&rewards);
            let off = (value - coalition.value).abs();
            if off.is_nan() || off > 1e-9 * value.abs().max(1.0) {
                return Err(Error::new(place("value"), coalition.value, format!("{value}")));
            }
        }
        Ok(())
    }
}
