//! The claims of ALLIANCE-SIM about its experiments, in its own order.

use super::{experiment, finished, scenario, simulation};
use crewlab_lab::sim::onboard::{Coordinator, Gauge, GaugeState};
use crewlab_lab::sim::{Logged, Model, Simulation};
use crewlab_sim::onboard::EventKind;

/// Events of one kind about one task: time, robot, team-mate.
fn events(log: &[Logged], model: &Model, kind: &str, task: &str) -> Vec<(f64, String, Option<String>)> {
    log.iter()
        .filter(|l| l.event.kind.name() == kind && l.event.task.is_some_and(|t| model.task_name(t) == task))
        .map(|l| {
            let name = |id| model.robot_name(id).to_string();
            (l.time.seconds(), l.robot.map(name).unwrap_or_default(), l.event.other.map(name))
        })
        .collect()
}

fn term(logged: &Logged, name: &str) -> f64 {
    logged.event.terms.iter().find(|term| term.name == name).map_or(f64::NAN, |term| term.value)
}

#[test]
fn waste_cleanup_completes_for_seeds_1_to_20() {
    for seed in 1..=20 {
        let (simulation, _) = finished("waste-cleanup", seed, &[]);
        assert!(simulation.state.verdict.completed, "seed {seed}: {:?}", simulation.state.verdict);
    }
}

/// 4.3.1: blue searches methodically and nobody interrupts it; then the robots take turns at moving the spills and
/// report progress periodically.
#[test]
fn without_interruption_blue_finds_the_locations_and_all_take_turns() {
    let (simulation, log) = finished(&experiment("alliance-sim/figure-4.8.yaml"), 1, &[]);
    let model = &simulation.model;
    let finders = events(&log, model, "activated", "find-locations");
    assert_eq!(finders.len(), 1, "{finders:?}");
    assert_eq!(finders[0].1, "blue");
    let found =
        log.iter().find(|l| l.event.kind == EventKind::FoundLocations).expect("somebody must find them");
    assert_eq!(model.robot_name(found.robot.expect("a robot")), "blue");
    for task in ["move-spill-top", "move-spill-bottom"] {
        let mut movers: Vec<String> =
            events(&log, model, "activated", task).into_iter().map(|e| e.1).collect();
        movers.sort();
        movers.dedup();
        assert!(movers.len() >= 2, "{task} is done in turns, not by {movers:?} alone");
    }
    let reports = log.iter().filter(|l| l.event.kind == EventKind::State).count();
    // Once when the locations are known and then every two minutes, delayed by the way to the site.
    let expected = simulation.now().seconds() / 120.0;
    assert!(reports as f64 >= expected * 0.5 && reports as f64 <= expected + 2.0, "{reports} reports");
}

/// Figure 4.9: a working robot is interrupted although neither ψ nor λ is over, the first time another robot wants its task.
#[test]
fn with_same_tick_visibility_a_first_wish_interrupts_the_robot_at_work() {
    let (simulation, log) = finished(&experiment("alliance-sim/figure-4.9.yaml"), 1, &[]);
    let model = &simulation.model;
    let interrupted = log.iter().find(|l| {
        l.event.kind == EventKind::Reset
            && l.event.task.is_some_and(|t| model.task_name(t).starts_with("move-spill"))
            // It was working: its motivation was at the threshold; and acquiescence played no part.
            && term(l, "before") == 100.0
            && term(l, "reset") == 0.0
            && term(l, "acquiescence") == 1.0
    });
    let interrupted = interrupted.expect("the interruption of figure 4.9 must be in the log");
    let (by, task) = (interrupted.event.other.expect("by a team-mate"), interrupted.event.task);
    let wanted = log.iter().any(|l| {
        l.event.kind == EventKind::Waiting
            && l.robot == Some(by)
            && l.event.task == task
            && l.time <= interrupted.time
    });
    assert!(wanted, "the team-mate must have wanted the task");
    let before = log
        .iter()
        .filter(|l| {
            l.time < interrupted.time && l.event.kind == EventKind::Reset && l.robot == interrupted.robot
        })
        .any(|l| l.event.other == Some(by) && l.event.task == task);
    assert!(!before, "only the first time");
}

/// 4.3.2: blue is walled in while it searches; gold takes over, then green, who finishes; the mission completes.
#[test]
fn when_blue_is_trapped_the_others_take_over_in_turn_and_finish() {
    let (simulation, log) = finished(&experiment("alliance-sim/figure-4.11.yaml"), 1, &[]);
    assert!(simulation.state.verdict.completed);
    let model = &simulation.model;
    let trapped =
        log.iter().find(|l| l.event.kind == EventKind::Disturbance).expect("the trap").time.seconds();
    let searchers: Vec<String> =
        events(&log, model, "activated", "find-locations").into_iter().map(|event| event.1).collect();
    assert_eq!(searchers, ["blue", "gold", "green"]);
    let found =
        log.iter().find(|l| l.event.kind == EventKind::FoundLocations).expect("somebody must find them");
    assert_eq!(model.robot_name(found.robot.expect("a robot")), "green");
    // Blue stays where it was walled in: at most the gap of 0.1 m on each side.
    let blue = model.robot("blue").expect("blue is in the team");
    let until_trapped = simulation_until(trapped + 0.2);
    let there = until_trapped.state.world.bodies[blue].pose.position;
    assert!(there.distance(simulation.state.world.bodies[blue].pose.position) < 0.3);
}

fn simulation_until(time: f64) -> Simulation {
    let mut run = simulation(&experiment("alliance-sim/figure-4.11.yaml"), 1, &[]);
    while run.now().seconds() < time {
        run.tick(&mut Vec::new());
    }
    run
}

/// Figure 4.11: after a takeover the others' motivations start again from zero, rise at the slow rate, and after φ at the fast
/// one.
#[test]
fn after_a_takeover_motivation_rises_slowly_and_then_fast() {
    let mut run = simulation(&experiment("alliance-sim/figure-4.11.yaml"), 1, &[]);
    let green = run.model.robot("green").expect("green is in the team");
    let wander = run.model.team[green]
        .identity
        .behaviours()
        .find(|(_, spec)| spec.name == "find-locations-wander")
        .map(|(id, _)| id)
        .expect("green can wander");
    let mut levels = Vec::new();
    let mut takeover = None;
    while run.now().seconds() < 300.0 {
        let mut log = Vec::new();
        run.tick(&mut log);
        let gold_takes_over = log.iter().any(|l| {
            l.event.kind == EventKind::Activated
                && l.robot.is_some_and(|id| run.model.robot_name(id) == "gold")
        });
        if gold_takes_over {
            takeover = takeover.or(Some(run.now().seconds()));
        }
        let mut gauges: Vec<Gauge> = Vec::new();
        run.state.robots[green].software.coordinator.gauges(&mut gauges);
        let gauge = gauges.iter().find(|g| g.behaviour == wander).expect("a gauge per behaviour set");
        levels.push((run.now().seconds(), gauge.level, gauge.state));
    }
    let takeover = takeover.expect("gold takes over");
    let at = |time: f64| {
        levels.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs())).expect("levels").1
    };
    assert!(at(takeover + 0.5) < 1.0, "the takeover resets the motivation");
    let slope = |from: f64, to: f64| (at(to) - at(from)) / (to - from);
    // The scenario's δslow is 0.3 /s, φ is 100 s and green's δfast is 1.8 /s.
    assert!((slope(takeover + 5.0, takeover + 95.0) - 0.3).abs() < 0.01);
    assert!((slope(takeover + 103.0, takeover + 133.0) - 1.8).abs() < 0.05);
    assert!(levels.iter().all(|(_, level, state)| *state != GaugeState::Active || *level == 100.0));
}

/// Two coordinators on one seed face the same world.
#[test]
fn all_coordinators_get_the_same_items_on_one_seed() {
    for seed in [1, 2, 77] {
        let items = |coordinator: &str| {
            let set = format!("team.coordinator={coordinator}");
            let (_, state) = scenario("waste-cleanup", seed, &[&set]).start;
            state.world.items.iter().map(|item| (item.position.x, item.position.y)).collect::<Vec<_>>()
        };
        let alliance = items("alliance");
        assert_eq!(alliance.len(), 40);
        assert_eq!(alliance, items("greedy"));
        assert_eq!(alliance, items("random"));
    }
}
