//! The baselines: greedy and random.

mod team;

use crewlab_onboard::{Body, RobotId, TaskId, Time, WorkState};
use crewlab_teams::{AnyCoordinator, Boot, Params};
use team::{Team, heartbeat, identity, tasks, term, want};

/// The number of a robot that exists only through its messages.
const GHOST: u16 = 9;

/// A team of one coordinator: per robot its priority and the tasks of its sets. The tick is 0.5 s, the broadcast rate
/// 1/s, and after 5 s of silence a robot counts as gone.
fn team_of(kind: &str, exclusive: &[bool], robots: &[(i32, &[u16])]) -> Team<AnyCoordinator> {
    let tasks = tasks(exclusive);
    let robots = robots.iter().enumerate().map(|(i, (priority, on))| {
        let me = identity(i as u16, *priority, on);
        let boot = Boot { me: &me, tasks: &tasks, roster: &[], signals: &[], restarted: false, reserve: &[] };
        let coordinator =
            AnyCoordinator::boot(kind, &Params::default(), &boot).expect("known").expect("boots");
        (me, coordinator)
    });
    Team::new(0.5, tasks.clone(), robots.collect())
}

fn greedy(exclusive: &[bool], robots: &[(i32, &[u16])]) -> Team<AnyCoordinator> {
    team_of("greedy", exclusive, robots)
}

/// Kind, team-mate and set of the last event of a robot.
fn last_event(team: &Team<AnyCoordinator>, robot: usize) -> (&str, Option<u16>, Option<usize>) {
    let (_, event) = team.robots[robot].events.last().expect("an event");
    (event.kind.name(), event.other.map(|r| r.0), event.behaviour.map(|b| usize::from(b.0)))
}

#[test]
fn greedy_takes_the_cheapest_applicable_task() {
    let mut team = greedy(&[true; 3], &[(0, &[0, 1, 2])]);
    team.robots[0].software.performer.cost = vec![3.0, 1.0, 2.0];
    team.robots[0].applicable()[1] = false;
    team.step();
    assert_eq!(team.robots[0].active(), Some(2));
    assert_eq!(last_event(&team, 0), ("activated", None, Some(2)));
    assert_eq!(team.robots[0].events[0].1.task, Some(TaskId(2)));
    assert_eq!(term(&team.robots[0].events[0].1, "cost"), 2.0);
}

#[test]
fn greedy_takes_the_first_of_equally_cheap_tasks_and_tolerates_invalid_costs() {
    for (costs, chosen) in
        [([1.0, 1.0, 1.0], 0), ([f64::INFINITY, 5.0, 6.0], 1), ([f64::NAN, 7.0, 6.0], 2), ([f64::NAN; 3], 0)]
    {
        let mut team = greedy(&[true; 3], &[(0, &[0, 1, 2])]);
        team.robots[0].software.performer.cost = costs.to_vec();
        team.step();
        assert_eq!(team.robots[0].active(), Some(chosen), "{costs:?}");
    }
}

#[test]
fn greedy_leaves_an_exclusive_task_that_somebody_was_heard_on() {
    let mut team = greedy(&[true, true], &[(0, &[0, 1])]);
    team.robots[0].software.performer.cost = vec![1.0, 2.0];
    team.tell(0, GHOST, heartbeat(0, WorkState::Working));
    team.step();
    assert_eq!(team.robots[0].active(), Some(1));
}

#[test]
fn greedy_takes_a_task_that_was_ended_only_wanted_or_is_worked_on_elsewhere() {
    let other_subject =
        Body::Heartbeat { task: TaskId(0), subject: 4, state: WorkState::Working, priority: 0 };
    for talk in [
        vec![heartbeat(0, WorkState::Working), heartbeat(0, WorkState::Ended)],
        vec![want(0)],
        vec![other_subject],
        vec![Body::Knowledge(vec![0; 8])],
    ] {
        let mut team = greedy(&[true, true], &[(0, &[0, 1])]);
        team.robots[0].software.performer.cost = vec![1.0, 2.0];
        for body in &talk {
            team.tell(0, GHOST, body.clone());
        }
        team.step();
        assert_eq!(team.robots[0].active(), Some(0), "{talk:?}");
    }
}

#[test]
fn greedy_takes_a_task_over_when_its_worker_is_silent() {
    // Heard at 0 s; gone after more than 5 s, so at 5.5 s.
    let mut team = greedy(&[true], &[(0, &[0])]);
    team.tell(0, GHOST, heartbeat(0, WorkState::Working));
    team.steps(11);
    assert_eq!(team.robots[0].active(), None);
    team.step();
    assert_eq!(team.robots[0].active(), Some(0));
    assert_eq!(team.robots[0].kinds(), [(5.5, "activated")]);
}

#[test]
fn greedy_keeps_its_task_until_it_is_not_applicable_even_if_another_becomes_cheaper() {
    let mut team = greedy(&[true, true], &[(0, &[0, 1])]);
    team.robots[0].software.performer.cost = vec![1.0, 2.0];
    team.step();
    team.robots[0].software.performer.cost = vec![9.0, 0.0];
    team.steps(20);
    assert_eq!(team.robots[0].active(), Some(0));
    team.robots[0].applicable()[0] = false;
    team.step();
    assert_eq!(team.robots[0].active(), Some(1), "the next one is taken in the same tick");
    assert_eq!(team.robots[0].kinds(), [(0.0, "activated"), (10.5, "ended"), (10.5, "activated")]);
    // The last messages: the end of one task and the start of the other, in the same tick.
    let said = &team.robots[0].said[team.robots[0].said.len() - 2..];
    let at = Time::from_seconds(10.5);
    assert_eq!(said, [(at, heartbeat(0, WorkState::Ended)), (at, heartbeat(1, WorkState::Started))]);
}

#[test]
fn greedy_states_an_exclusive_task_at_the_broadcast_rate() {
    // 20 ticks of 0.5 s at 1/s.
    let mut team = greedy(&[true], &[(-4, &[0])]);
    team.steps(20);
    let beat = |state| Body::Heartbeat { task: TaskId(0), subject: 0, state, priority: -4 };
    let said = &team.robots[0].said;
    assert_eq!(said.len(), 10);
    assert_eq!(said[0], (Time::ZERO, beat(WorkState::Started)));
    assert!(said[1..].iter().all(|(_, body)| *body == beat(WorkState::Working)));
    team.robots[0].applicable()[0] = false;
    team.step();
    assert_eq!(team.robots[0].said.last(), Some(&(Time::from_seconds(10.0), beat(WorkState::Ended))));
    team.steps(20);
    assert_eq!(team.robots[0].said.len(), 11);
}

#[test]
fn greedy_says_nothing_about_shared_tasks_and_several_take_them() {
    let mut team = greedy(&[false], &[(0, &[0]), (1, &[0])]);
    team.tell(0, GHOST, heartbeat(0, WorkState::Working));
    team.steps(10);
    for robot in &mut team.robots {
        assert_eq!((robot.active(), robot.said.len()), (Some(0), 0));
        robot.applicable()[0] = false;
    }
    team.step();
    assert!(team.robots.iter().all(|robot| robot.active().is_none() && robot.said.is_empty()));
}

#[test]
fn of_two_greedy_robots_on_one_task_the_lower_priority_then_the_lower_number_keeps_it() {
    for (priorities, keeper) in [([0, 1], 0), ([1, 0], 1), ([2, 2], 0), ([-1, -2], 1)] {
        let other = 1 - keeper;
        let mut team = greedy(&[true, true], &[(priorities[0], &[0, 1]), (priorities[1], &[0, 1])]);
        team.step();
        assert_eq!((team.robots[0].active(), team.robots[1].active()), (Some(0), Some(0)));
        team.step();
        assert_eq!(team.robots[keeper].active(), Some(0), "{priorities:?}");
        assert_eq!(team.robots[other].active(), Some(1), "{priorities:?}");
        let (_, yielded) = &team.robots[other].events[1];
        assert_eq!((yielded.kind.name(), yielded.other), ("yielded", Some(RobotId::from_index(keeper))));
        team.steps(30);
        assert_eq!(team.robots[keeper].active(), Some(0), "for good");
        assert_eq!(team.robots[other].active(), Some(1), "for good");
    }
}

#[test]
fn greedy_does_not_yield_to_robots_that_only_want_or_share_the_task() {
    let precedence = |state| Body::Heartbeat { task: TaskId(0), subject: 0, state, priority: -9 };
    for (exclusive, body, active) in [
        (true, want(0), Some(0)),
        (true, precedence(WorkState::Ended), Some(0)),
        (false, precedence(WorkState::Working), Some(0)),
        (true, precedence(WorkState::Working), None),
    ] {
        let mut team = greedy(&[exclusive], &[(0, &[0])]);
        team.step();
        team.tell(0, GHOST, body.clone());
        team.step();
        assert_eq!(team.robots[0].active(), active, "{body:?}");
        // It did not take the task again in the same tick either.
        let kinds: Vec<&str> = team.robots[0].kinds().into_iter().map(|(_, kind)| kind).collect();
        let expected: &[&str] = if active.is_some() { &["activated"] } else { &["activated", "yielded"] };
        assert_eq!(kinds, expected, "{body:?}");
    }
}

#[test]
fn five_greedy_robots_divide_five_exclusive_tasks_among_them() {
    let all: &[u16] = &[0, 1, 2, 3, 4];
    let mut team = greedy(&[true; 5], &[(0, all), (0, all), (0, all), (0, all), (0, all)]);
    // All want the same task first. One robot settles per round, and a round takes at most two ticks.
    team.steps(10);
    let taken: Vec<_> = team.robots.iter().map(|robot| robot.active()).collect();
    assert_eq!(taken, [Some(0), Some(1), Some(2), Some(3), Some(4)]);
}

#[test]
fn random_takes_every_applicable_task_sometimes_and_no_other() {
    let mut count = [0; 4];
    for seed in 0..400 {
        let mut team = team_of("random", &[true, true, false, true], &[(0, &[0, 1, 2, 3])]);
        team.seed = seed;
        team.robots[0].applicable()[1] = false;
        team.step();
        count[team.robots[0].active().expect("a choice")] += 1;
        assert_eq!(term(&team.robots[0].events[0].1, "choices"), 3.0);
    }
    // 400 draws among three: 133 expected, standard deviation 9.4; five of them on either side.
    assert_eq!(count[1], 0);
    for place in [0, 2, 3] {
        assert!((86..=180).contains(&count[place]), "{count:?}");
    }
}

#[test]
fn random_leaves_tasks_that_somebody_was_heard_on_and_keeps_its_own() {
    for seed in 0..50 {
        let mut team = team_of("random", &[true, true, true], &[(0, &[0, 1, 2])]);
        team.seed = seed;
        team.tell(0, GHOST, heartbeat(1, WorkState::Started));
        team.step();
        let first = team.robots[0].active();
        assert!(first.is_some() && first != Some(1));
        team.steps(20);
        assert_eq!(team.robots[0].active(), first);
    }
}
