//! `crewlab bench allocation`: figure 3.8 of the thesis for every method, joint allocation for teams in space, and their performance
//! targets.

use super::cpu;
use crate::allocation::workload::{every_size, pairwise, spatial, square};
use crate::allocation::{
    Allocation, Extras, Instance, Method, Objective, SearchLimits, assign, best_coalition, branch_and_bound,
    greedy, joint, operations, repair,
};
use serde::Serialize;
use std::hint::black_box;

/// Robots and capable robots of figure 3.8, and beyond, up to the limit of exhaustive search.
pub const TEAMS: [(usize, usize); 10] =
    [(4, 2), (4, 4), (6, 3), (6, 6), (8, 4), (8, 8), (10, 10), (12, 12), (14, 7), (14, 14)];
/// Seeds of the spatial instances.
pub const SEEDS: u64 = 5;
/// Robots and tasks of the spatial instances; plans have 2 to 5 subtasks.
pub const SPATIAL: (usize, usize) = (200, 60);

/// One team of figure 3.8: processor time to assign one task with a plan for every coalition size. [us]
#[derive(Clone, Debug, Serialize)]
pub struct TeamRow {
    /// Robots.
    pub robots: usize,
    /// Those that are capable.
    pub capable: usize,
    /// The thesis' figure, on one computer per robot with messages between them.
    pub thesis: &'static str,
    /// Exhaustive: all coalitions.
    pub exhaustive_us: f64,
    /// Matching: the best injection of each plan.
    pub matching_us: f64,
    /// Branch and bound: subtask by subtask.
    pub branch_and_bound_us: f64,
    /// Joint: as an instance with one task.
    pub joint_us: f64,
}

/// One spatial instance, all tasks at once.
#[derive(Clone, Debug, Serialize)]
pub struct JointRow {
    /// Its seed.
    pub seed: u64,
    /// The proven optimum.
    pub optimum: f64,
    /// The remaining gap; 0 if the optimum is proven.
    pub gap: f64,
    /// Processor time to the proof. [ms]
    pub time_ms: f64,
    /// Nodes of the search tree.
    pub nodes: usize,
    /// Share of the optimum that prices and rounding alone reach.
    pub quick_share: f64,
    /// Gap that they certify.
    pub quick_gap: f64,
    /// Their processor time. [ms]
    pub quick_ms: f64,
    /// Share of the optimum that the thesis' greedy order reaches.
    pub greedy_share: f64,
    /// Mean processor time to repair the optimum after one robot has failed, over all robots. [ms]
    pub repair_ms: f64,
    /// Processor time to solve without that robot from the start. [ms]
    pub anew_ms: f64,
    /// Largest gap that a repair certifies.
    pub repair_gap: f64,
    /// Smallest share of the new optimum that a repair reaches.
    pub repair_share: f64,
}

/// A target and its measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// What is measured.
    pub what: String,
    /// The figure.
    pub measured: f64,
    /// Its limit (for shares a lower one).
    pub target: f64,
    /// Unit of both.
    pub unit: &'static str,
    /// True if it is met.
    pub met: bool,
}

impl Target {
    fn time(what: &str, measured: f64, target: f64, unit: &'static str) -> Target {
        Target { what: what.into(), measured, target, unit, met: measured <= target }
    }
}

/// Processor time of one call: the best of three loops, each long enough for the system's clock. [s]
fn per_call<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut loops = 1_u32;
    let mut run = |loops: u32| {
        let start = cpu::seconds();
        for _ in 0..loops {
            black_box(call());
        }
        cpu::seconds() - start
    };
    let mut spent = run(loops);
    while spent < 0.05 && loops < 1 << 20 {
        loops *= 2;
        spent = run(loops);
    }
    let best = (0..2).map(|_| run(loops)).fold(spent, f64::min);
    best / f64::from(loops)
}

/// Mean of [`per_call`] over a few seeds. [us]
fn mean_us(robots: usize, capable: usize, call: impl Fn(&Instance)) -> f64 {
    let seeds = 3;
    let one = |seed| {
        let instance = every_size(robots, capable, seed);
        per_call(|| call(&instance))
    };
    (0..seeds).map(one).sum::<f64>() / seeds as f64 * 1e6
}

fn one_task(instance: &Instance, method: Method) {
    let free = vec![true; instance.robots];
    let _ = black_box(best_coalition(&instance.tasks[0], instance.robots, &free, method));
}

/// Measures one team of figure 3.8.
pub fn team((robots, capable): (usize, usize)) -> TeamRow {
    let by = |method: Method| mean_us(robots, capable, |instance| one_task(instance, method));
    TeamRow {
        robots,
        capable,
        thesis: match (robots, capable) {
            (6, 6) => "80 s",
            (8, 4) => "10 s",
            (8, 8) => "minutes",
            _ => "",
        },
        exhaustive_us: by(Method::Exhaustive),
        matching_us: by(Method::Matching),
        branch_and_bound_us: by(Method::BranchAndBound),
        joint_us: mean_us(robots, capable, |instance| {
            let _ = black_box(joint(instance, &SearchLimits::default()));
        }),
    }
}

fn solved(instance: &Instance, limits: &SearchLimits) -> Result<(Allocation, f64), String> {
    let time = per_call(|| joint(instance, limits));
    joint(instance, limits).map(|allocation| (allocation, time * 1e3)).map_err(|error| error.to_string())
}

/// Measures one spatial instance.
pub fn together(seed: u64) -> Result<JointRow, String> {
    let instance = spatial(SPATIAL.0, SPATIAL.1, (2, 5), seed);
    let (best, time_ms) = solved(&instance, &SearchLimits::default())?;
    let (quick, quick_ms) = solved(&instance, &SearchLimits::quick())?;
    let greedy = greedy(&instance).map_err(|error| error.to_string())?;
    let busy = best.busy(instance.robots);
    let failures: Vec<usize> = (0..instance.robots).filter(|&robot| busy[robot]).step_by(37).collect();
    let mut row = JointRow {
        seed,
        optimum: best.value,
        gap: best.gap,
        time_ms,
        nodes: best.effort.nodes,
        quick_share: quick.value / best.value,
        quick_gap: quick.gap,
        quick_ms,
        greedy_share: greedy.value / best.value,
        repair_ms: 0.0,
        anew_ms: 0.0,
        repair_gap: 0.0,
        repair_share: 1.0,
    };
    for &failed in &failures {
        let mut without = instance.clone();
        for line in
            without.tasks.iter_mut().flat_map(|task| &mut task.plans).flat_map(|plan| &mut plan.subtasks)
        {
            line[failed] = None;
        }
        let (anew, anew_ms) = solved(&without, &SearchLimits::default())?;
        let mended = repair(&instance, &best, failed).map_err(|error| error.to_string())?;
        row.repair_ms += per_call(|| repair(&instance, &best, failed)) * 1e3 / failures.len() as f64;
        row.anew_ms += anew_ms / failures.len() as f64;
        row.repair_gap = row.repair_gap.max(mended.gap);
        row.repair_share = row.repair_share.min(mended.value / anew.value);
    }
    Ok(row)
}

/// The targets, with the rows of [`together`] for those of the joint allocation.
pub fn targets(rows: &[JointRow]) -> Vec<Target> {
    let matching = |robots| mean_us(robots, robots, |instance| one_task(instance, Method::Matching));
    let table = square(1000, 0);
    let assignment = per_call(|| assign(&table, Objective::Perfect)) * 1e3;
    let pairs = (0..5).map(|seed| {
        let (task, pairs) = pairwise(24, 5, 0.5, seed);
        let extras = Extras { pairs: Some(&pairs), ..Extras::default() };
        per_call(|| branch_and_bound(&task, 24, &[true; 24], &extras, u64::MAX)) * 1e3
    });
    let worst = |value: fn(&JointRow) -> f64| rows.iter().map(value).fold(0.0, f64::max);
    let share = rows.iter().map(|row| row.quick_share).fold(1.0, f64::min) * 100.0;
    vec![
        Target::time("one task, a plan for every size, 14 robots, matching", matching(14), 20.0, "us"),
        Target::time("the same, 100 robots", matching(100) / 1e3, 5.0, "ms"),
        Target::time("square assignment, 1000 rows", assignment, 82.0, "ms"),
        Target::time(
            "24 robots, 5 subtasks, all pairs linked, exact, mean",
            pairs.sum::<f64>() / 5.0,
            1.0,
            "ms",
        ),
        Target::time(
            "200 robots, 60 tasks: optimum proven, slowest seed",
            worst(|row| row.time_ms),
            1100.0,
            "ms",
        ),
        Target::time("the same against the stretch target", worst(|row| row.time_ms), 300.0, "ms"),
        Target::time(
            "200 robots, 60 tasks: prices and rounding, slowest seed",
            worst(|row| row.quick_ms),
            20.0,
            "ms",
        ),
        Target {
            what: "share of the optimum they reach, worst seed".into(),
            measured: share,
            target: 99.5,
            unit: "%",
            met: share >= 99.5,
        },
        Target::time(
            "repair after a failure as a share of solving anew, mean",
            rows.iter().map(|row| row.repair_ms).sum::<f64>()
                / rows.iter().map(|row| row.anew_ms).sum::<f64>()
                * 100.0,
            100.0,
            "%",
        ),
    ]
}

/// Operations and messages for one task with a plan for every coalition size, as in figure 3.4.
#[derive(Clone, Debug, Serialize)]
pub struct OperationRow {
    /// Robots.
    pub robots: usize,
    /// |R|!: all orders of robots (ASyMTRe).
    pub factorial: f64,
    /// 2^R R³: MuRoCo.
    pub central: f64,
    /// 2^R R²: MuRoCo-D.
    pub distributed: f64,
    /// R^k with k = R/2, the average coalition size (Vig and Adams).
    pub limited: f64,
    /// Cells of reward tables that exhaustive search examines.
    pub exhaustive: u64,
    /// The mean share of one robot if they are distributed.
    pub exhaustive_shared: f64,
    /// Cells that matching examines.
    pub matching: u64,
    /// Messages of a central round, R² + 3R (table 3.1).
    pub messages_central: usize,
    /// Messages of a distributed round, 3R² + 3R.
    pub messages_distributed: usize,
    /// Messages of a round of single-robot tasks, 4R.
    pub messages_single: usize,
}

/// Counts for one number of robots.
pub fn count(robots: usize) -> Result<OperationRow, String> {
    let instance = every_size(robots, robots, 0);
    let by = |method| operations(&instance.tasks[0], robots, method).map_err(|error| error.to_string());
    let (exhaustive, number) = (by(Method::Exhaustive)?, robots as f64);
    let all = libm::exp2(number);
    Ok(OperationRow {
        robots,
        factorial: (1..=robots).map(|factor| factor as f64).product(),
        central: all * number * number * number,
        distributed: all * number * number,
        limited: libm::pow(number, number / 2.0),
        exhaustive,
        exhaustive_shared: exhaustive as f64 / number.max(1.0),
        matching: by(Method::Matching)?,
        messages_central: robots * robots + 3 * robots,
        messages_distributed: 3 * robots * robots + 3 * robots,
        messages_single: 4 * robots,
    })
}

/// The measured instances as files for other solvers: names and texts.
pub fn files() -> Result<Vec<(String, String)>, String> {
    let text = |instance: &Instance| serde_json::to_string(instance).map_err(|error| error.to_string());
    let mut files = Vec::new();
    for (robots, capable) in TEAMS {
        files.push((format!("every-size-{robots}-{capable}.json"), text(&every_size(robots, capable, 0))?));
    }
    let (robots, tasks) = SPATIAL;
    for seed in 0..SEEDS {
        files.push((
            format!("spatial-{robots}-{tasks}-{seed}.json"),
            text(&spatial(robots, tasks, (2, 5), seed))?,
        ));
    }
    let table = serde_json::to_string(&square(1000, 0)).map_err(|error| error.to_string())?;
    files.push(("square-1000.json".into(), table));
    Ok(files)
}
