//! Enumeration of coalitions, as the brokers of the thesis do it.

use crate::matching::Workspace;
use crate::matrix::Matrix;
use crate::{Coalition, CoalitionPlan, Error, Task, better};

/// The most free robots for which all coalitions are enumerated.
pub const MOST_ROBOTS_EXHAUSTIVE: usize = 24;

/// The best coalition for a task among the given ones, each a bit mask of robots (bit 0 is robot 0): the work of one broker of
/// MuRoCo-D. Each coalition is tried with every plan of its size. Coalitions with a robot that is not free are skipped.
///
/// Merging the answers for all [`crate::responsibilities`] with [`better`] gives what [`crate::Method::Exhaustive`] gives.
pub fn best_among(
    task: &Task,
    robots: usize,
    free: &[bool],
    coalitions: &[u64],
) -> Result<Option<Coalition>, Error> {
    task.check(robots)?;
    if robots > 64 {
        return Err(Error::new("robots", robots, "at most 64, because a coalition is a mask of 64 bits"));
    }
    if free.len() != robots {
        return Err(Error::new("free", free.len(), format!("{robots} entries, one per robot")));
    }
    let known = if robots == 64 { u64::MAX } else { (1 << robots) - 1 };
    let busy = (0..robots).filter(|&robot| !free[robot]).fold(0, |mask: u64, robot| mask | 1 << robot);
    let mut search = Search { plans: &task.plans, exact: true, matrix: Matrix::default() };
    let mut work = Workspace::default();
    let mut best = None;
    for (number, &mask) in coalitions.iter().enumerate() {
        if mask & !known != 0 {
            let accepted = format!("a mask of robots 0 to {}", robots.saturating_sub(1));
            return Err(Error::new(format!("coalitions[{number}]"), format!("{mask:#b}"), accepted));
        }
        if mask & busy == 0 {
            let members: Vec<usize> = (0..robots).filter(|robot| mask >> robot & 1 == 1).collect();
            best = better(best, search.evaluate(&members, &mut work));
        }
    }
    Ok(best)
}

/// The best of all coalitions of robots in `who`, with the true optimum of each coalition (`exact`) or its largest sum.
pub(crate) fn over_all(
    plans: &[CoalitionPlan],
    who: &[usize],
    exact: bool,
    work: &mut Workspace,
) -> Result<Option<Coalition>, Error> {
    if who.len() > MOST_ROBOTS_EXHAUSTIVE {
        let accepted =
            format!("at most {MOST_ROBOTS_EXHAUSTIVE} free robots when all coalitions are enumerated");
        return Err(Error::new("robots", who.len(), accepted));
    }
    let mut search = Search { plans, exact, matrix: Matrix::default() };
    let mut best = None;
    let mut members = Vec::with_capacity(who.len());
    for mask in 1_u32..(1 << who.len()) {
        members.clear();
        members.extend((0..who.len()).filter(|place| mask >> place & 1 == 1).map(|place| who[place]));
        best = better(best, search.evaluate(&members, work));
    }
    Ok(best)
}

struct Search<'a> {
    plans: &'a [CoalitionPlan],
    exact: bool,
    matrix: Matrix,
}

impl Search<'_> {
    /// The best value of this coalition over all plans of its size.
    fn evaluate(&mut self, members: &[usize], work: &mut Workspace) -> Option<Coalition> {
        let mut best = None;
        for (number, plan) in self.plans.iter().enumerate().filter(|(_, p)| p.subtasks.len() == members.len())
        {
            self.matrix.fill(plan, members);
            let columns = match self.exact {
                true => work.best(plan.reward, &self.matrix),
                false => work.largest_sum(&self.matrix, |cell| cell),
            };
            let Some(columns) = columns else { continue };
            let value = plan.reward.value(&self.matrix.pick(&columns));
            let robots = columns.iter().map(|&column| members[column]).collect();
            best = better(best, Some(Coalition { plan: number, robots, value }));
        }
        best
    }
}
