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

/// What the thesis says about figure 4.9, or what of it is not so in a run.
fn figure_4_9(seed: u64, sets: &[&str]) -> Result<(), String> {
    let (simulation, log) = finished(&experiment("alliance-sim/figure-4.9.yaml"), seed, sets);
    let model = &simulation.model;
    let first = |kind: &str, robot: &str, task: &str| {
        let found = events(&log, model, kind, task).into_iter().find(|event| event.1 == robot);
        found.ok_or(format!("{robot}: no {kind} about {task}"))
    };
    let require = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    let top = "move-spill-top";
    // Blue reports, gold is the first to move the top spill, and green, which comes after gold in the order of the robots, hears
    // of it in the same step.
    let (reports, gold) = (first("activated", "blue", "report-progress")?, first("activated", "gold", top)?);
    require(reports.0 < gold.0, "blue must report before gold moves waste")?;
    let resigned = first("reset", "green", top)?;
    require(resigned.0 == gold.0 && resigned.2.as_deref() == Some("gold"), "green must hear gold at once")?;
    // Green wants the task for the first time, and begins to report in the same step.
    let (wants, other) = (first("waiting", "green", top)?, first("activated", "green", "report-progress")?);
    require(wants.0 == other.0, "green must drop out in the step in which it wants the task")?;
    // That interrupts gold in the next step, long before its ψ of 150 s: by the reset alone.
    let interrupted = log.iter().find(|l| {
        l.event.kind == EventKind::Reset
            && l.robot.is_some_and(|id| model.robot_name(id) == "gold")
            && l.event.task.is_some_and(|task| model.task_name(task) == top)
            && term(l, "before") == 100.0
            && term(l, "acquiescence") == 1.0
    });
    let interrupted = interrupted.ok_or("gold must be interrupted")?;
    let by = interrupted.event.other.map(|id| model.robot_name(id));
    let late = interrupted.time.seconds() - wants.0;
    require(
        by == Some("green") && late > 0.0 && late < 1.5 * model.dt(),
        "green must interrupt gold at once",
    )?;
    require(interrupted.time.seconds() - gold.0 < 30.0, "gold must be interrupted early")?;
    // Gold, not green, takes the task again, and the next wish leaves it alone.
    let movers = events(&log, model, "activated", top);
    require(movers.get(1).is_some_and(|event| event.1 == "gold"), "gold must take the task again")?;
    let again = events(&log, model, "waiting", top).into_iter().filter(|event| event.1 == "green").nth(1);
    let kept = again.is_some_and(|again| {
        let lost = events(&log, model, "reset", top).into_iter().find(|e| e.1 == "gold" && e.0 > again.0);
        lost.is_none_or(|lost| lost.0 > again.0 + 10.0)
    });
    require(kept, "only the first wish interrupts")?;
    // The third reset of blue's motivation: it takes the other spill.
    let bottom = first("activated", "blue", "move-spill-bottom")?;
    require(bottom.0 > interrupted.time.seconds(), "blue must take the other spill after that")
}

/// Figure 4.9: a robot at work is interrupted although neither ψ nor λ is over, the first time another robot wants its task, and
/// that one drops out in the same step.
#[test]
fn with_same_tick_visibility_a_first_wish_interrupts_the_robot_at_work() {
    for seed in 1..=3 {
        assert_eq!(figure_4_9(seed, &[]), Ok(()), "seed {seed}");
    }
    // It is the order of the robots within a step that makes it so.
    assert!(figure_4_9(1, &["team.visibility=end-of-tick"]).is_err());
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
    take_turns_again(&simulation, &log).expect("turns");
    // Without ψ nobody leaves a spill to another robot that wants it, so nobody gets it back.
    let (stubborn, log) = finished(
        &experiment("alliance-sim/figure-4.11.yaml"),
        1,
        &["team.alliance.time-before-yielding=10 h"],
    );
    assert!(take_turns_again(&stubborn, &log).is_err());
    // Blue stays where it was walled in: at most the gap of 0.1 m on each side.
    let blue = model.robot("blue").expect("blue is in the team");
    let until_trapped = simulation_until(trapped + 0.2);
    let there = until_trapped.state.world.bodies[blue].pose.position;
    assert!(there.distance(simulation.state.world.bodies[blue].pose.position) < 0.3);
}

/// "The robots again take turns at moving the spill locations", blue included, which decreases the efficiency of the team: in each
/// spill somebody works a second time after others have.
fn take_turns_again(run: &Simulation, log: &[Logged]) -> Result<(), String> {
    for task in ["move-spill-top", "move-spill-bottom"] {
        let movers: Vec<String> =
            events(log, &run.model, "activated", task).into_iter().map(|event| event.1).collect();
        let returns = (0..movers.len()).any(|place| {
            let before = movers[..place].iter().rposition(|mover| *mover == movers[place]);
            before.is_some_and(|before| before + 1 < place)
        });
        if !returns || !movers.iter().any(|mover| mover == "blue") {
            return Err(format!("{task}: {movers:?}"));
        }
    }
    Ok(())
}

/// Without impatience nobody takes over, so the order of the searchers is that of the takeovers.
#[test]
fn without_impatience_a_trapped_robot_keeps_its_task() {
    let patient = [
        "team.alliance.time-willing-to-affect=10 h",
        "team.alliance.slow-impatience=0.001 /s",
        "run.until=20 min",
    ];
    let (simulation, log) = finished(&experiment("alliance-sim/figure-4.11.yaml"), 1, &patient);
    let searchers = events(&log, &simulation.model, "activated", "find-locations");
    assert!(searchers.iter().all(|event| event.1 == "blue"), "{searchers:?}");
    assert!(!simulation.state.verdict.completed);
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
