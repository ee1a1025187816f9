//! Sweeps on several machines, with HyperQueue. Its tasks run this program again, each with a batch of runs; the results are
//! journals in the experiment's folder, as with one process. So nothing has to be transferred, and a sweep can be started on
//! one machine and finished on another.

mod batch;
mod client;
mod worker;

pub use client::Hq;
pub use worker::{Task, work};

use crate::folder::{ExperimentFolder, FolderError, plan_bytes};
use crate::plan::{Plan, Trial};
use crate::runner::Ended;
use crate::store::{RunOutcome, Store, StoreError};
use crate::sweep::{SweepOptions, Swept};
use client::{Tasks, short};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{self, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The folder for HyperQueue's files inside the experiment's folder.
const FOLDER: &str = "hq";

/// Number of cores assumed while there is no worker yet.
const CORES: usize = 32;
/// How often the stop flag is checked.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How often the journals and the server are polled.
const NEWS: Duration = Duration::from_secs(1);
/// Time without a worker after which the user is told.
const LONELY: Duration = Duration::from_secs(10);
/// Time after which a silent server counts as lost.
const GONE: Duration = Duration::from_secs(30);
/// Time that journals of other machines may take to become visible here: NFS checks for new files once a minute.
const PATIENCE: Duration = Duration::from_secs(65);

/// How a sweep is distributed.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The client.
    pub hq: Hq,
    /// This program, under a path that is valid on all machines.
    pub crewlab: PathBuf,
    /// Runs per task, at most.
    pub batch: usize,
}

/// Why a distributed sweep fails.
#[derive(Debug, thiserror::Error)]
pub enum HqError {
    /// There is no `hq`.
    #[error(
        "there is no `hq` on the search path: install HyperQueue (see docs/clusters.md), or give its path with --hq PATH"
    )]
    NotFound,
    /// There is no `hq` at the given path.
    #[error("there is no program at {0}: --hq takes the path of HyperQueue's `hq`")]
    NotThere(PathBuf),
    /// It cannot be started.
    #[error("cannot start {0}: {1}; is it HyperQueue's `hq` for this machine?")]
    Start(PathBuf, io::Error),
    /// No server answers.
    #[error(
        "no HyperQueue server answers ({0})\nStart one, and workers, then try again:\n  hq server start &\n  hq worker start &    # on every machine; or, once, `hq alloc add slurm --time-limit 1h` (or pbs)\n  crewlab sweep FILE --on hq\nA server that is not in ~/.hq-server is found with the environment variable HQ_SERVER_DIR."
    )]
    NoServer(String),
    /// An answer is an error, or cannot be parsed.
    #[error("`{asked}` failed: {said}")]
    Answer {
        /// The command.
        asked: String,
        /// Its output.
        said: String,
    },
    /// The server was lost during the sweep.
    #[error(
        "HyperQueue's server was lost ({0}): finished runs are kept; use --resume to continue, here or with --on hq"
    )]
    Gone(String),
    /// The plan was made by another version.
    #[error(
        "the plan in {folder} was made by crewlab {}, but this is crewlab {}: use the same version on all machines",
        found.as_deref().unwrap_or("of an older version"),
        crewlab_lab::VERSION
    )]
    Version {
        /// The experiment's folder.
        folder: PathBuf,
        /// The version in the plan.
        found: Option<String>,
    },
    /// The plan has changed.
    #[error("the plan in {0} is not the one that this batch belongs to: it was replaced in the meantime")]
    Changed(PathBuf),
    /// The plan has no runs.
    #[error("the plan in {0} has no runs")]
    Empty(PathBuf),
    /// The list of runs is invalid.
    #[error("the runs `{found}` are not in the plan: a list such as 0-7,12 is accepted, up to {last}")]
    Runs {
        /// The list.
        found: String,
        /// The last run of the plan.
        last: usize,
    },
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Does all runs of a plan on other machines. Calls `tell` for every run, as [`crate::sweep::sweep`] does, and `note` with messages
/// for the user.
pub fn sweep(
    plan: &Plan,
    options: &SweepOptions,
    cluster: &Cluster,
    tell: &mut dyn FnMut(usize, &RunOutcome),
    note: &mut dyn FnMut(&str),
) -> Result<Swept, HqError> {
    // Fails before anything is written.
    cluster.hq.greet()?;
    let until = plan.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let until = until.and_then(|time| SystemTime::now().checked_add(time));
    let folder = ExperimentFolder::claim(&options.out, plan, options.resume, options.force)?;
    let trials: Vec<Trial> = plan.trials().collect();
    let mut watch = Watch::new(Store::open(folder.path())?, &trials, options.retry, tell);
    let mut ended = Ended::Complete;
    if !watch.open.is_empty() {
        let job = Job::submit(plan, &folder, cluster, &watch.open, options, until)?;
        ended = watch.wait(&job, note)?;
        watch.close();
    }
    Ok(Swept { store: watch.store, folder, ended })
}

/// A submitted job.
struct Job<'a> {
    hq: &'a Hq,
    number: u64,
    until: Option<SystemTime>,
    stop: &'a AtomicBool,
    /// The batches, one per line. Tasks do nothing once it is removed.
    batches: PathBuf,
    /// Its folder, with the output of failed tasks.
    folder: PathBuf,
}

impl<'a> Job<'a> {
    /// Submits all these runs as one job.
    fn submit(
        plan: &Plan,
        folder: &ExperimentFolder,
        cluster: &'a Cluster,
        runs: &[usize],
        options: &'a SweepOptions,
        until: Option<SystemTime>,
    ) -> Result<Job<'a>, HqError> {
        let failed = |error| FolderError::Io(folder.path().to_path_buf(), error);
        let here = path::absolute(folder.path()).map_err(failed)?;
        let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let cores = match cluster.hq.cores()? {
            0 => CORES,
            cores => cores,
        };
        let batches = batch::divide(runs, cluster.batch, cores);
        let lines: String = batches.into_iter().map(|batch| batch::words(batch) + "\n").collect();
        let name = format!("{FOLDER}/batches-{}-{}.txt", std::process::id(), seconds(SystemTime::now()));
        folder.write(&name, lines.as_bytes())?;
        let plan_now = worker::fingerprint(&plan_bytes(folder.path())?);
        let mut job = Job {
            hq: &cluster.hq,
            number: 0,
            until,
            stop: &options.stop,
            batches: here.join(name),
            folder: here.join(FOLDER),
        };
        let mut program: Vec<OsString> = vec![cluster.crewlab.clone().into(), "sweep-worker".into()];
        program.extend([here.clone().into(), "--plan".into(), plan_now.into()]);
        program.extend(["--only-while".into(), job.batches.clone().into()]);
        if let Some(until) = until {
            program.extend(["--until".into(), seconds(until).to_string().into()]);
        }
        if options.retry {
            program.push("--retry".into());
        }
        job.number = job.hq.submit(&format!("crewlab {}", plan.name), &here, &job.batches, program)?;
        Ok(job)
    }

    fn time_is_up(&self) -> bool {
        self.until.is_some_and(|until| SystemTime::now() >= until)
    }

    /// Waits a while; false if the user wants to stop.
    fn pause(&self) -> bool {
        let began = Instant::now();
        while began.elapsed() < NEWS && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(HEARTBEAT);
        }
        !self.stop.load(Ordering::Relaxed)
    }

    /// Cancels it. Some versions of HyperQueue still start tasks that a worker had already received; these find their batches
    /// removed.
    fn cancel(&self, note: &mut dyn FnMut(&str)) {
        let _ = fs::remove_file(&self.batches);
        if let Err(error) = self.hq.cancel(self.number) {
            note(&format!("{error}; `hq job cancel {}` ends what is still running", self.number));
        }
    }

    /// An error message for failed tasks.
    fn losses(&self, tasks: &Tasks) -> String {
        let Tasks { failed, canceled, aborted, .. } = tasks;
        let mut words = format!("of HyperQueue's job {}, {failed} tasks failed", self.number);
        if canceled + aborted > 0 {
            words += &format!(" and {} were cancelled", canceled + aborted);
        }
        match self.last_words() {
            Some((file, said)) => format!("{words}; the first one said ({}): {said}", file.display()),
            None if *failed > 0 => format!("{words}; `hq job info {}` may say why", self.number),
            None => words,
        }
    }

    /// The output of the first task that failed.
    fn last_words(&self) -> Option<(PathBuf, String)> {
        let said = self.files().into_iter().map(|file| (short(&fs::read(&file).unwrap_or_default()), file));
        said.map(|(said, file)| (file, said)).find(|(_, said)| !said.is_empty())
    }

    /// The outputs of its tasks, one file each.
    fn files(&self) -> Vec<PathBuf> {
        let ours = format!("{}-", self.number);
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&ours)));
        files.sort();
        files
    }
}

impl Drop for Job<'_> {
    /// Keeps only the output of failed tasks. Files that cannot be removed do no harm.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.batches);
        for file in self.files() {
            if file.metadata().is_ok_and(|file| file.len() == 0) {
                let _ = fs::remove_file(file);
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Watches the journals until all runs are done.
struct Watch<'a> {
    store: Store,
    trials: &'a [Trial],
    /// Runs without a result yet.
    open: Vec<usize>,
    retry: bool,
    tell: &'a mut dyn FnMut(usize, &RunOutcome),
}

impl<'a> Watch<'a> {
    fn new(
        store: Store,
        trials: &'a [Trial],
        retry: bool,
        tell: &'a mut dyn FnMut(usize, &RunOutcome),
    ) -> Watch<'a> {
        let mut watch = Watch { store, trials, open: (0..trials.len()).collect(), retry, tell };
        watch.hear();
        watch
    }

    /// Reports new results. A failure may be under retry, so failures are reported at the end.
    fn hear(&mut self) {
        let Watch { store, trials, open, retry, tell } = self;
        open.retain(|index| match store.get(&trials[*index].key) {
            Some(RunOutcome::Failed { .. }) if *retry => true,
            Some(outcome) => {
                tell(*index, outcome);
                false
            }
            None => true,
        });
    }

    fn look(&mut self) -> Result<(), StoreError> {
        self.store.refresh()?;
        self.hear();
        Ok(())
    }

    /// Called when no retries are left.
    fn close(&mut self) {
        self.retry = false;
        self.hear();
    }

    fn is_complete(&self) -> bool {
        self.open.iter().all(|index| self.store.get(&self.trials[*index].key).is_some())
    }

    /// Waits for a job to end.
    fn wait(&mut self, job: &Job, note: &mut dyn FnMut(&str)) -> Result<Ended, HqError> {
        let began = Instant::now();
        let (mut heard, mut lonely) = (began, false);
        loop {
            let answer = job.hq.tasks(job.number);
            // Read after the answer, so that all results of a finished job are seen.
            self.look()?;
            match answer {
                Ok(Some(tasks)) if tasks.are_over() => return self.settle(job, &tasks, note),
                Ok(Some(tasks)) => {
                    heard = Instant::now();
                    if tasks.running == 0 && job.time_is_up() {
                        job.cancel(note);
                        return Ok(Ended::TimeIsUp);
                    }
                    if tasks.running == 0 && !lonely && began.elapsed() > LONELY {
                        lonely = true;
                        if job.hq.cores().is_ok_and(|cores| cores == 0) {
                            note(
                                "HyperQueue has no worker yet: start one with `hq worker start` on any machine",
                            );
                        }
                    }
                }
                Ok(None) => return Err(HqError::Gone(format!("it does not know job {}", job.number))),
                Err(error) if heard.elapsed() > GONE => return Err(HqError::Gone(error.to_string())),
                // It may be busy.
                Err(_) => {}
            }
            if !job.pause() {
                job.cancel(note);
                self.look()?;
                return Ok(Ended::Interrupted);
            }
        }
    }

    /// Handles a finished job.
    fn settle(&mut self, job: &Job, tasks: &Tasks, note: &mut dyn FnMut(&str)) -> Result<Ended, HqError> {
        if tasks.lost() > 0 {
            note(&job.losses(tasks));
        } else if !job.time_is_up() {
            // All tasks are done; missing results are still on their way through the file system.
            let began = Instant::now();
            while !self.is_complete() && began.elapsed() < PATIENCE && job.pause() {
                self.look()?;
            }
            if !self.is_complete() && !job.stop.load(Ordering::Relaxed) {
                note("all tasks succeeded, but runs are missing: do all machines see the same folder?");
            }
        }
        Ok(match self.is_complete() {
            true => Ended::Complete,
            false if job.stop.load(Ordering::Relaxed) => Ended::Interrupted,
            false => Ended::TimeIsUp,
        })
    }
}
