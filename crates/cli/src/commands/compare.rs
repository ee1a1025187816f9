//! `crewlab compare`.

use super::sweep::{BatchArgs, Machines, all, finish, shown};
use super::{ScenarioArgs, accepted};
use anyhow::bail;
use crewlab_experiments::breaking::report::quoted;
use crewlab_experiments::compare;
use crewlab_experiments::metrics::{self, Better};
use crewlab_experiments::sweep::default_folder;
use crewlab_lab::sim::teams;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab compare waste-cleanup --coordinators alliance,greedy,random --seeds 100 --disturb random-death\n\nA seed means the same world, the same robots and the same disturbances for every coordinator, so runs are compared seed by seed. Incomplete runs count with the time limit."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Coordinators to compare [default: all]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    coordinators: Vec<String>,
    /// Number of seeds, starting at 1
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// Metrics to compare, most important first [default: time_s, completed, ...; see `crewlab list metrics`]
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
    let known: Vec<&str> = teams::KINDS.iter().map(|kind| kind.name).collect();
    let mut coordinators = args.coordinators;
    if coordinators.is_empty() {
        coordinators = known.iter().map(|name| name.to_string()).collect();
    }
    for (place, name) in coordinators.iter().enumerate() {
        accepted("coordinator", name, &known)?;
        if coordinators[..place].contains(name) {
            bail!("the coordinator `{name}` is named twice");
        }
    }
    if coordinators.len() < 2 {
        bail!(
            "a comparison needs at least two coordinators: --coordinators {},{}",
            coordinators[0],
            known.iter().find(|name| **name != coordinators[0]).unwrap_or(&"")
        );
    }
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
    let asked = command(&args.which, &coordinators, args.seeds, &args.metrics);
    let seeds = (1..=args.seeds).collect();
    let request = args.which.request();
    let plan = compare::plan(&request, &coordinators, seeds, args.metrics, asked);
    let plan = plan.map_err(shown)?;
    let out = args.out.unwrap_or_else(|| default_folder("comparisons", &plan.name));
    let swept = all(&plan, out, &args.machines, &args.how)?;
    finish(&plan, &swept, &args.how)
}

/// The command in a form that can be copied, without options that do not affect the results.
fn command(which: &ScenarioArgs, coordinators: &[String], seeds: u64, metrics: &[String]) -> String {
    let mut words = vec!["crewlab compare".to_string(), quoted(&which.scenario)];
    let mut option = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
    option("coordinators", &coordinators.join(","));
    option("seeds", &seeds.to_string());
    which.sets.iter().for_each(|set| option("set", set));
    which.disturbances.iter().for_each(|entry| option("disturb", entry));
    if !metrics.is_empty() {
        option("metrics", &metrics.join(","));
    }
    words.join(" ")
}
