//! A task of HyperQueue: a batch of runs on any machine.

use super::{HqError, batch};
use crate::folder::{parse_plan, plan_bytes, version_of};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::runner::{Ended, Runner};
use crate::store::Store;
use crewlab_lab::VERSION;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Time that a machine may take to see a new plan on a shared file system.
const PATIENCE: Duration = Duration::from_secs(65);

/// The arguments of a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// The experiment's folder.
    pub folder: PathBuf,
    /// Numbers of the runs in the plan: `0-49,77`.
    pub runs: String,
    /// The fingerprint of that plan.
    pub plan: Option<String>,
    /// The task does nothing unless this file exists: HyperQueue may start tasks of a cancelled job.
    pub only_while: Option<PathBuf>,
    /// Retry failed runs.
    pub retry: bool,
    /// No new run begins after this.
    pub until: Option<SystemTime>,
    /// Stops the task when it becomes true.
    pub stop: Arc<AtomicBool>,
}

/// Does a task's runs, except those already in the journals: the task may have been started elsewhere before.
pub fn work(task: &Task) -> Result<Ended, HqError> {
    if task.only_while.as_ref().is_some_and(|file| !file.exists()) {
        return Ok(Ended::TimeIsUp);
    }
    let plan = plan(&task.folder, task.plan.as_deref())?;
    let runs = batch::read(&task.runs, plan.len());
    let runs = runs.ok_or_else(|| HqError::Runs { found: task.runs.clone(), last: plan.len() - 1 })?;
    let trials: Vec<_> = runs.into_iter().map(|run| plan.trial(run)).collect();
    let per_run = plan.per_run.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let pool = Pool { jobs: 1, per_run, stop: task.stop.clone() };
    let mut runner = Runner::new(Store::open(&task.folder)?, pool);
    runner.retry = task.retry;
    runner.until = task.until.map(|until| {
        let left = until.duration_since(SystemTime::now()).unwrap_or_default();
        let now = Instant::now();
        now.checked_add(left).unwrap_or(now)
    });
    Ok(runner.run(&trials, &mut |_, _| ())?)
}

/// The fingerprint of the plan stored in a folder.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn plan(folder: &Path, wanted: Option<&str>) -> Result<Plan, HqError> {
    let began = Instant::now();
    loop {
        let bytes = plan_bytes(folder)?;
        if wanted.is_none_or(|wanted| wanted == fingerprint(&bytes)) {
            let found = version_of(&bytes);
            if found.as_deref() != Some(VERSION) {
                return Err(HqError::Version { folder: folder.to_path_buf(), found });
            }
            let plan = parse_plan(folder, &bytes)?;
            return if plan.is_empty() { Err(HqError::Empty(folder.to_path_buf())) } else { Ok(plan) };
        }
        if began.elapsed() > PATIENCE {
            return Err(HqError::Changed(folder.to_path_buf()));
        }
        thread::sleep(Duration::from_millis(500));
    }
}
