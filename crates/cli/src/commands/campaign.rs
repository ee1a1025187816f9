//! `crewlab campaign`.

use super::run::INTERRUPTED;
use super::sweep::{BatchArgs, Machines, NOT_ALL, all, warn};
use crate::terminal::print;
use anyhow::bail;
use crewlab_experiments::breaking::report::quoted;
use crewlab_experiments::campaign::{
    self, Campaign, CampaignError, CampaignReport, NOISES, NOTHING, ROBOTS, Scope, TICKS, page, readable,
};
use crewlab_experiments::plan::number;
use crewlab_experiments::runner::Ended;
use crewlab_experiments::sweep::default_folder;
use crewlab_lab::sim::missions;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab campaign --runs 5000\n  crewlab campaign --mission waste-cleanup --coordinator alliance,greedy --robots 1..40 --runs 500\n\nExit code: 0 if every run that was not completed is explained (nobody could do it, nobody can get there, the time limit came while progress was being made, ...), 3 if not. Every run is stored as soon as it ends: --resume continues, also with more --runs. docs/campaign.md explains how to read the result."
)]
pub struct Args {
    /// Number of runs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    /// Number of seeds per setting
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: u32,
    /// Seed of the sample; the seeds of runs count from it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', help = missions_help())]
    mission: Vec<String>,
    /// Only these coordinators [default: all; see `crewlab list coordinators`]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    coordinator: Vec<String>,
    #[arg(long, value_name = "N|LOW..HIGH", value_parser = sizes, help = format!("Only teams of this size [default: {}..{}]", ROBOTS.0, ROBOTS.1))]
    robots: Option<(u32, u32)>,
    /// Only these rooms, by the names that missions give them [default: all]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    room: Vec<String>,
    #[arg(long, value_name = "TIME,...", value_delimiter = ',', value_parser = tick, help = format!("Only these ticks [default: {}]", TICKS.join(", ")))]
    tick: Vec<String>,
    #[arg(long, value_name = "X,...", value_delimiter = ',', help = format!("Only these factors of the noise of all sensors and effectors [default: {}]", NOISES.map(|noise| noise.to_string()).join(", ")))]
    noise: Vec<f64>,
    #[arg(long = "disturb", value_name = "ENTRY|PRESET|FILE", help = format!("Only these disturbances, as in `crewlab run`; `{NOTHING}` for none (may be repeated) [default: none in a quarter of the settings, and all presets]"))]
    disturb: Vec<String>,
    /// Folder for the results [default: campaigns/SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machines: Machines,
    #[command(flatten)]
    how: BatchArgs,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let asked = command(&args);
    let Args { runs, seeds, seed, mission, coordinator, robots, room, tick, noise, disturb, .. } = args;
    let planned = campaign::plan(&Campaign {
        scope: Scope {
            missions: mission,
            coordinators: coordinator,
            robots,
            rooms: room,
            ticks: tick,
            noises: noise,
            disturbances: disturb,
        },
        runs: runs as usize,
        seeds: seeds as usize,
        seed,
        asked,
    })
    .map_err(|error| match error {
        CampaignError::Scenario(problems) => problems.into(),
        other => anyhow::Error::new(other),
    })?;
    let out = args.out.unwrap_or_else(|| default_folder("campaigns", &seed.to_string()));
    if planned.plan.is_empty() {
        bail!("every setting is refused before its run:\n{}", planned.refusals().join("\n"));
    }
    let swept = all(&planned.plan, out, &args.machines, &args.how)?;
    warn(&swept.store.oddities);
    let report = planned.report(&swept.store);
    swept.folder.write("summary.json", format!("{}\n", serde_json::to_string_pretty(&report)?).as_bytes())?;
    swept.folder.write("report.html", page(&report).as_bytes())?;
    if args.how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    } else if !args.how.quiet {
        let file = swept.folder.path().join("report.html");
        print(&format!("{}\nReport: {}\n", readable(&report), file.display()))?;
    }
    Ok(code(swept.ended, &report))
}

fn code(ended: Ended, report: &CampaignReport) -> ExitCode {
    match ended {
        Ended::Interrupted => {
            eprintln!("{} of {} runs are missing: use --resume to continue.", report.missing, report.runs);
            ExitCode::from(INTERRUPTED)
        }
        Ended::Complete if report.unexplained == 0 => ExitCode::SUCCESS,
        Ended::Complete | Ended::TimeIsUp => ExitCode::from(NOT_ALL),
    }
}

fn missions_help() -> String {
    let able = missions::KINDS.iter().filter(|kind| !kind.endless);
    let able: Vec<String> = able.map(|kind| format!("{} ({})", kind.name, campaign::words(kind))).collect();
    format!("Only these missions [default: all]: {}", able.join("; "))
}

/// A team size or a range of them.
fn sizes(text: &str) -> Result<(u32, u32), String> {
    let accepted = || format!("a number of robots such as 8, or a range such as 1..40, found `{text}`");
    let size = |text: &str| text.trim().parse::<u32>().ok().filter(|size| *size > 0).ok_or_else(accepted);
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (size(low)?, size(high)?);
    if low <= high { Ok((low, high)) } else { Err(accepted()) }
}

/// A tick with its unit.
fn tick(text: &str) -> Result<String, String> {
    let accepted = || format!("a time with its unit such as 100 ms or 0.5 s, found `{text}`");
    let (value, unit) = number(text).filter(|(value, _)| *value > 0.0).ok_or_else(accepted)?;
    if ["ms", "s"].contains(&unit) { Ok(format!("{value} {unit}")) } else { Err(accepted()) }
}

/// The command in a form that can be repeated, without options that do not affect the result.
fn command(args: &Args) -> String {
    let mut words = vec!["crewlab campaign".to_string()];
    let mut option = |name: &str, value: String| words.push(format!("--{name} {}", quoted(&value)));
    option("runs", args.runs.to_string());
    option("seeds", args.seeds.to_string());
    option("seed", args.seed.to_string());
    let lists = [
        ("mission", &args.mission),
        ("coordinator", &args.coordinator),
        ("room", &args.room),
        ("tick", &args.tick),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            option(name, list.join(","));
        }
    }
    if let Some((low, high)) = args.robots {
        option("robots", format!("{low}..{high}"));
    }
    if !args.noise.is_empty() {
        option("noise", args.noise.iter().map(|noise| noise.to_string()).collect::<Vec<_>>().join(","));
    }
    args.disturb.iter().for_each(|entry| option("disturb", entry.clone()));
    args.out.iter().for_each(|out| option("out", out.to_string_lossy().into_owned()));
    words.join(" ")
}
