//! `crewlab bench learning`.

use crate::terminal::print;
use crewlab_experiments::bench::learning::{Exam, Grade, Robots, grade};
use crewlab_lab::sim::teams::alliance::learning::LearningParams;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench learning --instances 500\n\nEvery instance is a team of 2 to 4 robots, between as many and 6 independent tasks, and random task times between 50 s and 500 s; similar robots differ by up to 25 % per task, different ones arbitrarily. \
A ratio of 1 is the best possible assignment."
)]
pub struct Args {
    /// Number of random instances
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    instances: u32,
    /// Seed of the instances
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Shortest delay before a robot takes a free task, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    min_delay: Option<f64>,
    /// Longest delay before a robot takes a free task, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    max_delay: Option<f64>,
    /// Idle time before a robot considers tasks that others do better, in seconds [default: that of scenarios]
    #[arg(long, value_name = "S")]
    boredom: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let usual = LearningParams::default();
    let given = LearningParams {
        min_delay: args.min_delay.unwrap_or(usual.min_delay),
        max_delay: args.max_delay.unwrap_or(usual.max_delay),
        boredom: args.boredom.unwrap_or(usual.boredom),
        // The task time assumed by strategies that do not adapt: the middle of the range.
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
