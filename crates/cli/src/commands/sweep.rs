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
use crewlab_experiments::store::{Oddities, RunOutcome};
use crewlab_experiments::sweep::{SweepOptions, Swept, default_folder, sweep};
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
    after_help = "Example:\n  crewlab sweep experiments/sweeps/loss.yaml\n  crewlab sweep experiments/sweeps/loss.yaml --resume\n\nEvery run is stored as soon as it ends. You can kill a sweep at any time and continue with --resume. `crewlab schema experiment` prints the schema of the file."
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
    how: BatchArgs,
}

/// Options for many runs and for printing.
#[derive(clap::Args)]
pub struct BatchArgs {
    /// Number of parallel runs; does not affect the results [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Continue with the results in the folder: do only the missing runs
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// With --resume, repeat failed runs
    #[arg(long, requires = "resume")]
    pub retry: bool,
    /// Replace older results in the folder
    #[arg(long)]
    pub force: bool,
    /// No progress bar and no text output
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Options for other machines.
#[derive(clap::Args)]
pub struct Machines {
    /// Where to run: on this machine, or on the machines of a HyperQueue server (docs/clusters.md); does not affect the results
    #[arg(long, value_enum, default_value_t = On::Here, conflicts_with = "jobs")]
    on: On,
    /// The HyperQueue program [default: the first `hq` on the search path]
    #[arg(long, value_name = "PATH")]
    hq: Option<PathBuf>,
    /// With --on hq, largest number of runs per task; a task should take some tens of seconds [default: 50]
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
        let crewlab = env::current_exe().context("cannot determine the path of this program")?;
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
pub fn all(plan: &Plan, out: PathBuf, machines: &Machines, how: &BatchArgs) -> anyhow::Result<Swept> {
    let cluster = machines.cluster()?;
    let options = SweepOptions {
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
    let mut tell = |index: usize, outcome: &RunOutcome| {
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

    fn take(&mut self, index: usize, outcome: &RunOutcome) {
        let cell = &mut self.cells[index % self.plan.cells.len()];
        match outcome.value(self.metric) {
            Some(value) => *cell = (cell.0 + value, cell.1 + 1),
            None => self.failed += u64::from(matches!(outcome, RunOutcome::Failed { .. })),
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
pub fn finish(plan: &Plan, swept: &Swept, how: &BatchArgs) -> anyhow::Result<ExitCode> {
    warn(&swept.store.oddities);
    let analysis = results::write(plan, &swept.store, &swept.folder)?;
    if how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&analysis)?))?;
    } else if !how.quiet {
        let report = swept.folder.path().join("report.html");
        print(&format!("{}\nReport: {}\n", text::readable(&analysis, plan), report.display()))?;
    }
    if swept.ended != Ended::Complete {
        eprintln!("{} of {} runs are done: use --resume to continue.", plan.done(&swept.store), plan.len());
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
        eprintln!("warning: {damaged} damaged lines in the journals were ignored; their runs are repeated");
    }
    if *strangers > 0 {
        eprintln!("warning: {strangers} runs of other versions of crewlab in the journals were ignored");
    }
    if let Some(key) = contradictions.first() {
        eprintln!(
            "warning: {} runs have two different results, e.g. seed {} of scenario {:032x}: perhaps different programs made them",
            contradictions.len(),
            key.seed,
            key.scenario
        );
    }
}
