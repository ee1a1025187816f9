//! One file per command, and a line each in [`Command`] and in [`Command::run`].

pub mod allocate;
pub mod analyse;
pub mod ask;
pub mod bench;
pub mod break_;
pub mod campaign;
pub mod check;
pub mod compare;
pub mod explain;
pub mod graph;
pub mod learn;
pub mod learn_model;
pub mod link;
pub mod list;
pub mod live;
pub mod map;
pub mod new;
pub mod report;
pub mod run;
pub mod schema;
pub mod sweep;
pub mod sweep_worker;
pub mod trials;
pub mod tune;

use anyhow::Context;
use crewlab_scenario::text::did_you_mean;
use crewlab_scenario::{Request, Scenario, load};
use indicatif::ProgressBar;
use run::progress_bar;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// All commands.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Run a scenario once and write its results
    Run(run::Args),
    /// Run a scenario or a finished run in the browser: watch, disturb, rewind
    Live(live::Args),
    /// Vary any part of a scenario and run it on many seeds
    Sweep(sweep::Args),
    /// Compare coordinators on one scenario, seed by seed, with significance tests
    Compare(compare::Args),
    /// Rewrite the report of a sweep, a comparison or a run
    Report(report::Args),
    /// Find the smallest schedule of disturbances that makes the mission fail
    Break(break_::Args),
    /// Run missions in thousands of settings and say why those that do not finish do not
    Campaign(campaign::Args),
    /// Search for better parameters and check them on held-out seeds
    Tune(tune::Args),
    /// Compare what robots expected with what came of it, trial by trial; learn models
    Trials(trials::Args),
    /// Let teams learn from run to run and compare them with hand-set values
    Learn(learn::Args),
    /// Check a scenario without running it
    Check(check::Args),
    /// Explain what happened in a finished run, e.g. why a robot did not hear another
    Explain(explain::Args),
    /// Show the plan that a team carries out: behaviours, protocols, organisation
    Graph(graph::Args),
    /// Print the link budget of two radios, line by line
    Link(link::Args),
    /// Allocate tasks to coalitions of robots and bound the distance from the optimum
    Allocate(allocate::Args),
    /// Build a map from a recorded log and measure the error of its path, or write a world as a map
    Map(map::Args),
    /// Find out which indicators of runs depend on each other, and how strongly
    Analyse(analyse::Args),
    /// Learn a Bayesian network from a CSV file
    LearnModel(learn_model::Args),
    /// Ask a learned model what is likely, given what is known
    Ask(ask::Args),
    /// Print the JSON Schema of scenario or experiment files, for editors
    Schema(schema::Args),
    /// List the names that scenarios can use: missions, coordinators, robot types, sensors, ...
    List(list::Args),
    /// Write a commented scenario file to start from
    New(new::Args),
    /// Measure speed, and how close learning teams get to the optimum
    Bench(bench::Args),
    /// Do a batch of runs of a sweep; `sweep --on hq` starts this on other machines
    #[command(hide = true)]
    SweepWorker(sweep_worker::Args),
}

impl Command {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Run(args) => run::run(args),
            Command::Live(args) => live::run(args),
            Command::Sweep(args) => sweep::run(args),
            Command::Compare(args) => compare::run(args),
            Command::Report(args) => report::run(&args),
            Command::Break(args) => break_::run(args),
            Command::Campaign(args) => campaign::run(args),
            Command::Tune(args) => tune::run(args),
            Command::Trials(args) => trials::run(args),
            Command::Learn(args) => learn::run(args),
            Command::Check(args) => check::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Graph(args) => graph::run(&args),
            Command::Link(args) => link::run(args),
            Command::Allocate(args) => allocate::run(&args),
            Command::Map(args) => map::run(&args),
            Command::Analyse(args) => analyse::run(&args),
            Command::LearnModel(args) => learn_model::run(&args),
            Command::Ask(args) => ask::run(&args),
            Command::Schema(args) => schema::run(&args),
            Command::List(args) => list::run(args),
            Command::New(args) => new::run(args),
            Command::Bench(args) => bench::run(args),
            Command::SweepWorker(args) => sweep_worker::run(args),
        }
    }
}

/// A scenario and its modifications.
#[derive(Clone, clap::Args)]
pub struct ScenarioArgs {
    /// The name of a shipped scenario (see `crewlab list scenarios`) or a scenario file
    #[arg(value_name = "NAME_OR_FILE")]
    scenario: String,
    /// Change a value, e.g. --set team.alliance.threshold=50 (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Add disturbances: an entry such as '{at: 60 s, stop: blue}' (see `crewlab list disturbances`), a preset (see `crewlab list
    /// presets`), or a file with entries (may be repeated)
    #[arg(long = "disturb", value_name = "ENTRY|PRESET|FILE")]
    disturbances: Vec<String>,
}

/// Options for running and printing.
#[derive(clap::Args)]
pub struct ExecutionArgs {
    /// Replace older results in the folder
    #[arg(long)]
    force: bool,
    /// Number of threads; does not affect the results [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// No progress bar and no text output
    #[arg(long, short)]
    quiet: bool,
    /// Print summary.json instead of text
    #[arg(long)]
    json: bool,
}

/// The number of threads; by default all cores.
fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

impl ExecutionArgs {
    fn threads(&self) -> usize {
        threads(self.threads)
    }

    fn bar(&self, name: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { progress_bar(name) }
    }
}

impl ScenarioArgs {
    fn request(&self) -> Request {
        Request {
            scenario: self.scenario.clone(),
            sets: self.sets.clone(),
            disturbances: self.disturbances.clone(),
            ..Request::default()
        }
    }

    fn load(&self, seed: Option<u64>) -> anyhow::Result<Scenario> {
        let scenario = load(&Request { seed, ..self.request() })?;
        crate::terminal::warn(&scenario.warnings);
        Ok(scenario)
    }
}

/// Writes a file that must not exist yet; removes it again if it cannot be written completely.
fn write_new(file: &Path, text: &str) -> anyhow::Result<()> {
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    let mut opened = opened.with_context(|| format!("cannot create {}", file.display()))?;
    opened.write_all(text.as_bytes()).and_then(|()| opened.flush()).map_err(|error| {
        // If it cannot be removed either, nothing more can be done; the error below says why.
        let _ = fs::remove_file(file);
        anyhow::Error::new(error).context(format!("cannot write {}", file.display()))
    })
}

/// Refuses an unknown name.
fn accepted(what: &str, name: &str, known: &[&str]) -> anyhow::Result<()> {
    if known.contains(&name) {
        return Ok(());
    }
    let meant = did_you_mean(name, known.iter().copied());
    let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    anyhow::bail!("there is no {what} `{name}`{meant}\nAccepted: {}.", known.join(", "))
}
