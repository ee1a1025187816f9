//! `crewlab schema`.

use crate::terminal::print;
use crewlab_scenario::schema;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab schema > crewlab.schema.json\n  crewlab schema experiment > crewlab-experiment.schema.json"
)]
pub struct Args {
    /// Kind of file
    #[arg(value_enum, default_value_t = Of::Scenario)]
    of: Of,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Of {
    /// Scenarios, for `crewlab run`
    Scenario,
    /// Experiments, for `crewlab sweep`
    Experiment,
    /// Tunings, for `crewlab tune`
    Tuning,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let schema = match args.of {
        Of::Scenario => schema::of_everything(),
        Of::Experiment => crewlab_experiments::file::schema(),
        Of::Tuning => crewlab_experiments::tune::schema(),
    };
    print(&format!("{}\n", serde_json::to_string_pretty(&schema)?))?;
    Ok(ExitCode::SUCCESS)
}
