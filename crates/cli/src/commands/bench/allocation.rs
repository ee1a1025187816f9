//! `crewlab bench allocation`.

use crate::commands::write_new;
use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::allocation::{
    JointRow, OperationRow, SEEDS, TEAMS, Target, TeamRow, count, files, targets, team, together,
};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench allocation\n  crewlab bench allocation --instances DIR && crewlab allocate DIR/spatial-200-60-0.json\n\nFirst figure 3.8 of the thesis: the time to assign one task to R robots, C of them capable, with a plan for every\ncoalition size. Then 200 robots and 60 tasks at once. Then the targets. All times are processor time."
)]
pub struct Args {
    /// Only write the measured instances to a folder, for other solvers (scripts/bench_highs.py)
    #[arg(long, value_name = "DIR")]
    instances: Option<PathBuf>,
    /// Count operations and messages for 2 to 14 robots instead (figure 3.4); independent of the machine
    #[arg(long, conflicts_with = "instances")]
    operations: bool,
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
    if args.operations {
        let rows = (2..=14).map(count).collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
        return counts(&rows, args.json);
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

fn counts(rows: &[OperationRow], as_json: bool) -> anyhow::Result<ExitCode> {
    if as_json {
        print(&format!("{}\n", serde_json::to_string_pretty(rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "{:>3} {:>12} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9} {:>9} {:>9} {:>9}\n",
        "R",
        "R!",
        "2^R R^3",
        "2^R R^2",
        "R^(R/2)",
        "exhaustive",
        "per robot",
        "matching",
        "msg SR",
        "central",
        "distrib."
    );
    for row in rows {
        text += &format!(
            "{:>3} {:>12.0} {:>11.0} {:>11.0} {:>11.0} {:>11} {:>11.0} {:>9} {:>9} {:>9} {:>9}\n",
            row.robots,
            row.factorial,
            row.central,
            row.distributed,
            row.limited,
            row.exhaustive,
            row.exhaustive_shared,
            row.matching,
            row.messages_single,
            row.messages_central,
            row.messages_distributed
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
