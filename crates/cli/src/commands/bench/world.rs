//! `crewlab bench world`.

use crate::commands::write_new;
use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::arena::Arena;
use crewlab_lab::bench::world::{Workload, WorldRow, measure};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench world --robots 1000 --threads 1\n\nEvery row is measured in its own process; the best of three samples counts."
)]
pub struct Args {
    /// Numbers of robots [default: 10 100 1000 10000]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..=60000))]
    robots: Vec<u32>,
    /// Numbers of threads [default: 1 and all cores]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Every robot broadcasts in every tick, with a range of 3 m
    #[arg(long)]
    broadcast: bool,
    /// Seconds per sample
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// An arena file (JSON) instead of a generated arena
    #[arg(long, value_name = "FILE")]
    arena: Option<PathBuf>,
    /// Only write the generated arena to a file, for other simulators
    #[arg(long, value_name = "FILE")]
    write_arena: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.seconds > 0.0 && args.seconds <= 3600.0,
        "--seconds must be above 0 and at most 3600, found {}",
        args.seconds
    );
    if let Some(file) = &args.write_arena {
        let count = args.robots.first().copied().unwrap_or(1000);
        let text = serde_json::to_string(&Arena::generate(count as usize, 1))?;
        write_new(file, &text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let rows = match (&args.robots[..], &args.threads[..], &args.arena) {
        ([robots], [threads], None) => vec![single(&Arena::generate(*robots as usize, 1), *threads, &args)?],
        (_, [threads], Some(file)) => vec![single(&read(file)?, *threads, &args)?],
        _ => in_processes(&args)?,
    };
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
    } else {
        print(&table(&rows))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> anyhow::Result<Arena> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not an arena", file.display()))
}

fn single(arena: &Arena, threads: u16, args: &Args) -> anyhow::Result<WorldRow> {
    let sample = Duration::from_secs_f64(args.seconds);
    let workload = Workload { threads: usize::from(threads), broadcast: args.broadcast, sample };
    measure(arena, &workload).map_err(anyhow::Error::msg)
}

/// Measures every combination in its own process, so that memory is counted from zero.
fn in_processes(args: &Args) -> anyhow::Result<Vec<WorldRow>> {
    let robots = if args.robots.is_empty() { vec![10, 100, 1000, 10_000] } else { args.robots.clone() };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u16;
    let mut threads = if args.threads.is_empty() { vec![1, cores] } else { args.threads.clone() };
    threads.dedup();
    let robots = if args.arena.is_some() { vec![0] } else { robots };
    let mut rows = Vec::new();
    for count in robots {
        for threads in &threads {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["bench", "world", "--json", "--threads", &threads.to_string()]);
            command.args(["--seconds", &args.seconds.to_string()]);
            match &args.arena {
                Some(file) => command.arg("--arena").arg(file),
                None => command.args(["--robots", &count.to_string()]),
            };
            if args.broadcast {
                command.arg("--broadcast");
            }
            let output = command.output().context("cannot start the measuring process")?;
            let complaint = String::from_utf8_lossy(&output.stderr);
            anyhow::ensure!(output.status.success(), "{}", complaint.trim().trim_start_matches("error: "));
            rows.extend(serde_json::from_slice::<Vec<WorldRow>>(&output.stdout)?);
        }
    }
    Ok(rows)
}

fn table(rows: &[WorldRow]) -> String {
    let mut text = format!(
        "{:>7} {:>8} {:>12} {:>14} {:>10} {:>9} {:>8}\n",
        "robots", "threads", "ticks/s", "robot-ticks/s", "real time", "memory", "seeing"
    );
    for row in rows {
        text += &format!(
            "{:>7} {:>8} {:>12.0} {:>14.0} {:>9.0}x {:>6.0} MB {:>6.1} %\n",
            row.robots,
            row.threads,
            row.ticks_per_s,
            row.robot_ticks_per_s,
            row.real_time_factor,
            row.rss_mb,
            row.seeing * 100.0
        );
    }
    text
}
