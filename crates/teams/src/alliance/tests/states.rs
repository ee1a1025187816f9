//! Active, waiting, hibernating: the states of a set over time, its messages and its explanations.
//!
//! With the settings of these tests a set that nobody disturbs grows by 0.5 per tick from the tick at 0 s on and
//! reaches θ = 2 in the tick at 1.5 s.

use super::super::{Alliance, SetSettings, Toward};
use super::team::{Numbers, Team, Visibility, heartbeat, identity, seconds, tasks, term, want};
use super::{THRESHOLD, TICK, on_one_task, settings};
use crewlab_onboard::EventKind;
use crewlab_onboard::{BehaviourId, Body, Event, GaugeState, RobotId, TaskId, Time, WorkState};

use GaugeState::{Active, Hibernating, Waiting};

/// The number of a robot that exists only through its messages.
const GHOST: u16 = 9;

/// Steps until the time of the next tick is `until`; the ghost is heard once per second, at whole seconds.
fn steps_with_ghost(team: &mut Team<Alliance>, until: f64, says: Body) {
    while team.now() < until {
        if team.now().fract() == 0.0 {
            team.tell(0, GHOST, says.clone());
        }
        team.step();
    }
}

fn works() -> Body {
    heartbeat(0, WorkState::Working)
}

/// One robot that has waited since 8.0 s for the ghost, which was last heard at 10.0 s; the next tick is at 10.5 s.
///
/// The first contact with the ghost is at 0 s (a reset, so 0); then 0.125 per tick gives 2.0 in the 16th tick, at 8.0 s.
fn one_waiting() -> Team<Alliance> {
    let mut team = on_one_task(true, &[0], &settings());
    steps_with_ghost(&mut team, 8.0, works());
    assert_eq!((team.robots[0].level(0), team.robots[0].state(0)), (1.875, Hibernating));
    steps_with_ghost(&mut team, 10.5, works());
    assert_eq!((team.robots[0].level(0), team.robots[0].state(0)), (2.0, Waiting));
    team
}

/// Robots on an exclusive task that have heard each other's wish at 0 s, so that no reset happens later.
fn acquainted(priorities: &[i32], settings: &SetSettings) -> Team<Alliance> {
    let mut team = on_one_task(true, priorities, settings);
    for listener in 0..priorities.len() {
        for other in (0..priorities.len()).filter(|other| *other != listener) {
            team.tell(listener, other as u16, want(0));
        }
    }
    team.step();
    assert!(team.robots.iter().all(|robot| robot.level(0) == 0.0), "a reset at 0 s");
    team
}

fn last_event(team: &Team<Alliance>, robot: usize) -> &Event {
    &team.robots[robot].events.last().expect("an event").1
}

/// Checks an event about set 0 and task 0: kind, team-mate, level before and after, and the four factors.
fn check(event: &Event, kind: &str, other: Option<u16>, levels: (f64, f64), factors: [f64; 4]) {
    assert_eq!(event.kind.name(), kind);
    assert_eq!(event.other, other.map(RobotId), "{event:?}");
    assert_eq!((event.behaviour, event.task), (Some(BehaviourId(0)), Some(TaskId(0))), "{event:?}");
    assert_eq!((term(event, "before"), term(event, "motivation")), levels, "{event:?}");
    let names = ["sensory", "suppression", "reset", "acquiescence"];
    assert_eq!(names.map(|name| term(event, name)), factors, "{event:?}");
    assert_ne!(event.sentence(&Numbers), event.kind.description(), "it says why");
}

#[test]
fn over_the_threshold_with_nobody_heard_a_set_becomes_active() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(3);
    assert_eq!((team.robots[0].level(0), team.robots[0].state(0)), (1.5, Hibernating));
    assert_eq!((team.robots[0].active(), team.robots[0].said.len()), (None, 0));
    team.step();
    assert_eq!((team.robots[0].level(0), team.robots[0].state(0)), (2.0, Active));
    assert_eq!(team.robots[0].active(), Some(0));
    assert_eq!(team.robots[0].kinds(), [(1.5, "activated")]);
    check(last_event(&team, 0), "activated", None, (1.5, 2.0), [1.0; 4]);
    assert_eq!(term(last_event(&team, 0), "impatience"), 1.0);
}

#[test]
fn an_active_robot_states_its_task_at_the_broadcast_rate() {
    // 20 ticks from 1.5 s to 11.0 s are 10 s. More than one statement per tick cannot be made.
    for (rate, statements) in [(0.5, 5), (1.0, 10), (2.0, 20), (4.0, 20), (0.0, 1)] {
        let mut settings = settings();
        settings.broadcast_rate = rate;
        let mut team = on_one_task(true, &[-3], &settings);
        team.steps(3 + 20);
        let said = &team.robots[0].said;
        assert_eq!(said.len(), statements, "at {rate}/s");
        let beat = |state| Body::Heartbeat { task: TaskId(0), subject: 0, state, priority: -3 };
        assert_eq!(said[0], (Time::from_seconds(1.5), beat(WorkState::Started)));
        assert!(said[1..].iter().all(|(_, body)| *body == beat(WorkState::Working)));
    }
}

#[test]
fn statements_are_evenly_spaced() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(10);
    let times: Vec<f64> = team.robots[0].said.iter().map(|(at, _)| seconds(*at)).collect();
    assert_eq!(times, [1.5, 2.5, 3.5, 4.5]);
}

#[test]
fn over_the_threshold_while_another_is_heard_a_set_waits_and_says_so_at_the_broadcast_rate() {
    let mut team = one_waiting();
    assert_eq!(team.robots[0].active(), None);
    check(&Event { other: None, ..last_event(&team, 0).clone() }, "waiting", None, (1.875, 2.0), [1.0; 4]);
    // 20 ticks from 8.0 s to 17.5 s are 10 s.
    steps_with_ghost(&mut team, 18.0, works());
    let said = &team.robots[0].said;
    assert_eq!(said.len(), 10);
    assert_eq!(said[0], (Time::from_seconds(8.0), want(0)));
    assert!(said.iter().all(|(_, body)| *body == want(0)));
}

#[test]
fn a_waiting_robot_says_for_whom_it_waits() {
    assert_eq!(last_event(&one_waiting(), 0).other, Some(RobotId(GHOST)));
}

#[test]
fn a_waiting_robot_starts_in_the_tick_in_which_the_other_ends() {
    let mut team = one_waiting();
    team.tell(0, GHOST, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(team.robots[0].state(0), Active);
    assert_eq!(
        team.robots[0].said.last(),
        Some(&(Time::from_seconds(10.5), heartbeat(0, WorkState::Started)))
    );
    check(last_event(&team, 0), "activated", None, (2.0, 2.0), [1.0; 4]);
}

#[test]
fn a_waiting_robot_starts_when_the_other_is_silent_for_longer_than_tau() {
    // Last heard at 10.0 s and τ = 3 s: still waiting at 13.0 s.
    let mut team = one_waiting();
    team.steps(6);
    assert_eq!((team.now(), team.robots[0].state(0)), (13.5, Waiting));
    team.step();
    assert_eq!(team.robots[0].state(0), Active);
}

#[test]
fn a_waiting_robot_is_not_kept_waiting_by_wishes() {
    let mut team = one_waiting();
    team.tell(0, GHOST, heartbeat(0, WorkState::Ended));
    team.tell(0, GHOST, want(0));
    team.step();
    assert_eq!(team.robots[0].state(0), Active);
}

#[test]
fn of_two_that_start_at_once_exactly_one_keeps_an_exclusive_task() {
    // (priorities, who keeps the task)
    for (priorities, keeper) in [([0, 1], 0), ([1, 0], 1), ([4, 4], 0), ([-1, -2], 1)] {
        let other = 1 - keeper;
        for known in [false, true] {
            let mut team = if known {
                acquainted(&priorities, &settings())
            } else {
                on_one_task(true, &priorities, &settings())
            };
            team.steps(4);
            assert_eq!((team.robots[0].state(0), team.robots[1].state(0)), (Active, Active));
            team.step();
            assert_eq!((team.robots[keeper].state(0), team.robots[other].state(0)), (Active, Hibernating));
            assert_eq!(team.robots[other].active(), None);
            assert_eq!(team.robots[other].level(0), 0.0);
            let end = Body::Heartbeat {
                task: TaskId(0),
                subject: 0,
                state: WorkState::Ended,
                priority: priorities[other],
            };
            assert_eq!(team.robots[other].said.last().map(|(_, body)| body), Some(&end));
            // A stranger's first statement is a reset at the same time: both factors are zero, and the reset is reported.
            let (kind, reset) = if known { ("yielded", 1.0) } else { ("reset", 0.0) };
            check(last_event(&team, other), kind, Some(keeper as u16), (2.0, 0.0), [1.0, 1.0, reset, 0.0]);
            assert_eq!(last_event(&team, keeper).kind, EventKind::Activated);
            // The other would reach θ again after 16 ticks at the slow rate; until then nothing changes.
            team.steps(15);
            assert_eq!((team.robots[keeper].state(0), team.robots[other].state(0)), (Active, Hibernating));
        }
    }
}

#[test]
fn of_three_that_start_at_once_exactly_one_keeps_an_exclusive_task() {
    let mut team = on_one_task(true, &[1, 0, 2], &settings());
    team.steps(5);
    let states: Vec<GaugeState> = team.robots.iter().map(|robot| robot.state(0)).collect();
    assert_eq!(states, [Hibernating, Active, Hibernating]);
}

#[test]
fn of_three_acquainted_robots_that_start_at_once_exactly_one_keeps_an_exclusive_task() {
    let mut team = acquainted(&[1, 0, 2], &settings());
    team.steps(5);
    let states: Vec<GaugeState> = team.robots.iter().map(|robot| robot.state(0)).collect();
    assert_eq!(states, [Hibernating, Active, Hibernating]);
}

#[test]
fn a_worker_is_reset_by_the_first_wish_of_a_stranger_and_not_by_the_second() {
    let mut team = on_one_task(true, &[-9], &settings());
    team.steps(40);
    assert_eq!(team.robots[0].state(0), Active);
    team.tell(0, GHOST, want(0));
    team.step();
    assert_eq!((team.robots[0].state(0), team.robots[0].active()), (Hibernating, None));
    check(last_event(&team, 0), "reset", Some(GHOST), (2.0, 0.0), [1.0, 1.0, 0.0, 1.0]);
    let end = Body::Heartbeat { task: TaskId(0), subject: 0, state: WorkState::Ended, priority: -9 };
    assert_eq!(team.robots[0].said.last().map(|(_, body)| body), Some(&end));
    // The ghost never starts, so the robot is back after 4 ticks, and stays.
    team.steps(4);
    assert_eq!(team.robots[0].state(0), Active);
    for _ in 0..20 {
        team.tell(0, GHOST, want(0));
        team.step();
        assert_eq!(team.robots[0].state(0), Active);
    }
    team.tell(0, GHOST + 1, want(0));
    team.step();
    assert_eq!(team.robots[0].state(0), Hibernating, "another stranger resets it again");
}

#[test]
fn a_task_passes_to_a_robot_that_waits_for_it() {
    // Robot 0 starts at 1.5 s; robot 1 grows by 0.25 per tick and is at 1.0. At 2.0 s robot 1 hears of it: a reset.
    // 0.125 in each of the 16 ticks after 2.0 s: it waits from 10.0 s. Robot 0 hears the wish at 10.5 s for the first
    // time and is reset; robot 1 hears the end at 11.0 s and starts.
    let mut team = on_one_task(true, &[0, 0], &settings());
    let mut slower = settings();
    slower.fast_impatience = 0.5;
    team.robots[1].software.coordinator = Alliance::new(THRESHOLD, vec![slower]);
    team.steps(23);
    assert_eq!(team.robots[0].kinds(), [(1.5, "activated"), (10.5, "reset")]);
    assert_eq!(
        team.robots[1].kinds(),
        [(2.0, "patient"), (2.0, "reset"), (10.0, "waiting"), (11.0, "impatient"), (11.0, "activated")]
    );
    assert_eq!((team.robots[0].state(0), team.robots[1].state(0)), (Hibernating, Active));
}

#[test]
fn several_may_be_active_on_a_shared_task() {
    // Both start at 1.5 s and meet at 2.0 s, which interrupts neither: a shared task knows no reset (2.5).
    let mut team = on_one_task(false, &[0, 1], &settings());
    team.steps(4);
    for _ in 0..60 {
        assert_eq!((team.robots[0].state(0), team.robots[1].state(0)), (Active, Active));
        team.step();
    }
}

#[test]
fn a_shared_task_is_slowed_but_never_waited_for() {
    // As for `one_waiting`, but it starts, and a tick earlier, because nothing resets it.
    let mut team = on_one_task(false, &[0], &settings());
    steps_with_ghost(&mut team, 8.5, works());
    assert_eq!(team.robots[0].state(0), Active);
    assert_eq!(team.robots[0].kinds(), [(0.0, "patient"), (7.5, "activated")]);
}

#[test]
fn a_set_that_is_no_longer_applicable_ends_and_says_so() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(8);
    team.robots[0].applicable()[0] = false;
    team.step();
    assert_eq!((team.robots[0].active(), team.robots[0].level(0)), (None, 0.0));
    assert_eq!(team.robots[0].said.last(), Some(&(Time::from_seconds(4.0), heartbeat(0, WorkState::Ended))));
    check(last_event(&team, 0), "ended", None, (2.0, 0.0), [0.0, 1.0, 1.0, 1.0]);
    let said = team.robots[0].said.len();
    team.steps(20);
    assert_eq!((team.robots[0].said.len(), team.robots[0].level(0)), (said, 0.0), "nothing more to say");
}

#[test]
fn an_end_of_work_is_not_put_down_to_a_stranger_who_happens_to_speak() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(8);
    team.robots[0].applicable()[0] = false;
    team.tell(0, GHOST, want(0));
    team.step();
    assert_eq!((last_event(&team, 0).kind.name(), last_event(&team, 0).other), ("ended", None));
}

#[test]
fn a_waiting_set_that_is_no_longer_applicable_ends_without_a_word() {
    let mut team = one_waiting();
    let said = team.robots[0].said.len();
    team.robots[0].applicable()[0] = false;
    team.step();
    assert_eq!((team.robots[0].state(0), team.robots[0].said.len()), (Hibernating, said));
    check(last_event(&team, 0), "ended", None, (2.0, 0.0), [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_robot_yields_after_psi_to_one_that_wants_the_task() {
    // Active since 1.5 s (known ghost, so growth from 0 at 0 s: 2.0 s), ψ = 4 s: at 6.0 s not longer, at 6.5 s it is.
    let mut settings = settings();
    settings.time_before_yielding = 4.0;
    let mut team = on_one_task(true, &[0], &settings);
    steps_with_ghost(&mut team, 6.5, want(0));
    assert_eq!(team.robots[0].kinds(), [(2.0, "activated")]);
    team.step();
    assert_eq!(team.robots[0].state(0), Hibernating);
    check(last_event(&team, 0), "yielded", Some(GHOST), (2.0, 0.0), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(team.robots[0].said.last().map(|(_, body)| body), Some(&heartbeat(0, WorkState::Ended)));
}

#[test]
fn a_robot_gives_up_after_lambda_and_may_try_again() {
    // Active since 1.5 s, λ = 4 s: at 5.5 s not longer, at 6.0 s it is. Then 4 ticks of growth.
    let mut settings = settings();
    settings.time_before_giving_up = 4.0;
    let mut team = on_one_task(true, &[0], &settings);
    team.steps(13);
    check(last_event(&team, 0), "left-to-others", None, (2.0, 0.0), [1.0, 1.0, 1.0, 0.0]);
    team.steps(4);
    assert_eq!(team.robots[0].kinds(), [(1.5, "activated"), (6.0, "left-to-others"), (8.0, "activated")]);
    assert_eq!(team.robots[0].said.last().map(|(_, body)| body), Some(&heartbeat(0, WorkState::Started)));
}

#[test]
fn an_active_set_suppresses_the_others_and_inhibits_one_that_waits() {
    // Set 0 waits for the ghost from 8.0 s; set 1, which makes sense from 10.5 s, is active 4 ticks later, at 12.0 s.
    let alliance = Alliance::new(THRESHOLD, vec![settings(), settings()]);
    let mut team = Team::new(TICK, tasks(&[true, true]), vec![(identity(0, 0, &[0, 1]), alliance)]);
    team.robots[0].applicable()[1] = false;
    steps_with_ghost(&mut team, 10.5, works());
    assert_eq!(team.robots[0].state(0), Waiting);
    team.robots[0].applicable()[1] = true;
    steps_with_ghost(&mut team, 12.5, works());
    assert_eq!((team.robots[0].state(0), team.robots[0].state(1)), (Waiting, Active));
    assert_eq!(team.robots[0].active(), Some(1));
    steps_with_ghost(&mut team, 13.0, works());
    assert_eq!((team.robots[0].state(0), team.robots[0].level(0)), (Hibernating, 0.0));
    check(last_event(&team, 0), "inhibited", None, (2.0, 0.0), [1.0, 0.0, 1.0, 1.0]);
    // While set 1 is active set 0 stays at zero; afterwards it grows again.
    steps_with_ghost(&mut team, 16.0, works());
    assert_eq!(team.robots[0].level(0), 0.0);
    team.robots[0].applicable()[1] = false;
    steps_with_ghost(&mut team, 17.0, works());
    assert_eq!(team.robots[0].level(0), 0.125, "suppressed in the tick of the end, slowed in the next");
}

#[test]
fn of_two_sets_that_reach_the_threshold_at_once_the_first_is_taken() {
    let alliance = Alliance::new(THRESHOLD, vec![settings(), settings()]);
    let mut team = Team::new(TICK, tasks(&[true, true]), vec![(identity(0, 0, &[0, 1]), alliance)]);
    team.steps(4);
    assert_eq!((team.robots[0].state(0), team.robots[0].state(1)), (Active, Hibernating));
    assert_eq!(team.robots[0].level(1), 0.0);
}

#[test]
fn patience_and_impatience_are_explained() {
    // The ghost is heard from 0 s to 25 s. φ = 20 s is used up after 20.0 s.
    let mut settings = settings();
    settings.anyone = Toward { slow_impatience: 0.03125, time_willing_to_affect: 20.0 };
    let mut team = on_one_task(true, &[0], &settings);
    steps_with_ghost(&mut team, 21.0, works());
    assert_eq!(team.robots[0].kinds(), [(0.0, "patient"), (20.5, "impatient")]);
    let events: Vec<&Event> = team.robots[0].events.iter().map(|(_, event)| event).collect();
    assert_eq!(events.iter().map(|e| e.other).collect::<Vec<_>>(), [Some(RobotId(GHOST)); 2]);
    assert_eq!((term(events[0], "impatience"), term(events[1], "impatience")), (0.03125, 1.0));
    // 40 ticks at 0.03125/s: 40 * 0.015625 = 0.625.
    assert_eq!(term(events[1], "motivation"), 0.625);

    // Silence after 4.0 s: nobody is named.
    let mut team = on_one_task(true, &[0], &settings);
    steps_with_ghost(&mut team, 4.5, works());
    team.steps(7);
    assert_eq!(team.robots[0].kinds(), [(0.0, "patient"), (7.5, "impatient")]);
    assert_eq!(last_event(&team, 0).other, None);
}

#[test]
fn a_reset_of_a_hibernating_set_is_explained() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(2);
    team.tell(0, GHOST, works());
    team.step();
    check(last_event(&team, 0), "reset", Some(GHOST), (1.0, 0.0), [1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn visibility_decides_whether_two_can_start_at_once() {
    // Both reach θ in the tick at 2.0 s. Heard in the same tick, the second waits (it is not slowed here, δslow = δfast);
    // else both start.
    let mut settings = settings();
    settings.anyone.slow_impatience = settings.fast_impatience;
    for (visibility, second) in [(Visibility::EndOfTick, Active), (Visibility::SameTick, Waiting)] {
        let mut team = acquainted(&[0, 0], &settings);
        team.visibility = visibility;
        team.steps(4);
        assert_eq!(team.robots[0].state(0), Active);
        assert_eq!(team.robots[1].state(0), second, "{visibility:?}");
    }
}

#[test]
fn a_robot_with_a_dead_radio_still_works() {
    let mut team = on_one_task(true, &[1, 0], &settings());
    team.robots[0].sends = false;
    team.steps(30);
    assert_eq!(team.robots[1].state(0), Active, "hears nobody");
    // Robot 0 has yielded to the other; it starts again when robot 1 falls silent as well.
    assert_eq!(team.robots[0].active(), None);
    team.robots[1].sends = false;
    team.steps(30);
    assert_eq!((team.robots[0].state(0), team.robots[1].state(0)), (Active, Active));
}

#[test]
fn a_robot_that_joins_late_needs_no_roster() {
    // The newcomer hears the worker's next statement and leaves the task to it.
    let mut team = on_one_task(true, &[0, 0], &settings());
    team.robots[1].applicable()[0] = false;
    team.robots[1].identity.id = RobotId(60_000);
    team.steps(10);
    team.robots[1].applicable()[0] = true;
    team.steps(10);
    assert_eq!((team.robots[0].state(0), team.robots[1].state(0)), (Active, Hibernating));
}

#[test]
fn slowing_applies_per_subject() {
    // The ghost works on subject 7. While the robot's own subject is 3 that does not concern it: it starts at 1.5 s.
    let elsewhere = Body::Heartbeat { task: TaskId(0), subject: 7, state: WorkState::Working, priority: 0 };
    for (subject, state) in [(3, Active), (7, Hibernating)] {
        let mut team = on_one_task(true, &[0], &settings());
        team.robots[0].software.performer.subjects[0] = vec![subject];
        steps_with_ghost(&mut team, 2.0, elsewhere.clone());
        assert_eq!(team.robots[0].state(0), state, "subject {subject}");
    }
}

#[test]
fn a_robot_whose_subject_changes_lets_go_of_the_old_one() {
    let mut team = on_one_task(true, &[0], &settings());
    team.steps(4);
    team.robots[0].software.performer.subjects[0] = vec![7];
    team.step();
    let end = heartbeat(0, WorkState::Ended);
    assert_eq!(team.robots[0].state(0), Hibernating, "the new subject's motivation grows from nothing");
    assert!(team.robots[0].said.iter().any(|(_, body)| *body == end), "{:?}", team.robots[0].said);
}

#[test]
fn the_first_of_several_subjects_wins_a_tie_and_a_rival_takes_the_next() {
    // Two robots, three subjects: both want the first; the one with the lower priority number keeps it, the other
    // takes the second, and in the end both work.
    let mut team = on_one_task(true, &[0, 1], &settings());
    for robot in &mut team.robots {
        robot.software.performer.subjects[0] = vec![30, 10, 20];
    }
    team.steps(12);
    let subject = |robot: usize| team.robots[robot].software.active.map(|choice| choice.subject);
    assert_eq!((subject(0), subject(1)), (Some(30), Some(10)));
}

#[test]
fn of_many_that_start_at_once_all_name_the_one_that_keeps_the_task() {
    let mut team = acquainted(&[3, 1, 2, 1, 4], &settings());
    while team.robots.iter().all(|robot| robot.state(0) != Active) {
        team.step();
    }
    assert!(team.robots.iter().all(|robot| robot.state(0) == Active), "all reach the threshold in one tick");
    team.step();
    for robot in [0, 2, 3, 4] {
        let event = last_event(&team, robot);
        assert_eq!((event.kind, event.other), (EventKind::Yielded, Some(RobotId(1))), "robot {robot}");
    }
    assert_eq!(team.robots[1].state(0), Active);
}
