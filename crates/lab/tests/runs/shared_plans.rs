//! Teams that follow a shared plan (BITE), in all missions and with an operator.

use super::{finished, simulation};
use crewlab_lab::sim::{missions, onboard::EventKind, onboard::RobotId};
use rayon::prelude::*;

const BITE: &str = "team.coordinator=bite";

/// One scenario of every mission that has an end, and those of its variants that need another kind of teamwork.
const WITH_AN_END: &[&str] = &[
    "waste-cleanup",
    "waste-cleanup-trapped",
    "waste-cleanup-death",
    "waste-cleanup-slam",
    "bounding-overwatch",
    "bounding-overwatch-leader-fails",
    "janitorial",
    "janitorial-failing-can",
    "janitorial-robot-added",
    "service",
    "service-disturbed",
    "service-rush",
    "box-pushing",
    "box-pushing-failure",
    "explore-building",
    "city",
    "formation",
    "formation-example",
    "formation-swapped",
    "detour",
];

#[test]
fn every_mission_is_completed_with_a_shared_plan() {
    for kind in missions::KINDS.iter().filter(|kind| !kind.endless) {
        assert!(WITH_AN_END.contains(&kind.name), "{} is not tried", kind.name);
    }
    let failed: Vec<&&str> =
        WITH_AN_END.par_iter().filter(|name| !finished(name, 1, &[BITE]).0.state.verdict.completed).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Work that costs nothing, such as patrolling, has no progress to be patient about: nobody leaves it.
#[test]
fn work_without_a_cost_goes_on() {
    for name in ["diffusion", "traffic", "exploration"] {
        let mut run = simulation(name, 1, &[BITE]);
        let mut log = Vec::new();
        let ticks = (260.0 / run.model.dt()) as usize;
        (0..ticks).for_each(|_| run.tick(&mut log));
        let begun = log.iter().filter(|logged| logged.event.kind == EventKind::Activated).count();
        assert!(begun >= run.model.team.len(), "{name}: {begun}");
        let left = log.iter().filter(|logged| logged.event.kind == EventKind::LeftToOthers).count();
        assert_eq!(left, 0, "{name}");
    }
}

/// A deaf robot cannot know what the others agree on, so it stops for good. Where everybody has to arrive, that is why the rest waits in vain.
#[test]
fn a_robot_that_stays_deaf_explains_what_is_left() {
    let deaf = "disturbances=[{at: 60 s, radio: {robot: r3, fault: deaf}}]";
    let (run, log) = finished("bounding-overwatch", 1, &[BITE, deaf, "run.until=12 min"]);
    assert!(log.iter().any(|logged| logged.event.kind == EventKind::Stranded));
    let why = run.why_incomplete().expect("r3 does not arrive");
    assert!(why.name() == "cannot-move" && why.explained(), "{}", why.name());
    let sentence = why.sentence(&run.model, &run.state);
    assert_eq!(sentence, "what is left depends on r3, which has stopped: it hears too few of its team");
}

/// The operator takes a robot: the team goes on, its work goes to others, and when released it goes to where the team is.
#[test]
fn the_operator_takes_a_robot_and_gives_it_back() {
    let held = "disturbances=[{at: 30 s, for: 120 s, take-over: {robot: blue}}]";
    let mut run = simulation("waste-cleanup", 1, &[BITE, held]);
    let blue = RobotId(0);
    let mut log = Vec::new();
    let task = |run: &crewlab_lab::sim::Simulation| run.state.active(blue);
    while run.now().seconds() < 20.0 {
        run.tick(&mut log);
    }
    assert!(task(&run).is_some(), "it works");
    let (mut idle, mut others, mut ticks) = (0, 0, 0);
    while run.now().seconds() < 149.0 {
        run.tick(&mut log);
        if run.now().seconds() > 32.0 {
            ticks += 1;
            idle += u32::from(task(&run).is_none());
            others += u32::from((1..3).any(|robot| run.state.active(RobotId(robot)).is_some()));
        }
    }
    assert_eq!(idle, ticks, "it does what the operator wants, and nothing of its own");
    assert!(others > 1000, "the others have gone on: {others}");
    let mut takes_part = false;
    while !run.finished() {
        run.tick(&mut log);
        takes_part |= run.now().seconds() > 151.0 && task(&run).is_some();
    }
    assert!(run.state.verdict.completed && takes_part, "it takes part again");
}

/// A decision that is left to a person: answered from a script, or by the first option if nobody answers.
#[test]
fn a_person_decides_from_a_script_or_the_first_option_follows() {
    let asks = "team.bite.points={stand-up: {decide: ask-operator}}";
    let led = |disturbances: &str| {
        let (_, log) = finished("formation", 1, &[asks, disturbances, "run.until=60 s"]);
        let of = |kind: EventKind| log.iter().filter(move |logged| logged.event.kind == kind);
        let walked = of(EventKind::Activated).any(|logged| logged.event.thing.as_deref() == Some("lead"));
        (walked, of(EventKind::Answered).count())
    };
    assert_eq!(led("disturbances=[]"), (true, 0));
    let answer = "disturbances=[{at: 0 s, answer: {robot: a, question: 1, choice: line-up}}]";
    let (walked, answered) = led(answer);
    assert!(!walked && answered > 0, "{answered}");
}
