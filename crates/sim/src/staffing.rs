//! Who can do which tasks, and whether a team can staff plans for several robots.

use crate::model::Member;
use crewlab_onboard::{BehaviourSpec, TaskId, TaskSpec};

/// The behaviour sets that a robot has for a task.
pub fn ways(member: &Member, task: TaskId) -> impl Iterator<Item = &BehaviourSpec> {
    member.identity.behaviours.iter().filter(move |set| set.task == task)
}

/// True if a robot has a behaviour set for a task.
pub fn able(member: &Member, task: TaskId) -> bool {
    ways(member, task).next().is_some()
}

/// A robot for every part of a plan, none of them twice and none of those that are left out; nothing if the team cannot.
pub fn staff(team: &[Member], parts: &[TaskId], without: &[usize]) -> Option<Vec<usize>> {
    let mut robots: Vec<usize> = Vec::new();
    for part in parts {
        let free = |robot: &usize| !without.contains(robot) && able(&team[*robot], *part);
        // A part for which there are as many robots as parts is never the one that goes without.
        robots.extend((0..team.len()).filter(free).take(parts.len()));
    }
    robots.sort_unstable();
    robots.dedup();
    let fits = |part: usize, robot: usize| able(&team[robots[robot]], parts[part]);
    let found = crewlab_allocation::staff(parts.len(), robots.len(), fits)?;
    Some(found.into_iter().map(|robot| robots[robot]).collect())
}

/// Robots that can do a task together or alone, in the first of its ways that can be staffed; nothing if nobody can.
pub fn crew(team: &[Member], task: TaskId, spec: &TaskSpec, without: &[usize]) -> Option<Vec<usize>> {
    let alone = || staff(team, &[task], without);
    let together = || spec.plans.iter().find_map(|plan| staff(team, &plan.parts, without));
    alone().or_else(together)
}

/// Robots whose loss would leave a task to nobody, each on its own; nobody if nobody can do it anyway.
pub fn indispensable(team: &[Member], task: TaskId, spec: &TaskSpec) -> Vec<usize> {
    let Some(crew) = crew(team, task, spec, &[]) else { return Vec::new() };
    // Whoever is not in this crew can be spared: the crew would do.
    let mut needed: Vec<usize> =
        crew.into_iter().filter(|robot| self::crew(team, task, spec, &[*robot]).is_none()).collect();
    needed.sort_unstable();
    needed
}
