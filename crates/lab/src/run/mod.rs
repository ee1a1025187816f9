//! One run: a scenario in, a folder of results out.

mod air;
mod finishes;
mod folder;
mod indicators;
mod interactions;
mod learned;
mod localisation;
mod reallocation;
mod recorder;
mod report;
mod scan_log;
mod stacks;
mod stuck;
mod summary;
mod tables;
mod teamwork;
mod timing;
mod trace;

pub use folder::RunFolder;
pub use interactions::{Agreement, Interactions, PointUse};
pub use learned::memories;
pub use localisation::Localisation;
pub use reallocation::{Reallocation, RobotLoss, Succession};
pub use stuck::{Incomplete, StuckSummary};
pub(crate) use summary::heterogeneity;
pub use summary::{Measure, Messages, PerTask, RadioSummary, RobotSummary, Summary};
pub use tables::tables;
pub use teamwork::Teamwork;
pub use trace::Trace;

use crate::auctions::{self, Market};
use crate::estimates::{self, Estimates};
use crewlab_scenario::Scenario;
use crewlab_scenario::text::to_yaml;
use crewlab_sim::onboard::EventKind;
use crewlab_sim::{Logged, ResultHash, Simulation};
use finishes::Finishes;
use interactions::Agreements;
use reallocation::Losses;
use recorder::Recorder;
use report::{figures, page};
use scan_log::ScanLog;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use summary::Books;
use teamwork::Timesheet;
use timing::Timing;

/// Options of a run. Nothing here changes its results.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folder for the results; nothing is written without one.
    pub out: Option<PathBuf>,
    /// Replace an older run's folder.
    pub force: bool,
    /// Threads to use.
    pub threads: usize,
    /// Write how long on-board software takes. These times are the only results that differ from run to run.
    pub timing: bool,
    /// Write logs of range scanners, for `crewlab map`.
    pub scan_logs: bool,
    /// Stops the run when it becomes true.
    pub stop: Arc<AtomicBool>,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress {
    /// Simulated time. [s]
    pub time: f64,
    /// The time limit. [s]
    pub until: f64,
    /// Share of the mission that is done.
    pub progress: f64,
}

/// Why a run fails.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The results folder exists already.
    #[error(
        "{0} exists already: choose another folder with --out, or replace the older results with --force"
    )]
    Exists(PathBuf),
    /// The results folder has no name.
    #[error("{0} cannot be used for results: give the path of a folder with a name")]
    NoName(PathBuf),
    /// The user stopped the run.
    #[error("interrupted; nothing of this run was kept")]
    Interrupted,
    /// The results folder exists and has other content.
    #[error(
        "{0} exists and holds no results of a finished run, so --force will not replace it: choose another folder with --out"
    )]
    NotResults(PathBuf),
    /// Results could not be written.
    #[error("cannot write {0}: {1}; nothing of this run was kept")]
    Write(PathBuf, io::Error),
    /// The threads could not be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}

/// Runs a scenario to its end. Calls `tell` from time to time.
pub fn run(
    scenario: &Scenario,
    options: &RunOptions,
    tell: &mut (dyn FnMut(RunProgress) + Send),
) -> Result<Summary, RunError> {
    let folder = options.out.as_deref().map(|out| RunFolder::create(out, options.force)).transpose()?;
    if options.threads <= 1 {
        return run_here(scenario, folder, options, tell);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| RunError::Threads(options.threads, error.to_string()))?;
    pool.install(|| run_here(scenario, folder, options, tell))
}

fn run_here(
    scenario: &Scenario,
    folder: Option<RunFolder>,
    options: &RunOptions,
    tell: &mut (dyn FnMut(RunProgress) + Send),
) -> Result<Summary, RunError> {
    let (model, state) = scenario.start.clone();
    let mut simulation = Simulation::new(model, state, options.threads > 1);
    let mut hash = ResultHash::default();
    let mut log = Vec::new();
    let mut ledgers = Ledgers::new(&simulation);
    let mut observers = match &folder {
        Some(folder) => Some(Observers::new(scenario, &mut simulation, folder, options)?),
        None => None,
    };
    let steps_per_word = (1.0 / simulation.model.dt()).max(1.0) as u64;
    while !simulation.finished() {
        log.clear();
        simulation.tick(&mut log);
        hash.events(&log);
        ledgers.tick(&simulation, &log);
        if options.stop.load(Ordering::Relaxed) {
            return Err(RunError::Interrupted);
        }
        if let Some(observers) = &mut observers {
            observers.tick(&simulation, &log)?;
        }
        if simulation.state.tick.is_multiple_of(steps_per_word) {
            tell(progress(&simulation));
        }
    }
    tell(progress(&simulation));
    let (books, market, estimates, agreements) = ledgers.close(&simulation);
    let summary = Summary::new(scenario, &simulation, books, hash.finish(&simulation.state));
    if let (Some(folder), Some(observers)) = (folder, observers) {
        if !estimates.rows().is_empty() {
            let table = folder.file("estimates.csv")?;
            estimates::write(estimates.rows(), table).map_err(|error| folder.write_error(error))?;
        }
        let told = Told { market: &market, agreements: &agreements };
        observers.finish(scenario, &simulation, &summary, told, &folder)?;
        folder.complete()?;
    }
    Ok(summary)
}

fn progress(simulation: &Simulation) -> RunProgress {
    RunProgress {
        time: simulation.now().seconds(),
        until: simulation.model.until.seconds(),
        progress: simulation.state.verdict.progress,
    }
}

/// The counts of every run, even of those without a results folder.
struct Ledgers {
    finishes: Finishes,
    losses: Losses,
    timesheet: Timesheet,
    market: Market,
    estimates: Estimates,
    /// Robots that backed out.
    deadlocks: u64,
    /// What the team agreed on at the points of its plan.
    agreements: Agreements,
    /// Errors of robots that locate themselves.
    errors: localisation::Errors,
}

impl Ledgers {
    fn new(simulation: &Simulation) -> Ledgers {
        Ledgers {
            finishes: Finishes::new(simulation),
            losses: Losses::new(simulation),
            timesheet: Timesheet::new(simulation),
            market: Market::default(),
            estimates: Estimates::default(),
            deadlocks: 0,
            agreements: Agreements::default(),
            errors: localisation::Errors::default(),
        }
    }

    fn tick(&mut self, simulation: &Simulation, log: &[Logged]) {
        self.finishes.tick(simulation);
        self.losses.tick(simulation, log);
        self.timesheet.tick(simulation, self.losses.standings());
        self.market.tick(log, &simulation.model);
        self.estimates.tick(log, &simulation.model);
        self.agreements.tick(log);
        self.errors.tick(simulation);
        self.deadlocks += log.iter().filter(|logged| logged.event.kind == EventKind::Deadlock).count() as u64;
    }

    fn close(mut self, simulation: &Simulation) -> (Books, Market, Estimates, Agreements) {
        self.market.finish(simulation);
        let (teamwork, hours) = self.timesheet.finish(simulation, self.market.coalitions());
        let books = Books {
            teamwork,
            hours,
            completed_tasks: self.finishes.completed(simulation),
            reallocation: self.losses.finish(simulation),
            auctions: self.market.summary(),
            estimates: self.estimates.summary(),
            deadlocks: self.deadlocks,
            localisation: self.errors.finish(),
            interactions: self.agreements.summary(simulation),
        };
        (books, self.market, self.estimates, self.agreements)
    }
}

/// What robots agreed on, for the report.
#[derive(Clone, Copy)]
pub(crate) struct Told<'a> {
    pub market: &'a Market,
    pub agreements: &'a Agreements,
}

/// The observers that record a run.
struct Observers {
    recorder: Recorder,
    trace: Trace,
    timing: Option<Timing>,
    scans: Option<ScanLog>,
}

impl Observers {
    fn new(
        scenario: &Scenario,
        simulation: &mut Simulation,
        folder: &RunFolder,
        options: &RunOptions,
    ) -> Result<Observers, RunError> {
        simulation.listen = true;
        let every = (scenario.record_every * 1e9).round().max(1.0) as u64;
        let mut observers = Observers {
            recorder: Recorder::new(folder, simulation, every)?,
            trace: Trace::new(simulation, every),
            timing: options.timing.then(|| Timing::new(simulation)),
            scans: options.scan_logs.then(|| ScanLog::new(folder, simulation)).transpose()?,
        };
        observers.recorder.start(simulation).map_err(|error| folder.write_error(error))?;
        Ok(observers)
    }

    fn tick(&mut self, simulation: &Simulation, log: &[Logged]) -> Result<(), RunError> {
        self.trace.tick(simulation, log);
        if let Some(timing) = &mut self.timing {
            timing.tick(simulation);
        }
        if let Some(scans) = &mut self.scans {
            scans.tick(simulation)?;
        }
        self.trace.air.settled(&simulation.fates);
        self.recorder.tick(simulation, log)?;
        self.recorder.stacks(&self.trace.stacks, simulation)?;
        let links = self.trace.air.look(simulation);
        links.map_or(Ok(()), |links| self.recorder.links(&links, simulation))
    }

    fn finish(
        mut self,
        scenario: &Scenario,
        simulation: &Simulation,
        summary: &Summary,
        told: Told,
        folder: &RunFolder,
    ) -> Result<(), RunError> {
        let market = told.market;
        self.trace.finish(simulation);
        if let Some(links) = self.trace.air.finish(simulation) {
            self.recorder.links(&links, simulation)?;
        }
        self.recorder.finish()?;
        self.scans.map_or(Ok(()), ScanLog::finish)?;
        let resolved = to_yaml(&scenario.resolved);
        folder.write("scenario.yaml", &resolved)?;
        if !market.is_empty() {
            let table = folder.file("auctions.csv")?;
            auctions::write(market.auctions(), table).map_err(|error| folder.write_error(error))?;
        }
        if !told.agreements.all().is_empty() {
            let table = folder.file("agreements.csv")?;
            told.agreements.write(table).map_err(|error| folder.write_error(error))?;
        }
        if let Some(timing) = &self.timing {
            let table = folder.file("timing.csv")?;
            timing.write(simulation, table).map_err(|error| folder.write_error(error))?;
        }
        let figures = figures::draw(&self.trace, market, simulation, summary);
        for figure in &figures {
            folder.write(&format!("plots/{}.svg", figure.file), &figure.svg)?;
        }
        let learned = memories(simulation, &summary.mission);
        if let Some(values) = &learned {
            folder.write("learned.json", &values.to_text())?;
        }
        let page = page::render(&figures, &self.trace, told, simulation, summary, learned.as_ref());
        folder.write("report.html", &page)?;
        folder.write("summary.json", &pretty(&json!(summary)))?;
        // Written last: a folder without a manifest is not a finished run.
        folder.write("manifest.json", &pretty(&manifest(summary, &resolved)))
    }
}

/// The fingerprint of a resolved scenario.
pub(crate) fn scenario_hash(resolved: &str) -> String {
    Sha256::digest(resolved.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn manifest(summary: &Summary, resolved: &str) -> serde_json::Value {
    json!({
        "crewlab": crate::VERSION,
        "scenario": summary.scenario,
        "seed": summary.seed,
        "scenario_hash": scenario_hash(resolved),
        "result_hash": summary.result_hash,
    })
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The default results folder of a run.
pub fn default_folder(scenario: &Scenario) -> PathBuf {
    Path::new("runs").join(format!("{}-{}", scenario.name, scenario.setup.seed))
}
