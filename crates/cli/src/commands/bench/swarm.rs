//! `crewlab bench swarm`.

use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::swarm::{SwarmRow, measure};
use std::process::{Command, ExitCode};

/// The largest number of robots.
const MOST: u32 = 60_000;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench swarm --robots 1000 --threads 2\n  crewlab bench swarm --largest\n\nRobots explore a field, plan every 0.3 s and tell each other by a physical radio. Every row is measured in its own process."
)]
pub struct Args {
    /// Numbers of robots [default: 60 250 1000]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    robots: Vec<u32>,
    /// Numbers of threads [default: 1 and all cores]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Search for the largest number of robots in real time, from the first number on
    #[arg(long)]
    largest: bool,
    /// Simulated seconds per row
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.seconds > 0.0 && args.seconds <= 3600.0,
        "--seconds must be above 0 and at most 3600, found {}",
        args.seconds
    );
    let rows = match (&args.robots[..], &args.threads[..]) {
        _ if args.largest => largest(args)?,
        ([robots], [threads]) => {
            let row = measure(*robots as usize, usize::from(*threads), args.seconds);
            vec![row.map_err(anyhow::Error::msg)?]
        }
        _ => in_processes(args)?,
    };
    match args.json {
        true => print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?,
        false => print(&table(&rows))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// All cores.
fn cores() -> u16 {
    std::thread::available_parallelism().map_or(1, usize::from) as u16
}

/// Measures every combination in its own process, so that memory is counted from zero.
fn in_processes(args: &Args) -> anyhow::Result<Vec<SwarmRow>> {
    let robots = if args.robots.is_empty() { vec![60, 250, 1000] } else { args.robots.clone() };
    let cores = cores();
    let mut threads = if args.threads.is_empty() { vec![1, cores] } else { args.threads.clone() };
    threads.dedup();
    let mut rows = Vec::new();
    for count in robots {
        for threads in &threads {
            rows.push(in_process(count, *threads, args.seconds)?);
        }
    }
    Ok(rows)
}

/// Measures one combination in its own process.
fn in_process(robots: u32, threads: u16, seconds: f64) -> anyhow::Result<SwarmRow> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bench", "swarm", "--json", "--seconds", &seconds.to_string()]);
    command.args(["--robots", &robots.to_string(), "--threads", &threads.to_string()]);
    let output = command.output().context("cannot start the measuring process")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{}", complaint.trim().trim_start_matches("error: "));
    let rows: Vec<SwarmRow> = serde_json::from_slice(&output.stdout)?;
    rows.into_iter().next().context("the measuring process gave no row")
}

/// Doubles the number of robots until they are slower than real time, then halves the gap four times.
fn largest(args: &Args) -> anyhow::Result<Vec<SwarmRow>> {
    let threads = args.threads.first().copied().unwrap_or_else(cores);
    let (mut rows, mut count) = (Vec::new(), args.robots.first().copied().unwrap_or(1000));
    let mut measure = |count: u32| -> anyhow::Result<bool> {
        let row = in_process(count, threads, args.seconds)?;
        let in_time = row.real_time_factor >= 1.0;
        rows.push(row);
        Ok(in_time)
    };
    let mut low = 0;
    while measure(count)? {
        low = count;
        if count == MOST {
            return Ok(rows);
        }
        count = count.saturating_mul(2).min(MOST);
    }
    for _ in 0..4 {
        let middle = low + (count - low) / 2;
        match middle > low && measure(middle)? {
            true => low = middle,
            false => count = middle,
        }
    }
    Ok(rows)
}

fn table(rows: &[SwarmRow]) -> String {
    let mut text = format!(
        "{:>7} {:>8} {:>10} {:>21} {:>13} {:>7}\n",
        "robots", "threads", "real time", "per robot and second", "memory/robot", "seen"
    );
    for row in rows {
        text += &format!(
            "{:>7} {:>8} {:>9.1}x {:>18.0} µs {:>10.0} kB {:>5.1} %\n",
            row.robots,
            row.threads,
            row.real_time_factor,
            row.us_per_robot_s,
            row.kb_per_robot,
            100.0 * row.seen_share
        );
    }
    text
}
