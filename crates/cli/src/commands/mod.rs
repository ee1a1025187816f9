//! One file per command.

pub mod allocate;
pub mod bench;
pub mod break_;
pub mod check;
pub mod compare;
pub mod explain;
pub mod learn;
pub mod link;
pub mod list;
pub mod live;
pub mod new;
pub mod report;
pub mod run;
pub mod schema;
pub mod sweep;
pub mod sweep_worker;
pub mod tune;

use anyhow::Context;
use crewlab_scenario::text::did_you_mean;
use crewlab_scenario::{Request, Scenario, load};
use indicatif::ProgressBar;
use run::progress_bar;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

/// A scenario and its modifications.
#[derive(clap::Args)]
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
