//! `crewlab run`.

use super::{ExecutionArgs, ScenarioArgs};
use crate::terminal::print;
use crewlab_lab::run::{RunError, RunOptions, RunProgress, Summary, default_folder, run as run_scenario};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Exit code: the mission was not completed in time.
const NOT_COMPLETED: u8 = 3;
/// Number of stuck robots and pieces of work that are named.
const MOST_STUCK: usize = 5;
/// Exit code: interrupted, as in shells.
pub(super) const INTERRUPTED: u8 = 130;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab run waste-cleanup --seed 7 --set team.coordinator=greedy --out runs/greedy-7"
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Seed of all random streams [default: the scenario's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Folder for the results [default: runs/NAME-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write timing.csv: how long each robot's software takes, in real time
    #[arg(long)]
    timing: bool,
    /// Also write scans-N-ROBOT.csv for each robot with a range scanner, which `crewlab map` reads
    #[arg(long)]
    scan_logs: bool,
    #[command(flatten)]
    how: ExecutionArgs,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let scenario = args.which.load(args.seed)?;
    let out = args.out.unwrap_or_else(|| default_folder(&scenario));
    let how = &args.how;
    let bar = how.bar(&scenario.name);
    let start = Instant::now();
    let options = RunOptions {
        out: Some(out.clone()),
        force: how.force,
        threads: how.threads(),
        timing: args.timing,
        scan_logs: args.scan_logs,
        stop: stop_on_signals()?,
    };
    let outcome = run_scenario(&scenario, &options, &mut |progress| show(&bar, progress, start));
    bar.finish_and_clear();
    let summary = match outcome {
        Err(RunError::Interrupted) => {
            eprintln!("error: {}", RunError::Interrupted);
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other?,
    };
    if how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&summary)?))?;
    } else if !how.quiet {
        print(&readable(&summary, &out, start.elapsed()))?;
    }
    Ok(if summary.completed || scenario.endless { ExitCode::SUCCESS } else { ExitCode::from(NOT_COMPLETED) })
}

/// Becomes true on Ctrl-C or a termination signal, so that nothing incomplete is left behind.
pub(super) fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

pub(super) fn progress_bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{prefix}  {bar:30} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(name.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, progress: RunProgress, start: Instant) {
    let share =
        progress.progress.max(if progress.until > 0.0 { progress.time / progress.until } else { 0.0 });
    bar.set_position((share * 1000.0) as u64);
    let factor = progress.time / start.elapsed().as_secs_f64().max(1e-9);
    bar.set_message(format!(
        "{:.0} s simulated, {factor:.0}x real time, mission {:.0} %",
        progress.time,
        progress.progress * 100.0
    ));
}

fn readable(summary: &Summary, out: &Path, elapsed: Duration) -> String {
    let mut text = String::new();
    let factor = summary.time_s / elapsed.as_secs_f64().max(1e-9);
    let messages = &summary.messages;
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}", summary.sentence());
    if let Some(why) = &summary.incomplete {
        let _ = writeln!(text, "Why: {}.", why.words);
        for case in summary.stuck.iter().filter(|case| case.words != why.words).take(MOST_STUCK) {
            let _ = writeln!(text, "     {}.", case.words);
        }
        if summary.stuck.len() > MOST_STUCK {
            let _ = writeln!(text, "     More that is stuck is in the report.");
        }
    }
    let _ = writeln!(text);
    let _ = writeln!(text, "  seed        {}", summary.seed);
    let _ = writeln!(text, "  ticks       {} ({factor:.0}x real time, including results)", summary.ticks);
    let _ = writeln!(
        text,
        "  messages    {} sent, {} delivered, {} lost",
        messages.sent, messages.delivered, messages.lost
    );
    if messages.in_flight > 0 {
        let _ = writeln!(text, "              {} still in flight at the end", messages.in_flight);
    }
    if let Some(sentence) = summary.radio.sentence().filter(|_| messages.lost > 0) {
        let _ = writeln!(text, "  radio       {sentence}");
    }
    if let Some(market) = &summary.auctions {
        let _ = writeln!(text, "  market      {}", market.sentence());
    }
    let _ = writeln!(text, "  collisions  {}", summary.collisions);
    if let Some(reallocation) = &summary.reallocation {
        let _ = writeln!(text, "  losses      {}", reallocation.sentence());
    }
    let _ = writeln!(text, "  team        heterogeneity {:.2}", summary.heterogeneity);
    let _ = writeln!(text, "  teamwork    {}", summary.teamwork.sentence());
    if !summary.never_happened.is_empty() {
        let _ = writeln!(text, "  disturbances that never happened: {}", summary.never_happened.join(", "));
    }
    for robot in summary.team.iter().take(10) {
        let _ = writeln!(text, "  {:<11} drove {:.0} m", robot.name, robot.travelled_m);
    }
    let _ = writeln!(text, "  result hash {}", &summary.result_hash[..16]);
    let _ = writeln!(text);
    let _ = writeln!(text, "Report: {}", out.join("report.html").display());
    text
}
