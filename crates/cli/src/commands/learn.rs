//! `crewlab learn`.

use super::run::{INTERRUPTED, stop_on_signals};
use super::{ExecutionArgs, ScenarioArgs};
use crate::terminal::print;
use crewlab_experiments::learning::{ChainPlan, LearnError, LearningSummary, Mean, ensure_free, learn};
use crewlab_lab::run::RunError;
use crewlab_lab::sim::teams::KINDS;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab learn waste-cleanup\n  crewlab learn waste-cleanup --runs 10 --teams 5 --strategy II --out learning/two\n  crewlab learn my-scenario.yaml --set \"team.alliance.learning.neutral-time=30 s\"\n\nEvery team starts from neutral values (or as team.alliance.learning says) and carries what it has learned from run to run. \
The figure is learning.svg; learned/*.json can be given to a scenario as team.alliance.learning.file, or team.muroco.estimation.file."
)]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Consecutive runs of each team
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Number of teams that learn independently
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    teams: u32,
    /// What adapts. ALLIANCE: I nothing, II impatience, III acquiescence, IV everything; a market: learned-mean, learned-quantile [default: the scenario's, else the last of these]
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    strategy: Option<String>,
    /// Number of exploratory runs at the start of each team (the active learning phase)
    #[arg(long, value_name = "N", default_value_t = 0)]
    explore: u32,
    /// The first seed; each further run of each team uses the next one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Skip the comparison runs with hand-set values
    #[arg(long)]
    alone: bool,
    /// Folder for the results [default: learning/NAME-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    how: ExecutionArgs,
}

fn strategy(name: &str) -> Result<String, String> {
    let mut known = KINDS.iter().flat_map(|kind| kind.strategies).map(|strategy| strategy.name);
    if known.clone().any(|known| known == name) {
        return Ok(name.into());
    }
    let first = known.next().unwrap_or_default();
    Err(format!("accepted: {}", known.fold(first.to_string(), |list, name| format!("{list}, {name}"))))
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let scenario = args.which.load(Some(args.seed))?;
    let folder = || Path::new("learning").join(format!("{}-{}", scenario.name, args.seed));
    let out = args.out.unwrap_or_else(folder);
    ensure_free(&out, args.how.force)?;
    let plan = ChainPlan {
        request: args.which.request(),
        runs: args.runs as usize,
        explore: args.explore as usize,
        teams: args.teams as usize,
        strategy: args.strategy,
        seed: args.seed,
        alone: args.alone,
    };
    let how = &args.how;
    let bar = how.bar(&scenario.name);
    let tell = |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        bar.set_message(format!("{:.0} % of all runs", share * 100.0));
    };
    let outcome = learn(&plan, how.threads(), &*stop_on_signals()?, &tell);
    bar.finish_and_clear();
    let experiment = match outcome {
        Err(LearnError::Run(RunError::Interrupted)) => {
            eprintln!("error: {}", RunError::Interrupted);
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(LearnError::Scenario(problems)) => return Err(problems.into()),
        other => other?,
    };
    experiment.write(&out, args.how.force)?;
    let summary = experiment.summary();
    if how.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&summary)?))?;
    } else if !how.quiet {
        print(&table(&summary, &out))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(summary: &LearningSummary, out: &Path) -> String {
    let mut text = format!(
        "{} teams, strategy {}: mean mission time and its 95 % confidence interval [s]\n\n{:>4} {:>16} {:>16} {:>16}\n",
        summary.teams, summary.strategy, "run", "learned", "hand-set", "difference"
    );
    let cell = |mean: &Mean| format!("{:.1} ± {:.1}", mean.mean, mean.half_width);
    for row in &summary.runs {
        let or_nothing = |mean: &Option<Mean>| mean.as_ref().map_or("-".into(), cell);
        let (learned, hand_set) = (cell(&row.learned_s), or_nothing(&row.hand_set_s));
        let difference = or_nothing(&row.difference_s);
        text += &format!("{:>4} {learned:>16} {hand_set:>16} {difference:>16}\n", row.run);
    }
    text += &format!("\n{}\n", summary.sentence());
    let (learned, hand_set) = summary.incomplete();
    if learned + hand_set > 0 {
        text += &format!(
            "Not completed in time, counted with the time limit: {learned} missions with learned values, {hand_set} with hand-set ones.\n"
        );
    }
    text + &format!("Figure: {}\n", out.join("learning.svg").display())
}
