//! Sweeps on more than one machine, with HyperQueue. Its tasks are this program again, with a batch of runs each; results are
//! journals in the experiment's folder, as they are with one process. So nothing has to be sent, and a sweep that was begun
//! here can be finished there.

mod batch;
mod client;
mod worker;

pub use client::Hq;
pub use worker::{Task, work};

use crate::folder::{Folder, FolderError, plan_bytes};
use crate::plan::{Plan, Trial};
use crate::runner::Ended;
use crate::store::{Outcome, Store, StoreError};
use crate::sweep::{Options, Swept};
use client::{Tasks, short};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{self, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What HyperQueue needs and leaves behind is in this folder inside the experiment's.
const FOLDER: &str = "hq";

/// So many cores are reckoned with while there is no worker yet.
const CORES: usize = 32;
/// How often one looks whether somebody wants to stop.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How often the journals and the server are looked at.
const NEWS: Duration = Duration::from_secs(1);
/// After so long without a worker somebody should know.
const LONELY: Duration = Duration::from_secs(10);
/// A server that gives no answer for so long is gone.
const GONE: Duration = Duration::from_secs(30);
/// Other machines' journals may take so long to be seen here: NFS looks for new files once in a minute.
const PATIENCE: Duration = Duration::from_secs(65);

/// Where a sweep is done.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// How HyperQueue is asked.
    pub hq: Hq,
    /// This program, under a path that all machines have.
    pub crewlab: PathBuf,
    /// Runs per task, at most.
    pub batch: usize,
}

/// What can go wrong with many machines.
#[derive(Debug, thiserror::Error)]
pub enum HqError {
    /// There is no `hq`.
    #[error(
        "there is no `hq` on the search path: install HyperQueue (docs/clusters.md says how), or say where it is with --hq PATH"
    )]
    NotFound,
    /// There is no `hq` where it was said to be.
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
    /// An answer is an error, or cannot be understood.
    #[error("`{asked}` failed: {said}")]
    Answer {
        /// The command.
        asked: String,
        /// What it said.
        said: String,
    },
    /// The server is gone in the middle.
    #[error(
        "HyperQueue's server is gone ({0}): finished runs are kept; use --resume to continue, here or with --on hq"
    )]
    Gone(String),
    /// The plan was made by another version.
    #[error(
        "the plan in {folder} was made by crewlab {}, and this is crewlab {}: use the same one on all machines",
        found.as_deref().unwrap_or("of an older version"),
        crewlab_lab::VERSION
    )]
    Version {
        /// The experiment's folder.
        folder: PathBuf,
        /// What the plan says.
        found: Option<String>,
    },
    /// The plan is another one now.
    #[error("the plan in {0} is not the one that this batch belongs to: it was replaced in the meantime")]
    Changed(PathBuf),
    /// The plan has no runs.
    #[error("the plan in {0} has no runs")]
    Empty(PathBuf),
    /// These are no runs.
    #[error("the runs `{found}` are not in the plan: a list such as 0-7,12 is accepted, up to {last}")]
    Runs {
        /// What was asked for.
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

/// Does all runs of a plan on other machines. `tell` hears of every run, as with [`crate::sweep::sweep`]; `note` of what somebody
/// should know or do in the meantime.
pub fn sweep(
    plan: &Plan,
    options: &Options,
    cluster: &Cluster,
    tell: &mut dyn FnMut(usize, &Outcome),
    note: &mut dyn FnMut(&str),
) -> Result<Swept, HqError> {
    // Before anything is written.
    cluster.hq.greet()?;
    let until = plan.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let until = until.and_then(|time| SystemTime::now().checked_add(time));
    let folder = Folder::claim(&options.out, plan, options.resume, options.force)?;
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

/// A job that was handed over.
struct Job<'a> {
    hq: &'a Hq,
    number: u64,
    until: Option<SystemTime>,
    stop: &'a AtomicBool,
    /// The batches, a line each. Tasks do nothing when it is gone.
    batches: PathBuf,
    /// Where that is, beside what failed tasks said.
    folder: PathBuf,
}

impl<'a> Job<'a> {
    /// Hands all these runs over as one job.
    fn submit(
        plan: &Plan,
        folder: &Folder,
        cluster: &'a Cluster,
        runs: &[usize],
        options: &'a Options,
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

    /// Waits a while; false if somebody wants to stop.
    fn pause(&self) -> bool {
        let began = Instant::now();
        while began.elapsed() < NEWS && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(HEARTBEAT);
        }
        !self.stop.load(Ordering::Relaxed)
    }

    /// Ends it. Some versions of HyperQueue start tasks that a worker had been given before all the same; these find their
    /// batches gone.
    fn cancel(&self, note: &mut dyn FnMut(&str)) {
        let _ = fs::remove_file(&self.batches);
        if let Err(error) = self.hq.cancel(self.number) {
            note(&format!("{error}; `hq job cancel {}` ends what is still running", self.number));
        }
    }

    /// What went wrong, in words.
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

    /// What the first task that failed said.
    fn last_words(&self) -> Option<(PathBuf, String)> {
        let said = self.files().into_iter().map(|file| (short(&fs::read(&file).unwrap_or_default()), file));
        said.map(|(said, file)| (file, said)).find(|(_, said)| !said.is_empty())
    }

    /// What its tasks have said, a file each.
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
    /// Only what failed tasks said stays. What cannot be removed does no harm.
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

/// Looks at the journals until all runs are there.
struct Watch<'a> {
    store: Store,
    trials: &'a [Trial],
    /// Runs that nobody has heard of yet.
    open: Vec<usize>,
    retry: bool,
    tell: &'a mut dyn FnMut(usize, &Outcome),
}

impl<'a> Watch<'a> {
    fn new(
        store: Store,
        trials: &'a [Trial],
        retry: bool,
        tell: &'a mut dyn FnMut(usize, &Outcome),
    ) -> Watch<'a> {
        let mut watch = Watch { store, trials, open: (0..trials.len()).collect(), retry, tell };
        watch.hear();
        watch
    }

    /// Tells what has come. What failed may be what is being tried again, so that it is told at the end.
    fn hear(&mut self) {
        let Watch { store, trials, open, retry, tell } = self;
        open.retain(|index| match store.get(&trials[*index].key) {
            Some(Outcome::Failed { .. }) if *retry => true,
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

    /// Nothing is tried again any more.
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
            // After the answer, so that of a job that is over everything is seen.
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
                            note("HyperQueue has no worker yet: `hq worker start` on any machine is one");
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

    /// What became of a job that is over.
    fn settle(&mut self, job: &Job, tasks: &Tasks, note: &mut dyn FnMut(&str)) -> Result<Ended, HqError> {
        if tasks.lost() > 0 {
            note(&job.losses(tasks));
        } else if !job.time_is_up() {
            // All is done, and what is not seen here is still on its way through the file system.
            let began = Instant::now();
            while !self.is_complete() && began.elapsed() < PATIENCE && job.pause() {
                self.look()?;
            }
            if !self.is_complete() && !job.stop.load(Ordering::Relaxed) {
                note("all tasks ended well, but runs are missing: do all machines see the same folder?");
            }
        }
        Ok(match self.is_complete() {
            true => Ended::Complete,
            false if job.stop.load(Ordering::Relaxed) => Ended::Interrupted,
            false => Ended::TimeIsUp,
        })
    }
}
