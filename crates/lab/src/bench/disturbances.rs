//! `crewlab bench disturbances`: the cost of a hundred disturbances. They cover every *when* and have no effect (a loss of 0, an
//! additional noise of 0), so the run is the same with and without them.

use crewlab_scenario::{Problems, Request, Scenario, load};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::Topic;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// How many disturbances.
const COUNT: usize = 100;

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DisturbancesRow {
    /// Disturbances in the scenario.
    pub disturbances: usize,
    /// Number of times that one of them happened or ended.
    pub happened: usize,
    /// Ticks of the run.
    pub ticks: u64,
    /// The shortest time that the run took. [ms]
    pub run_ms: f64,
    /// Median over the pairs of runs of the time with disturbances as a share of the time without.
    pub ratio: f64,
}

fn scenario(count: usize) -> Result<Scenario, Problems> {
    let what = [
        "sensor: {robot: random, sensor: position, fault: noisier, severity: 0}",
        "drive: {robot: random, fault: slower, severity: 0}",
        "radio: {robot: all, fault: lossy, severity: 0}",
        "clock: {robot: gold}",
    ];
    let entry = |n: usize| {
        let what = what[n / 5 % what.len()];
        match n % 5 {
            0 => format!("{{at: {} s, for: 60 s, {what}}}", 4 * n),
            1 => format!("{{between: [0 s, 9 min], for: 60 s, {what}}}"),
            2 => format!("{{every: 60 s, from: {n} s, for: 30 s, {what}}}"),
            3 => format!("{{rate: 1 /min, for: 30 s, {what}}}"),
            _ => format!(
                "{{when: 'robots.blue.task == \"report-progress\" && time > {n}.0', times: 100, for: 10 s, {what}}}"
            ),
        }
    };
    let sets = (0..count).map(|n| format!("disturbances.+={}", entry(n))).collect();
    load(&Request { scenario: "waste-cleanup".into(), sets, seed: Some(1), ..Request::default() })
}

/// Runs once: ticks, disturbance events, time. [ms]
fn once(scenario: &Scenario) -> (u64, usize, f64) {
    let (model, state) = scenario.start.clone();
    let mut simulation = Simulation::new(model, state, false);
    let (mut log, mut happened) = (Vec::new(), 0);
    let start = Instant::now();
    while !simulation.finished() {
        log.clear();
        simulation.tick(&mut log);
        happened += log.iter().filter(|l| l.event.kind.topic() == Topic::Disturbance).count();
    }
    (simulation.state.tick, happened, start.elapsed().as_secs_f64() * 1e3)
}

/// Measures pairs of runs, alternately without and with disturbances.
pub fn measure(pairs: usize) -> Result<Vec<DisturbancesRow>, Problems> {
    let scenarios = [scenario(0)?, scenario(COUNT)?];
    let mut shortest = [f64::INFINITY; 2];
    let mut ratios = Vec::new();
    let mut last = [(0, 0); 2];
    for _ in 0..pairs.max(1) {
        let mut times = [0.0; 2];
        for (which, scenario) in scenarios.iter().enumerate() {
            let (ticks, happened, time) = once(scenario);
            (last[which], times[which]) = ((ticks, happened), time);
            shortest[which] = shortest[which].min(time);
        }
        ratios.push(times[1] / times[0]);
    }
    ratios.sort_by(f64::total_cmp);
    let row = |which: usize, disturbances: usize, ratio: f64| DisturbancesRow {
        disturbances,
        happened: last[which].1,
        ticks: last[which].0,
        run_ms: shortest[which],
        ratio,
    };
    Ok(vec![row(0, 0, 1.0), row(1, COUNT, ratios[ratios.len() / 2])])
}
