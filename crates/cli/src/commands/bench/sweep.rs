//! `crewlab bench sweep`.

use crate::commands::threads;
use crate::terminal::print;
use crewlab_experiments::bench::sweep::{Figures, measure};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab bench sweep --runs 1000")]
pub struct Args {
    /// Runs of waste-cleanup
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    runs: u32,
    /// Number of parallel runs [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = std::env::temp_dir().join(format!("crewlab-bench-sweep-{}", std::process::id()));
    let figures = measure(args.runs as usize, threads(args.jobs), &folder);
    // If it cannot be removed, it stays in the folder for temporary files.
    let _ = std::fs::remove_dir_all(&folder);
    let figures = figures?;
    match args.json {
        true => print(&format!("{}\n", serde_json::to_string_pretty(&figures)?))?,
        false => print(&readable(&figures))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn readable(figures: &Figures) -> String {
    let or_unknown = |value: Option<f64>, unit: &str| {
        value.map_or("unknown".to_string(), |value| format!("{value:.1} {unit}"))
    };
    let Figures { runs, completed, jobs, wall_s, .. } = figures;
    format!(
        "{runs} runs of waste-cleanup, {jobs} in parallel ({completed} completed)\n\
         \x20 wall clock               {wall_s:.1} s (target: under 120 s for 1,000)\n\
         \x20 cores kept busy          {} (target: above 90 %)\n\
         \x20 memory                   {} after a tenth of the runs, {} after all\n\
         \x20 tables, figures, report  {:.2} s\n\
         The same sweep with runs of one tick each\n\
         \x20 processor time per run   {} (target: under 2 ms)\n\
         \x20 wall clock per run       {:.2} ms, including its results\n",
        or_unknown(figures.busy.map(|busy| busy * 100.0), "%"),
        or_unknown(figures.memory_early_mb, "MB"),
        or_unknown(figures.memory_late_mb, "MB"),
        figures.results_s,
        figures.overhead_ms.map_or("unknown".into(), |ms| format!("{ms:.2} ms")),
        figures.overhead_wall_ms,
    )
}
