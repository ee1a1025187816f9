//! The operator's orders.

use super::{Run, assert_times, disturbed};

const ONE: &str = "team.robots=[{name: blue, type: cleaner, side-range: true}]";
const SMALL: &str = "world.size=[6 m, 6 m]";

/// The names of the tasks that are worked on.
fn worked_on(run: &Run) -> Vec<&str> {
    let (model, state) = (&run.simulation.model, &run.simulation.state);
    model.robots().filter_map(|robot| state.task_of(model, robot)).map(|t| model.task_name(t)).collect()
}

#[test]
pub fn a_closed_task_is_done_once_it_is_added() {
    let closed = "tasks.find-locations.open=false";
    let mut run = disturbed("{at: 5 s, for: 5 s, task-added: find-locations}", &[closed]);
    assert_eq!(worked_on(run.to(5.0)), [""; 0]);
    assert_eq!(
        run.simulation.state.operator.open(),
        [true; 4],
        "the operator wants it and announces it next"
    );
    assert_eq!(worked_on(run.to(6.0)), ["find-locations"]);
    assert_eq!(worked_on(run.to(11.0)), [""; 0]);
    // A robot that hears nothing does not know that.
    let mut run = disturbed("{at: 5 s, task-added: find-locations}", &[closed, "radio.loss=1"]);
    assert_eq!(worked_on(run.to(60.0)), [""; 0]);
}

#[test]
pub fn a_cancelled_task_ends_when_the_robots_hear_of_it() {
    let cancelled = "{at: 5 s, for: 15 s, task-cancelled: find-locations}";
    for coordinator in ["alliance", "greedy", "random"] {
        let chosen = format!("team.coordinator={coordinator}");
        let early = "{at: 25 s, for: 15 s, task-cancelled: find-locations}";
        let mut run = disturbed(early, &[&chosen]);
        assert_eq!(worked_on(run.to(25.0)), ["find-locations"], "{coordinator}");
        assert_eq!(worked_on(run.to(25.5)), [""; 0], "{coordinator}");
        assert_eq!(worked_on(run.to(40.0)), [""; 0], "{coordinator}");
        let again = (41..=60).any(|second| worked_on(run.to(f64::from(second))) == ["find-locations"]);
        assert!(again, "{coordinator}: the search goes on once it is wanted again");
    }
    // A robot whose radio is dead for a while learns of it when the operator repeats the announcement.
    let deaf = "{at: 4 s, for: 3 s, radio: {robot: blue, fault: dead}}";
    let mut run = disturbed(&format!("{cancelled}, {deaf}"), &[ONE]);
    assert_eq!(worked_on(run.to(7.0)), ["find-locations"]);
    assert_eq!(worked_on(run.to(15.5)), [""; 0]);
    assert_eq!(worked_on(run.to(21.0)), ["find-locations"]);
}

#[test]
pub fn a_cancelled_task_does_not_count() {
    let mut whole = disturbed("", &[SMALL]);
    whole.await_event("mission-completed", 1000.0);
    assert_eq!(whole.times("dropped").len(), 6);
    let mut half = disturbed("{at: 1 s, task-cancelled: move-spill-top}", &[SMALL]);
    half.await_event("mission-completed", 1000.0);
    assert_eq!(half.times("dropped").len(), 3);
    // When it is wanted again, there is something left to do.
    let mut again = disturbed(
        "{at: 1 s, for: 1 s, task-cancelled: move-spill-top}, \
                               {at: 1 s, for: 2 s, task-cancelled: move-spill-bottom}",
        &[SMALL],
    );
    assert!(again.to(1.0).simulation.state.verdict.completed);
    assert!(!again.to(2.0).simulation.state.verdict.completed);
    assert_eq!(again.to(3.0).simulation.state.verdict.progress, 0.0);
}

/// The task that a lone robot takes once it knows where everything is.
fn first_choice(disturbances: &str) -> String {
    let mut run = disturbed(disturbances, &[SMALL, ONE]);
    let found = run.await_event("found-locations", 200.0);
    let chosen = worked_on(run.to(found + 0.3));
    assert_eq!(chosen.len(), 1);
    chosen[0].to_string()
}

#[test]
pub fn a_weight_changes_what_is_chosen() {
    let usual = first_choice("");
    for task in ["move-spill-top", "move-spill-bottom", "report-progress"] {
        let urgent = format!("{{at: 1 s, task-priority: {{task: {task}, weight: 1000}}}}");
        assert_eq!(first_choice(&urgent), task);
        let for_a_while = urgent.replace("1 s,", "1 s, for: 2 s,");
        assert_eq!(first_choice(&for_a_while), usual, "{task} was urgent only for a while");
    }
    let mut run = disturbed("{at: 1 s, for: 2 s, task-priority: {task: report-progress, weight: 2}}", &[]);
    run.to(4.0);
    assert_times(&run.times("disturbance-over"), &[3.0]);
}
