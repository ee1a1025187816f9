//! `crewlab trials`.

use super::run::stop_on_signals;
use super::sweep::shown;
use super::threads;
use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_experiments::file;
use crewlab_experiments::plan::Plan;
use crewlab_experiments::trials::{CellSummary, Record, draw, gather, text, write};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab trials experiments/estimation/training-0.3.yaml --learn model.json\n  crewlab trials experiments/estimation/experiment.yaml --out trials/experiment\n\nThe file is an experiment file as for `crewlab sweep`, of a mission whose referee tells of trials. DIR gets trials.csv (a row per trial),\nsummary.json and the figures."
)]
pub struct Args {
    /// The experiment file
    file: PathBuf,
    /// Folder for the tables and figures
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write into a folder, or replace a model, that exists
    #[arg(long)]
    force: bool,
    /// Learn a model from all trials and write it to this file; all cells must be valid for the same model
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Number of parallel runs; does not affect the results [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
    /// Print the summary as JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = file::read(&args.file).map_err(shown)?;
    for path in args.out.iter().chain(&args.learn) {
        if path.exists() && !args.force {
            bail!("{} exists already: choose another name, or replace it with --force", path.display());
        }
    }
    let bar = if args.quiet { ProgressBar::hidden() } else { bar(plan.len() as u64) };
    let records = gather(&plan, threads(args.jobs), &*stop_on_signals()?, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let summaries = CellSummary::all(&plan, &records);
    if let Some(path) = &args.learn {
        learn(&plan, &records, path)?;
    }
    if let Some(out) = &args.out {
        results(&plan, &records, &summaries, out)
            .with_context(|| format!("cannot write {}", out.display()))?;
    }
    let words = if args.json { serde_json::to_string_pretty(&summaries)? + "\n" } else { text(&summaries) };
    print(&words)?;
    Ok(ExitCode::SUCCESS)
}

fn bar(runs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {eta} left");
    ProgressBar::new(runs).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Learns a model from all trials.
fn learn(plan: &Plan, records: &[Record], path: &Path) -> anyhow::Result<()> {
    let events: Vec<_> = records.iter().map(|record| record.event.clone()).collect();
    let source = format!("{} trials of {} ({} runs)", records.len(), plan.name, plan.len());
    let mut models = Vec::new();
    for cell in &plan.cells {
        let scenario = cell.trial(plan.seeds[0]).load()?;
        let Some(model) = scenario.setup.mission.learn(&events, &source) else {
            bail!("the mission `{}` has no model to learn", scenario.mission);
        };
        models.push(model.map_err(anyhow::Error::msg)?);
    }
    let Some(model) = models.first() else { bail!("the experiment has no cells") };
    if let Some(other) = models.iter().find(|other| other.validity != model.validity) {
        bail!(
            "one model cannot be learned from cells that differ: {} and {}; use an experiment file for each",
            model.validity.scenarios.join(" or "),
            other.validity.scenarios.join(" or ")
        );
    }
    fs::write(path, model.to_json()).with_context(|| format!("cannot write {}", path.display()))
}

fn results(plan: &Plan, records: &[Record], summaries: &[CellSummary], out: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(out)?;
    write(plan, records, File::create(out.join("trials.csv"))?)?;
    fs::write(out.join("summary.json"), serde_json::to_string_pretty(summaries)? + "\n")?;
    for picture in draw(plan, records) {
        fs::write(out.join(format!("{}.svg", picture.file)), picture.svg)?;
    }
    Ok(())
}
