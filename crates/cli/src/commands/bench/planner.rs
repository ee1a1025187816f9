//! `crewlab bench planner`.

use crate::terminal::print;
use crewlab_lab::bench::planner::measure;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench planner\n\nOne core, the reference scene of docs/planning.md, the rows of SWARM's table 1 and figure 17. Times are over two hundred samples; rollout-steps are by the shortest, robots that one core plans for within 300 ms by the mean. Cost is the mean cost of the plans of a drive of 30 s over five seeds, less is better; only rows with the same steps and horizon can be compared."
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
        "{:>8} {:>8} {:>6} {:>12} {:>10} {:>10} {:>10} {:>9} {:>16} {:>14} {:>10}\n",
        "planner",
        "walkers",
        "steps",
        "horizon",
        "min µs",
        "max µs",
        "mean µs",
        "sd µs",
        "rollout-steps/s",
        "robots/300 ms",
        "cost"
    );
    for row in &rows {
        text += &format!(
            "{:>8} {:>8} {:>6} {:>12} {:>10.1} {:>10.1} {:>10.1} {:>9.1} {:>14.1} M {:>14} {:>10.0}\n",
            row.case.planner,
            row.case.walkers,
            row.case.steps,
            row.case.horizon,
            row.us_per_plan,
            row.us_max,
            row.us_mean,
            row.us_sd,
            row.rollout_steps_per_s / 1e6,
            row.robots_within_300_ms,
            row.cost
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
