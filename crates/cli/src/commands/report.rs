//! `crewlab report`.

use super::sweep::warn;
use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_experiments::folder::{self, ExperimentFolder};
use crewlab_experiments::plan::Purpose;
use crewlab_experiments::results;
use crewlab_experiments::store::Store;
use crewlab_lab::run::{RunOptions, run as run_again};
use crewlab_scenario::{Request, load};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab report sweeps/loss\n  crewlab report runs/waste-cleanup-7\n\nFor an experiment, the report covers all runs in its journals, even while it is still running. A single run is repeated from its scenario.yaml, which gives the same result."
)]
pub struct Args {
    /// The folder of a sweep, a comparison or a run
    folder: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    if folder::is_experiment(folder) {
        let plan = folder::read_plan(folder)?;
        if plan.purpose == Purpose::Tuning {
            bail!(
                "{} contains a tuning: `crewlab tune FILE --resume` rewrites its report without repeating any run",
                folder.display()
            );
        }
        if plan.purpose == Purpose::Campaign {
            bail!(
                "{} contains a campaign: repeat its command with --resume, which rewrites its report without repeating any run:\n{} --resume",
                folder.display(),
                plan.asked
            );
        }
        let store = Store::made_by(folder, &folder::version(folder)?)?;
        if store.oddities.strangers > 0 && plan.done(&store) == 0 {
            bail!(
                "{} has no runs of the version of crewlab that made its plan; nothing was written",
                folder.display()
            );
        }
        warn(&store.oddities);
        results::write(&plan, &store, &ExperimentFolder::open(folder))?;
    } else if folder.join("manifest.json").is_file() {
        of_run(folder)?;
    } else {
        bail!(
            "{} contains neither an experiment (plan.json) nor a run (manifest.json): give the folder of a sweep, a comparison or a run",
            folder.display()
        );
    }
    print(&format!("Report: {}\n", folder.join("report.html").display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Creates a run's report by repeating the run.
fn of_run(folder: &Path) -> anyhow::Result<()> {
    let manifest = std::fs::read(folder.join("manifest.json"))?;
    let manifest: Value = serde_json::from_slice(&manifest).context("manifest.json cannot be read")?;
    let file = folder.join("scenario.yaml");
    let scenario = load(&Request { scenario: file.to_string_lossy().into_owned(), ..Request::default() })?;
    let options = |out: Option<PathBuf>| RunOptions {
        out,
        force: true,
        threads: super::threads(None),
        timing: false,
        scan_logs: false,
        stop: std::sync::Arc::default(),
    };
    // A report is never replaced by that of a different run.
    let again = run_again(&scenario, &options(None), &mut |_| ())?;
    if manifest["result_hash"] != again.result_hash.as_str() {
        bail!(
            "repeating {} gives another result: it was run by crewlab {}, or its scenario.yaml was changed; nothing was written",
            folder.display(),
            manifest["crewlab"].as_str().unwrap_or("of another version")
        );
    }
    run_again(&scenario, &options(Some(folder.to_path_buf())), &mut |_| ())?;
    Ok(())
}
