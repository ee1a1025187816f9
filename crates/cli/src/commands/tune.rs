//! `crewlab tune`.

use super::run::{INTERRUPTED, stop_on_signals};
use super::sweep::{BatchArgs, NOT_ALL, shown, warn};
use super::threads;
use crate::terminal::print;
use anyhow::anyhow;
use crewlab_experiments::analysis::amount;
use crewlab_experiments::runner::Ended;
use crewlab_experiments::sweep::{SweepOptions, default_folder};
use crewlab_experiments::tune::{self, Tuned, Tuning, TuningProgress};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab tune experiments/tuning/alliance-patience.yaml\n  crewlab tune experiments/tuning/alliance-patience.yaml --resume\n  crewlab run tunings/alliance-patience/tuned.yaml\n\nAll candidates run on the same seeds. The best is compared with the unchanged scenario on held-out seeds. You can kill a tuning at any time and continue with --resume."
)]
pub struct Args {
    /// The tuning file
    file: PathBuf,
    /// Folder for the results [default: tunings/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    how: BatchArgs,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let tuning = tune::read(&args.file).map_err(shown)?;
    let how = &args.how;
    let options = SweepOptions {
        out: args.out.unwrap_or_else(|| default_folder("tunings", &tuning.name)),
        resume: how.resume,
        force: how.force,
        retry: how.retry,
        jobs: threads(how.jobs),
        stop: stop_on_signals()?,
    };
    let bar = if how.quiet { ProgressBar::hidden() } else { bar(&tuning) };
    let tuned = tune::tune(&tuning, &options, &mut |progress| show(&bar, &tuning, progress));
    bar.finish_and_clear();
    let tuned = tuned?;
    warn(&tuned.store.oddities);
    match tuned.ended {
        Ended::Complete => finish(&tuning, &tuned, how),
        early => {
            eprintln!("{}: use --resume to continue.", so_far(&tuning, &tuned));
            Ok(ExitCode::from(if early == Ended::Interrupted { INTERRUPTED } else { NOT_ALL }))
        }
    }
}

fn bar(tuning: &Tuning) -> ProgressBar {
    let bar = ProgressBar::new(tuning.candidates as u64);
    let style = ProgressStyle::with_template("{prefix}  {bar:30} {pos}/{len} candidates  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(tuning.name.clone());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, tuning: &Tuning, progress: &TuningProgress) {
    bar.set_position(progress.tried as u64);
    let last = if progress.held_out { ", held-out seeds" } else { "" };
    bar.set_message(format!("{} runs{last}{}", progress.runs, best(tuning, progress.best)));
}

fn best(tuning: &Tuning, value: Option<f64>) -> String {
    let value = value.map(|value| amount(value, tuning.metric));
    value.map_or(String::new(), |value| format!(", best {}: {value}", tuning.metric.title))
}

fn so_far(tuning: &Tuning, tuned: &Tuned) -> String {
    let value = tuned.best.and_then(|best| tuned.candidates[best].mean);
    format!(
        "{} of {} candidates were tried{}",
        tuned.candidates.len(),
        tuning.candidates,
        best(tuning, value)
    )
}

fn finish(tuning: &Tuning, tuned: &Tuned, how: &BatchArgs) -> anyhow::Result<ExitCode> {
    let summary = tune::summary(tuning, tuned).ok_or_else(|| anyhow!("there is no best candidate"))?;
    tune::write(tuning, tuned, &summary)?;
    let folder = tuned.folder.path();
    if how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&summary)?))?;
    } else if !how.quiet {
        let (scenario, report) = (folder.join("tuned.yaml"), folder.join("report.html"));
        let places = format!("Scenario: {}\nReport: {}\n", scenario.display(), report.display());
        print(&format!("{}\n{places}", summary.readable()))?;
    }
    summary.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    Ok(ExitCode::SUCCESS)
}
