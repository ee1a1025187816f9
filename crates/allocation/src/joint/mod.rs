//! All tasks at once: prices for the robots, a linear program over coalitions, and a tree search for what remains undecided.
//!
//! 1. `prices`: a subgradient walk finds good prices and, by rounding, a good allocation.
//! 2. `master`: a linear program over the coalitions found so far sharpens the prices; new coalitions are added while some are
//!    worth more than their prices (`pricing`).
//! 3. `fixing`: removes everything that cannot be part of a better allocation.
//! 4. `tree`: branch on plans, then on robots, until bound and value meet.

mod fixing;
mod master;
mod prices;
mod pricing;
mod problem;
mod repair;
mod rounding;
mod tree;

pub use repair::repair;

use crate::{Allocation, Effort, Error, Instance};
use problem::Problem;
use tree::Tree;

/// When to stop. Counts, not time: equal limits give equal results on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Steps of the walk to good prices before the search starts.
    pub steps: usize,
    /// Nodes of the search tree, the root included; 0 stops after the walk.
    pub nodes: usize,
}

impl Default for SearchLimits {
    /// Until the optimum is proven, or at most 100,000 nodes.
    fn default() -> SearchLimits {
        SearchLimits { steps: 60, nodes: 100_000 }
    }
}

impl SearchLimits {
    /// A good allocation fast: the walk only.
    pub fn quick() -> SearchLimits {
        SearchLimits { steps: 30, nodes: 0 }
    }
}

/// Allocates all tasks together. The value is optimal if the gap is 0. Otherwise the limits ended the search, and the gap is an
/// upper bound on what is missing. Tasks that would lower the total are not served.
///
/// Exact for every reward function. For sum and mean, only the choice of plans is hard; for the others, the choice of robots as well.
pub fn joint(instance: &Instance, limits: &SearchLimits) -> Result<Allocation, Error> {
    instance.check()?;
    let mut tree = Tree::new(Problem::new(instance), vec![0.0; instance.robots]);
    tree.walk(limits.steps);
    tree.search(limits.nodes);
    Ok(finish(instance, tree))
}

fn finish(instance: &Instance, mut tree: Tree) -> Allocation {
    tree.publish(None);
    let coalitions = tree.best.columns.iter().map(|column| column.as_ref().map(|c| c.coalition(instance)));
    let mut allocation = Allocation::new(coalitions.collect(), tree.bound(), tree.prices);
    allocation.effort = Effort { nodes: tree.nodes, pricings: tree.pricings };
    allocation
}
