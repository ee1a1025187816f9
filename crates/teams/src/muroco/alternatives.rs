//! The ways to do a task: alone, or as one of its plans for several robots.

use crewlab_onboard::{TaskId, TaskSpec};

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

/// What a task is worth per robot of an average coalition (3.7). [s]
pub fn worth_per_robot(tasks: &[TaskSpec], task: TaskId, urgency: f64) -> f64 {
    let sizes: Vec<usize> = alternatives(tasks, task).iter().map(Vec::len).collect();
    let average = sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64;
    let utility = tasks.get(usize::from(task.0)).map_or(0.0, |spec| spec.utility);
    utility * urgency / average.max(1.0)
}

/// The name of an alternative.
pub fn name(tasks: &[TaskSpec], task: TaskId, alternative: u8) -> String {
    let spec = tasks.get(usize::from(task.0));
    match (spec, alternative) {
        (Some(spec), 1..) => {
            spec.plans.get(usize::from(alternative) - 1).map_or("?".into(), |plan| plan.name.clone())
        }
        _ => "alone".into(),
    }
}
