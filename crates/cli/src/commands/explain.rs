//! `crewlab explain`.

use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_lab::explain::{
    AgreementQuestion, AuctionQuestion, ExplainError, LinkQuestion, PlanQuestion, agreements, auctions, link,
    plan,
};
use crewlab_scenario::text::convert;
use std::path::PathBuf;
use std::process::ExitCode;

/// The error message when no question is given.
const NOTHING_ASKED: &str = "nothing to explain: ask for a link with --link A B --at TIME, \
    e.g. crewlab explain runs/waste-cleanup-1 --link blue gold --at '41.2 s', for a plan with --plan ROBOT --at TIME, for auctions with --auctions, or for what a team agreed on with --agreements";

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab explain runs/indoor --link blue gold --at '41.2 s'\n  crewlab explain runs/market --auctions --task move-spill-top\n  crewlab explain runs/market --auctions --at '5 min'\n  crewlab explain runs/field --plan r-1 --at '2 min'\n  crewlab explain runs/walk --agreements --at '17 s'\n\nafter: crewlab run waste-cleanup --set radio=wifi-indoor --out runs/indoor\n       crewlab run waste-cleanup-death --set team.coordinator=muroco --out runs/market\n       crewlab run exploration --out runs/field\n       crewlab run formation --out runs/walk\n\nFor a link or a plan the run is repeated up to that time, so the folder must be unchanged since `crewlab run`."
)]
pub struct Args {
    /// The folder of a finished run
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Explain the radio link from robot A to robot B
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    link: Option<Vec<String>>,
    /// Explain auctions: bids, winners, and why something was auctioned again
    #[arg(long, conflicts_with = "link")]
    auctions: bool,
    /// Explain what a team agreed on at the points of its plan, by which votes and bids, and who waited for whom
    #[arg(long, conflicts_with_all = ["link", "auctions", "plan"])]
    agreements: bool,
    /// Explain a robot's plan: what it costs, and the cheapest other way that was considered
    #[arg(long, value_name = "ROBOT", conflicts_with_all = ["link", "auctions"])]
    plan: Option<String>,
    /// Only auctions of this task
    #[arg(long, value_name = "NAME", requires = "auctions")]
    task: Option<String>,
    /// Time of the run, e.g. '41.2 s' or '1 min'; for auctions and agreements, the last ones before and the next ones after
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    at: Option<String>,
    /// Message size for the link budget in bytes [default: that of the last message, or 200]
    #[arg(long, value_name = "N", requires = "link", conflicts_with = "auctions", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    bytes: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.auctions {
        let at = args.at.as_deref().map(time).transpose()?;
        let answer = auctions(&AuctionQuestion { folder: args.folder, task: args.task, at })?;
        let text = if args.json { json(&answer)? } else { answer.readable() };
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.agreements {
        let at = args.at.as_deref().map(time).transpose()?;
        let answer = agreements(&AgreementQuestion { folder: args.folder, at })?;
        print(&if args.json { json(&answer)? } else { answer.readable() })?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.link.is_none() && args.plan.is_none() {
        bail!(NOTHING_ASKED);
    }
    let Some(at) = &args.at else { bail!("at which time? Add e.g. --at '41.2 s'") };
    let at = time(at)?;
    if let Some(robot) = args.plan {
        let answer = plan(&PlanQuestion { folder: args.folder, robot, at }).map_err(with_positions)?;
        warn(&answer.warnings);
        print(&if args.json { json(&answer)? } else { answer.readable() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some([from, to]) = args.link.as_deref() else { bail!(NOTHING_ASKED) };
    let question =
        LinkQuestion { folder: args.folder, from: from.clone(), to: to.clone(), at, bytes: args.bytes };
    let answer = link(&question).map_err(with_positions)?;
    warn(&answer.warnings);
    print(&if args.json { json(&answer)? } else { answer.readable() })?;
    Ok(ExitCode::SUCCESS)
}

/// Problems in a scenario are shown with their positions.
fn with_positions(error: ExplainError) -> anyhow::Error {
    match error {
        ExplainError::Scenario(problems) => (*problems).into(),
        other => other.into(),
    }
}

fn warn(warnings: &[String]) {
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
}

fn json(answer: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(answer)?))
}

/// A time with or without its unit. [s]
fn time(text: &str) -> anyhow::Result<f64> {
    let seconds = text.trim().parse::<f64>().or_else(|_| convert(text, "s"));
    let seconds =
        seconds.with_context(|| format!("--at {text} is not a time such as `41.2 s` or `1 min`"))?;
    anyhow::ensure!(seconds.is_finite() && seconds >= 0.0, "--at {text} is before the start of the run");
    Ok(seconds)
}
