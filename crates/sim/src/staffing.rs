//! Which robots can do which tasks, and whether a team can staff plans for several robots.

use crate::model::Member;
use crewlab_onboard::{BehaviourSpec, RobotId, TaskId, TaskSpec};

/// The behaviour sets that a robot has for a task.
pub fn ways(member: &Member, task: TaskId) -> impl Iterator<Item = &BehaviourSpec> {
    member.identity.behaviours.iter().filter(move |set| set.task == task)
}

/// True if a robot has a behaviour set for a task.
pub fn able(member: &Member, task: TaskId) -> bool {
    ways(member, task).next().is_some()
}

/// A different robot for every part of a plan, without those left out; `None` if the team cannot staff it.
pub fn staff(team: &[Member], parts: &[TaskId], without: &[RobotId]) -> Option<Vec<RobotId>> {
    let mut robots: Vec<RobotId> = Vec::new();
    for part in parts {
        let free = |robot: &RobotId| !without.contains(robot) && able(&team[*robot], *part);
        // A part with at least as many robots as there are parts can always be staffed.
        robots.extend(RobotId::team(team.len()).filter(free).take(parts.len()));
    }
    robots.sort_unstable();
    robots.dedup();
    let fits = |part: usize, row: usize| able(&team[robots[row]], parts[part]);
    let found = crewlab_allocation::staff(parts.len(), robots.len(), fits)?;
    Some(found.into_iter().map(|row| robots[row]).collect())
}

/// Robots that can do a task together or alone, in the first of its ways that can be staffed; `None` if nobody can.
pub fn crew(team: &[Member], task: TaskId, spec: &TaskSpec, without: &[RobotId]) -> Option<Vec<RobotId>> {
    let alone = || staff(team, &[task], without);
    let together = || spec.plans.iter().find_map(|plan| staff(team, &plan.parts, without));
    alone().or_else(together)
}

/// Robots whose individual loss would leave a task to nobody; empty if nobody can do it anyway.
pub fn indispensable(team: &[Member], task: TaskId, spec: &TaskSpec) -> Vec<RobotId> {
    let Some(crew) = crew(team, task, spec, &[]) else { return Vec::new() };
    // Robots outside this crew can be spared: the crew can do it.
    let mut needed: Vec<RobotId> =
        crew.into_iter().filter(|robot| self::crew(team, task, spec, &[*robot]).is_none()).collect();
    needed.sort_unstable();
    needed
}
