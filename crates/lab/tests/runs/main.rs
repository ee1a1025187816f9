//! Whole runs: what the papers say, and that results depend on nothing but scenario and seed.

mod determinism;
mod janitorial;
mod papers;
mod robustness;

use crewlab_lab::scenario::{Request, Scenario, load};
use crewlab_lab::sim::{Logged, Simulation};

/// A shipped scenario with changes.
fn scenario(name: &str, seed: u64, sets: &[&str]) -> Scenario {
    let sets = sets.iter().map(|set| set.to_string()).collect();
    load(&Request { scenario: name.into(), sets, seed: Some(seed) })
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A run that has not started.
fn simulation(name: &str, seed: u64, sets: &[&str]) -> Simulation {
    let (model, state) = scenario(name, seed, sets).start;
    Simulation::new(model, state, false)
}

/// Runs to the end; gives the run and everything that happened.
fn finished(name: &str, seed: u64, sets: &[&str]) -> (Simulation, Vec<Logged>) {
    let mut simulation = simulation(name, seed, sets);
    let mut log = Vec::new();
    while !simulation.finished() {
        simulation.tick(&mut log);
    }
    (simulation, log)
}
