//! The best coalition for one task.

use crate::matching::Workspace;
use crate::{Error, Task, branch, exhaustive, matching};
use serde::{Deserialize, Serialize};

/// A coalition with its subtask assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coalition {
    /// The plan that it follows.
    pub plan: usize,
    /// The robot of each subtask of that plan.
    pub robots: Vec<usize>,
    /// The plan's reward function applied to its members' rewards.
    pub value: f64,
}

impl Coalition {
    /// True if it is preferred: by larger value, then lower plan, then lower robots, subtask by subtask.
    pub fn beats(&self, other: &Coalition) -> bool {
        let by_value = other.value.total_cmp(&self.value);
        by_value.then(self.plan.cmp(&other.plan)).then_with(|| self.robots.cmp(&other.robots)).is_lt()
    }
}

/// The preferred one of two. The auctioneer merges its brokers' results with it.
pub fn better(one: Option<Coalition>, other: Option<Coalition>) -> Option<Coalition> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.beats(&one) { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// How to look for the best coalition. All but [`Method::BestSum`] are exact for every reward function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// One search over injections per plan; polynomial in the numbers of subtasks and robots for every reward function.
    #[default]
    Matching,
    /// Every coalition of the plan's size, each with its best assignment: 2^R coalitions. For comparisons and tests.
    Exhaustive,
    /// Tries robots subtask by subtask and prunes branches that cannot win.
    BranchAndBound,
    /// The method of the thesis: the assignment with the largest sum for every coalition, and only then the reward function.
    /// Exact for sum and mean only.
    BestSum,
}

/// The best coalition of free robots for one task, over all its plans; `None` if no plan can be staffed.
///
/// `free` says for each of the `robots` whether it may be used. A coalition may have a negative value if there is none better.
pub fn best_coalition(
    task: &Task,
    robots: usize,
    free: &[bool],
    method: Method,
) -> Result<Option<Coalition>, Error> {
    task.check(robots)?;
    if free.len() != robots {
        return Err(Error::new("free", free.len(), format!("{robots} entries, one per robot")));
    }
    let who: Vec<usize> = (0..robots).filter(|&robot| free[robot]).collect();
    best_checked(task, &who, method, &mut Workspace::default())
}

/// As [`best_coalition`], for a task that has been checked.
pub(crate) fn best_checked(
    task: &Task,
    who: &[usize],
    method: Method,
    work: &mut Workspace,
) -> Result<Option<Coalition>, Error> {
    match method {
        Method::Matching => Ok(matching::best_coalition(&task.plans, who, work)),
        Method::Exhaustive => exhaustive::over_all(&task.plans, who, true, work),
        Method::BestSum => exhaustive::over_all(&task.plans, who, false, work),
        Method::BranchAndBound => branch::best_coalition(&task.plans, who, work),
    }
}

/// Number of reward table cells that [`best_coalition`] examines: an operation count that does not depend on the machine. For
/// reward functions that are solved by assignments (sum, mean, product, harmonic).
pub fn operations(task: &Task, robots: usize, method: Method) -> Result<u64, Error> {
    task.check(robots)?;
    let who: Vec<usize> = (0..robots).collect();
    let mut work = Workspace::default();
    best_checked(task, &who, method, &mut work)?;
    // The rows of every plan are scanned once for their best robots.
    let favourites: usize = task.plans.iter().map(|plan| plan.subtasks.len() * robots).sum();
    let first_look = if method == Method::Matching { favourites as u64 } else { 0 };
    Ok(work.solver.cells + first_look)
}
