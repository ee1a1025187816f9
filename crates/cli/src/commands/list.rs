//! `crewlab list`.

use crate::terminal::print;
use crewlab_experiments::metrics::{METRICS, Metric};
use crewlab_lab::catalog::{Entry, Shelf, shelves};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab list sensors")]
pub struct Args {
    /// What to list: scenarios, missions, coordinators, robot-types, sensors, effectors, radios, disturbances, presets, metrics [default: all]
    what: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut chosen = shelves();
    chosen.push(metrics());
    if let Some(what) = &args.what {
        let names: Vec<&str> = chosen.iter().map(|shelf| shelf.name).collect();
        let accepted = names.join(", ");
        chosen.retain(|shelf| shelf.name == what || shelf.name.trim_end_matches('s') == what);
        anyhow::ensure!(!chosen.is_empty(), "there is no list `{what}`; accepted: {accepted}");
    }
    if args.json {
        let map: serde_json::Map<_, _> =
            chosen.iter().map(|shelf| (shelf.name.to_string(), serde_json::json!(shelf.entries))).collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&map)?))?;
    } else {
        print(&chosen.iter().map(readable).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn readable(shelf: &Shelf) -> String {
    let width = shelf.entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let example = entry.example.as_ref().map(|example| format!("  {:width$}  e.g. {example}\n", ""));
        format!("  {:width$}  {}\n{}", entry.name, entry.summary, example.unwrap_or_default())
    };
    format!("{}\n{}", shelf.name, shelf.entries.iter().map(line).collect::<String>())
}

/// The metrics of every run.
fn metrics() -> Shelf {
    let entry = |metric: &Metric| {
        let unit = if metric.unit.is_empty() { String::new() } else { format!(" [{}]", metric.unit) };
        Entry { name: metric.name.into(), summary: format!("{}{unit}", metric.summary), example: None }
    };
    Shelf { name: "metrics", entries: METRICS.iter().map(entry).collect() }
}
