//! Problem instances: robots, tasks, alternative plans and the reward of every robot for every subtask.

use crate::{Error, Reward};
use serde::{Deserialize, Serialize};

/// The largest magnitude of a reward. Sums of many rewards must stay exact enough to be compared.
pub const LARGEST: f64 = 1e12;

/// The largest product of rewards.
pub const LARGEST_PRODUCT: f64 = 1e100;

/// Robots and tasks. Robots are numbered from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// How many robots there are.
    pub robots: usize,
    /// The open tasks.
    pub tasks: Vec<Task>,
}

/// A task with its alternative plans. A plan with one subtask is for one robot (an SR task has only such plans).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name.
    pub id: String,
    /// The utility u of formula 3.7, which decides when greedy serves the task. Defaults to the task's best reward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<f64>,
    /// The ways to do it; one of them is chosen.
    pub plans: Vec<CoalitionPlan>,
}

/// One way to do a task: every subtask needs a robot of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoalitionPlan {
    /// The coalition's reward as a function of its members' rewards. Default: the mean (3.21).
    #[serde(default)]
    pub reward: Reward,
    /// `[subtask][robot]`: the reward of the robot for the subtask, `None` if it is incapable.
    pub subtasks: Vec<Vec<Option<f64>>>,
}

impl Instance {
    /// Refuses instances that cannot be allocated: numbers that are not finite, rows that do not fit, empty tasks and plans.
    pub fn check(&self) -> Result<(), Error> {
        for (number, task) in self.tasks.iter().enumerate() {
            task.check(self.robots).map_err(|error| error.within(&format!("tasks[{number}]")))?;
        }
        Ok(())
    }
}

impl Task {
    /// Refuses tasks that cannot be allocated to `robots` robots.
    pub fn check(&self, robots: usize) -> Result<(), Error> {
        if let Some(utility) = self.utility.filter(|utility| !usable(*utility)) {
            return Err(Error::new("utility", utility, numbers_accepted()));
        }
        if self.plans.is_empty() {
            return Err(Error::new("plans", "none", "at least one plan"));
        }
        for (number, plan) in self.plans.iter().enumerate() {
            plan.check(robots).map_err(|error| error.within(&format!("plans[{number}]")))?;
        }
        Ok(())
    }

    /// True if every plan is for one robot.
    pub fn is_single_robot(&self) -> bool {
        self.plans.iter().all(|plan| plan.subtasks.len() == 1)
    }

    /// The average coalition size over its plans, |z(τ)| in 3.7.
    pub fn average_size(&self) -> f64 {
        let sizes: usize = self.plans.iter().map(|plan| plan.subtasks.len()).sum();
        sizes as f64 / self.plans.len().max(1) as f64
    }
}

impl CoalitionPlan {
    fn check(&self, robots: usize) -> Result<(), Error> {
        self.reward.check()?;
        if self.subtasks.is_empty() {
            return Err(Error::new("subtasks", "none", "at least one subtask"));
        }
        for (subtask, row) in self.subtasks.iter().enumerate() {
            if row.len() != robots {
                let accepted = format!("{robots} rewards or nulls, one per robot");
                return Err(Error::new(format!("subtasks[{subtask}]"), row.len(), accepted));
            }
            let least = if self.reward.needs_positive() { 0.0 } else { -LARGEST };
            let wrong = |reward: f64| !(least..=LARGEST).contains(&reward);
            let Some(robot) = row.iter().position(|reward| reward.is_some_and(wrong)) else { continue };
            let (place, found) = (format!("subtasks[{subtask}][{robot}]"), row[robot].unwrap_or_default());
            let accepted = match usable(found) {
                false => numbers_accepted(),
                true => {
                    let name = if self.reward == Reward::Product { "product" } else { "harmonic" };
                    format!("0 or more, or null: the plan's reward is `{name}`")
                }
            };
            return Err(Error::new(place, found, accepted));
        }
        self.check_product()
    }

    /// Rewards may be far from 1, but their product must stay comparable.
    fn check_product(&self) -> Result<(), Error> {
        if self.reward != Reward::Product {
            return Ok(());
        }
        let largest = |row: &Vec<Option<f64>>| row.iter().flatten().copied().fold(0.0, f64::max);
        let product: f64 = self.subtasks.iter().map(largest).product();
        if product > LARGEST_PRODUCT {
            let accepted = format!("rewards whose product is at most {LARGEST_PRODUCT:e}");
            return Err(Error::new("subtasks", format!("{product:e} as the largest product"), accepted));
        }
        Ok(())
    }
}

fn usable(number: f64) -> bool {
    number.is_finite() && number.abs() <= LARGEST
}

fn numbers_accepted() -> String {
    format!("a finite number of at most {LARGEST:e} in magnitude, or null")
}
