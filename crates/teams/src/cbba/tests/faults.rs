//! Silence, damage and clocks.

use super::super::CbbaParams;
use super::super::talk::ClaimsMessage;
use super::{TICK, active, count, team_of, winners};
use crewlab_onboard::EventKind;
use crewlab_onboard::{Body, RobotId, Stream, StreamKind, Time};
use proptest::prelude::*;

#[test]
fn a_dead_robots_pieces_are_taken_over_after_the_allowed_silence() {
    let params = CbbaParams::default();
    let mut team = team_of(&params, &[&[10.0, 30.0], &[90.0, 95.0], &[99.0, 99.0]]);
    team.steps(9);
    assert_eq!(active(&team)[0], Some(0));
    // It dies and is silent. The others have one piece each or one has both; all of its pieces are taken over.
    team.robots[0].sends = false;
    let died = team.now();
    let taken = |team: &super::Team<super::Cbba>| {
        team.robots[1..]
            .iter()
            .any(|robot| winners(&robot.software.coordinator).iter().all(|(_, r)| r.0 != 0))
            && active(team)[1..].contains(&Some(0))
    };
    while !taken(&team) {
        team.step();
        assert!(team.now() < died + params.time_allowed_till_ceased + 3.0 * TICK, "{:?}", active(&team));
    }
    // It was last heard up to one broadcast period before it died.
    assert!(team.now() - died >= params.time_allowed_till_ceased - 1.0 / params.broadcast_rate);
    let events: Vec<_> = team.robots[1..].iter().flat_map(|robot| &robot.events).collect();
    let over = events.iter().find(|(_, e)| e.kind == EventKind::TakenOver).expect("taken over");
    assert_eq!(over.1.other, Some(RobotId(0)));
    assert!(events.iter().any(|(_, e)| e.kind == EventKind::Silent && e.other == Some(RobotId(0))));
}

#[test]
fn a_robot_that_was_cut_off_agrees_with_the_others_when_it_is_back() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0, 90.0], &[20.0, 95.0]]);
    team.steps(10);
    team.lost = Box::new(|_, _, _| true);
    team.steps(40);
    let busy = active(&team);
    assert!(busy[0].is_some() && busy[1].is_some());
    team.lost = Box::new(|_, _, _| false);
    team.steps(10);
    let all: Vec<_> = team.robots.iter().map(|robot| winners(&robot.software.coordinator)).collect();
    assert_eq!(all[0], all[1]);
    assert_ne!(active(&team)[0], active(&team)[1]);
}

#[test]
fn repeated_claims_do_not_keep_a_dead_robot_alive() {
    // Robots 1 and 2 repeat to each other what robot 0 said.
    let mut team = team_of(&CbbaParams::default(), &[&[10.0], &[50.0], &[60.0]]);
    team.steps(10);
    team.robots[0].sends = false;
    team.steps(16);
    assert_eq!(active(&team)[1..], [Some(0), None]);
    assert_eq!(count(&team, 1, "silent"), 1);
}

#[test]
fn clocks_need_not_agree_and_may_be_set_back() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0, 50.0], &[20.0, 40.0], &[15.0, 45.0]]);
    team.robots[2].behind = Time::from_seconds(1e6);
    team.steps(60);
    let before = active(&team);
    team.robots[0].behind = Time::from_seconds(20.0);
    team.steps(30);
    assert_eq!(active(&team), before, "nobody is considered dead");
    assert!((0..3).all(|robot| count(&team, robot, "silent") == 0));
    // Messages of the robot with the wrong clock still count.
    team.robots[0].applicable().fill(false);
    team.steps(10);
    assert_eq!(active(&team)[0], None);
    assert!(active(&team)[1..].contains(&Some(0)));
    let all: Vec<_> = team.robots.iter().map(|robot| winners(&robot.software.coordinator)).collect();
    assert!(all.iter().all(|winners| *winners == all[0]), "{all:?}");
}

#[test]
fn a_robot_that_restarts_with_a_clock_set_back_is_heard_again() {
    let mut team = team_of(&CbbaParams::default(), &[&[10.0], &[20.0], &[30.0]]);
    team.steps(100);
    let fresh = team_of(&CbbaParams::default(), &[&[10.0]]).robots.remove(0).software.coordinator;
    team.robots[0].software.coordinator = fresh;
    team.robots[0].behind = Time::from_seconds(49.0);
    team.steps(20);
    let all: Vec<_> = team.robots.iter().map(|robot| winners(&robot.software.coordinator)).collect();
    assert!(all.iter().all(|winners| *winners == all[0] && winners.len() == 1), "{all:?}");
    assert_eq!(active(&team).iter().flatten().count(), 1);
}

#[test]
fn messages_of_other_coordinators_are_ignored() {
    let run = |foreign: bool| {
        let mut team = team_of(&CbbaParams::default(), &[&[10.0, 20.0], &[20.0, 10.0]]);
        for tick in 0..50u64 {
            if foreign {
                let bytes = tick.to_le_bytes().iter().map(|byte| byte.wrapping_mul(37)).collect();
                team.tell(0, 9, Body::Coordination(bytes));
            }
            team.step();
        }
        let events: Vec<_> = team.robots.iter().map(|robot| robot.events.clone()).collect();
        events
    };
    assert_eq!(run(true), run(false));
}

proptest! {
    /// Damaged and invented claims never stop the team permanently: some time after they cease, somebody works on everything that
    /// can be worked on.
    #[test]
    fn invalid_messages_do_no_lasting_harm(seed: u64) {
        let mut team = team_of(&CbbaParams::default(), &[&[10.0, 20.0], &[20.0, 10.0]]);
        let mut heard: Vec<Vec<u8>> = Vec::new();
        for tick in 0..80 {
            let mut random = Stream::new(seed, StreamKind::World, 0, tick);
            if let Some(bytes) = heard.last() {
                let mut bytes = bytes.clone();
                for _ in 0..random.below(4) {
                    let place = random.below(bytes.len());
                    bytes[place] = random.bits() as u8;
                }
                team.tell(random.below(2), random.below(6) as u16, Body::Coordination(bytes));
            }
            team.step();
            let said = team.robots.iter().flat_map(|robot| &robot.said);
            heard.extend(said.filter_map(|(_, body)| match body {
                Body::Coordination(bytes) => Some(bytes.clone()),
                _ => None,
            }).next_back());
        }
        team.steps(40);
        let mut busy: Vec<usize> = active(&team).into_iter().flatten().collect();
        busy.sort();
        prop_assert_eq!(busy, vec![0, 1]);
    }

    /// Any bytes are a message or not, without a panic.
    #[test]
    fn any_bytes_can_be_heard(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let marked: Vec<u8> = [0xBA, 0x97, 0x03].into_iter().chain(bytes.clone()).collect();
        let _ = (ClaimsMessage::decode(&bytes), ClaimsMessage::decode(&marked));
    }
}
