//! The overhead of a sweep.

use crate::compare::{self, Rivals};
use crate::file::PlanError;
use crate::metrics;
use crate::plan::Plan;
use crate::results;
use crate::store::RunOutcome;
use crate::sweep::{SweepError, SweepOptions, sweep};
use crewlab_scenario::Request;
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Runs of the long sweep.
    pub runs: usize,
    /// Of these, runs that completed their mission.
    pub completed: usize,
    /// Runs at a time.
    pub jobs: usize,
    /// Wall-clock time of the long sweep. [s]
    pub wall_s: f64,
    /// The share of all cores that it kept busy; `None` where the system does not tell.
    pub busy: Option<f64>,
    /// Memory after a tenth of the runs. [MB]
    pub memory_early_mb: Option<f64>,
    /// Memory after all runs. [MB]
    pub memory_late_mb: Option<f64>,
    /// Tables, figures and report. [s]
    pub results_s: f64,
    /// Processor time per run of a sweep whose runs end after one tick: reading the scenario, building the world,
    /// one tick, keeping the result. [ms]
    pub overhead_ms: Option<f64>,
    /// The same in wall-clock time, including writing the results. [ms]
    pub overhead_wall_ms: f64,
}

/// Processor time that this process has used, all threads together. [s]
fn processor() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may have spaces in it.
    let mut numbers = text.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<f64>().ok();
    // Linux counts these in hundredths of a second everywhere.
    Some((ticks()? + ticks()?) / 100.0)
}

/// Memory that this process has. [MB]
fn memory() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

/// Why a benchmark cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The scenario.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The sweep.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// Measures a sweep of `runs` runs of waste-cleanup, and one whose runs end after one tick. `folder` is emptied.
pub fn measure(runs: usize, jobs: usize, folder: &Path) -> Result<Figures, BenchError> {
    let options = |name: &str| SweepOptions {
        out: folder.join(name),
        resume: false,
        force: true,
        retry: false,
        jobs,
        stop: Arc::new(AtomicBool::new(false)),
    };
    let plan = |until: &str| -> Result<Plan, PlanError> {
        let sets = vec![format!("run.until={until}")];
        let request = Request { scenario: "waste-cleanup".into(), sets, ..Request::default() };
        let seeds = (1..=runs as u64).collect();
        compare::plan(
            &request,
            Rivals::Coordinators,
            &["alliance".to_string()],
            seeds,
            Vec::new(),
            "crewlab bench sweep".into(),
        )
    };
    let completed_at = metrics::find("completed").map_or(0, |(place, _)| place);
    let long = plan("60 min")?;
    let (mut done, mut completed, mut memory_early_mb) = (0, 0, None);
    let (began, before) = (Instant::now(), processor());
    let swept = sweep(&long, &options("long"), &mut |_, outcome: &RunOutcome| {
        done += 1;
        completed += usize::from(outcome.value(completed_at) == Some(1.0));
        if done == runs.div_ceil(10) {
            memory_early_mb = memory();
        }
    })?;
    let wall_s = began.elapsed().as_secs_f64();
    let busy = before.zip(processor()).map(|(before, after)| (after - before) / wall_s / jobs as f64);
    let memory_late_mb = memory();
    let writing = Instant::now();
    results::write(&long, &swept.store, &swept.folder).map_err(SweepError::from)?;
    let results_s = writing.elapsed().as_secs_f64();
    let short = plan("0.1 s")?;
    let (began, before) = (Instant::now(), processor());
    let swept = sweep(&short, &options("short"), &mut |_, _| ())?;
    let overhead = before.zip(processor()).map(|(before, after)| after - before);
    results::write(&short, &swept.store, &swept.folder).map_err(SweepError::from)?;
    let overhead_wall = began.elapsed().as_secs_f64();
    let per_run = |seconds: f64| seconds * 1e3 / runs.max(1) as f64;
    Ok(Figures {
        runs,
        completed,
        jobs,
        wall_s,
        busy,
        memory_early_mb,
        memory_late_mb,
        results_s,
        overhead_ms: overhead.map(per_run),
        overhead_wall_ms: per_run(overhead_wall),
    })
}
