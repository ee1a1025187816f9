//! `crewlab new`.

use super::write_new;
use crate::terminal::print;
use anyhow::Context;
use crewlab_lab::sim::missions;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab new my-cleanup.yaml && crewlab run my-cleanup.yaml")]
pub struct Args {
    /// The file to write
    file: PathBuf,
    /// The mission of the scenario
    #[arg(long, default_value = "waste-cleanup")]
    mission: String,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let names: Vec<&str> = missions::KINDS.iter().map(|kind| kind.name).collect();
    let mission = missions::KINDS.iter().find(|kind| kind.name == args.mission);
    let mission = mission
        .with_context(|| format!("there is no mission `{}`; accepted: {}", args.mission, names.join(", ")))?;
    let body: Vec<&str> = mission.defaults.lines().skip_while(|line| line.starts_with('#')).collect();
    let text = format!(
        "# A {} scenario. All values are the mission's defaults: change what you like, delete the rest.\n{}\n",
        mission.name,
        body.join("\n")
    );
    write_new(&args.file, &text)?;
    print(&format!("Wrote {0}. Run it with: crewlab run {0}\n", args.file.display()))?;
    Ok(ExitCode::SUCCESS)
}
