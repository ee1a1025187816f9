//! Branch and bound over injections: tries robots subtask by subtask and prunes branches that cannot win. Exact for every
//! value that can be bounded.

mod extras;
mod search;

pub use extras::{Beyond, Extras, Limit, Pairs};

use crate::matching::Workspace;
use crate::matrix::Matrix;
use crate::{Coalition, CoalitionPlan, Error, Task, better};
use search::Search;

/// The most subtasks of a plan that can be searched this way.
pub const MOST_SUBTASKS: usize = 1000;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The best coalition seen; `None` if none is possible.
    pub coalition: Option<Coalition>,
    /// Upper bound on the value of any coalition; equal to the coalition's value if the search is complete. `-∞` if none is possible.
    pub bound: f64,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// True if the search finished, so that the coalition is optimal.
    pub complete: bool,
}

/// The best coalition of free robots for one task when a coalition's value is more (or less) than its members' rewards: pairs
/// that help or hinder each other, limits on the whole coalition, or a black box.
///
/// The search stops after `nodes` nodes even if it is not complete; the bound still holds. The bound at a node is an
/// assignment on the rewards, plus the links to the members fixed so far, plus half of the best links among the others.
pub fn branch_and_bound(
    task: &Task,
    robots: usize,
    free: &[bool],
    extras: &Extras<'_>,
    nodes: u64,
) -> Result<SearchResult, Error> {
    task.check(robots)?;
    extras.check(robots)?;
    if free.len() != robots {
        return Err(Error::new("free", free.len(), format!("{robots} entries, one per robot")));
    }
    let who: Vec<usize> = (0..robots).filter(|&robot| free[robot]).collect();
    over_plans(&task.plans, &who, extras, nodes, &mut Workspace::default())
}

/// The best coalition without extras.
pub(crate) fn best_coalition(
    plans: &[CoalitionPlan],
    who: &[usize],
    work: &mut Workspace,
) -> Result<Option<Coalition>, Error> {
    over_plans(plans, who, &Extras::default(), u64::MAX, work).map(|found| found.coalition)
}

fn over_plans(
    plans: &[CoalitionPlan],
    who: &[usize],
    extras: &Extras<'_>,
    nodes: u64,
    work: &mut Workspace,
) -> Result<SearchResult, Error> {
    let mut found = SearchResult { coalition: None, bound: f64::NEG_INFINITY, nodes: 0, complete: true };
    for (number, plan) in plans.iter().enumerate() {
        if plan.subtasks.len() > MOST_SUBTASKS {
            let place = format!("plans[{number}].subtasks");
            return Err(Error::new(place, plan.subtasks.len(), format!("at most {MOST_SUBTASKS}")));
        }
        if plan.subtasks.len() > who.len() {
            continue;
        }
        let matrix = Matrix::of(plan, who);
        let to_beat = found.coalition.as_ref().map_or(f64::NEG_INFINITY, |best| best.value);
        let mut search = Search::new(number, plan.reward, &matrix, who, extras, to_beat, nodes - found.nodes);
        search.run(work);
        found.nodes += search.nodes;
        found.complete &= search.complete;
        found.bound = found.bound.max(search.bound());
        found.coalition = better(found.coalition, search.best);
    }
    if let Some(best) = &found.coalition {
        found.bound = if found.complete { best.value } else { found.bound.max(best.value) };
    }
    Ok(found)
}
