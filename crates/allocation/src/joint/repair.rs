//! Repair after a robot failure: keeps the coalitions without it, serves its tasks again, and uses the old prices to bound the gap.

use super::finish;
use super::problem::{Column, Problem};
use super::tree::Tree;
use crate::{Allocation, Error, Instance};

/// The gap below which no more work is done while a mission is waiting.
const ENOUGH: f64 = 1e-3;
/// Steps of the walk to better prices if the first answer is not good enough.
const STEPS: usize = 15;
/// Nodes of the search if the walk is not enough either.
const NODES: usize = 5;

/// Repairs an allocation after `failed` has failed. The robot is not used any more, whatever the instance says about it.
///
/// The old prices without the failed robot's remain valid prices, so a bound costs one evaluation of every task. The
/// allocation starts from the coalitions without the robot, serves its tasks with the remaining robots, and reassigns robots.
/// If that leaves a gap of more than 0.1 % (and more than the old one), a short walk and a short search follow. For the
/// optimum, solve again with [`crate::joint`].
pub fn repair(instance: &Instance, previous: &Allocation, failed: usize) -> Result<Allocation, Error> {
    instance.check()?;
    previous.check(instance)?;
    if failed >= instance.robots {
        return Err(Error::new("failed_robot", failed, format!("a robot below {}", instance.robots)));
    }
    if previous.prices.len() != instance.robots {
        let accepted = format!("{} prices, one per robot", instance.robots);
        return Err(Error::new("previous.prices", previous.prices.len(), accepted));
    }
    let mut problem = Problem::new(instance);
    for row in problem.tasks.iter_mut().flatten().flat_map(|way| &mut way.rows) {
        row.retain(|(robot, _)| *robot as usize != failed);
    }
    let sound = |price: f64| if price.is_finite() { price.clamp(0.0, problem.big) } else { 0.0 };
    let mut prices: Vec<f64> = previous.prices.iter().map(|&price| sound(price)).collect();
    prices[failed] = 0.0;
    let mut tree = Tree::new(problem, prices);
    let kept = previous.assignment.iter().enumerate().filter_map(|(task, coalition)| {
        let coalition = coalition.as_ref().filter(|coalition| !coalition.robots.contains(&failed))?;
        let robots: Vec<u32> = coalition.robots.iter().map(|&robot| robot as u32).collect();
        let value = tree.problem.value(task, coalition.plan, &robots)?;
        Some(Column { task, plan: coalition.plan, robots, value })
    });
    let kept = kept.collect();
    tree.mend(kept);
    let enough = previous.gap.max(ENOUGH);
    let good = |tree: &Tree| tree.bound() - tree.best.value <= enough * tree.bound().abs();
    if !good(&tree) {
        tree.tighten();
        tree.walk(STEPS);
    }
    if !good(&tree) {
        tree.search(NODES);
    }
    Ok(finish(instance, tree))
}
