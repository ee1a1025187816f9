//! The ways to do a task: alone, or as one of its plans for several robots.

use crewlab_onboard::{Constraint, TaskId, TaskSpec};

/// All alternatives of a task as lists of parts: the task itself, alone, and then its plans.
pub fn alternatives(tasks: &[TaskSpec], task: TaskId) -> Vec<Vec<TaskId>> {
    let Some(spec) = tasks.get(usize::from(task.0)) else { return Vec::new() };
    let plans = spec.plans.iter().map(|plan| plan.parts.clone());
    let known = |parts: &Vec<TaskId>| parts.iter().all(|part| usize::from(part.0) < tasks.len());
    std::iter::once(vec![task]).chain(plans).filter(known).collect()
}

/// The parts of one alternative.
pub fn parts(tasks: &[TaskSpec], task: TaskId, alternative: u8) -> Option<Vec<TaskId>> {
    alternatives(tasks, task).into_iter().nth(usize::from(alternative))
}

/// True if a task may need several robots.
pub fn takes_several(tasks: &[TaskSpec], task: TaskId) -> bool {
    tasks.get(usize::from(task.0)).is_some_and(|spec| !spec.plans.is_empty())
}

/// The utility of a task per robot of an average coalition, over all its alternatives (3.7). [s]
pub fn worth_per_robot(tasks: &[TaskSpec], task: TaskId, urgency: f64) -> f64 {
    let Some(spec) = tasks.get(usize::from(task.0)) else { return 0.0 };
    let alone = match &spec.needs {
        Constraint::Any(ways) => ways.len(),
        _ => 1,
    };
    let robots = alone + spec.plans.iter().map(|plan| plan.parts.len()).sum::<usize>();
    let average = robots as f64 / (alone + spec.plans.len()).max(1) as f64;
    spec.utility * urgency / average.max(1.0)
}

/// The name of an alternative's plan; `None` if one robot does it alone.
pub fn plan(tasks: &[TaskSpec], task: TaskId, alternative: u8) -> Option<&str> {
    let place = usize::from(alternative).checked_sub(1)?;
    Some(tasks.get(usize::from(task.0))?.plans.get(place)?.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serve_is_for_one_robot_in_two_ways_and_for_two_in_one() {
        let way = || Constraint::all(&["drive"]);
        let mut serve = TaskSpec::new("serve", "").worth(120.0).together("both", &[TaskId(1), TaskId(2)]);
        serve.needs = Constraint::Any(vec![way(), way()]);
        let mut lift = TaskSpec::new("lift", "").worth(120.0).together("both", &[TaskId(1), TaskId(2)]);
        lift.needs = Constraint::Any(Vec::new());
        assert!((worth_per_robot(&[serve], TaskId(0), 1.0) - 120.0 / (4.0 / 3.0)).abs() < 1e-12);
        assert_eq!(worth_per_robot(&[lift], TaskId(0), 2.0), 120.0);
    }
}
