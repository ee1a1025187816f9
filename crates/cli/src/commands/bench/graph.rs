//! `crewlab bench graph`.

use crate::terminal::print;
use crewlab_lab::bench::teamwork::graph_costs;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench graph\n\nOne core. All robots work on something that does not end, hear each other, and tell twice per second that they are there. Times are those of the fastest of five repetitions."
)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rows = graph_costs();
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "{:>10} {:>7} {:>12} {:>12} {:>14}\n",
        "behaviours", "robots", "ns per tick", "ns per node", "robot-ticks/s"
    );
    for row in &rows {
        text += &format!(
            "{:>10} {:>7} {:>12.0} {:>12.2} {:>14.0}\n",
            row.nodes, row.robots, row.ns_per_tick, row.ns_per_node, row.robot_ticks_per_s
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
