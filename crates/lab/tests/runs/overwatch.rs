//! Bounding overwatch: the teams are even, take turns, and go on whoever is lost.

use super::{finished, simulation};
use crewlab_lab::sim::missions::AnySkills;
use crewlab_lab::sim::missions::bounding_overwatch::{Group, Knowledge};
use crewlab_lab::sim::onboard::{Skills, Stream, StreamKind};
use crewlab_lab::sim::{Logged, Simulation};

const PLAIN: &str = "bounding-overwatch";

/// What a robot knows.
fn known(run: &Simulation, robot: usize) -> &Knowledge {
    match &run.state.robots[robot].software.skills {
        AnySkills::BoundingOverwatch(skills) => &skills.known,
        _ => panic!("another mission"),
    }
}

fn leads(run: &Simulation, robot: usize) -> bool {
    run.state.robots[robot].software.skills.leads() && !run.state.world.bodies[robot].down()
}

fn leaders(run: &Simulation) -> Vec<usize> {
    (0..run.state.robots.len()).filter(|robot| leads(run, *robot)).collect()
}

/// Runs until something is true or the run ends.
fn run_until(run: &mut Simulation, log: &mut Vec<Logged>, mut stop: impl FnMut(&Simulation) -> bool) {
    while !run.finished() && !stop(run) {
        run.tick(log);
    }
}

/// Runs with one robot halted from a random moment of the first `within` seconds on, at which `pick` gives one.
fn with_one_lost(
    seed: u64,
    sets: &[&str],
    within: f64,
    pick: impl Fn(&Simulation, u64) -> Option<usize>,
) -> Simulation {
    let mut run = simulation(PLAIN, seed, sets);
    let mut random = Stream::new(seed, StreamKind::World, 99, 0);
    let (moment, which) = (random.between(0.0, within), random.bits());
    let mut victim = None;
    run_until(&mut run, &mut Vec::new(), |run| {
        victim = pick(run, which).filter(|_| run.now().seconds() >= moment);
        victim.is_some()
    });
    if let Some(victim) = victim {
        run.state.world.bodies[victim].halted = true;
    }
    run_until(&mut run, &mut Vec::new(), |_| false);
    run
}

fn any_leader(run: &Simulation, which: u64) -> Option<usize> {
    let leaders = leaders(run);
    (!leaders.is_empty()).then(|| leaders[which as usize % leaders.len()])
}

fn table(name: &str, runs: impl Iterator<Item = (u64, Simulation)>) {
    let (mut times, mut failed) = (Vec::new(), Vec::new());
    for (seed, run) in runs {
        if run.state.verdict.completed {
            times.push((run.now().seconds() as u64, seed))
        } else {
            failed.push(seed)
        }
    }
    times.sort();
    let mean = times.iter().map(|(time, _)| *time as f64).sum::<f64>() / times.len() as f64;
    println!(
        "{name}: {} completed, mean {mean:.0} s, slowest {:?}, failed {failed:?}",
        times.len(),
        &times[times.len().saturating_sub(4)..]
    );
}

#[test]
#[ignore]
fn tables() {
    for coordinator in ["alliance", "greedy", "random"] {
        let set = format!("team.coordinator={coordinator}");
        let sets = [set.as_str()];
        table(&format!("{coordinator} plain"), (1..=100).map(|seed| (seed, finished(PLAIN, seed, &sets).0)));
        table(
            &format!("{coordinator} leader"),
            (1..=100).map(|seed| (seed, with_one_lost(seed, &sets, 210.0, any_leader))),
        );
        table(
            &format!("{coordinator} any"),
            (1..=100)
                .map(|seed| (seed, with_one_lost(seed, &sets, 210.0, |_, which| Some(which as usize % 8)))),
        );
    }
}
