//! `crewlab bench disturbances`.

use crate::terminal::print;
use crewlab_lab::bench::disturbances::measure;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench disturbances\n\nRuns with and without disturbances alternate; the median of the ratios counts."
)]
pub struct Args {
    /// Number of pairs of runs
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=10000))]
    pairs: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rows = measure(usize::from(args.pairs))?;
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text =
        format!("{:>13} {:>8} {:>7} {:>9} {:>7}\n", "disturbances", "events", "ticks", "run", "ratio");
    for row in &rows {
        text += &format!(
            "{:>13} {:>8} {:>7} {:>6.1} ms {:>7.3}\n",
            row.disturbances, row.happened, row.ticks, row.run_ms, row.ratio
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
