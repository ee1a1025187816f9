//! `crewlab map`.

use super::{accepted, run::progress_bar};
use crate::terminal::{print, warn};
use anyhow::{Context, bail};
use crewlab_lab::mapping::{Log, Summary, Survey, map_of, survey, write_map};
use crewlab_lab::navigation::slam::{LIKELIHOODS, Likelihood, SlamParams};
use crewlab_scenario::{Request, load};
use indicatif::ProgressBar;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Side of a cell of a map from a log, and of a map of a world. [m]
const LOG_CELL: f64 = 0.15;
const WORLD_CELL: f64 = 0.05;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab map log.csv.gz --particles 200 --out map\n  crewlab map --world scenario.yaml --out map\n\nThe log is CSV, plain or gzip. Columns: t [s]; odom_x, odom_y [m], odom_theta [rad]; r0, r1, ... ranges [m], the first one to\nthe right; optionally ref_x, ref_y, ref_theta, a reference to measure errors against.\n\nDIR gets map.yaml and map.pgm (as ROS map_server reads them), map.png, map.map (MovingAI), trajectory.csv, map.svg and summary.json. Errors: ate is the distance\nfrom the reference after rigid alignment, rpe the error of the motion from scan to scan, all as root mean square.\nrealtime_factor is relative to two scans per second.\n\nWith --world, DIR gets map.yaml, map.pgm, map.png and map.map with everything that stands in the world of a scenario at its start and stays there."
)]
pub struct Args {
    /// The recorded log
    #[arg(value_name = "LOG.csv[.gz]", required_unless_present = "world")]
    log: Option<PathBuf>,
    /// Write the world of a scenario as a map, instead of reading a log
    #[arg(long, value_name = "SCENARIO", requires = "out", conflicts_with_all = ["log", "particles", "likelihood", "seed", "seeds", "field_of_view", "max_range", "json"])]
    world: Option<String>,
    /// Number of particles
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=5000))]
    particles: u16,
    /// The likelihood of scans: ndt or correlation
    #[arg(long, value_name = "NAME", default_value = LIKELIHOODS[0].name)]
    likelihood: String,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of seeds, from --seed on: the log is mapped once for each, and errors are given for each and on average. The folder
    /// gets the map of the first one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Side of a cell, 0.02 to 2 [m]. Default: 0.15; with --world that of the scenario's map, or 0.05
    #[arg(long, value_name = "M", value_parser = within(0.02, 2.0))]
    resolution: Option<f64>,
    /// Field of view of the scanner, centred on the front, unless the log tells [deg]
    #[arg(long, value_name = "DEG", default_value_t = 180.0, value_parser = within(1.0, 360.0))]
    field_of_view: f64,
    /// Readings from this on mean that nothing was seen, unless the log tells [m]
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
    if let (Some(world), Some(folder)) = (&args.world, &args.out) {
        return write_world(world, folder, args);
    }
    let names: Vec<&str> = LIKELIHOODS.iter().map(|kind| kind.name).collect();
    accepted("likelihood", &args.likelihood, &names)?;
    if let Some(folder) = &args.out {
        check_new(folder, args.force)?;
    }
    let params = SlamParams {
        particles: usize::from(args.particles),
        resolution: args.resolution.unwrap_or(LOG_CELL),
        likelihood: Likelihood::named(&args.likelihood).unwrap_or_default(),
        ..SlamParams::default()
    };
    let path = args.log.as_deref().unwrap_or(Path::new(""));
    let file = || path.display().to_string();
    let bar = if args.json { ProgressBar::hidden() } else { progress_bar("scans") };
    let mut runs: Vec<(u64, Summary)> = Vec::new();
    for seed in (args.seed..).take(usize::from(args.seeds)) {
        let log = Log::open(path, args.field_of_view, args.max_range).with_context(file)?;
        let survey = survey(log, params, seed, || bar.inc(1)).with_context(file)?;
        if runs.is_empty() {
            write(path, args.out.as_deref(), &survey)?;
        }
        runs.push((seed, survey.summary));
    }
    bar.finish_and_clear();
    match (args.json, &runs[..]) {
        (true, [(_, summary)]) => print(&format!("{}\n", serde_json::to_string_pretty(summary)?))?,
        (false, [(_, summary)]) => print(&table(summary, args.out.as_deref()))?,
        (true, _) => print(&format!("{}\n", serde_json::to_string_pretty(&Series::of(&runs))?))?,
        (false, _) => print(&series_table(&runs))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the folder, if one is wanted.
fn write(log: &Path, folder: Option<&Path>, survey: &Survey) -> anyhow::Result<()> {
    if let Some(folder) = folder {
        let title = log.file_stem().map_or("map".into(), |stem| stem.to_string_lossy().into_owned());
        let title = format!("Map from {}", title.trim_end_matches(".csv"));
        fs::create_dir_all(folder)
            .and_then(|()| survey.write(folder, &title))
            .with_context(|| format!("cannot write {}", folder.display()))?;
    }
    Ok(())
}

/// Several seeds on one log.
#[derive(Serialize)]
struct Series<'a> {
    /// Mean and largest error of the path; nothing without a reference. [m]
    ate_rmse_m: Option<f64>,
    ate_rmse_max_m: Option<f64>,
    seeds: Vec<Seeded<'a>>,
}

#[derive(Serialize)]
struct Seeded<'a> {
    seed: u64,
    #[serde(flatten)]
    summary: &'a Summary,
}

impl Series<'_> {
    fn of(runs: &[(u64, Summary)]) -> Series<'_> {
        let errors: Option<Vec<f64>> = runs.iter().map(|(_, summary)| summary.ate_rmse_m).collect();
        let mean = |errors: &Vec<f64>| errors.iter().sum::<f64>() / errors.len() as f64;
        Series {
            ate_rmse_m: errors.as_ref().map(mean),
            ate_rmse_max_m: errors.as_ref().map(|errors| errors.iter().copied().fold(0.0, f64::max)),
            seeds: runs.iter().map(|(seed, summary)| Seeded { seed: *seed, summary }).collect(),
        }
    }
}

fn series_table(runs: &[(u64, Summary)]) -> String {
    let metres = |value: Option<f64>| value.map_or("no reference".into(), |value| format!("{value:.3} m"));
    let mut text = String::from("seed      error of the path  time per scan\n");
    for (seed, summary) in runs {
        text += &format!("{seed:<9} {:<18} {:.1} ms\n", metres(summary.ate_rmse_m), summary.ms_per_scan);
    }
    let Series { ate_rmse_m: mean, ate_rmse_max_m: most, .. } = Series::of(runs);
    text += &format!("mean      {}\nlargest   {}\n", metres(mean), metres(most));
    text + &format!("odometry  {}\n", metres(runs.first().and_then(|(_, first)| first.ate_odometry_m)))
}

fn check_new(folder: &Path, force: bool) -> anyhow::Result<()> {
    if folder.exists() && !force {
        bail!("{} exists already; choose another folder or add --force", folder.display());
    }
    Ok(())
}

/// Writes the world of a scenario as a map.
fn write_world(world: &str, folder: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    check_new(folder, args.force)?;
    let scenario = load(&Request { scenario: world.into(), ..Request::default() })?;
    warn(&scenario.warnings);
    let of_map = scenario.resolved["world"]["map"]["resolution"].as_f64();
    let resolution = args.resolution.or(of_map).unwrap_or(WORLD_CELL);
    let map = map_of(&scenario.start.1.world, resolution).map_err(anyhow::Error::msg)?;
    fs::create_dir_all(folder)
        .and_then(|()| write_map(&map, folder))
        .with_context(|| format!("cannot write {}", folder.display()))?;
    let (columns, rows, file) = (map.columns, map.rows, folder.join("map.yaml"));
    print(&format!(
        "cells                {columns} x {rows} of {resolution} m\nwritten              {}\n",
        file.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn table(summary: &Summary, folder: Option<&Path>) -> String {
    let metres =
        |value: Option<f64>| value.map_or("no reference in the log".into(), |value| format!("{value:.3} m"));
    let mut text = format!(
        "scans                {}\nparticles            {}\ncell                 {} m\n",
        summary.scans, summary.particles, summary.resolution_m
    );
    if summary.out_of_order > 0 {
        text += &format!(
            "out of order         {} by their time; the order of the lines counts\n",
            summary.out_of_order
        );
    }
    if summary.without_points > 0 {
        text += &format!(
            "without points       {} of {} scans have too few points to locate a robot by: odometry alone counts there\n",
            summary.without_points, summary.scans
        );
    }
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
