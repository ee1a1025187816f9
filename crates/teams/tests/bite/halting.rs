//! The coordinator on one robot: winding up, and restarts.

use crate::team::{Team, identity, tasks};
use crewlab_onboard::RobotId;
use crewlab_teams::bite::BiteParams;
use crewlab_teams::{AnyCoordinator, Boot, Params};
use serde_json::json;

#[test]
fn work_is_wound_up_before_the_next_one_begins() {
    let plan = json!({"graph": {"nodes": {
        "one": {"do": "task0", "until": "elapsed > 0.95", "next": "two"}, "two": {"do": "task1"}
    }}});
    let bite: BiteParams = serde_json::from_value(plan).expect("parameters");
    let (params, tasks) = (Params { bite, ..Params::default() }, tasks(&[false, false]));
    let (roster, me) = (vec![("0".to_string(), RobotId(0))], identity(0, 0, &[0, 1]));
    let boot = Boot { me: &me, tasks: &tasks, roster: &roster, signals: &[], restarted: false, reserve: &[] };
    let coordinator = AnyCoordinator::boot("bite", &params, &boot).expect("registered").expect("boots");
    for ticks in [0, 4] {
        let mut team = Team::new(0.1, tasks.clone(), vec![(me.clone(), coordinator.clone())]);
        team.robots[0].software.performer.winds_up = ticks;
        let active: Vec<Option<usize>> = (0..30)
            .map(|_| {
                team.step();
                team.robots[0].active()
            })
            .collect();
        let ends = active.iter().rposition(|set| *set == Some(0)).expect("it has begun");
        let begins = active.iter().position(|set| *set == Some(1)).expect("the plan goes on");
        assert_eq!(begins, ends + 1, "{active:?}");
        // It ends after 0.95 s, and then takes its time.
        assert!((10..=12).contains(&(begins - ticks as usize)), "{active:?}");
    }
}

/// A robot that is the whole team begins anew after a restart without memory; in a larger team it waits until it is taken in, also if the
/// others are still in reserve.
#[test]
fn only_a_team_of_one_begins_anew_after_a_restart() {
    let (tasks, me) = (tasks(&[false]), identity(0, 0, &[0]));
    for (robots, begins) in [(1, true), (2, false)] {
        let roster: Vec<(String, RobotId)> = (0..robots).map(|i| (format!("{i}"), RobotId(i))).collect();
        let reserve: Vec<RobotId> = (1..robots).map(RobotId).collect();
        let boot = Boot {
            me: &me,
            tasks: &tasks,
            roster: &roster,
            signals: &[],
            restarted: true,
            reserve: &reserve,
        };
        let coordinator =
            AnyCoordinator::boot("bite", &Params::default(), &boot).expect("registered").expect("boots");
        let mut team = Team::new(0.1, tasks.clone(), vec![(me.clone(), coordinator)]);
        team.steps(100);
        assert_eq!(team.robots[0].active().is_some(), begins, "{robots} robots");
    }
}
