//! `crewlab compare`.

use super::sweep::{BatchArgs, Machines, all, finish, shown};
use super::{ScenarioArgs, accepted};
use anyhow::bail;
use crewlab_experiments::breaking::report::quoted;
use crewlab_experiments::compare::{self, Rivals};
use crewlab_experiments::metrics::{self, Better};
use crewlab_experiments::sweep::default_folder;
use crewlab_lab::sim::{control, teams};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab compare waste-cleanup --coordinators alliance,greedy,random --seeds 100 --disturb random-death\n  crewlab compare exploration --controllers cpbp,mppi,pilot --seeds 10\n\nA seed means the same world, the same robots and the same disturbances for everybody, so runs are compared seed by seed. Incomplete runs count with the time limit. Missions without an end are ranked by their measures."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Coordinators to compare [default: all]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    coordinators: Vec<String>,
    /// Controllers to compare instead, of robots whose type has none of its own
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', conflicts_with = "coordinators")]
    controllers: Vec<String>,
    /// Number of seeds, starting at 1
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// Metrics to compare, most important first [default: time_s, completed, ...; for missions without an end their measures; see `crewlab list metrics`]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Folder for the results [default: comparisons/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machines: Machines,
    #[command(flatten)]
    how: BatchArgs,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (rivals, asked) = match args.controllers.is_empty() {
        true => (Rivals::Coordinators, &args.coordinators),
        false => (Rivals::Controllers, &args.controllers),
    };
    let compared = compared(rivals, asked)?;
    let names: Vec<&str> = metrics::METRICS.iter().map(|metric| metric.name).collect();
    args.metrics.iter().try_for_each(|name| accepted("metric", name, &names))?;
    if let Some((_, metric)) = args.metrics.first().and_then(|name| metrics::find(name))
        && metric.better == Better::Neither
    {
        bail!(
            "`{}` has no better direction, so it cannot be used for ranking: name another metric first",
            metric.name
        );
    }
    let asked = command(&args.which, rivals, &compared, args.seeds, &args.metrics);
    let seeds = (1..=args.seeds).collect();
    let request = args.which.request();
    let plan = compare::plan(&request, rivals, &compared, seeds, args.metrics, asked);
    let plan = plan.map_err(shown)?;
    let out = args.out.unwrap_or_else(|| default_folder("comparisons", &plan.name));
    let swept = all(&plan, out, &args.machines, &args.how)?;
    finish(&plan, &swept, &args.how)
}

/// The names to compare: those asked for, or all.
fn compared(rivals: Rivals, asked: &[String]) -> anyhow::Result<Vec<String>> {
    let known: Vec<&str> = match rivals {
        Rivals::Coordinators => teams::KINDS.iter().map(|kind| kind.name).collect(),
        Rivals::Controllers => control::KINDS.iter().map(|kind| kind.name).collect(),
    };
    let what = rivals.name();
    for (place, name) in asked.iter().enumerate() {
        accepted(what, name, &known)?;
        if asked[..place].contains(name) {
            bail!("the {what} `{name}` is named twice");
        }
    }
    match asked {
        [] => Ok(known.iter().map(|name| name.to_string()).collect()),
        [one] => {
            let other = known.iter().find(|name| *name != one).unwrap_or(&"");
            bail!("a comparison needs at least two {what}s: --{what}s {one},{other}")
        }
        several => Ok(several.to_vec()),
    }
}

/// The command in a form that can be copied, without options that do not affect the results.
fn command(
    which: &ScenarioArgs,
    rivals: Rivals,
    compared: &[String],
    seeds: u64,
    metrics: &[String],
) -> String {
    let mut words = vec!["crewlab compare".to_string(), quoted(&which.scenario)];
    let mut option = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
    option(&format!("{}s", rivals.name()), &compared.join(","));
    option("seeds", &seeds.to_string());
    which.sets.iter().for_each(|set| option("set", set));
    which.disturbances.iter().for_each(|entry| option("disturb", entry));
    if !metrics.is_empty() {
        option("metrics", &metrics.join(","));
    }
    words.join(" ")
}
