//! `crewlab bench learn`.

use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::learn::measure;
use crewlab_lab::learn::workload::draw;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench learn --json\n  crewlab bench learn --instance rows.csv --seed 3\n\nRows are drawn from random networks: three states, up to three parents, 500 rows, seeds 1 to 5. Times are the shortest of several on the\nslowest seed, without reading the table. Peak memory is in `crewlab bench learn --json` if the system tells it."
)]
pub struct Args {
    /// Leave the optima of 25 and 28 variables out
    #[arg(long)]
    quick: bool,
    /// Write the rows of 10 variables to a CSV file instead, for other programs
    #[arg(long, value_name = "FILE")]
    instance: Option<PathBuf>,
    /// Seed of these rows
    #[arg(long, value_name = "N", default_value_t = 1, requires = "instance")]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.instance {
        return write_instance(file, args.seed);
    }
    let rows = measure(args.quick)?;
    let peak = peak_megabytes();
    if args.json {
        let text = serde_json::json!({"rows": rows, "peak_mb": peak});
        print(&format!("{}\n", serde_json::to_string_pretty(&text)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{:<42} {:>9} {:>14} {:>14}\n", "", "variables", "time", "target");
    for row in rows {
        let target = row.target_us.map_or(String::new(), time);
        text += &format!("{:<42} {:>9} {:>14} {target:>14}\n", row.what, row.variables, time(row.us));
    }
    if let Some(peak) = peak {
        text += &format!("{:<42} {:>9} {:>11} MB {:>11} MB\n", "peak memory", "", peak, 4096);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn time(us: f64) -> String {
    match us {
        us if us >= 1e6 => format!("{:.2} s", us / 1e6),
        us if us >= 1e3 => format!("{:.2} ms", us / 1e3),
        us => format!("{us:.2} µs"),
    }
}

/// The largest memory of this process so far. [MB]
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()? / 1024)
}

fn write_instance(file: &std::path::Path, seed: u64) -> anyhow::Result<ExitCode> {
    let (table, _) = draw(10, 3, 3, 500, seed)?;
    let names: Vec<&str> = table.variables().iter().map(|variable| variable.name.as_str()).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..table.rows() {
        let states = table.row(row).into_iter().map(|state| state.unwrap_or_default().to_string());
        text += &(states.collect::<Vec<_>>().join(",") + "\n");
    }
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(ExitCode::SUCCESS)
}
