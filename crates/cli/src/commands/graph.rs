//! `crewlab graph`.

use super::ScenarioArgs;
use crate::terminal::{print, warn};
use anyhow::{Context, bail};
use crewlab_lab::plan::{TeamPlan, dot, draw, outline};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab graph formation --svg formation.svg\n  crewlab graph my-scenario.yaml --dot | dot -Tpdf > plan.pdf\n\nShows the behaviours of a team: what they consist of (indented; lines downwards), what may follow them (arrows), and the protocols by\nwhich the team decides, allocates and ends together. A mission without a graph shows the one that is made from its tasks."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Write the drawing, with the organisation, to this file
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Print the plan in the language of Graphviz
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let scenario = args.which.load(None)?;
    warn(&scenario.warnings);
    let Some(plan) = TeamPlan::or_any(&scenario.start.0) else {
        bail!("no coordinator works by a plan");
    };
    let figure = plan.figure(&scenario.name, &scenario.start.0);
    if let Some(path) = &args.svg {
        std::fs::write(path, draw(&figure)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = if args.json {
        let plan = json!({"scenario": scenario.name, "coordinator": plan.coordinator, "plan": plan.picture});
        format!("{}\n", serde_json::to_string_pretty(&plan)?)
    } else if args.dot {
        dot(&figure)
    } else if let Some(path) = &args.svg {
        format!("wrote {}\n", path.display())
    } else {
        outline(&figure)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
