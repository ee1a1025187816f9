//! `crewlab analyse`.

use super::learn_model::LearningArgs;
use crate::terminal::print;
use anyhow::bail;
use crewlab_lab::analysis::filter::Filter;
use crewlab_lab::analysis::recordings::Recordings;
use crewlab_lab::analysis::{AnalysisParams, analyse, words, write};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab analyse runs/city-sidewalk-1 runs/city-zone-1 --out analysis\n\nReads indicators.csv of every run; speed and the variance of the heading come from the robots' paths if the mission does not give them. Values\nbecome states, the structure is the proven optimum (BIC) for up to 28 indicators, and eta = I/H says how strongly two are tied. With runs of\nseveral scenarios, eta is given for each of them. DIR gets report.html, analysis.json, model.json (for `crewlab ask`) and plots/."
)]
pub struct Args {
    /// Results folders of runs, or folders that contain some
    #[arg(value_name = "RUNS", required = true)]
    runs: Vec<PathBuf>,
    /// The indicators to look at [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Look only at rows in which an indicator is above (`>`) or below (`<`) a value; may be given several times
    #[arg(long = "where", value_name = "NAME>VALUE")]
    filters: Vec<Filter>,
    #[command(flatten)]
    learning: LearningArgs,
    /// Folder for the page, the figures, the model and analysis.json
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write into a folder that exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(folder) = args.out.as_ref().filter(|folder| folder.exists() && !args.force) {
        bail!("{} exists already; choose another folder or add --force", folder.display());
    }
    let params = AnalysisParams {
        discretisation: args.learning.discretisation()?,
        wishes: args.learning.wishes(),
        chain: args.learning.chain(),
        prior: args.learning.prior(),
        columns: args.columns.clone(),
        filters: args.filters.clone(),
    };
    let recordings = Recordings::read(&args.runs).map_err(anyhow::Error::msg)?;
    let analysis = analyse(recordings, &params).map_err(anyhow::Error::msg)?;
    if let Some(folder) = &args.out {
        write(&analysis, folder).map_err(anyhow::Error::msg)?;
    }
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&analysis)?))?;
    } else {
        let written =
            args.out.as_ref().map(|folder| format!("\nPage: {}\n", folder.join("report.html").display()));
        print(&(words(&analysis) + &written.unwrap_or_default()))?;
    }
    Ok(ExitCode::SUCCESS)
}
