//! `crewlab sweep`.

use super::run::{INTERRUPTED, stop_on_signals};
use super::threads;
use crate::terminal::print;
use anyhow::Context;
use crewlab_experiments::analysis::amount;
use crewlab_experiments::file::{self, PlanError};
use crewlab_experiments::hq;
use crewlab_experiments::metrics;
use crewlab_experiments::plan::Plan;
use crewlab_experiments::runner::Ended;
use crewlab_experiments::store::{Oddities, Outcome};
use crewlab_experiments::sweep::{Options, Swept, default_folder, sweep};
use crewlab_experiments::{results, text};
use indicatif::{ProgressBar, ProgressStyle};
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Exit code: runs failed or are missing.
pub(super) const NOT_ALL: u8 = 3;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab sweep experiments/sweeps/loss.yaml\n  crewlab sweep experiments/sweeps/loss.yaml --resume\n\nEvery run is kept as soon as it ends: killed at any time, a sweep goes on with --resume where it was. `crewlab schema experiment` has the file's schema."
)]
pub struct Args {
    /// The experiment file
    file: PathBuf,
    /// Folder for the results [default: sweeps/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machines: Machines,
    #[command(flatten)]
    how: How,
}

/// Options for many runs and for printing.
#[derive(clap::Args)]
pub struct How {
    /// Runs at a time; the results do not depend on it [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Go on with what is in the folder: only what is missing is run
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// With --resume, try again what failed
    #[arg(long, requires = "resume")]
    pub retry: bool,
    /// Replace older results in the folder
    #[arg(long)]
    pub force: bool,
    /// No progress bar and nothing readable
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON instead of what is readable
    #[arg(long)]
    pub json: bool,
}

/// Options for other machines.
#[derive(clap::Args)]
pub struct Machines {
    /// Where to run: here, or on all machines of HyperQueue's server (docs/clusters.md); the results are the same
    #[arg(long, value_enum, default_value_t = On::Here, conflicts_with = "jobs")]
    on: On,
    /// HyperQueue's program [default: the first `hq` on the search path]
    #[arg(long, value_name = "PATH")]
    hq: Option<PathBuf>,
    /// With --on hq, runs per task at most; a task should take some tens of seconds [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: Option<u32>,
}

/// Where runs are done.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum On {
    Here,
    Hq,
}

impl Machines {
    /// The machines to use, if not this one alone.
    fn cluster(&self) -> anyhow::Result<Option<hq::Cluster>> {
        if self.on == On::Here {
            if self.hq.is_some() || self.batch.is_some() {
                anyhow::bail!("--hq and --batch are for other machines: add --on hq");
            }
            return Ok(None);
        }
        let found = hq::Hq::find(self.hq.as_deref())?;
        let crewlab = env::current_exe().context("cannot find out where this program is")?;
        Ok(Some(hq::Cluster { hq: found, crewlab, batch: self.batch.unwrap_or(50) as usize }))
    }
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = file::read(&args.file).map_err(shown)?;
    let out = args.out.unwrap_or_else(|| default_folder("sweeps", &plan.name));
    let swept = all(&plan, out, &args.machines, &args.how)?;
    finish(&plan, &swept, &args.how)
}

/// Errors of a scenario are shown with its text, below the name of their cell.
pub fn shown(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::File(problems) => problems.into(),
        PlanError::Cell { cell, problems } => {
            anyhow::Error::new(problems).context(format!("the cell `{cell}` cannot be run"))
        }
    }
}

/// Does all runs of a plan, with a progress bar.
pub fn all(plan: &Plan, out: PathBuf, machines: &Machines, how: &How) -> anyhow::Result<Swept> {
    let cluster = machines.cluster()?;
    let options = Options {
        out,
        resume: how.resume,
        force: how.force,
        retry: how.retry,
        jobs: threads(how.jobs),
        stop: stop_on_signals()?,
    };
    if plan.left_out > 0 {
        eprintln!(
            "The budget allows {} runs: {} of {} seeds are left out.",
            plan.len(),
            plan.left_out,
            plan.left_out + plan.seeds.len()
        );
    }
    let bar = if how.quiet { ProgressBar::hidden() } else { bar(&plan.name, plan.len() as u64) };
    let mut means = Means::new(plan);
    let mut tell = |index: usize, outcome: &Outcome| {
        means.take(index, outcome);
        bar.inc(1);
        bar.set_message(means.words());
    };
    let swept = match &cluster {
        None => sweep(plan, &options, &mut tell).map_err(anyhow::Error::new),
        Some(cluster) => {
            let mut note = |words: &str| bar.suspend(|| eprintln!("note: {words}"));
            hq::sweep(plan, &options, cluster, &mut tell, &mut note).map_err(anyhow::Error::new)
        }
    };
    bar.finish_and_clear();
    swept
}

fn bar(name: &str, runs: u64) -> ProgressBar {
    let bar = ProgressBar::new(runs);
    let style = ProgressStyle::with_template("{prefix}  {bar:30} {pos}/{len} runs, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(name.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Means so far, for the progress bar.
struct Means<'a> {
    plan: &'a Plan,
    metric: usize,
    /// Sum and count per cell.
    cells: Vec<(f64, u64)>,
    failed: u64,
}

/// The most cells that fit into a line.
const MOST_SHOWN: usize = 4;

impl<'a> Means<'a> {
    fn new(plan: &'a Plan) -> Means<'a> {
        let name = plan.metrics.first().map_or("time_s", String::as_str);
        let metric = metrics::find(name).map_or(1, |(place, _)| place);
        Means { plan, metric, cells: vec![(0.0, 0); plan.cells.len()], failed: 0 }
    }

    fn take(&mut self, index: usize, outcome: &Outcome) {
        let cell = &mut self.cells[index % self.plan.cells.len()];
        match outcome.value(self.metric) {
            Some(value) => *cell = (cell.0 + value, cell.1 + 1),
            None => self.failed += u64::from(matches!(outcome, Outcome::Failed { .. })),
        }
    }

    fn words(&self) -> String {
        let metric = &metrics::METRICS[self.metric];
        let mean = |(sum, count): (f64, u64)| match count {
            0 => "-".to_string(),
            _ => amount(sum / count as f64, metric),
        };
        let mut parts: Vec<String> = match self.cells.len() {
            1 => vec![mean(self.cells[0])],
            2..=MOST_SHOWN => {
                let cells = self.plan.cells.iter().zip(&self.cells);
                cells.map(|(cell, sums)| format!("{} {}", cell.title(), mean(*sums))).collect()
            }
            _ => {
                let all = self.cells.iter().fold((0.0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
                vec![mean(all)]
            }
        };
        parts.insert(0, format!("mean {}:", metric.title));
        if self.failed > 0 {
            parts.push(format!("({} failed)", self.failed));
        }
        parts.join(" ")
    }
}

/// Writes the results, and reports how the sweep ended.
pub fn finish(plan: &Plan, swept: &Swept, how: &How) -> anyhow::Result<ExitCode> {
    warn(&swept.store.oddities);
    let analysis = results::write(plan, &swept.store, &swept.folder)?;
    if how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&analysis)?))?;
    } else if !how.quiet {
        let report = swept.folder.path().join("report.html");
        print(&format!("{}\nReport: {}\n", text::readable(&analysis, plan), report.display()))?;
    }
    if swept.ended != Ended::Complete {
        eprintln!("{} of {} runs are done: --resume goes on.", plan.done(&swept.store), plan.len());
    }
    Ok(match swept.ended {
        Ended::Interrupted => ExitCode::from(INTERRUPTED),
        Ended::Complete if analysis.failed.is_empty() => ExitCode::SUCCESS,
        Ended::Complete | Ended::TimeIsUp => ExitCode::from(NOT_ALL),
    })
}

/// Descriptions of the problems in a store.
pub(super) fn warn(oddities: &Oddities) {
    let Oddities { damaged, strangers, contradictions } = oddities;
    if *damaged > 0 {
        eprintln!(
            "warning: {damaged} damaged lines in the journals were left out; their runs are done again"
        );
    }
    if *strangers > 0 {
        eprintln!("warning: {strangers} runs of other versions of crewlab in the journals were left out");
    }
    if let Some(key) = contradictions.first() {
        eprintln!(
            "warning: {} runs ended in two ways, e.g. seed {} of scenario {:032x}: were they done by different programs?",
            contradictions.len(),
            key.seed,
            key.scenario
        );
    }
}
