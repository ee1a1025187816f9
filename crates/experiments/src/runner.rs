//! Completes the runs of a plan; those already in the store are not repeated.

use crate::plan::Trial;
use crate::pool::Pool;
use crate::store::{Failure, RunOutcome, Store, StoreError, StoredRun};
use crewlab_lab::run::{RunError, RunOptions, run};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the journals of other processes are read.
const NEWS: Duration = Duration::from_secs(1);

/// A store, and the threads that fill it.
#[derive(Debug)]
pub struct Runner {
    /// The results.
    pub store: Store,
    /// The threads.
    pub pool: Pool,
    /// Take the last runs first, because another process works from the front.
    pub from_the_end: bool,
    /// Retry failed runs.
    pub retry: bool,
    /// No new run begins after this.
    pub until: Option<Instant>,
}

/// How a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All runs are in the store.
    Complete,
    /// Runs are missing: the time is up or, on other machines, something failed.
    TimeIsUp,
    /// The user stopped it.
    Interrupted,
}

impl Runner {
    /// A runner with a store.
    pub fn new(store: Store, pool: Pool) -> Runner {
        Runner { store, pool, from_the_end: false, retry: false, until: None }
    }

    /// Does all these runs that are not in the store. Calls `tell` for each as soon as it is there, with its index in the list.
    pub fn run(
        &mut self,
        trials: &[Trial],
        tell: &mut dyn FnMut(usize, &RunOutcome),
    ) -> Result<Ended, StoreError> {
        let mut missing = VecDeque::new();
        for (index, trial) in trials.iter().enumerate() {
            match self.store.get(&trial.key) {
                Some(RunOutcome::Failed { .. }) if self.retry => missing.push_back(index),
                Some(outcome) => tell(index, outcome),
                None => missing.push_back(index),
            }
        }
        let missing = Mutex::new(missing);
        let up = || self.until.is_some_and(|until| Instant::now() >= until);
        let (from_the_end, retry) = (self.from_the_end, self.retry);
        let next = || {
            let mut missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
            if up() {
                return None;
            }
            if from_the_end { missing.pop_back() } else { missing.pop_front() }
        };
        let mut looked = Instant::now();
        let store = Mutex::new((&mut self.store, tell));
        let done = |index: usize, outcome: RunOutcome| {
            let (store, tell) = &mut *store.lock().unwrap_or_else(PoisonError::into_inner);
            tell(index, &outcome);
            store.put(StoredRun { key: trials[index].key, outcome })
        };
        let heartbeat = || {
            if looked.elapsed() < NEWS {
                return Ok(());
            }
            looked = Instant::now();
            let (store, tell) = &mut *store.lock().unwrap_or_else(PoisonError::into_inner);
            store.refresh()?;
            let mut missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.retain(|index| match store.get(&trials[*index].key) {
                Some(RunOutcome::Failed { .. }) if retry => true,
                Some(outcome) => {
                    tell(*index, outcome);
                    false
                }
                None => true,
            });
            Ok(())
        };
        self.pool.work(next, |index, stop| attempt(&trials[*index], stop), done, heartbeat)?;
        self.store.sync()?;
        let complete = trials.iter().all(|trial| self.store.get(&trial.key).is_some());
        Ok(match complete {
            _ if self.pool.stop.load(Ordering::Relaxed) => Ended::Interrupted,
            true => Ended::Complete,
            false => Ended::TimeIsUp,
        })
    }
}

/// One run; `None` if it was interrupted.
fn attempt(trial: &Trial, stop: &Arc<AtomicBool>) -> Option<RunOutcome> {
    let refused = |reason: String| Some(RunOutcome::Failed { failure: Failure::Refused, reason });
    let scenario = match trial.load() {
        Ok(scenario) => scenario,
        Err(problems) => return refused(problems.brief()),
    };
    let options = RunOptions {
        out: None,
        force: false,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: stop.clone(),
    };
    match run(&scenario, &options, &mut |_| ()) {
        Ok(summary) => Some(RunOutcome::of(&summary)),
        Err(RunError::Interrupted) => None,
        Err(error) => refused(error.to_string()),
    }
}
