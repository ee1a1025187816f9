//! Whole runs: the claims of the papers, and that results depend only on scenario and seed.

mod box_pushing;
mod cbba;
mod city;
mod controllers;
mod decider;
mod determinism;
mod detour;
mod estimators;
mod explore;
mod finishing;
mod formation;
mod ground;
mod handover;
mod intentions;
mod janitorial;
mod maps;
mod market;
mod measures;
mod muroco;
mod overwatch;
mod papers;
mod radio;
mod records;
mod robustness;
mod service;
mod shared_plans;
mod sketches;
mod slam;
mod stage;
mod stuck;
mod surroundings;
mod swarm;
mod teamwork;
mod traffic;
mod vocabulary;

use crewlab_lab::sim::{Logged, Simulation};
use crewlab_scenario::{Request, Scenario, load};
use rayon::prelude::*;

/// A shipped scenario with changes.
fn scenario(name: &str, seed: u64, sets: &[&str]) -> Scenario {
    let sets = sets.iter().map(|set| set.to_string()).collect();
    load(&Request { scenario: name.into(), sets, seed: Some(seed), ..Request::default() })
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The file of a published experiment.
fn experiment(name: &str) -> String {
    format!("{}/../../experiments/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A run that has not started.
fn simulation(name: &str, seed: u64, sets: &[&str]) -> Simulation {
    let (model, state) = scenario(name, seed, sets).start;
    Simulation::new(model, state, false)
}

/// Number of the first seeds that complete the mission.
fn completed(name: &str, seeds: u64, sets: &[&str]) -> (u64, Vec<u64>) {
    let ends: Vec<(u64, bool)> = (1..=seeds)
        .into_par_iter()
        .map(|seed| (seed, finished(name, seed, sets).0.state.verdict.completed))
        .collect();
    let failed: Vec<u64> = ends.iter().filter(|(_, completed)| !completed).map(|(seed, _)| *seed).collect();
    (seeds - failed.len() as u64, failed)
}

/// Runs to the end; returns the run and its log.
fn finished(name: &str, seed: u64, sets: &[&str]) -> (Simulation, Vec<Logged>) {
    let mut simulation = simulation(name, seed, sets);
    let mut log = Vec::new();
    while !simulation.finished() {
        simulation.tick(&mut log);
    }
    (simulation, log)
}
