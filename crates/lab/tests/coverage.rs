//! Coverage of tasks, alone and together.

use crewlab_lab::coverage::coverage;
use crewlab_lab::sim::Model;
use crewlab_lab::sim::onboard::{TaskId, TaskSpec};
use crewlab_lab::sim::staffing::{crew, indispensable, staff};
use crewlab_scenario::{Request, load};
use crewlab_sim::onboard::RobotId;
use std::sync::Arc;

const GARBAGE: TaskId = TaskId(0);
const DUST: TaskId = TaskId(1);
const FLOOR: TaskId = TaskId(2);
/// A task that nobody can do alone.
const BOTH: TaskId = TaskId(3);

/// r1 empties and dusts, r2 empties and cleans the floor, r3 dusts and cleans the floor.
fn office(plans: &[&[TaskId]]) -> Model {
    let request = Request { scenario: "janitorial".into(), ..Request::default() };
    let model = load(&request).unwrap_or_else(|problems| panic!("{problems}")).start.0;
    let mut model = Arc::unwrap_or_clone(model);
    let task = TaskSpec::new("spring-cleaning", "everything at once");
    let plans = plans.iter().enumerate();
    model
        .tasks
        .push(plans.fold(task, |task, (number, parts)| task.together(&format!("plan {number}"), parts)));
    model
}

fn both(model: &Model) -> &TaskSpec {
    &model.tasks[usize::from(BOTH.0)]
}

#[test]
fn plans_are_staffed_one_robot_per_part() {
    let team = office(&[]).team;
    let staffed = |parts: &[TaskId]| staff(&team, parts, &[]);
    // Taking the first robot for each part would leave nobody for the last one.
    assert_eq!(staffed(&[GARBAGE, DUST, GARBAGE]), Some(vec![RobotId(0), RobotId(2), RobotId(1)]));
    let all = staffed(&[GARBAGE, DUST, FLOOR]).expect("three robots");
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
    assert_eq!(staffed(&[GARBAGE, GARBAGE, GARBAGE]), None);
    assert_eq!(staffed(&[GARBAGE, DUST, FLOOR, FLOOR]), None);
    assert_eq!(staff(&team, &[GARBAGE, GARBAGE], &[RobotId(1)]), None);
    assert_eq!(staffed(&[BOTH]), None);
}

#[test]
fn a_task_needs_the_robots_without_which_no_way_is_left() {
    let model = office(&[&[GARBAGE, GARBAGE]]);
    assert_eq!(crew(&model.team, BOTH, both(&model), &[]), Some(vec![RobotId(0), RobotId(1)]));
    assert_eq!(indispensable(&model.team, BOTH, both(&model)), [RobotId(0), RobotId(1)]);
    // With another way, only robots that are part of both ways are needed.
    let model = office(&[&[GARBAGE, GARBAGE], &[DUST, DUST]]);
    assert_eq!(indispensable(&model.team, BOTH, both(&model)), [RobotId(0)]);
    let model = office(&[&[GARBAGE, GARBAGE, GARBAGE]]);
    assert_eq!(crew(&model.team, BOTH, both(&model), &[]), None);
    assert!(indispensable(&model.team, BOTH, both(&model)).is_empty());
    assert!(indispensable(&model.team, GARBAGE, &model.tasks[0]).is_empty());
}

#[test]
fn coverage_reports_plans_and_the_robots_they_need() {
    let found = coverage(&office(&[&[GARBAGE, GARBAGE], &[FLOOR, FLOOR, FLOOR]]));
    let task = &found.tasks[usize::from(BOTH.0)];
    assert!(task.robots.is_empty() && task.ways.is_empty());
    assert_eq!(task.plans[0].staff.as_deref(), Some(["r1".to_string(), "r2".to_string()].as_slice()));
    assert_eq!(task.plans[1].staff, None);
    let text = found.lines().join("\n");
    assert!(text.contains("task spring-cleaning: nobody alone"), "{text}");
    assert!(text.contains("together as plan 0: e.g. r1 empty-garbage, r2 empty-garbage"), "{text}");
    let notes = found.notes().join("\n");
    assert!(notes.contains("spring-cleaning cannot be done as plan 1"), "{notes}");
    assert!(notes.contains("without r1 nobody can do spring-cleaning"), "{notes}");
    assert!(notes.contains("without r2 nobody can do spring-cleaning"), "{notes}");
    assert!(!notes.contains("r3"), "{notes}");
}
