//! `crewlab allocate`.

use crate::terminal::print;
use anyhow::Context;
use clap::ValueEnum;
use crewlab_lab::allocation::{Allocation, Instance, Method, SearchLimits, greedy_with, joint};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab allocate experiments/muroco/table-3.3.json --method joint\n  crewlab bench allocation --instances DIR && crewlab allocate DIR/spatial-200-60-0.json --json\n\nThe file: {\"robots\": 2, \"tasks\": [{\"id\": \"lift\", \"plans\": [{\"reward\": \"sum\", \"subtasks\": [[3, 1], [2, null]]}]}]}\nA plan has one row per subtask and one reward per robot in it, null if the robot is incapable. Reward functions: sum, mean,\nmin, max, product, harmonic, {\"min-plus-mean\": 0.5}, {\"worst\": 2}.\n\njoint serves all tasks together. All other methods serve one task at a time in greedy's order (utility over average\ncoalition size); exhaustive, matching and branch-and-bound solve each task differently; greedy is the same as matching.\nTheir bound is the total if every task had all robots to itself."
)]
pub struct Args {
    /// Robots, tasks, plans and rewards (JSON)
    #[arg(value_name = "INSTANCE.json")]
    file: PathBuf,
    /// How to allocate
    #[arg(long, value_enum, default_value = "joint")]
    method: How,
    /// Largest number of nodes of joint's search tree; 0: prices and rounding only
    #[arg(long, value_name = "N", default_value_t = SearchLimits::default().nodes)]
    nodes: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum How {
    /// All coalitions of every size, at most 24 robots
    Exhaustive,
    /// The best injection of each plan's subtasks to robots
    Matching,
    /// Tries robots subtask by subtask
    BranchAndBound,
    /// All tasks together, to the proven optimum
    Joint,
    /// One task at a time, in the order of the thesis
    Greedy,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let instance = read(&args.file)?;
    let start = Instant::now();
    let outcome = match args.method {
        How::Exhaustive => greedy_with(&instance, Method::Exhaustive),
        How::Matching | How::Greedy => greedy_with(&instance, Method::Matching),
        How::BranchAndBound => greedy_with(&instance, Method::BranchAndBound),
        How::Joint => joint(&instance, &SearchLimits { nodes: args.nodes, ..SearchLimits::default() }),
    };
    let time_ms = start.elapsed().as_secs_f64() * 1e3;
    let allocation = outcome.with_context(|| args.file.display().to_string())?;
    if args.json {
        print(&format!(
            "{}\n",
            serde_json::to_string_pretty(&as_json(&instance, &allocation, args.method, time_ms))?
        ))?;
    } else {
        print(&table(&instance, &allocation, time_ms))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads an instance and checks it; errors give the position in the file.
fn read(file: &Path) -> anyhow::Result<Instance> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let instance: Instance = serde_json::from_str(&text).map_err(|error| {
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default().to_string();
        anyhow::anyhow!("{}:{}:{}: {said}", file.display(), error.line(), error.column())
    })?;
    instance.check().with_context(|| file.display().to_string())?;
    Ok(instance)
}

fn as_json(instance: &Instance, allocation: &Allocation, method: How, time_ms: f64) -> serde_json::Value {
    let tasks = instance.tasks.iter().zip(&allocation.assignment).map(|(task, coalition)| match coalition {
        Some(found) => {
            json!({"id": task.id, "plan": found.plan, "robots": found.robots, "value": found.value})
        }
        None => json!({"id": task.id, "plan": null, "robots": [], "value": 0.0}),
    });
    json!({
        "method": method.to_possible_value().map(|value| value.get_name().to_string()),
        "assignment": tasks.collect::<Vec<_>>(),
        "value": allocation.value,
        "bound": allocation.bound,
        "gap": allocation.gap,
        "prices": allocation.prices,
        "nodes": allocation.effort.nodes,
        "time_ms": time_ms,
    })
}

fn table(instance: &Instance, allocation: &Allocation, time_ms: f64) -> String {
    let width = instance.tasks.iter().map(|task| task.id.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("{:<width$} {:>5} {:>12}  robots\n", "task", "plan", "value");
    for (task, coalition) in instance.tasks.iter().zip(&allocation.assignment) {
        text += &match coalition {
            None => format!("{:<width$} {:>5} {:>12}  not served\n", task.id, "-", "-"),
            Some(found) => {
                let robots: Vec<String> = found.robots.iter().map(usize::to_string).collect();
                format!("{:<width$} {:>5} {:>12.3}  {}\n", task.id, found.plan, found.value, robots.join(" "))
            }
        };
    }
    let gap = match allocation.gap {
        0.0 => "0, the optimum".to_string(),
        gap => format!("{:.4} %", gap * 100.0),
    };
    let (value, bound) = (allocation.value, allocation.bound);
    text + &format!("\nvalue    {value:.3}\nbound    {bound:.3}\ngap      {gap}\ntime_ms  {time_ms:.3}\n")
}
