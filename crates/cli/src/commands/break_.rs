//! `crewlab break`.

use super::run::{INTERRUPTED, stop_on_signals};
use super::{ScenarioArgs, threads, write_new};
use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_experiments::breaking::palette::{ALL, kinds};
use crewlab_experiments::breaking::report::quoted;
use crewlab_experiments::breaking::{BreakError, BreakReport, Hunt, hunt};
use crewlab_experiments::store::Store;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// No schedule was found.
const NOTHING_FOUND: u8 = 3;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab break waste-cleanup --coordinator greedy --spare alliance\n  crewlab break waste-cleanup --coordinator alliance --kinds stop\n  crewlab break exploration --goal 'seen_share >= 0.5'\n\nThe first finds what defeats `greedy` but not `alliance`; the second, how many robots `alliance` can lose; the third, what keeps robots that explore without an end from seeing half of the field. The result is a scenario for `crewlab run` and `crewlab live`.\n\nExit codes: 0 schedule found, 3 none found, 1 invalid input, 2 wrong usage, 130 interrupted."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// The coordinator to defeat [default: the scenario's]
    #[arg(long, value_name = "NAME")]
    coordinator: Option<String>,
    /// A coordinator that must complete the mission with the same disturbances and seeds (may be repeated)
    #[arg(long, value_name = "NAME")]
    spare: Vec<String>,
    /// For missions without an end: what must hold at the time limit, a condition over the mission's measures (the same as --set
    /// run.goal=...)
    #[arg(long, value_name = "CONDITION")]
    goal: Option<String>,
    /// Number of seeds on which the mission must fail, starting with the scenario's own
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,
    /// Largest number of disturbances
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20))]
    most: u8,
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help = kinds_help())]
    kinds: Vec<String>,
    /// Largest number of runs; a quarter is reserved for shrinking the result
    #[arg(long, value_name = "RUNS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    budget: u32,
    /// Number of parallel runs; does not affect the result [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The scenario file to write [default: broken/SCENARIO-COORDINATOR.yaml]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Continue with the runs of an earlier search for the same file
    #[arg(long)]
    resume: bool,
    /// No progress bar and no text output
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let which = with_goal(&args);
    let scenario = which.load(None)?;
    let coordinator = match &args.coordinator {
        Some(name) => name.clone(),
        None => scenario.resolved["team"]["coordinator"].as_str().unwrap_or_default().to_string(),
    };
    let file = args.out.clone().unwrap_or_else(|| default_file(&scenario.name, &coordinator));
    if file.is_dir() {
        bail!("{} is a folder: give a file such as broken.yaml", file.display());
    }
    if !args.force && file.symlink_metadata().is_ok() {
        bail!("{} already exists: use --force to replace it or --out to choose another file", file.display());
    }
    let folder = file.with_extension("search");
    if folder == file {
        bail!("{} is the folder for the runs: give a file such as broken.yaml", file.display());
    }
    if !args.resume && !args.force && Store::is_in(&folder) {
        bail!(
            "{} has the runs of an earlier search: use --resume to continue, --force to discard them, or --out to choose another file",
            folder.display()
        );
    }
    let made = Made::before(&folder);
    if !args.resume {
        clear(&folder)?;
    }
    let wanted = Hunt {
        request: which.request(),
        coordinator: args.coordinator.clone(),
        spare: args.spare.clone(),
        seeds: args.seeds,
        most: args.most.into(),
        kinds: args.kinds.clone(),
        budget: args.budget as usize,
        jobs: threads(args.jobs),
        stop: stop_on_signals()?,
        folder: folder.clone(),
    };
    let bar = if args.quiet { ProgressBar::hidden() } else { bar(&scenario.name) };
    let report = hunt(&wanted, &mut |phase, runs| {
        bar.set_position(runs as u64);
        bar.set_message(phase.to_string());
    });
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(BreakError::Interrupted) => {
            eprintln!("error: {}", BreakError::Interrupted);
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(error) => {
            made.undo()?;
            return Err(match error {
                BreakError::Scenario(problems) => problems.into(),
                other => other.into(),
            });
        }
    };
    finish(&args, &report, &file, &folder)
}

/// The scenario with the goal as one of its settings.
fn with_goal(args: &Args) -> ScenarioArgs {
    let mut which = args.which.clone();
    // Quoted, so that any text stays a text.
    which.sets.extend(args.goal.iter().map(|goal| format!("run.goal='{}'", goal.replace('\'', "''"))));
    which
}

/// Writes the file and reports the result.
fn finish(args: &Args, report: &BreakReport, file: &Path, folder: &Path) -> anyhow::Result<ExitCode> {
    let name = file.display().to_string();
    if let Some(text) = report.file(&command(args), &name) {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        if args.force {
            fs::write(file, text).with_context(|| format!("cannot write {name}"))?;
        } else {
            write_new(file, &text)?;
        }
        clear(folder)?;
    }
    if args.json {
        let mut json = serde_json::to_value(report)?;
        json["file"] = report.found.as_ref().map(|_| name).into();
        print(&format!("{}\n", serde_json::to_string_pretty(&json)?))?;
    } else if !args.quiet {
        let mut text = report.readable();
        if report.found.is_some() {
            text += &format!("\nScenario: {name}\n");
            for (command, what) in report.commands(&name) {
                text += &format!("  {command}   # {what}\n");
            }
        } else {
            text += &format!("The runs are kept in {}: use --resume to continue.\n", folder.display());
        }
        print(&text)?;
    }
    Ok(if report.found.is_some() { ExitCode::SUCCESS } else { ExitCode::from(NOTHING_FOUND) })
}

/// The kinds, and those tried by default.
fn kinds_help() -> String {
    let of = |by_default: bool| {
        let tried = kinds().filter(|kind| kind.about.breaking.is_some_and(|b| b.by_default == by_default));
        tried.map(|kind| kind.name).collect::<Vec<_>>().join(", ")
    };
    format!("Only these kinds of disturbances: {} [default: these]; {}; or {ALL}", of(true), of(false))
}

/// The folders that a search creates: a refused request leaves nothing behind.
struct Made<'a> {
    folder: Option<&'a Path>,
    parent: Option<&'a Path>,
}

impl Made<'_> {
    /// Those that do not exist yet.
    fn before(folder: &Path) -> Made<'_> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        Made { folder: Some(folder).filter(missing), parent: folder.parent().filter(missing) }
    }

    fn undo(self) -> anyhow::Result<()> {
        self.folder.map_or(Ok(()), clear)?;
        // Another process may have put something there.
        let _ = self.parent.map(fs::remove_dir);
        Ok(())
    }
}

/// Removes the folder of the runs, provided that it contains nothing else.
fn clear(folder: &Path) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let name = entry.with_context(|| format!("cannot read {}", folder.display()))?.file_name();
        if name != "journal" && name != "shown" {
            bail!(
                "{} exists and contains other things than runs: choose another file with --out",
                folder.display()
            );
        }
    }
    fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// Replaces characters that file names must not have.
fn default_file(scenario: &str, coordinator: &str) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = format!("{scenario}-{coordinator}").chars().map(safe).collect();
    Path::new("broken").join(format!("{}.yaml", name.trim_start_matches('.')))
}

fn bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{prefix}  {spinner} {msg}: {pos} runs, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_prefix(name.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The command in a form that can be repeated, without options that do not affect the file.
fn command(args: &Args) -> String {
    let mut words = vec!["crewlab".to_string(), "break".into(), quoted(&args.which.scenario)];
    let mut option = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
    args.which.sets.iter().for_each(|set| option("set", set));
    args.which.disturbances.iter().for_each(|entry| option("disturb", entry));
    args.goal.iter().for_each(|goal| option("goal", goal));
    args.coordinator.iter().for_each(|name| option("coordinator", name));
    args.spare.iter().for_each(|name| option("spare", name));
    let differs = |value: u64, default: u64| (value != default).then(|| value.to_string());
    differs(args.seeds, 3).iter().for_each(|seeds| option("seeds", seeds));
    differs(args.most.into(), 3).iter().for_each(|most| option("most", most));
    if !args.kinds.is_empty() {
        option("kinds", &args.kinds.join(","));
    }
    differs(args.budget.into(), 2000).iter().for_each(|budget| option("budget", budget));
    args.out.iter().for_each(|file| option("out", &file.to_string_lossy()));
    words.join(" ")
}
