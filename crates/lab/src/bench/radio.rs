//! `crewlab bench radio`: nodes that move at random and broadcast.

use super::cpu;
use crewlab_scenario::{Problems, RadioParams, load_radio};
use crewlab_sim::radio::workload::Workload;
use serde::{Deserialize, Serialize};

/// One setting.
#[derive(Clone, Debug)]
pub struct RadioSetting {
    /// Its name in the table.
    pub name: String,
    /// Its workload.
    pub workload: Workload,
    /// Number of seeds, from 1.
    pub seeds: u64,
}

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RadioRow {
    /// The setting.
    pub setting: String,
    /// Nodes.
    pub nodes: usize,
    /// Seeds.
    pub seeds: u64,
    /// Processor time per 10 simulated seconds, mean over the seeds. [s]
    pub cpu_s: f64,
    /// Processor time per node and simulated second. [us]
    pub per_node_us: f64,
    /// Share of the copies that arrived, mean over the seeds.
    pub delivery: f64,
    /// The smallest and the largest share.
    pub delivery_range: [f64; 2],
    /// Mean time until a copy arrives. [ms]
    pub latency_ms: f64,
    /// The smallest and the largest mean of a seed. [ms]
    pub latency_range_ms: [f64; 2],
}

/// The settings of the specification.
pub fn published() -> Vec<RadioSetting> {
    let ad_hoc = |nodes: usize| RadioSetting {
        name: "600 m x 275 m".into(),
        workload: Workload::ad_hoc(nodes),
        seeds: if nodes <= 100 { 5 } else { 1 },
    };
    let large = |nodes: usize, name: &str| RadioSetting {
        name: name.into(),
        workload: Workload::large(nodes),
        seeds: 1,
    };
    let mut settings: Vec<RadioSetting> = [10, 50, 100, 300, 1000].into_iter().map(ad_hoc).collect();
    settings.push(large(250, "1 km x 1 km, 25 walls"));
    settings.push(large(1000, "2 km x 2 km, 100 walls"));
    settings.push(large(4000, "4 km x 4 km, 400 walls"));
    settings
}

/// A radio for the workload: a preset or a file, with changes, and the receivers of the published runs unless they are
/// changed too.
pub fn radio(name: &str, sets: &[String]) -> Result<Option<Workload>, Problems> {
    // As in `plain_receiver`, but with lower precedence than the user's settings.
    let plain = ["sensitivity=-82 dBm", "preamble-sinr=4 dB", "capture=null", "stagger=0 s"];
    let plain: Vec<String> = plain.into_iter().map(String::from).chain(sets.iter().cloned()).collect();
    Ok(match load_radio(name, &plain)? {
        RadioParams::Physical(params) => Some(Workload { params: *params, ..Workload::ad_hoc(1) }),
        RadioParams::Ideal(_) => None,
    })
}

/// Runs a setting with all its seeds.
pub fn measure(setting: &RadioSetting) -> RadioRow {
    let mut runs = Vec::new();
    let mut spent = 0.0;
    for seed in 1..=setting.seeds.max(1) {
        let start = cpu::seconds();
        let tally = setting.workload.run(seed);
        spent += cpu::seconds() - start;
        let delivery = tally.delivered as f64 / tally.copies.max(1) as f64;
        runs.push((delivery, tally.mean_latency().unwrap_or(0.0) * 1e3));
    }
    let count = runs.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| runs.iter().map(value).sum::<f64>() / count;
    let range = |value: fn(&(f64, f64)) -> f64| {
        let values = runs.iter().map(value);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    };
    let per_second = spent / count / setting.workload.duration;
    RadioRow {
        setting: setting.name.clone(),
        nodes: setting.workload.nodes,
        seeds: setting.seeds.max(1),
        cpu_s: per_second * 10.0,
        per_node_us: per_second / setting.workload.nodes.max(1) as f64 * 1e6,
        delivery: mean(|run| run.0),
        delivery_range: range(|run| run.0),
        latency_ms: mean(|run| run.1),
        latency_range_ms: range(|run| run.1),
    }
}
