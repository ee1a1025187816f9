//! `crewlab list`.

use crate::terminal::print;
use crewlab_experiments::metrics::{METRICS, Metric};
use crewlab_lab::catalog::{CatalogEntry, CatalogSection, sections};
use crewlab_lab::sim::missions;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab list sensors")]
pub struct Args {
    /// What to list: scenarios, missions, coordinators, estimators, controllers, robot-types, sensors, effectors, radios, maps, disturbances, presets, events, indicators, metrics [default: all]
    what: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut chosen = sections();
    chosen.push(metrics());
    if let Some(what) = &args.what {
        let names: Vec<&str> = chosen.iter().map(|section| section.name).collect();
        let accepted = names.join(", ");
        chosen.retain(|section| section.name == what || section.name.trim_end_matches('s') == what);
        anyhow::ensure!(!chosen.is_empty(), "there is no list `{what}`; accepted: {accepted}");
    }
    if args.json {
        let map: serde_json::Map<_, _> = chosen
            .iter()
            .map(|section| (section.name.to_string(), serde_json::json!(section.entries)))
            .collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&map)?))?;
    } else {
        print(&chosen.iter().map(readable).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn readable(section: &CatalogSection) -> String {
    let width = section.entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let line = |entry: &CatalogEntry| {
        let example = entry.example.as_ref().map(|example| format!("  {:width$}  e.g. {example}\n", ""));
        format!("  {:width$}  {}\n{}", entry.name, entry.summary, example.unwrap_or_default())
    };
    format!("{}\n{}", section.name, section.entries.iter().map(line).collect::<String>())
}

/// The metrics of every run.
fn metrics() -> CatalogSection {
    let entry = |metric: &Metric| {
        let unit = if metric.unit.is_empty() { String::new() } else { format!(" [{}]", metric.unit) };
        let of: Vec<&str> = missions::KINDS
            .iter()
            .filter(|kind| kind.measures.iter().any(|measure| measure.name == metric.name))
            .map(|kind| kind.name)
            .collect();
        let of = if of.is_empty() { String::new() } else { format!("; only in {}", of.join(", ")) };
        CatalogEntry {
            name: metric.name.into(),
            summary: format!("{}{unit}{of}", metric.summary),
            example: None,
        }
    };
    CatalogSection { name: "metrics", entries: METRICS.iter().map(entry).collect() }
}
