//! `crewlab check`.

use super::ScenarioArgs;
use crate::terminal::print;
use crewlab_lab::check::guarantee;
use crewlab_lab::coverage::coverage;
use serde_json::json;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab check my-scenario.yaml --set team.coordinator=greedy\n\nShows which robots can do each task and how, whose loss would leave a task to nobody, and how different the robots are."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Print the whole scenario with all defaults filled in
    #[arg(long)]
    resolved: bool,
    /// Print the findings as JSON
    #[arg(long, conflicts_with = "resolved")]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let scenario = args.which.load(None)?;
    if args.resolved {
        print(&crewlab_scenario::text::to_yaml(&scenario.resolved))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (findings, coverage) = (guarantee(&scenario), coverage(&scenario.start.0));
    let fine = findings.breaches.is_empty();
    for breach in &findings.breaches {
        eprintln!("error: {breach}");
    }
    let text = if args.json {
        let found = json!({
            "scenario": scenario.name,
            "can_run": fine,
            "heterogeneity": coverage.heterogeneity,
            "tasks": coverage.tasks,
            "notes": coverage.notes(),
            "kept": findings.kept,
            "breaches": findings.breaches,
        });
        format!("{}\n", serde_json::to_string_pretty(&found)?)
    } else {
        let head = if fine { format!("{} can run.\n", scenario.name) } else { String::new() };
        let notes = coverage.notes().into_iter().map(|note| format!("note: {note}"));
        let lines = coverage.lines().into_iter().chain(findings.kept).chain(notes);
        lines.fold(head, |text, line| text + &format!("  {line}\n"))
    };
    print(&text)?;
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
