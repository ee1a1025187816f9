//! Box pushing: two robots push the box straight; if one fails, the other takes over and pushes both ends in turn.

use super::{completed, experiment, finished};
use crewlab_lab::sim::onboard::EventKind;
use crewlab_lab::sim::{Logged, Simulation};
use crewlab_scenario::{Request, load};

const PLAIN: &str = "box-pushing";
const FAILURE: &str = "box-pushing-failure";

/// Who took which task when, in order.
fn activations(run: &Simulation, log: &[Logged]) -> Vec<(f64, String, String)> {
    let active = log.iter().filter(|logged| logged.event.kind == EventKind::Activated);
    let of = |logged: &Logged| {
        let (robot, task) = (logged.robot?, logged.event.task?);
        let name = run.model.robot_name(robot).to_string();
        Some((logged.time.seconds(), name, run.model.task_name(task).to_string()))
    };
    active.filter_map(of).collect()
}

/// All turns of the box. [deg]
fn turned(run: &Simulation) -> f64 {
    let turns = run.state.world.objects().iter().filter_map(|object| object.pushable.as_ref());
    turns.map(|pushable| pushable.turned.to_degrees()).sum()
}

fn all_complete(name: &str, seeds: u64, sets: &[&str]) {
    let (done, failed) = completed(name, seeds, sets);
    assert_eq!(done, seeds, "{name} with {sets:?}: seeds {failed:?} do not finish");
}

#[test]
fn with_both_robots_the_box_goes_straight() {
    for seed in 1..=5 {
        let (run, log) = finished(PLAIN, seed, &[]);
        assert!(run.state.verdict.completed, "seed {seed}");
        let first: Vec<(String, String)> =
            activations(&run, &log).into_iter().map(|(_, robot, task)| (robot, task)).collect();
        let expected = [("red", "push-left-end"), ("blue", "push-right-end")];
        assert!(
            first.iter().all(|(robot, task)| expected.contains(&(robot, task))),
            "seed {seed}: {first:?}"
        );
        // 4 m at 0.15 m/s take 27 s.
        assert!(run.now().seconds() < 60.0, "seed {seed}: {} s", run.now().seconds());
        assert!(turned(&run) < 45.0, "seed {seed}: turned by {} deg", turned(&run));
    }
}

#[test]
fn if_one_fails_the_other_takes_over_both_ends_and_finishes_more_slowly() {
    let plain = finished(PLAIN, 1, &[]).0;
    let (run, log) = finished(&experiment("alliance/box-pushing.yaml"), 1, &[]);
    assert!(run.state.verdict.completed);
    let lost = log.iter().find(|logged| logged.event.kind == EventKind::Disturbance).expect("blue fails");
    let after: Vec<_> =
        activations(&run, &log).into_iter().filter(|(time, ..)| *time > lost.time.seconds()).collect();
    assert!(after.iter().all(|(_, robot, _)| robot == "red"), "{after:?}");
    // It notices when it has heard nothing for τ and its motivation has grown.
    let (takeover, _, task) = &after[0];
    let waited = takeover - lost.time.seconds();
    assert!(task == "push-right-end" && (5.0..25.0).contains(&waited), "{task} after {waited} s");
    let changes = after.windows(2).filter(|pair| pair[0].2 != pair[1].2).count();
    assert!(changes > 10, "one end after the other, many times: {after:?}");
    assert!(run.now().seconds() > 3.0 * plain.now().seconds());
    assert!(turned(&run) > 5.0 * turned(&plain), "it turns the box to and fro");
}

/// Without impatience nobody takes over, so the box stays where it is.
#[test]
fn a_survivor_that_cannot_become_impatient_does_not_finish() {
    let patient = "team.alliance.robots.red.behaviours.push-right-end={fast-impatience: 0.001 /s, slow-impatience: 0.001 /s}";
    let (run, log) = finished(FAILURE, 1, &[patient, "run.until=30 min"]);
    assert!(!run.state.verdict.completed);
    let right = activations(&run, &log).into_iter().filter(|(_, _, task)| task == "push-right-end");
    assert!(right.into_iter().all(|(_, robot, _)| robot == "blue"));
}

#[test]
fn every_coordinator_and_controller_completes_it() {
    for coordinator in ["alliance", "greedy", "random", "muroco", "cbba"] {
        let coordinator = format!("team.coordinator={coordinator}");
        for controller in ["pilot", "free-direction"] {
            let controller = format!("team.controller={controller}");
            all_complete(PLAIN, 3, &[&coordinator, &controller]);
            all_complete(FAILURE, 2, &[&coordinator, &controller]);
        }
    }
}

/// A robot that stops right behind the middle of a half leaves room only at the corner, or near the middle of the box.
#[test]
fn a_lost_robot_behind_the_box_does_not_block_it() {
    for (y, side) in [("3.6 m", "left"), ("3.8 m", "left"), ("2.2 m", "right"), ("2 m", "right")] {
        for coordinator in ["alliance", "greedy"] {
            let robots = format!(
                "team.robots=[{{name: red, type: pusher}}, {{name: blue, type: pusher, at: [2.58 m, {y}]}}]"
            );
            let coordinator = format!("team.coordinator={coordinator}");
            let (run, _) = finished(FAILURE, 1, &[&robots, &coordinator, "disturbances.0.at=0 s"]);
            assert!(run.state.verdict.completed, "behind the {side} half, y = {y}, {coordinator}");
        }
    }
}

#[test]
fn teams_of_one_and_of_many_complete_it_at_any_tick() {
    for (robots, tick) in [(1, "100 ms"), (1, "500 ms"), (2, "20 ms"), (3, "500 ms"), (10, "100 ms")] {
        let team = format!("team.robots=[{{name: r, type: pusher, count: {robots}}}]");
        for coordinator in ["alliance", "greedy"] {
            let sets =
                [team.as_str(), &format!("run.tick={tick}"), &format!("team.coordinator={coordinator}")];
            all_complete(PLAIN, 2, &sets);
        }
    }
}

/// A box that stands askew beside the wall is straightened and led away from it.
#[test]
fn a_box_that_stands_askew_beside_a_wall_is_recovered() {
    for (at, heading) in [("[3.2 m, 1.5 m]", 35.0), ("[3.2 m, 1.5 m]", -35.0), ("[3.4 m, 4.6 m]", 50.0)] {
        let carton = format!(
            "world.objects=[{{name: box, rectangle: [0.4 m, 2.6 m], at: {at}, heading: {heading} deg, pushable: {{friction: 40 N}}}}]"
        );
        all_complete(PLAIN, 3, &[&carton]);
        all_complete(FAILURE, 2, &[&carton]);
    }
}

/// The box may lie the other way round: the robots are told which side is the long one.
#[test]
fn the_long_side_may_be_either_one() {
    let carton = "world.objects=[{name: plank, rectangle: [2.6 m, 0.4 m], at: [3 m, 3 m], heading: 90 deg, pushable: {friction: 40 N}}]";
    all_complete(PLAIN, 2, &[carton]);
}

/// A wall must not appear in the box: nobody could move it any more.
#[test]
fn a_trap_waits_while_the_box_stands_where_a_wall_must_go() {
    let behind = "team.robots=[{name: red, type: pusher}, {name: blue, type: pusher, at: [2.55 m, 3 m]}]";
    let sets = [behind, "disturbances=[{at: 1 s, trap: blue}]", "run.until=1.2 s"];
    let (run, log) = finished(PLAIN, 1, &sets);
    assert!(log.iter().any(|logged| logged.event.kind == EventKind::DisturbanceDelayed));
    assert_eq!(run.state.world.objects().len(), 1, "only the box");
}

#[test]
fn a_box_that_is_stuck_in_something_is_refused_with_advice() {
    let carton =
        "{name: box, rectangle: [0.4 m, 2.6 m], at: [3 m, 3 m], heading: 0 deg, pushable: {friction: 40 N}}";
    let refused = |objects: String| {
        let sets = vec![format!("world.objects=[{objects}]")];
        let request = Request { scenario: PLAIN.into(), sets, ..Request::default() };
        load(&request).map(|_| ()).map_err(|problems| problems.to_string())
    };
    assert_eq!(refused(carton.into()), Ok(()));
    let border = refused(carton.replace("3 m, 3 m", "3 m, 1 m")).expect_err("the border");
    assert!(
        border.contains("`box` at [3.00 m, 1.00 m] overlaps the border") && border.contains("move it"),
        "{border}"
    );
    let wall = refused(format!("{carton}, {{name: pillar, circle: 0.2 m, at: [3.2 m, 3.5 m]}}"));
    let wall = wall.expect_err("the pillar");
    assert!(wall.contains("is inside `pillar`") && wall.contains("world.objects"), "{wall}");
}

#[test]
fn robots_that_are_too_weak_explain_why_the_box_stays() {
    let weak = ["world.objects.0.pushable.friction=400 N", "run.give-up=5 min"];
    let (run, _) = finished(PLAIN, 1, &weak);
    let why = run.why_incomplete().expect("it is not completed");
    let words = why.sentence(&run.model, &run.state);
    assert!(why.name() == "hindered" && words.contains("64 N"), "{words}");
    // One can turn what two can push.
    let alone = ["team.robots=[{name: red, type: pusher}]", "run.until=1 min"];
    let (run, _) = finished(PLAIN, 1, &alone);
    assert_eq!(run.why_incomplete().expect("it takes longer").name(), "too-short");
}
