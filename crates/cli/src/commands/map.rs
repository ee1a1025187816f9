//! `crewlab map`.

use super::{accepted, run::progress_bar};
use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_lab::mapping::{Log, Summary, survey};
use crewlab_lab::navigation::slam::{LIKELIHOODS, Likelihood, SlamParams};
use indicatif::ProgressBar;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab map log.csv.gz --particles 200 --out map\n\nThe log is CSV, plain or gzip. Columns: t [s]; odom_x, odom_y [m], odom_theta [rad]; r0, r1, ... ranges [m], the first one to\nthe right; optionally ref_x, ref_y, ref_theta, a reference to measure errors against.\n\nDIR gets map.yaml and map.pgm (as ROS map_server reads them), trajectory.csv, map.svg and summary.json. Errors: ate is the distance\nfrom the reference after rigid alignment, rpe the error of the motion from scan to scan, all as root mean square.\nrealtime_factor is relative to two scans per second."
)]
pub struct Args {
    /// The recorded log
    #[arg(value_name = "LOG.csv[.gz]")]
    log: PathBuf,
    /// Number of particles
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=5000))]
    particles: u16,
    /// The likelihood of scans: ndt or correlation
    #[arg(long, value_name = "NAME", default_value = LIKELIHOODS[0].name)]
    likelihood: String,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Side of a cell, 0.02 to 2 [m]
    #[arg(long, value_name = "M", default_value_t = 0.15, value_parser = within(0.02, 2.0))]
    resolution: f64,
    /// Field of view of the scanner, centred on the front [deg]
    #[arg(long, value_name = "DEG", default_value_t = 180.0, value_parser = within(1.0, 360.0))]
    field_of_view: f64,
    /// Readings from this on mean that nothing was seen [m]
    #[arg(long, value_name = "M", default_value_t = 50.0, value_parser = within(0.1, 1000.0))]
    max_range: f64,
    /// Folder for the map, the path and the picture
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write into a folder that exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Accepts numbers within limits.
fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |said| {
        let value = said.parse::<f64>().ok().filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("a number from {low} to {high} is accepted"))
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let names: Vec<&str> = LIKELIHOODS.iter().map(|kind| kind.name).collect();
    accepted("likelihood", &args.likelihood, &names)?;
    if let Some(folder) = args.out.as_ref().filter(|folder| folder.exists() && !args.force) {
        bail!("{} exists already; choose another folder or add --force", folder.display());
    }
    let params = SlamParams {
        particles: usize::from(args.particles),
        resolution: args.resolution,
        likelihood: Likelihood::named(&args.likelihood).unwrap_or_default(),
        ..SlamParams::default()
    };
    let file = || args.log.display().to_string();
    let log = Log::open(&args.log, args.field_of_view, args.max_range).with_context(file)?;
    let bar = if args.json { ProgressBar::hidden() } else { progress_bar("scans") };
    let survey = survey(log, params, args.seed, || bar.inc(1)).with_context(file)?;
    bar.finish_and_clear();
    if let Some(folder) = &args.out {
        let title = args.log.file_stem().map_or("map".into(), |stem| stem.to_string_lossy().into_owned());
        let title = format!("Map from {}", title.trim_end_matches(".csv"));
        fs::create_dir_all(folder)
            .and_then(|()| survey.write(folder, &title))
            .with_context(|| format!("cannot write {}", folder.display()))?;
    }
    match args.json {
        true => print(&format!("{}\n", serde_json::to_string_pretty(&survey.summary)?))?,
        false => print(&table(&survey.summary, args.out.as_deref()))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn table(summary: &Summary, folder: Option<&Path>) -> String {
    let metres =
        |value: Option<f64>| value.map_or("no reference in the log".into(), |value| format!("{value:.3} m"));
    let mut text = format!(
        "scans                {}\nparticles            {}\ncell                 {} m\n",
        summary.scans, summary.particles, summary.resolution_m
    );
    text += &format!("error of the path    {} (rmse after alignment)\n", metres(summary.ate_rmse_m));
    text += &format!("error of odometry    {}\n", metres(summary.ate_odometry_m));
    if let (Some(step), Some(turn)) = (summary.rpe_m, summary.rpe_deg) {
        text += &format!("error per scan       {step:.3} m, {turn:.2} deg\n");
    }
    text += &format!(
        "time per scan        {:.1} ms, {:.0} times as fast as two scans per second\n",
        summary.ms_per_scan, summary.realtime_factor
    );
    if let Some(folder) = folder {
        text += &format!("written              {}\n", folder.join("map.svg").display());
    }
    text
}
