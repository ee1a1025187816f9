//! The thesis' method for several tasks: one after the other, each with the best coalition of the remaining robots.

use crate::assignment::{Objective, assign};
use crate::coalition::best_checked;
use crate::matching::Workspace;
use crate::{Allocation, Coalition, Error, Instance, Method};

/// Serves one task at a time in the order of formula 3.7, each with the best coalition of the robots that are left. Tasks
/// for one robot are served like the others, as coalitions of one. A coalition worth less than 0 is not formed.
///
/// The bound is the sum of what the tasks would get if each had all robots for itself, so all prices are 0.
pub fn greedy(instance: &Instance) -> Result<Allocation, Error> {
    greedy_with(instance, Method::Matching)
}

/// [`greedy`] with a given method for each task.
pub fn greedy_with(instance: &Instance, method: Method) -> Result<Allocation, Error> {
    let mut rounds = Rounds::new(instance, method)?;
    for number in order(instance)? {
        rounds.serve(number)?;
    }
    Ok(rounds.finish())
}

/// As the auctioneer of the thesis does it: all single-robot tasks form one round with one maximum-weight assignment. That
/// round comes as soon as their mean utility is at least that of the next coalition task per robot (3.8). Coalition tasks come
/// one by one in the order of 3.7.
pub fn in_rounds(instance: &Instance) -> Result<Allocation, Error> {
    let mut rounds = Rounds::new(instance, Method::Matching)?;
    let single: Vec<usize> =
        (0..instance.tasks.len()).filter(|&number| instance.tasks[number].is_single_robot()).collect();
    let mean = single.iter().map(|&task| rounds.utility(task)).sum::<f64>() / single.len().max(1) as f64;
    let mut announced = single.is_empty();
    for number in order(instance)? {
        if instance.tasks[number].is_single_robot() {
            continue;
        }
        let ratio = rounds.utility(number) / instance.tasks[number].average_size();
        if !announced && ratio <= mean {
            rounds.serve_single(&single)?;
            announced = true;
        }
        rounds.serve(number)?;
    }
    if !announced {
        rounds.serve_single(&single)?;
    }
    Ok(rounds.finish())
}

/// The order in which greedy serves the tasks: largest utility over average coalition size first (3.7). Ties go to the earlier
/// task.
pub fn order(instance: &Instance) -> Result<Vec<usize>, Error> {
    let rounds = Rounds::new(instance, Method::Matching)?;
    let ratio = |number: usize| rounds.utility(number) / instance.tasks[number].average_size();
    let ratios: Vec<f64> = (0..instance.tasks.len()).map(ratio).collect();
    let mut order: Vec<usize> = (0..ratios.len()).collect();
    order.sort_by(|a, b| ratios[*b].total_cmp(&ratios[*a]).then(a.cmp(b)));
    Ok(order)
}

struct Rounds<'a> {
    instance: &'a Instance,
    method: Method,
    work: Workspace,
    /// The value of each task if it had all robots for itself.
    alone: Vec<Option<f64>>,
    free: Vec<usize>,
    assignment: Vec<Option<Coalition>>,
}

impl Rounds<'_> {
    fn new(instance: &Instance, method: Method) -> Result<Rounds<'_>, Error> {
        instance.check()?;
        let mut rounds = Rounds {
            instance,
            method,
            work: Workspace::default(),
            alone: Vec::new(),
            free: (0..instance.robots).collect(),
            assignment: vec![None; instance.tasks.len()],
        };
        for task in &instance.tasks {
            let best = best_checked(task, &rounds.free, Method::Matching, &mut rounds.work)?;
            rounds.alone.push(best.map(|coalition| coalition.value));
        }
        Ok(rounds)
    }

    /// The task's utility, or else its best possible value; `-∞` if nobody can do it.
    fn utility(&self, number: usize) -> f64 {
        let task = &self.instance.tasks[number];
        task.utility.or(self.alone[number]).unwrap_or(f64::NEG_INFINITY)
    }

    fn serve(&mut self, number: usize) -> Result<(), Error> {
        let task = &self.instance.tasks[number];
        let best = best_checked(task, &self.free, self.method, &mut self.work)
            .map_err(|error| error.within(&format!("tasks[{number}]")))?;
        if let Some(coalition) = best.filter(|coalition| coalition.value >= 0.0) {
            self.free.retain(|robot| !coalition.robots.contains(robot));
            self.assignment[number] = Some(coalition);
        }
        Ok(())
    }

    /// One round for all single-robot tasks: every robot bids its best plan for each.
    fn serve_single(&mut self, tasks: &[usize]) -> Result<(), Error> {
        let bid = |number: usize, robot: usize| {
            let plans = self.instance.tasks[number].plans.iter().enumerate();
            let bids = plans.filter_map(|(plan, p)| {
                let reward = p.subtasks[0][robot]?;
                Some(Coalition { plan, robots: vec![robot], value: p.reward.value(&[reward]) })
            });
            bids.fold(None, |best, bid| crate::better(best, Some(bid)))
        };
        let row =
            |&number: &usize| self.free.iter().map(|&robot| bid(number, robot).map(|b| b.value)).collect();
        let rewards: Vec<Vec<Option<f64>>> = tasks.iter().map(row).collect();
        let Some(found) = assign(&rewards, Objective::Total)? else { return Ok(()) };
        for (&number, column) in tasks.iter().zip(&found.columns) {
            self.assignment[number] = column.and_then(|column| bid(number, self.free[column]));
        }
        let used: Vec<usize> = found.columns.iter().flatten().map(|&column| self.free[column]).collect();
        self.free.retain(|robot| !used.contains(robot));
        Ok(())
    }

    fn finish(self) -> Allocation {
        let bound = self.alone.iter().flatten().map(|value| value.max(0.0)).sum();
        Allocation::new(self.assignment, bound, vec![0.0; self.instance.robots])
    }
}
