//! `crewlab bench allocation`.

use crate::commands::write_new;
use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::allocation::{
    JointRow, SEEDS, TEAMS, Target, TeamRow, files, targets, team, together,
};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench allocation\n  crewlab bench allocation --instances DIR && crewlab allocate DIR/spatial-200-60-0.json\n\nFirst figure 3.8 of the thesis: the time to assign one task to R robots of which C are capable, with a plan for every\ncoalition size. Then 200 robots and 60 tasks at once. Then the targets. All times are processor time."
)]
pub struct Args {
    /// Write the measured instances to a folder, for other solvers (scripts/bench_highs.py), and measure nothing
    #[arg(long, value_name = "DIR")]
    instances: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(folder) = &args.instances {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        for (name, text) in files().map_err(anyhow::Error::msg)? {
            write_new(&folder.join(name), &text)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        let teams: Vec<TeamRow> = TEAMS.into_iter().map(team).collect();
        let rows =
            (0..SEEDS).map(together).collect::<Result<Vec<JointRow>, _>>().map_err(anyhow::Error::msg)?;
        let all = json!({"figure_3_8": teams, "joint": rows, "targets": targets(&rows)});
        print(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!(
        "{:>3} {:>3} {:>9} {:>13} {:>11} {:>17} {:>10}\n",
        "R", "C", "thesis", "exhaustive", "matching", "branch-and-bound", "joint"
    ))?;
    for row in TEAMS.into_iter().map(team) {
        print(&format!(
            "{:>3} {:>3} {:>9} {:>10.1} us {:>8.1} us {:>14.1} us {:>7.1} us\n",
            row.robots,
            row.capable,
            row.thesis,
            row.exhaustive_us,
            row.matching_us,
            row.branch_and_bound_us,
            row.joint_us
        ))?;
    }
    print(&format!(
        "\n{:>4} {:>10} {:>9} {:>6} {:>10} {:>8} {:>10} {:>9} {:>10} {:>10} {:>11}\n",
        "seed",
        "optimum",
        "proven in",
        "nodes",
        "quick in",
        "quick",
        "gap",
        "greedy",
        "repair in",
        "anew in",
        "repair gap"
    ))?;
    let mut rows = Vec::new();
    for seed in 0..SEEDS {
        let row = together(seed).map_err(anyhow::Error::msg)?;
        print(&format!(
            "{:>4} {:>10.3} {:>6.1} ms {:>6} {:>7.1} ms {:>6.2} % {:>8.3} % {:>7.2} % {:>7.1} ms {:>7.1} ms {:>9.4} %\n",
            row.seed,
            row.optimum,
            row.time_ms,
            row.nodes,
            row.quick_ms,
            row.quick_share * 100.0,
            row.quick_gap * 100.0,
            row.greedy_share * 100.0,
            row.repair_ms,
            row.anew_ms,
            row.repair_gap * 100.0
        ))?;
        rows.push(row);
    }
    print("\n")?;
    for Target { what, measured, target, unit, met } in targets(&rows) {
        let verdict = if met { "met" } else { "missed" };
        print(&format!("{what:<57} {measured:>9.2} {unit:<2}  target {target:>7} {unit:<2}  {verdict}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
