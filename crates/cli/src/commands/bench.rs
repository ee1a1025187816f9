//! `crewlab bench`.

use super::write_new;
use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::bench::arena::Arena;
use crewlab_lab::bench::learning::{Exam, Grade, Robots, grade};
use crewlab_lab::bench::world::{Row, Workload, measure};
use crewlab_lab::sim::teams::alliance::learning::LearningParams;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab bench world")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Robots that wander and avoid each other: ticks per second and memory
    World(WorldArgs),
    /// Teams that know their task times: how near to the optimum the four strategies of L-ALLIANCE get
    Learning(LearningArgs),
}

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench learning --instances 500\n\nEvery instance is a team of 2 to 4 robots, as many to 6 independent tasks and random task times between 50 s and 500 s; similar robots differ by up to 25 % per task, different ones in any way. \
A ratio of 1 is the best assignment there is."
)]
struct LearningArgs {
    /// How many random instances
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    instances: u32,
    /// Seed of the instances
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Shortest delay before a free task is taken, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    min_delay: Option<f64>,
    /// Longest delay before a free task is taken, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    max_delay: Option<f64>,
    /// Idle time before tasks are looked at that others are better at, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    boredom: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench world --robots 1000 --threads 1\n\nEvery row is measured in a process of its own; the best of three samples counts."
)]
struct WorldArgs {
    /// Numbers of robots [default: 10 100 1000 10000]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..=60000))]
    robots: Vec<u32>,
    /// Numbers of threads [default: 1 and all cores]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Every robot broadcasts in every tick, heard within 3 m
    #[arg(long)]
    broadcast: bool,
    /// Seconds per sample
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// An arena file (JSON) instead of a generated arena
    #[arg(long, value_name = "FILE")]
    arena: Option<PathBuf>,
    /// Write the generated arena to a file, for other simulators, and measure nothing
    #[arg(long, value_name = "FILE")]
    write_arena: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::World(args) => world(args),
        What::Learning(args) => learning(args),
    }
}

fn learning(args: LearningArgs) -> anyhow::Result<ExitCode> {
    let usual = LearningParams::default();
    let given = LearningParams {
        min_delay: args.min_delay.unwrap_or(usual.min_delay),
        max_delay: args.max_delay.unwrap_or(usual.max_delay),
        boredom: args.boredom.unwrap_or(usual.boredom),
        // What strategies go by that do not adapt: the middle of the task times.
        neutral_time: 275.0,
        ..usual
    };
    let sound = |time: f64| time.is_finite() && (0.0..=1e6).contains(&time);
    anyhow::ensure!(
        sound(given.boredom)
            && sound(given.max_delay)
            && given.min_delay > 0.0
            && given.min_delay <= given.max_delay,
        "delays must be above 0 s and at most 1000000 s, the shortest not above the longest"
    );
    let exam = |robots: Robots| Exam {
        instances: args.instances as usize,
        seed: args.seed,
        robots,
        learning: given.clone(),
    };
    let grades: Vec<Grade> = Robots::ALL.into_iter().flat_map(|robots| grade(&exam(robots))).collect();
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&grades)?))?;
    } else {
        print(&grade_table(&grades))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn grade_table(grades: &[Grade]) -> String {
    let mut text = format!(
        "Time over best time:\n{:>10} {:>9} {:>8} {:>8} {:>8} {:>9} {:>11}\n",
        "robots", "strategy", "mean", "p95", "worst", "finished", "unfinished"
    );
    for grade in grades {
        text += &format!(
            "{:>10} {:>9} {:>8.3} {:>8.3} {:>8.3} {:>9} {:>11}\n",
            grade.robots.name(),
            grade.strategy,
            grade.mean_ratio,
            grade.p95_ratio,
            grade.worst_ratio,
            grade.finished,
            grade.unfinished
        );
    }
    text
}

fn world(args: WorldArgs) -> anyhow::Result<ExitCode> {
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

fn single(arena: &Arena, threads: u16, args: &WorldArgs) -> anyhow::Result<Row> {
    let sample = Duration::from_secs_f64(args.seconds);
    let workload = Workload { threads: usize::from(threads), broadcast: args.broadcast, sample };
    measure(arena, &workload).map_err(anyhow::Error::msg)
}

/// Measures every combination in a process of its own, so that memory is counted from nothing.
fn in_processes(args: &WorldArgs) -> anyhow::Result<Vec<Row>> {
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
            let output = command.output().context("cannot start a process to measure in")?;
            let complaint = String::from_utf8_lossy(&output.stderr);
            anyhow::ensure!(output.status.success(), "{}", complaint.trim().trim_start_matches("error: "));
            rows.extend(serde_json::from_slice::<Vec<Row>>(&output.stdout)?);
        }
    }
    Ok(rows)
}

fn table(rows: &[Row]) -> String {
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
