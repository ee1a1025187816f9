//! Does all runs of a plan in a folder.

use crate::folder::{ExperimentFolder, FolderError};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::runner::{Ended, Runner};
use crate::store::{RunOutcome, Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Options of a sweep.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The folder for the results.
    pub out: PathBuf,
    /// Continue with the results in that folder.
    pub resume: bool,
    /// Replace older results in that folder.
    pub force: bool,
    /// Retry failed runs.
    pub retry: bool,
    /// Runs at a time.
    pub jobs: usize,
    /// Stops the sweep when it becomes true.
    pub stop: Arc<AtomicBool>,
}

/// Why a sweep fails.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A sweep that ended, complete or not.
#[derive(Debug)]
pub struct Swept {
    /// Where the results are.
    pub folder: ExperimentFolder,
    /// The results.
    pub store: Store,
    /// How it ended.
    pub ended: Ended,
}

/// Does all runs of a plan. Calls `tell` for every run, with its number in the plan, including those done before.
pub fn sweep(
    plan: &Plan,
    options: &SweepOptions,
    tell: &mut dyn FnMut(usize, &RunOutcome),
) -> Result<Swept, SweepError> {
    let began = Instant::now();
    let folder = ExperimentFolder::claim(&options.out, plan, options.resume, options.force)?;
    let seconds = |time: Option<f64>| time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let pool = Pool { jobs: options.jobs, per_run: seconds(plan.per_run), stop: options.stop.clone() };
    let mut runner = Runner::new(Store::open(folder.path())?, pool);
    runner.from_the_end = !folder.is_first();
    runner.retry = options.retry;
    runner.until = seconds(plan.time).and_then(|time| began.checked_add(time));
    let trials: Vec<_> = plan.trials().collect();
    let ended = runner.run(&trials, tell)?;
    Ok(Swept { folder, store: runner.store, ended })
}

/// The default folder of an experiment's results.
pub fn default_folder(kind: &str, name: &str) -> PathBuf {
    Path::new(kind).join(name)
}
