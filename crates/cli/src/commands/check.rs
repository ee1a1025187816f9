//! `crewlab check`.

use super::Which;
use crate::terminal::print;
use crewlab_lab::check::guarantee;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab check my-scenario.yaml --set team.coordinator=greedy")]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Print the whole scenario with everything that was left out
    #[arg(long)]
    resolved: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let scenario = args.which.load(None)?;
    if args.resolved {
        print(&crewlab_lab::scenario::text::to_yaml(&scenario.resolved))?;
        return Ok(ExitCode::SUCCESS);
    }
    let findings = guarantee(&scenario);
    for breach in &findings.breaches {
        eprintln!("error: {breach}");
    }
    let mut text = findings.kept.iter().map(|line| format!("  {line}\n")).collect::<String>();
    if findings.breaches.is_empty() {
        text = format!("{} can run.\n{text}", scenario.name);
    }
    print(&text)?;
    Ok(if findings.breaches.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
