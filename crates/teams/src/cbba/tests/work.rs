//! Working robots: what they choose, keep, finish and give up.

use super::super::{Cbba, CbbaParams};
use super::team::{Team, heartbeat, tasks, term};
use super::{TICK, active, count, team_of, team_on, winners};
use crewlab_onboard::EventKind;
use crewlab_onboard::{Body, RobotId, TaskId, TaskSpec, WorkState};
use proptest::prelude::*;

#[test]
fn every_robot_does_its_nearest_task() {
    let mut team =
        team_of(&CbbaParams::default(), &[&[50.0, 10.0, 70.0], &[20.0, 60.0, 80.0], &[9.0, 9.5, 30.0]]);
    team.steps(6);
    // Robot 2 would be the best for each. It has 0 and 1 in its bundle, and another robot finishes 2 sooner.
    let found = active(&team);
    assert_eq!(found[2], Some(0));
    let said: Vec<_> = team.robots.iter().map(|robot| winners(&robot.software.coordinator)).collect();
    assert!(said.iter().all(|winners| *winners == said[0] && winners.len() == 3), "{said:?}");
}

#[test]
fn an_outbid_robot_says_by_whom_and_with_both_bids() {
    let mut team = team_of(&CbbaParams::default(), &[&[60.0], &[30.0]]);
    team.steps(3);
    assert_eq!(active(&team), [None, Some(0)]);
    let (_, event) = team.robots[0].events.iter().find(|(_, e)| e.kind == EventKind::Outbid).expect("outbid");
    assert_eq!(event.other, Some(RobotId(1)));
    assert_eq!(term(event, "bid"), 300.0);
    assert!((term(event, "theirs") - 424.26).abs() < 0.01);
    assert_eq!(count(&team, 1, "won"), 1, "{:?}", team.robots[1].kinds());
    assert_eq!(count(&team, 1, "outbid"), 0);
}

#[test]
fn work_in_progress_does_not_change_hands_for_a_temporary_advantage() {
    let mut team = team_of(&CbbaParams::default(), &[&[20.0], &[30.0]]);
    team.steps(4);
    team.robots[0].software.performer.cost = vec![2.0];
    team.steps(4);
    // Now its bid would be worse than the other's, but its earlier, higher bid still counts.
    team.robots[0].software.performer.cost = vec![40.0];
    team.robots[1].software.performer.cost = vec![5.0];
    team.steps(20);
    assert_eq!(active(&team), [Some(0), None]);
    team.robots[1].software.performer.cost = vec![1.0];
    team.steps(4);
    assert_eq!(active(&team), [None, Some(0)], "a real advantage counts");
    team.robots[0].software.performer.cost = vec![1.5];
    team.steps(40);
    assert_eq!(active(&team), [None, Some(0)]);
}

/// Robot 0 is the nearest to both, but its first piece takes much longer than its estimate.
#[test]
fn an_idle_robot_takes_the_planned_work_of_a_busy_one() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0, 10.0], &[70.0, 40.0]]);
    team.steps(6);
    assert_eq!(active(&team), [Some(0), None], "20 s with the first are less than 40 s with the other");
    team.steps((40.0 / TICK) as usize);
    assert_eq!(active(&team), [Some(0), Some(1)]);
    assert_eq!(count(&team, 0, "bid") + count(&team, 1, "bid"), 5, "replanning is not reported");
}

#[test]
fn a_piece_that_is_done_can_be_bid_for_when_it_is_due_again() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0], &[20.0]]);
    for round in 0..3 {
        team.steps(10);
        assert_eq!(active(&team), [Some(0), None], "round {round}");
        team.robots.iter_mut().for_each(|robot| robot.applicable()[0] = false);
        team.steps(10);
        assert_eq!(active(&team), [None, None]);
        assert!(team.robots.iter().all(|robot| winners(&robot.software.coordinator).is_empty()));
        team.robots.iter_mut().for_each(|robot| robot.applicable()[0] = true);
    }
    assert_eq!(count(&team, 0, "ended"), 3);
}

#[test]
fn a_robot_without_claims_falls_silent() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0], &[20.0]]);
    team.steps(10);
    team.robots.iter_mut().for_each(|robot| robot.applicable()[0] = false);
    team.steps(20);
    let before = team.robots[0].said.len();
    team.steps(40);
    assert_eq!(team.robots[0].said.len(), before);
}

#[test]
fn a_robot_without_progress_leaves_the_piece_to_others() {
    let params = CbbaParams { patience: 10.0, pause: 20.0, ..CbbaParams::default() };
    let mut team = team_of(&params, &[&[8.0], &[9.0]]);
    team.steps((17.0 / TICK) as usize);
    assert_eq!(active(&team), [Some(0), None]);
    team.steps((3.0 / TICK) as usize);
    assert_eq!(active(&team), [None, Some(0)]);
    let (_, event) =
        team.robots[0].events.iter().find(|(_, e)| e.kind == EventKind::LeftToOthers).expect("gave up");
    assert!(term(event, "stalled") > 18.0 && term(event, "pause") == 20.0);
    // The other makes no progress either, and by then the first may try again, for longer.
    team.steps((22.0 / TICK) as usize);
    assert_eq!(active(&team), [Some(0), None]);
    team.steps((30.0 / TICK) as usize);
    assert_eq!(active(&team), [Some(0), None]);
}

#[test]
fn shared_tasks_are_for_robots_without_a_bundle_and_need_no_messages() {
    let mut team =
        team_on(&CbbaParams::default(), tasks(&[true, false, false]), &[[50.0, 9.0, 5.0].as_slice(); 2]);
    team.steps(10);
    assert_eq!(active(&team), [Some(0), Some(2)], "the cheapest shared one");
    team.robots[1].software.performer.cost = vec![50.0, 1.0, 5.0];
    team.steps(10);
    assert_eq!(active(&team), [Some(0), Some(2)], "which is kept");
    team.robots[1].applicable()[2] = false;
    team.step();
    assert_eq!(active(&team), [Some(0), Some(1)]);
    let beats = team.robots.iter().flat_map(|robot| &robot.said);
    assert!(beats.clone().count() > 0 && beats.into_iter().all(|(_, b)| matches!(b, Body::Coordination(_))));
}

#[test]
fn a_task_that_others_depend_on_is_announced() {
    let tasks = vec![TaskSpec::new("lead", ""), TaskSpec::new("watch", "").shared().during(TaskId(0))];
    let mut team = team_on(&CbbaParams::default(), tasks, &[[10.0, 1.0].as_slice(); 2]);
    team.steps(20);
    assert_eq!(active(&team), [Some(0), Some(1)]);
    let said = |state| team.robots[0].said.iter().filter(|(_, body)| *body == heartbeat(0, state)).count();
    assert_eq!((said(WorkState::Started), said(WorkState::Working)), (1, 9));
    team.robots[0].applicable()[0] = false;
    team.step();
    assert_eq!(team.robots[0].said.iter().filter(|(_, b)| *b == heartbeat(0, WorkState::Ended)).count(), 1);
}

#[test]
fn of_several_ways_the_best_is_used() {
    let params = CbbaParams::default();
    let mut team = team_of(&params, &[&[30.0, 10.0]]);
    // Both sets of the robot do task 0.
    let mut me = super::identity(0, 0, &[0, 0]);
    std::mem::swap(&mut team.robots[0].identity, &mut me);
    team.step();
    assert_eq!(active(&team), [Some(1)]);
    team.robots[0].applicable()[1] = false;
    team.step();
    assert_eq!(active(&team), [Some(0)], "the piece is kept in the other way");
    assert_eq!(count(&team, 0, "bid"), 1);
}

proptest! {
    /// Working robots agree as well: no two work on the same piece, and nobody idles while something is left.
    #[test]
    fn working_robots_do_not_duplicate_work(
        costs in (1..=5usize, 1..=6usize)
            .prop_flat_map(|(n, m)| proptest::collection::vec(proptest::collection::vec(1.0..150.0f64, m), n)),
        bundle in 1..4u8,
    ) {
        let params = CbbaParams { bundle, ..CbbaParams::default() };
        let costs: Vec<&[f64]> = costs.iter().map(|costs| costs.as_slice()).collect();
        let mut team = team_of(&params, &costs);
        team.steps(40);
        let settled = |team: &Team<Cbba>| {
            let all: Vec<_> = team.robots.iter().map(|robot| winners(&robot.software.coordinator)).collect();
            let busy: Vec<usize> = active(team).into_iter().flatten().collect();
            let different: std::collections::BTreeSet<&usize> = busy.iter().collect();
            let given_out = costs[0].len().min(costs.len() * usize::from(bundle));
            different.len() == busy.len()
                && all.iter().all(|winners| *winners == all[0] && winners.len() == given_out)
        };
        // Now and then a piece that was planned for later passes to an idle robot; that takes two ticks.
        let settles = |team: &mut Team<Cbba>| {
            (0..6).any(|_| {
                team.step();
                settled(team)
            })
        };
        prop_assert!(settles(&mut team));
        let before = active(&team);
        team.steps(20);
        prop_assert!(settles(&mut team));
        let kept = before.iter().zip(active(&team)).all(|(before, now)| before.is_none() || *before == now);
        prop_assert!(kept, "{:?} {:?}", before, active(&team));
    }
}
