//! Threads that do runs. A run that panics or times out is a result like any other.

use crate::store::{Failure, RunOutcome};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the timeouts are checked.
const HEARTBEAT: Duration = Duration::from_millis(20);

/// How runs are done. Nothing here changes their results, except for timeouts.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Runs at a time.
    pub jobs: usize,
    /// Timeout of a run.
    pub per_run: Option<Duration>,
    /// Stops everything when it becomes true.
    pub stop: Arc<AtomicBool>,
}

/// The state of a thread.
#[derive(Default)]
struct Slot {
    running: Option<(Instant, Arc<AtomicBool>)>,
    late: bool,
}

impl Pool {
    /// Processes the items from `next` with `run`, which ends early and returns `None` when its flag becomes true. `done` and
    /// `heartbeat` are called on this thread; their errors stop everything.
    pub fn work<T: Send, E>(
        &self,
        next: impl FnMut() -> Option<T> + Send,
        run: impl Fn(&T, &Arc<AtomicBool>) -> Option<RunOutcome> + Sync,
        mut done: impl FnMut(T, RunOutcome) -> Result<(), E>,
        mut heartbeat: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        listen_to_panics();
        let jobs = self.jobs.max(1);
        let over = AtomicBool::new(false);
        let ending = || over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed);
        let slots: Vec<Mutex<Slot>> = (0..jobs).map(|_| Mutex::default()).collect();
        let next = Mutex::new(next);
        // Bounded, so that results cannot accumulate before a slow disk.
        let (sender, receiver) = sync_channel(2 * jobs);
        thread::scope(|scope| {
            for slot in &slots {
                let (sender, next, run, ending) = (sender.clone(), &next, &run, &ending);
                scope.spawn(move || {
                    while !ending() {
                        let task = (lock(next))();
                        let Some(task) = task else { break };
                        let outcome = attempt(&task, slot, self.per_run, run);
                        if let Some(outcome) = outcome
                            && sender.send((task, outcome)).is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut end = Ok(());
            loop {
                match receiver.recv_timeout(HEARTBEAT) {
                    Ok((task, outcome)) if end.is_ok() => end = done(task, outcome),
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return end,
                }
                if end.is_ok() {
                    end = heartbeat();
                }
                if end.is_err() {
                    over.store(true, Ordering::Relaxed);
                }
                slots.iter().for_each(|slot| self.watch(slot, ending()));
            }
        })
    }

    /// Stops a run that has timed out, or all runs.
    fn watch(&self, slot: &Mutex<Slot>, ending: bool) {
        let mut slot = lock(slot);
        let late = |began: &Instant| self.per_run.is_some_and(|limit| began.elapsed() >= limit);
        match &slot.running {
            Some((_, stop)) if ending => stop.store(true, Ordering::Relaxed),
            Some((began, stop)) if late(began) => {
                stop.store(true, Ordering::Relaxed);
                slot.late = true;
            }
            _ => {}
        }
    }
}

/// One run with its outcome; `None` if it was interrupted.
fn attempt<T>(
    task: &T,
    slot: &Mutex<Slot>,
    per_run: Option<Duration>,
    run: &(impl Fn(&T, &Arc<AtomicBool>) -> Option<RunOutcome> + Sync),
) -> Option<RunOutcome> {
    let stop = Arc::new(AtomicBool::new(false));
    *lock(slot) = Slot { running: Some((Instant::now(), stop.clone())), late: false };
    LAST_WORDS.with_borrow_mut(|words| *words = Some(String::new()));
    let ended = panic::catch_unwind(AssertUnwindSafe(|| run(task, &stop)));
    let words = LAST_WORDS.take().unwrap_or_default();
    let late = std::mem::take(&mut *lock(slot)).late;
    match ended {
        Ok(Some(outcome)) => Some(outcome),
        Ok(None) if late => {
            let limit = per_run.unwrap_or_default().as_secs_f64();
            let reason = format!("it took longer than {limit} s");
            Some(RunOutcome::Failed { failure: Failure::TimedOut, reason })
        }
        Ok(None) => None,
        Err(payload) => {
            let reason = if words.is_empty() { said(payload.as_ref()) } else { words };
            Some(RunOutcome::Failed { failure: Failure::Panicked, reason })
        }
    }
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_else(|| "no message".into())
}

thread_local! {
    /// The message of a panicking run; `None` if this thread does no run.
    static LAST_WORDS: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics in runs are kept as their reasons, with the source location; all others are reported as usual.
fn listen_to_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or(String::new(), |place| format!(" ({place})"));
            let words = format!("{}{place}", said(info.payload()));
            let heard = LAST_WORDS.with_borrow_mut(|last| last.as_mut().map(|last| *last = words));
            if heard.is_none() {
                before(info);
            }
        }));
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn pool(per_run: Option<Duration>) -> Pool {
        Pool { jobs: 3, per_run, stop: Arc::default() }
    }

    fn done(value: f64) -> RunOutcome {
        RunOutcome::Done { values: vec![value], result: String::new(), incomplete: None }
    }

    fn all(
        pool: &Pool,
        run: impl Fn(&u64, &Arc<AtomicBool>) -> Option<RunOutcome> + Sync,
    ) -> Vec<(u64, RunOutcome)> {
        let (mut tasks, mut ended) = (0..20u64, Vec::new());
        let keep = |task, outcome| {
            ended.push((task, outcome));
            Ok::<(), Infallible>(())
        };
        pool.work(|| tasks.next(), run, keep, || Ok(())).unwrap();
        ended.sort_by_key(|(task, _)| *task);
        ended
    }

    #[test]
    fn a_run_that_panics_is_recorded_with_its_message_and_the_others_continue() {
        let ended = all(&pool(None), |task, _| {
            assert!(task % 7 != 3, "seven and three: {task}");
            Some(done(*task as f64))
        });
        assert_eq!(ended.len(), 20);
        for (task, outcome) in ended {
            match outcome {
                RunOutcome::Failed { failure: Failure::Panicked, reason } => {
                    assert!(task % 7 == 3, "{task}");
                    assert!(reason.starts_with(&format!("seven and three: {task}")), "{reason}");
                    assert!(reason.contains("pool.rs:"), "{reason}");
                }
                other => assert_eq!(other, done(task as f64)),
            }
        }
    }

    #[test]
    fn a_run_that_takes_too_long_is_given_up() {
        let ended = all(&pool(Some(Duration::from_millis(60))), |task, stop| {
            while *task == 5 && !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            (*task != 5).then(|| done(0.0))
        });
        let failed: Vec<&(u64, RunOutcome)> =
            ended.iter().filter(|(_, outcome)| matches!(outcome, RunOutcome::Failed { .. })).collect();
        let [(5, RunOutcome::Failed { failure: Failure::TimedOut, reason })] = failed[..] else {
            panic!("{failed:?}")
        };
        assert_eq!(reason, "it took longer than 0.06 s");
        assert_eq!(ended.len(), 20);
    }

    #[test]
    fn an_interrupted_run_leaves_nothing_behind() {
        let pool = pool(None);
        let stop = pool.stop.clone();
        let ended = all(&pool, |task, flag| {
            if *task == 4 {
                stop.store(true, Ordering::Relaxed);
            }
            while *task >= 4 && !flag.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            (*task < 4).then(|| done(0.0))
        });
        assert_eq!(ended.iter().map(|(task, _)| *task).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn an_error_while_keeping_results_ends_everything() {
        let mut tasks = 0..u64::MAX;
        let run = |_: &u64, _: &Arc<AtomicBool>| Some(done(0.0));
        let ended = pool(None).work(|| tasks.next(), run, |_, _| Err("full"), || Ok(()));
        assert_eq!(ended, Err("full"));
    }
}
