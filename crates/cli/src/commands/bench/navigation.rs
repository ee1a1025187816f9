//! `crewlab bench navigation`.

use crate::commands::write_new;
use crate::terminal::print;
use crewlab_lab::bench::navigation::{measure, picture};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  crewlab bench navigation\n  crewlab bench navigation --picture route.svg\n\nOne core, a made-up building of rooms, corridors and furniture. Times are means of processor time."
)]
pub struct Args {
    /// Cells per side of the map
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u16).range(100..=4000))]
    side: u16,
    /// Measurements per case
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Draw a planned path as SVG into a new file, instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "side", "rounds"])]
    picture: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.picture {
        write_new(file, &picture()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let rows = measure(usize::from(args.side), usize::from(args.rounds)).map_err(anyhow::Error::msg)?;
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text =
        format!("{:<38} {:>9} {:>9} {:>6} {:>10} {:>8}\n", "", "cells", "changed", "cases", "mean", "target");
    for row in &rows {
        let target = row.target_ms.map_or(String::new(), |target| format!("{target} ms"));
        text += &format!(
            "{:<38} {:>9} {:>9} {:>6} {:>7.2} ms {:>8}\n",
            row.what, row.cells, row.changed, row.cases, row.ms, target
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
