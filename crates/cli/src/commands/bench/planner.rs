//! `crewlab bench planner`.

use crate::terminal::print;
use crewlab_lab::bench::planner::measure;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench planner\n\nOne core, the reference scene of docs/planning.md; the shortest of two hundred samples counts."
)]
pub struct Args {
    /// Number of other robots
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(0..=1000))]
    neighbours: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rows = measure(usize::from(args.neighbours));
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "{:>8} {:>8} {:>6} {:>12} {:>11} {:>9} {:>16}\n",
        "planner", "walkers", "steps", "horizon", "neighbours", "plan", "rollout-steps/s"
    );
    for row in &rows {
        text += &format!(
            "{:>8} {:>8} {:>6} {:>12} {:>11} {:>6.1} µs {:>14.1} M\n",
            row.planner,
            row.walkers,
            row.steps,
            row.horizon,
            row.neighbours,
            row.us_per_plan,
            row.rollout_steps_per_s / 1e6
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
