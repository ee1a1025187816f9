//! `crewlab bench teamwork` and `crewlab bench graph`: whether BITE keeps its promises when everything goes wrong, and what its engine
//! costs.

use crewlab_sim::teams::bite::rehearsal::{Idle, Rehearsed, rehearse};
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;

/// Longest rehearsal. [s]
const LIMIT: f64 = 600.0;

/// What many rehearsals have shown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Promises {
    /// Number of rehearsals.
    pub runs: u64,
    /// Entries of records that were decided, over all of them.
    pub decisions: u64,
    /// Rehearsals in which the team came to the end of its plan, or still followed it long after the trouble.
    pub ended: u64,
    /// Rehearsals in which too few of the team were left to decide anything.
    pub stranded: u64,
    /// Places in a record about which robots differed.
    pub disagreements: u64,
    /// Times at which robots of one group went different ways, by protocols that do not communicate.
    pub splits: u64,
    /// Robots that went on for longer than they may after they had lost the others.
    pub overstayed: u64,
    /// Seeds of rehearsals that broke a promise, the first ones.
    pub broken: Vec<u64>,
    /// Number of rehearsals that broke a promise.
    pub broken_runs: u64,
    /// How long it took. [s]
    pub seconds: f64,
}

/// Rehearses with teams of 2 to 12 robots. `own_data`: with the thesis' protocols that do not communicate, each robot by its own data.
pub fn promises(first: u64, runs: u64, own_data: bool) -> Promises {
    let start = Instant::now();
    let all = (first..first.saturating_add(runs)).into_par_iter();
    let one = |seed: u64| {
        let robots = 2 + (seed % 11) as usize;
        (seed, rehearse(seed, robots, None, own_data, LIMIT))
    };
    let mut sum = all.map(one).fold(Promises::default, add).reduce(Promises::default, merge);
    sum.broken.sort_unstable();
    sum.broken.truncate(10);
    sum.seconds = start.elapsed().as_secs_f64();
    sum
}

fn add(mut sum: Promises, (seed, went): (u64, Rehearsed)) -> Promises {
    sum.runs += 1;
    sum.decisions += u64::from(went.decisions);
    sum.ended += u64::from(went.ended);
    sum.stranded += u64::from(went.stranded);
    sum.disagreements += u64::from(went.disagreements);
    sum.splits += u64::from(went.splits);
    sum.overstayed += u64::from(went.overstayed);
    if !went.is_kept() {
        sum.broken.push(seed);
        sum.broken_runs += 1;
    }
    sum
}

fn merge(one: Promises, other: Promises) -> Promises {
    Promises {
        runs: one.runs + other.runs,
        decisions: one.decisions + other.decisions,
        ended: one.ended + other.ended,
        stranded: one.stranded + other.stranded,
        disagreements: one.disagreements + other.disagreements,
        splits: one.splits + other.splits,
        overstayed: one.overstayed + other.overstayed,
        broken: [one.broken, other.broken].concat(),
        broken_runs: one.broken_runs + other.broken_runs,
        seconds: 0.0,
    }
}

/// What the engine costs with one size of graph and team.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GraphCost {
    /// Behaviours of the graph.
    pub nodes: usize,
    /// Robots.
    pub robots: usize,
    /// A tick of a robot, messages of the others decoded. [ns]
    pub ns_per_tick: f64,
    /// The same per behaviour. [ns]
    pub ns_per_node: f64,
    /// Ticks of robots per second.
    pub robot_ticks_per_s: f64,
}

/// Measures a team at work, in ticks of 0.1 s in which nothing ends.
pub fn graph_costs() -> Vec<GraphCost> {
    [(10, 1), (100, 1), (1000, 1), (100, 10), (100, 100)]
        .map(|(nodes, robots)| {
            let mut team = Idle::new(nodes, robots);
            // Until everybody has work.
            (0..100).for_each(|_| team.step());
            let ticks = 200_000 / (robots * robots).max(20);
            let best = (0..5).map(|_| {
                let start = Instant::now();
                (0..ticks).for_each(|_| team.step());
                start.elapsed().as_secs_f64() / (ticks * robots) as f64
            });
            let seconds = best.fold(f64::INFINITY, f64::min);
            GraphCost {
                nodes,
                robots,
                ns_per_tick: 1e9 * seconds,
                ns_per_node: 1e9 * seconds / nodes as f64,
                robot_ticks_per_s: 1.0 / seconds,
            }
        })
        .to_vec()
}
