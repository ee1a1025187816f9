//! `crewlab sweep-worker`: the command of HyperQueue's tasks.

use super::run::{INTERRUPTED, stop_on_signals};
use anyhow::Context;
use crewlab_experiments::hq::{Task, work};
use crewlab_experiments::runner::Ended;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

/// The environment variable with a task's input.
const ENTRY: &str = "HQ_ENTRY";

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab sweep-worker sweeps/loss --runs 0-49\n\n`crewlab sweep FILE --on hq` runs this on other machines; results go to the journals in the folder."
)]
pub struct Args {
    /// The experiment's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Numbers of the runs in the plan, e.g. 0-49,77 [default: from HyperQueue in HQ_ENTRY]
    #[arg(long, value_name = "LIST")]
    runs: Option<String>,
    /// The fingerprint of that plan
    #[arg(long, value_name = "HEX")]
    plan: Option<String>,
    /// Do nothing if this file is missing: the sweep has ended
    #[arg(long, value_name = "FILE")]
    only_while: Option<PathBuf>,
    /// Start no new run after this time, in seconds since 1970
    #[arg(long, value_name = "SECONDS")]
    until: Option<u64>,
    /// Repeat failed runs
    #[arg(long)]
    retry: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let runs = args.runs.clone().or_else(|| env::var(ENTRY).ok());
    let runs = runs.with_context(|| {
        format!("no runs given: --runs takes a list such as 0-49,77; HyperQueue passes it in {ENTRY}")
    })?;
    let until = args.until.and_then(|until| UNIX_EPOCH.checked_add(Duration::from_secs(until)));
    let stop = stop_on_signals()?;
    let Args { folder, plan, only_while, retry, .. } = args;
    let task = Task { folder, runs, plan, only_while, retry, until, stop };
    Ok(match work(&task)? {
        Ended::Interrupted => ExitCode::from(INTERRUPTED),
        // A task that ran out of time has still done part of its runs.
        Ended::Complete | Ended::TimeIsUp => ExitCode::SUCCESS,
    })
}
