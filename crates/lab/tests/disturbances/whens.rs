//! When disturbances happen.

use super::{Run, STANDING, assert_times, attempt, disturbed, started};
use crewlab_lab::sim::disturbances::DisturbanceSpec;
use crewlab_sim::onboard::EventKind;

/// A disturbance that is always possible and has no effect.
const HARMLESS: &str = "task-priority: {task: report-progress, weight: 1}";

fn times(when: &str, seed: u64, coordinator: &str, until: f64) -> Vec<f64> {
    let (coordinator, disturbance) =
        (format!("team.coordinator={coordinator}"), format!("disturbances=[{{{when}, {HARMLESS}}}]"));
    let mut run = started(seed, &[&coordinator, &disturbance]);
    run.to(until);
    run.times("disturbance")
}

#[test]
fn at_a_time() {
    assert_times(&times("at: 3 s", 1, "greedy", 10.0), &[3.0]);
    // A time between two ticks: it happens at the end of the tick that contains it.
    assert_times(&times("at: 3.01 s", 1, "greedy", 10.0), &[3.1]);
    assert_times(&times("at: 0 s", 1, "greedy", 10.0), &[0.1]);
}

#[test]
fn between_two_times_by_chance() {
    let drawn: Vec<f64> =
        (1..=10).map(|seed| times("between: [5 s, 15 s]", seed, "greedy", 20.0)[0]).collect();
    assert!(drawn.iter().all(|time| (5.0..=15.1).contains(time)), "{drawn:?}");
    let mut different = drawn.clone();
    different.sort_by(f64::total_cmp);
    different.dedup();
    assert!(different.len() >= 8, "{drawn:?}");
    for coordinator in ["greedy", "random", "alliance"] {
        for (seed, time) in (1..=3).zip(&drawn) {
            assert_times(&times("between: [5 s, 15 s]", seed, coordinator, 20.0), &[*time]);
        }
    }
    assert_times(&times("between: [5 s, 5 s]", 1, "greedy", 20.0), &[5.0]);
}

#[test]
fn again_and_again() {
    let every = |when: &str| times(when, 1, "greedy", 30.0);
    assert_times(&every("every: 8 s"), &[8.0, 16.0, 24.0]);
    assert_times(&every("every: 8 s, from: 1 s"), &[1.0, 9.0, 17.0, 25.0]);
    assert_times(&every("every: 8 s, from: 1 s, until: 17 s"), &[1.0, 9.0, 17.0]);
    assert_times(&every("every: 8 s, from: 1 s, times: 2"), &[1.0, 9.0]);
    assert_times(&every("every: 8 s, until: 7 s"), &[]);
}

#[test]
fn when_a_condition_becomes_true() {
    let toggled = "{every: 5 s, for: 2 s, stop: gold}";
    let when = |times: &str| {
        let watcher = format!("{{when: \"!robots.gold.alive\", {times}{HARMLESS}}}");
        let mut run = disturbed(&format!("{toggled}, {watcher}"), &[]);
        run.to(22.0);
        let concerned = run
            .log
            .iter()
            .filter(|l| l.event.kind == EventKind::Disturbance && run.sentence(l).contains("because"));
        concerned.map(|l| l.time.seconds()).collect::<Vec<_>>()
    };
    assert_times(&when(""), &[5.0]);
    assert_times(&when("times: 3, "), &[5.0, 10.0, 15.0]);
    assert_times(&when("times: 9, "), &[5.0, 10.0, 15.0, 20.0]);
    // A condition that holds from the start becomes true at once, and only once.
    assert_times(&times("when: time >= 0, times: 5", 1, "greedy", 10.0), &[0.1]);
    assert_times(&times("when: time > 4.95 && time < 6", 1, "greedy", 10.0), &[5.0]);
    assert_times(&times("when: 'false'", 1, "greedy", 10.0), &[]);
}

#[test]
fn conditions_depend_on_the_run() {
    for (condition, holds) in [
        ("robots.blue.task == 'find-locations'", true),
        ("robots.blue.behaviour == 'find-locations-methodical'", true),
        ("robots.gold.task == ''", true),
        ("robots.blue.x < 3 && robots.blue.y > 0", true),
        ("robots.blue.energy == 1", true),
        ("robots.blue.travelled > 1", true),
        ("robots.blue.holding", false),
        ("tasks.find-locations.robots == 1 && tasks.find-locations.open", true),
        ("tasks.find-locations.robots == 2 && time > 5", false),
        ("progress == 0", true),
        ("progress > 0", false),
    ] {
        let happened = times(&format!("when: \"{condition}\""), 1, "greedy", 20.0);
        assert_eq!(happened.len(), usize::from(holds), "{condition}");
    }
}

#[test]
fn random_times_have_the_given_rate() {
    let counts: Vec<usize> =
        (1..=40).map(|seed| times("rate: 0.2 /s", seed, "greedy", 100.0).len()).collect();
    // 40 runs x 100 s x 0.2 /s: 800 are expected, with a standard error of 28.3.
    let total: usize = counts.iter().sum();
    assert!((800i64 - total as i64).abs() < 142, "{total}");
    // For a Poisson process variance and mean agree; the standard error of the variance of 40 counts is 4.5.
    let mean = total as f64 / 40.0;
    let variance = counts.iter().map(|count| (*count as f64 - mean).powi(2)).sum::<f64>() / 39.0;
    assert!((variance - 20.0).abs() < 22.5, "{variance}");
    let drawn = times("rate: 0.2 /s", 3, "greedy", 60.0);
    for coordinator in ["random", "alliance"] {
        assert_times(&times("rate: 0.2 /s", 3, coordinator, 60.0), &drawn);
    }
    let limited = times("rate: 0.5 /s, from: 10 s, until: 30 s, times: 4", 1, "greedy", 60.0);
    assert!(limited.len() == 4 && limited.iter().all(|time| (10.0..=30.1).contains(time)), "{limited:?}");
}

/// An obstacle delays a disturbance, but does not change the random times of the next ones: two coordinators face the same
/// faults.
#[test]
fn a_delay_does_not_change_later_random_times() {
    let crates = "{rate: 0.3 /s, for: 0.2 s, object-added: {name: crate, circle: 0.3 m, at: [6 m, 4 m]}}";
    let blocked = |leaves: &str| {
        let mut run = disturbed(&format!("{crates}, {{at: {leaves}, robot-removed: blue}}"), &[STANDING]);
        run.to(100.0);
        let appeared = run
            .log
            .iter()
            .filter(|l| l.event.kind == EventKind::Disturbance && l.event.words.starts_with("crate"));
        appeared.map(|l| l.time.seconds()).filter(|time| *time > 40.2).collect::<Vec<_>>()
    };
    let free = blocked("0 s");
    assert!(free.len() > 8);
    assert_times(&blocked("40 s"), &free);
}

#[test]
fn when_it_is_called() {
    let mut run = disturbed(&format!("{{call: now, {HARMLESS}}}, {{call: later, stop: all}}"), &[]);
    run.to(5.0);
    run.simulation.call("nobody");
    run.to(6.0);
    assert_times(&run.times("disturbance"), &[]);
    run.simulation.call("now");
    run.to(8.0);
    run.simulation.call("now");
    run.to(9.0);
    assert_times(&run.times("disturbance"), &[6.1, 8.1]);
}

/// A disturbance for a run in progress.
pub fn outside(text: &str) -> DisturbanceSpec {
    serde_json::from_str(text).expect("a disturbance")
}

/// An injected disturbance and one at the end of the scenario's list are the same.
#[test]
fn injected_disturbances_can_be_written_as_a_scenario() {
    let first = "{at: 4 s, for: 1 s, stop: gold}";
    let mut planned =
        disturbed(&format!("{first}, {{at: 6 s, for: 2 s, drive: {{robot: random, fault: dead}}}}"), &[]);
    let mut by_hand = disturbed(first, &[]);
    by_hand.to(5.5);
    let spec = outside(r#"{"at": 6, "for": 2, "drive": {"robot": "random", "fault": "dead"}}"#);
    by_hand.simulation.inject(&spec).expect("it fits the run");
    planned.to(12.0);
    by_hand.to(12.0);
    let bytes = |run: &Run| postcard::to_stdvec(&run.simulation.state).expect("plain data");
    assert_eq!(bytes(&planned), bytes(&by_hand));
    let wrong = outside(r#"{"at": 6, "stop": "nobody"}"#);
    assert!(by_hand.simulation.inject(&wrong).is_err());
}

#[test]
fn injected_disturbances_apply_from_the_next_tick() {
    let mut run = disturbed("{at: 4 s, for: 1 s, stop: gold}", &[]);
    run.to(5.5);
    for text in [
        r#"{"at": 0, "for": 2, "stop": "blue"}"#,
        r#"{"every": 3, "from": 7, "times": 2, "for": 1, "stop": "green"}"#,
    ] {
        run.simulation.inject(&outside(text)).expect("it fits the run");
    }
    run.to(5.6);
    assert!(run.body("blue").halted && !run.body("green").halted);
    run.to(20.0);
    assert_times(&run.times("disturbance"), &[4.0, 5.6, 7.0, 10.0]);
    assert_times(&run.times("disturbance-over"), &[5.0, 7.6, 8.0, 11.0]);
}

#[test]
fn a_disturbance_that_never_happens_gives_a_warning() {
    let sets = ["disturbances=[{at: 20 s, stop: blue}]", "run.until=10 s"].map(String::from).to_vec();
    let request = crewlab_scenario::Request { scenario: "waste-cleanup".into(), sets, ..Default::default() };
    let scenario = crewlab_scenario::load(&request).expect("odd, but not wrong");
    assert!(scenario.warnings.to_string().contains("never happens"));
    assert!(attempt(1, &["disturbances=[]"]).is_ok());
}
