//! Tests of L-ALLIANCE: every rule with numbers that can be checked by hand, and properties of any history.

use super::super::Alliance;
use super::super::tests::team::{Team, heartbeat, identity, tasks, term, want};
use super::*;
use crate::alliance::AllianceParams;
use crate::{Boot, Plugin};
use crewlab_onboard::EventKind;
use crewlab_onboard::{GaugeState, Identity, TaskSpec, WorkState};
use proptest::prelude::*;
use serde_json::{Value, json};

const TICK: f64 = 0.5;
/// θ in these tests.
const THRESHOLD: f64 = 100.0;

/// Robots `r0`, `r1`, ... with one set per task, `set0` for `task0` and so on.
fn roster(robots: u16) -> Vec<(String, RobotId)> {
    (0..robots).map(|i| (format!("r{i}"), RobotId(i))).collect()
}

fn alliance(learning: Value) -> AllianceParams {
    let params = json!({
        "threshold": THRESHOLD, "broadcast-rate": 1.0, "time-allowed-till-ceased": 3.0, "learning": learning,
    });
    serde_json::from_value(params).expect("parameters")
}

fn booted(me: &Identity, tasks: &[TaskSpec], robots: u16, learning: Value) -> Alliance {
    let boot = Boot { me, tasks, roster: &roster(robots), signals: &[], restarted: false, reserve: &[] };
    Alliance::boot(&alliance(learning), &boot).expect("boots without hand-set rates")
}

/// The knowledge of robot 0 of three about two tasks.
fn learner(learning: Value) -> Learner {
    *booted(&identity(0, 0, &[0, 1]), &tasks(&[true, true]), 3, learning).learner.expect("learns")
}

/// r0 needs 20 s and 60 s; r1 30 s and 40 s; r2 100 s and an unknown time.
fn known() -> Value {
    json!({"r0": {
        "own": {"set0": [20.0], "set1": [60.0]},
        "others": {"task0": {"r1": [30.0], "r2": [100.0]}, "task1": {"r1": [40.0]}},
    }})
}

fn settings_of(learning: Value) -> Vec<SetSettings> {
    learner(learning).news().expect("fresh")
}

// task_time

#[test]
fn task_time_is_mean_and_one_standard_deviation_of_the_last_trials() {
    assert_eq!(Trials::default().task_time(), None);
    assert_eq!(Trials::of(&[40.0], 10).task_time(), Some(40.0));
    // Mean 5, deviations -3, -1, -1, -1, 0, 0, 2, 4: standard deviation 2.
    let trials = Trials::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0], 10);
    assert_eq!((trials.mean(), trials.task_time()), (Some(5.0), Some(7.0)));
    let mut last_two = Trials::of(&[1000.0, 10.0, 20.0], 2);
    assert_eq!(last_two.times(), [10.0, 20.0]);
    last_two.add(f64::NAN, 2);
    assert!(last_two.task_time().is_some_and(|time| time.is_finite() && time > 0.0));
}

// low, high, scale, delays

#[test]
fn delays_follow_from_the_range_of_task_times() {
    // Times 20 to 100, delays 2 to 10: a tenth of a second per second.
    let spread = Spread::of([20.0, 60.0, 100.0], 2.0, 10.0);
    assert_eq!((spread.low, spread.high, spread.scale()), (20.0, 100.0, 0.1));
    for (time, best, other) in [(20.0, 10.0, 2.0), (60.0, 6.0, 6.0), (100.0, 2.0, 10.0)] {
        assert_eq!(spread.delay(Category::Best, time), best, "the longest first");
        assert_eq!(spread.delay(Category::Other, time), other, "the shortest first");
    }
    let equal = Spread::of([50.0, 50.0], 2.0, 10.0);
    assert_eq!(
        (equal.scale(), equal.delay(Category::Best, 50.0), equal.delay(Category::Other, 50.0)),
        (0.0, 10.0, 2.0)
    );
}

#[test]
fn a_robot_is_best_if_nobody_is_faster() {
    assert_eq!(Category::of(20.0, [20.0, 30.0]), Category::Best);
    assert_eq!(Category::of(20.0, [19.0, 30.0]), Category::Other);
    assert_eq!(Category::of(20.0, []).number(), 1);
}

// φ, δslow, δfast, ψ, λ

#[test]
fn all_parameters_follow_from_what_is_known() {
    let learning = json!({
        "start": "learned", "values": known(), "neutral-time": 50.0, "min-delay": 2.0, "max-delay": 10.0,
        "giving-up-factor": 3.0,
    });
    let mut learner = learner(learning);
    let sets = learner.news().expect("fresh");
    assert_eq!(learner.news(), None, "nothing new");
    // φ is the team-mate's task time and δslow = θ/φ; of r2 nothing is known at task 1, so it counts as neutral.
    let toward = |set: usize, robot: u16| {
        let toward = sets[set].toward(RobotId(robot));
        (toward.time_willing_to_affect, toward.slow_impatience)
    };
    assert_eq!((toward(0, 1), toward(0, 2)), ((30.0, 100.0 / 30.0), (100.0, 1.0)));
    assert_eq!((toward(1, 1), toward(1, 2)), ((40.0, 2.5), (50.0, 2.0)));
    // ψ is the robot's own time, λ three times the largest known for the task.
    let own = |set: usize| (sets[set].time_before_yielding, sets[set].time_before_giving_up);
    assert_eq!((own(0), own(1)), ((20.0, 300.0), (60.0, 180.0)));
    // Times from 20 to 100. r0 is best at task 0 (delay 10 - 0) and not at task 1 (delay 2 + 40 · 0.1).
    assert_eq!(learner.categories, [Category::Best, Category::Other]);
    assert_eq!((sets[0].fast_impatience, sets[1].fast_impatience), (10.0, 100.0 / 6.0));
}

#[test]
fn strategies_adapt_what_their_names_say() {
    let of = |strategy: &str| {
        settings_of(
            json!({"start": "learned", "values": known(), "neutral-time": 50.0, "strategy": strategy}),
        )
    };
    let (one, two, three, four) = (of("I"), of("II"), of("III"), of("IV"));
    let neutral = settings_of(json!({"neutral-time": 50.0, "strategy": "I"}));
    assert_eq!(one, neutral, "nothing adapts");
    assert_eq!(
        (one[0].time_before_yielding, one[0].time_before_giving_up, one[0].anyone.time_willing_to_affect),
        (50.0, 150.0, 50.0)
    );
    for (set, of_four) in four.iter().enumerate() {
        assert_eq!(
            two[set],
            SetSettings { time_before_yielding: 50.0, time_before_giving_up: 150.0, ..of_four.clone() }
        );
        let acquiescence = SetSettings {
            time_before_yielding: of_four.time_before_yielding,
            time_before_giving_up: of_four.time_before_giving_up,
            ..one[set].clone()
        };
        assert_eq!(three[set], acquiescence);
    }
}

#[test]
fn hand_set_values_hold_until_something_is_known() {
    let mut params = alliance(json!({"start": "hand-set"}));
    params.team.general.fast_impatience = Some(7.0);
    let (me, all) = (identity(0, 0, &[0]), tasks(&[true]));
    let roster = roster(2);
    let boot = Boot { me: &me, tasks: &all, roster: &roster, signals: &[], restarted: false, reserve: &[] };
    assert!(Alliance::boot(&params, &boot).is_err(), "hand-set values are needed then");
    params.team.general.slow_impatience = Some(0.5);
    params.team.general.time_willing_to_affect = Some(33.0);
    params.team.general.time_before_yielding = Some(44.0);
    params.team.general.time_before_giving_up = Some(55.0);
    let mut learner = Alliance::boot(&params, &boot).expect("complete").learner.expect("learns");
    let unknown = learner.news().expect("fresh");
    let without = AllianceParams { learning: None, ..params.clone() };
    assert_eq!(unknown, without.settings(&boot).expect("complete").1);
    learner.own[0].add(20.0, 10);
    learner.stale = true;
    let set = &learner.news().expect("fresh")[0];
    assert_eq!((set.time_before_yielding, set.time_before_giving_up), (20.0, 60.0));
    assert_eq!(set.anyone.time_willing_to_affect, 33.0);
}

// Trials from what is heard and done

/// Robot 0 only listens: r1 and r2 exist only through their messages.
fn listener(learning: Value, exclusive: &[bool]) -> Team<Alliance> {
    let on: Vec<u16> = (0..exclusive.len() as u16).collect();
    let me = identity(0, 0, &on);
    let coordinator = booted(&me, &tasks(exclusive), 3, learning);
    Team::new(TICK, tasks(exclusive), vec![(me, coordinator)])
}

fn patient() -> Value {
    // No robot acts on its own within these tests.
    json!({"min-delay": 1000.0, "max-delay": 1000.0, "neutral-time": 50.0})
}

fn works_for(team: &mut Team<Alliance>, from: u16, task: u16, ticks: usize) {
    team.tell(0, from, heartbeat(task, WorkState::Started));
    for _ in 0..ticks {
        team.step();
        team.tell(0, from, heartbeat(task, WorkState::Working));
    }
}

fn trials_of(team: &Team<Alliance>, mate: u16, task: u16) -> Vec<f64> {
    let learner = team.robots[0].software.coordinator.learner.as_ref().expect("learns");
    let found = learner.others.iter().find(|known| known.key == (TaskId(task), RobotId(mate)));
    found.map_or(Vec::new(), |known| known.trials.times().to_vec())
}

#[test]
fn a_trial_of_a_team_mate_lasts_from_its_first_word_to_the_end_of_a_finished_task() {
    let mut team = listener(patient(), &[true]);
    works_for(&mut team, 1, 0, 20);
    team.robots[0].applicable()[0] = false;
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(trials_of(&team, 1, 0), [10.0]);
    let event =
        &team.robots[0].events.iter().find(|(_, event)| event.kind == EventKind::Learned).expect("told").1;
    assert_eq!(
        (event.other, term(event, "counts"), term(event, "task-time")),
        (Some(RobotId(1)), 10.0, 10.0)
    );
}

#[test]
fn an_attempt_that_was_broken_off_counts_at_least_what_was_expected() {
    // The task is left to do: 10 s spent count twice, and at least the neutral 50 s.
    let mut team = listener(patient(), &[true]);
    works_for(&mut team, 1, 0, 20);
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(trials_of(&team, 1, 0), [50.0]);
    // 40 s more: twice as much is 80 s.
    works_for(&mut team, 1, 0, 80);
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(trials_of(&team, 1, 0), [50.0, 80.0]);
    // A robot without known times fails: no better than the worst known, 65 + 15.
    works_for(&mut team, 2, 0, 20);
    team.tell(0, 2, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(trials_of(&team, 2, 0), [80.0]);
}

#[test]
fn silence_breaks_off_and_makes_absent() {
    let mut team = listener(patient(), &[true]);
    works_for(&mut team, 1, 0, 60);
    team.steps(20);
    // 30 s of messages, then silence for longer than τ.
    assert_eq!(trials_of(&team, 1, 0), [60.0]);
    let absent = |team: &Team<Alliance>| {
        team.robots[0].software.coordinator.learner.as_ref().expect("learns").absent.clone()
    };
    assert_eq!(absent(&team), [RobotId(1)]);
    team.tell(0, 1, heartbeat(0, WorkState::Working));
    team.step();
    assert_eq!(absent(&team), []);
}

#[test]
fn false_starts_count_nothing() {
    let mut team = listener(patient(), &[true]);
    works_for(&mut team, 1, 0, 2);
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!(trials_of(&team, 1, 0), [0.0; 0]);
}

#[test]
fn finishing_the_work_of_another_is_no_trial() {
    let mut team = listener(patient(), &[true]);
    works_for(&mut team, 1, 0, 40);
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    // r2 needs 10 s for the rest: less than the neutral 50 s, so nothing is known of it.
    works_for(&mut team, 2, 0, 20);
    team.robots[0].applicable()[0] = false;
    team.tell(0, 2, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!((trials_of(&team, 1, 0), trials_of(&team, 2, 0)), (vec![50.0], vec![]));
}

#[test]
fn a_periodic_task_restarts_once_it_is_done() {
    let mut team = listener(patient(), &[true]);
    team.tasks[0].every = Some(1.0);
    for _ in 0..2 {
        team.robots[0].applicable()[0] = true;
        works_for(&mut team, 1, 0, 20);
        team.robots[0].applicable()[0] = false;
        team.tell(0, 1, heartbeat(0, WorkState::Ended));
        team.step();
    }
    assert_eq!(trials_of(&team, 1, 0), [10.0, 10.0]);
}

#[test]
fn several_at_one_shared_task_show_only_what_exceeds_expectation() {
    let mut team = listener(patient(), &[false]);
    works_for(&mut team, 1, 0, 20);
    team.tell(0, 2, heartbeat(0, WorkState::Started));
    team.step();
    team.robots[0].applicable()[0] = false;
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.tell(0, 2, heartbeat(0, WorkState::Ended));
    team.step();
    assert_eq!((trials_of(&team, 1, 0), trials_of(&team, 2, 0)), (vec![], vec![]));
}

#[test]
fn a_robot_measures_itself() {
    let mut team = listener(json!({"min-delay": 1.0, "max-delay": 1.0}), &[true]);
    team.steps(3);
    assert_eq!(team.robots[0].active(), Some(0));
    team.steps(20);
    team.robots[0].applicable()[0] = false;
    team.step();
    let learner = team.robots[0].software.coordinator.learner.as_ref().expect("learns");
    let spent = learner.own[0].times().to_vec();
    assert!(spent.len() == 1 && (10.0..=11.5).contains(&spent[0]), "{spent:?}");
}

#[test]
fn unfinished_work_at_the_end_counts_if_it_took_longer_than_expected() {
    let mut team = listener(patient(), &[true, true]);
    works_for(&mut team, 1, 0, 120);
    works_for(&mut team, 2, 1, 20);
    let (me, tasks, roster) = (team.robots[0].identity.clone(), team.tasks.clone(), roster(3));
    let boot = Boot { me: &me, tasks: &tasks, roster: &roster, signals: &[], restarted: false, reserve: &[] };
    // r1 fell silent while r2 was heard for 10 s; r2 is below the neutral 50 s.
    let now = crewlab_onboard::Time::from_seconds(team.now());
    let learned = team.robots[0].software.coordinator.learned(&boot, now).expect("learns");
    assert!(learned.memory.others["task0"]["r1"].0[0] >= 59.0);
    assert!(!learned.memory.others.contains_key("task1"), "{learned:?}");
    assert_eq!(learned.parameters["set1"].task_time_s, Some(50.0));
}

// Categories, boredom, phases

#[test]
fn tasks_that_others_are_better_at_are_hidden_until_boredom() {
    let values = json!({"r0": {"own": {"set0": [60.0]}, "others": {"task0": {"r1": [20.0], "r2": [90.0]}}}});
    let learning = json!({
        "start": "learned", "values": values, "boredom": 8.0, "min-delay": 2.0, "max-delay": 2.0,
    });
    let mut team = listener(learning, &[true]);
    team.steps(16);
    assert_eq!((team.robots[0].level(0), team.robots[0].state(0)), (0.0, GaugeState::Hibernating));
    // Bored after 8 s, active 2 s later.
    team.steps(6);
    assert_eq!(team.robots[0].active(), Some(0));
    let bored = team.robots[0].kinds().into_iter().find(|(_, kind)| *kind == "bored").expect("told");
    assert_eq!(bored.0, 8.0);
    // Active again, it continues: boredom affects only inactive sets.
    team.steps(20);
    assert_eq!(team.robots[0].active(), Some(0));
}

#[test]
fn boredom_begins_when_there_is_something_to_do() {
    let values = json!({"r0": {"own": {"set0": [60.0]}, "others": {"task0": {"r1": [20.0], "r2": [90.0]}}}});
    let learning = json!({
        "start": "learned", "values": values, "boredom": 8.0, "min-delay": 2.0, "max-delay": 2.0,
    });
    let mut team = listener(learning, &[true]);
    team.robots[0].applicable()[0] = false;
    team.steps(40);
    // Idle for 20 s, but the task has just appeared: the better robot gets 8 s to take it.
    team.robots[0].applicable()[0] = true;
    team.steps(16);
    assert_eq!(team.robots[0].level(0), 0.0);
    team.steps(6);
    assert_eq!(team.robots[0].active(), Some(0));
}

#[test]
fn an_absent_team_mate_is_no_better_one() {
    let values = json!({"r0": {"own": {"set0": [60.0]}, "others": {"task0": {"r1": [20.0], "r2": [90.0]}}}});
    let mut learner = learner(json!({"start": "learned", "values": values}));
    assert_eq!(learner.category(0), Category::Other);
    learner.absent.push(RobotId(1));
    assert_eq!(learner.category(0), Category::Best);
}

#[test]
fn unknown_team_mates_count_as_neutral() {
    let of = |neutral: f64| {
        let values = json!({"r0": {"own": {"set0": [60.0]}}});
        learner(json!({"start": "learned", "values": values, "neutral-time": neutral})).category(0)
    };
    assert_eq!((of(50.0), of(70.0)), (Category::Other, Category::Best));
}

#[test]
fn in_the_active_phase_a_task_that_somebody_is_at_is_left_alone() {
    let learning = json!({"phase": "active", "min-delay": 1.0, "max-delay": 2.0, "neutral-time": 1.0});
    let mut team = listener(learning, &[true]);
    works_for(&mut team, 1, 0, 60);
    // Far beyond φ = 1 s nobody requests anything.
    assert!(team.robots[0].said.is_empty() && team.robots[0].level(0) == 0.0, "{:?}", team.robots[0].said);
    team.tell(0, 1, heartbeat(0, WorkState::Ended));
    team.steps(6);
    assert_eq!(team.robots[0].active(), Some(0));
    // And it does not yield, although ψ would be 1 s.
    for _ in 0..4 {
        team.tell(0, 2, want(0));
        team.step();
    }
    let yielded = team.robots[0].kinds().iter().any(|(_, kind)| *kind == "yielded");
    assert!(!yielded);
}

// Memory

#[test]
fn learned_values_are_stored_by_name() {
    let values = known();
    let learning = json!({"start": "learned", "values": values, "trials": 10});
    let (me, all, roster) = (identity(0, 0, &[0, 1]), tasks(&[true, true]), roster(3));
    let boot = Boot { me: &me, tasks: &all, roster: &roster, signals: &[], restarted: false, reserve: &[] };
    let alliance = booted(&me, &all, 3, learning);
    let learned = alliance.learned(&boot, Time::ZERO).expect("learns");
    let before: Memory = serde_json::from_value(values["r0"].clone()).expect("a memory");
    assert_eq!(learned.memory, before);
    assert_eq!(learned.parameters["set0"].category, 1);
    let strange = json!({"r0": {"own": {"x": [1.0]}, "others": {"y": {"r1": [1.0]}, "task0": {"z": [1.0], "r0": [1.0]}}}});
    let nothing = booted(&me, &all, 3, json!({"start": "learned", "values": strange}));
    assert_eq!(nothing.learned(&boot, Time::ZERO).expect("learns").memory, Memory::default());
}

#[test]
fn without_learning_nothing_is_learned() {
    let (me, all, roster) = (identity(0, 0, &[0]), tasks(&[true]), roster(1));
    let boot = Boot { me: &me, tasks: &all, roster: &roster, signals: &[], restarted: false, reserve: &[] };
    assert_eq!(Alliance::new(1.0, Vec::new()).learned(&boot, Time::ZERO), None);
}

// For any history

fn sound_settings(sets: &[SetSettings]) -> bool {
    let positive = |value: f64| value.is_finite() && value > 0.0;
    sets.iter().all(|set| {
        let toward = set.toward.iter().map(|(_, toward)| toward).chain([&set.anyone]);
        positive(set.fast_impatience)
            && positive(set.time_before_yielding)
            && positive(set.time_before_giving_up)
            && toward.into_iter().all(|t| positive(t.slow_impatience) && positive(t.time_willing_to_affect))
    })
}

proptest! {
    #[test]
    fn rates_are_finite_and_positive_for_any_trials(
        own in prop::collection::vec(any::<f64>(), 0..30),
        others in prop::collection::vec((0u16..2, 1u16..9, any::<f64>()), 0..60),
        absent in prop::collection::vec(1u16..9, 0..4),
        knobs in (1u32..12, 1e-3..1e6f64, 1e-3..1e3f64, 1e-3..1e3f64),
        strategy in prop::sample::select(vec!["I", "II", "III", "IV"]),
        phase in prop::sample::select(vec!["active", "adaptive"]),
    ) {
        let (trials, neutral, one, two) = knobs;
        let mut learner = learner(json!({
            "trials": trials, "neutral-time": neutral, "strategy": strategy, "phase": phase,
            "min-delay": one.min(two), "max-delay": one.max(two),
        }));
        own.iter().for_each(|time| learner.own[0].add(*time, trials as usize));
        for (task, robot, time) in others {
            if let Some(trials_of) = learner.acquaintance((TaskId(task), RobotId(robot))) {
                trials_of.add(time, trials as usize);
            }
        }
        learner.absent.extend(absent.into_iter().map(RobotId));
        learner.stale = true;
        let sets = learner.news().expect("fresh");
        prop_assert!(sound_settings(&sets), "{sets:?}");
        prop_assert!(learner.own[0].times().len() <= trials as usize);
    }

    #[test]
    fn odd_messages_neither_panic_nor_exhaust_the_memory(
        talk in prop::collection::vec((any::<u16>(), 0u16..4, any::<u32>(), 0usize..4, any::<bool>()), 0..300),
    ) {
        let mut team = listener(json!({"trials": 3}), &[true, false]);
        for (from, task, subject, kind, apt) in talk {
            let states = [WorkState::Started, WorkState::Working, WorkState::Ended];
            let (task, subject) = (TaskId(task), subject % 3);
            let body = match states.get(kind) {
                Some(state) => Body::Heartbeat { task, subject, state: *state, priority: 0 },
                None => Body::Want { task, subject },
            };
            team.tell(0, from, body);
            team.robots[0].applicable()[1] = apt;
            team.step();
        }
        let learner = team.robots[0].software.coordinator.learner.as_mut().expect("learns");
        prop_assert!(learner.others.iter().all(|known| known.trials.times().len() <= 3));
        prop_assert!(learner.watch.attempts().len() <= MOST && learner.mates.len() <= MOST);
        learner.stale = true;
        prop_assert!(sound_settings(&learner.news().expect("fresh")));
    }
}

#[test]
fn memory_stays_bounded_however_many_speak() {
    let mut learner = learner(json!({}));
    for robot in 0..(2 * MOST as u16) {
        if let Some(trials) = learner.acquaintance((TaskId(0), RobotId(robot))) {
            trials.add(5.0, 1);
        }
        learner.meet(RobotId(robot));
        learner.watch.begin(RobotId(robot), (TaskId(0), 0), Time::ZERO, true, &tasks(&[true]));
        learner.watch.mark((TaskId(0), u32::from(robot)), End::BrokenOff, &tasks(&[true]));
    }
    assert_eq!(
        (learner.others.len(), learner.mates.len(), learner.watch.attempts().len()),
        (MOST, MOST, MOST)
    );
}
