//! `crewlab ask`.

use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_lab::learn::{CostDistribution, MOST_BYTES, Model, Network, Posterior, Rounding, Variable};
use crewlab_scenario::text::did_you_mean;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab ask trips.json --given crowd=high --query cost\n  crewlab ask trips.json --given crowd=high --given speed=0.4 --query cost --level 0.75 --json\n\nEvidence is the name of a state or, for a column that was divided into intervals, a number. Quantiles are the upper bound of the first\ninterval at which the cumulated probability reaches the level, and linear within it."
)]
pub struct Args {
    /// The model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// What is known (may be repeated)
    #[arg(long, value_name = "COLUMN=STATE")]
    given: Vec<String>,
    /// What is asked for
    #[arg(long, value_name = "COLUMN")]
    query: String,
    /// Level of the quantile of a column that was divided into intervals, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.75)]
    level: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !(0.0..=1.0).contains(&args.level) {
        bail!("--level {} is not a probability; 0 to 1 is accepted", args.level);
    }
    let file = || args.model.display().to_string();
    let size = std::fs::metadata(&args.model).with_context(file)?.len();
    if size > MOST_BYTES as u64 {
        bail!("{} has {size} bytes; at most {MOST_BYTES} are accepted", file());
    }
    let text = std::fs::read_to_string(&args.model).with_context(file)?;
    let Model { validity, network } = Model::from_json(&text).with_context(file)?;
    let query = column(&network, &args.query)?;
    let mut doubts = Vec::new();
    let mut evidence: Vec<(usize, usize)> = Vec::new();
    for said in &args.given {
        let (place, state) = known(&network, said, &mut doubts)?;
        let name = &network.variables()[place].name;
        if place == query {
            bail!("--given {said}: {name} is what --query asks for, so it cannot be given");
        }
        if evidence.iter().any(|(other, _)| *other == place) {
            bail!("--given {said}: {name} is given twice");
        }
        evidence.push((place, state));
    }
    let answer = network.posterior(query, &evidence)?;
    doubts.extend(self::doubts(&answer, &network, &evidence, validity.rows)?);
    doubts.iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    let variable = &network.variables()[query];
    let cost = CostDistribution::of(variable, &answer.probabilities).ok();
    if args.json {
        let probabilities: serde_json::Map<String, serde_json::Value> =
            variable.states.iter().cloned().zip(answer.probabilities.iter().map(|one| json!(one))).collect();
        let text = json!({
            "query": variable.name,
            "probabilities": probabilities,
            "mean": cost.as_ref().map(CostDistribution::mean),
            "level": args.level,
            "quantile_bound": cost.as_ref().map(|cost| cost.quantile(args.level, Rounding::Bound)),
            "quantile_interpolated": cost.as_ref().map(|cost| cost.quantile(args.level, Rounding::Interpolated)),
            "support": answer.support,
            "guessed_rows": answer.guessed,
            "warnings": doubts,
            "valid_for": validity,
        });
        print(&format!("{}\n", serde_json::to_string_pretty(&text)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for (place, (state, probability)) in variable.states.iter().zip(&answer.probabilities).enumerate() {
        let interval = variable
            .bounds
            .as_ref()
            .map(|bounds| format!("  {:.4} to {:.4}", bounds[place], bounds[place + 1]));
        text += &format!("{:<20} {probability:.4}{}\n", state, interval.unwrap_or_default());
    }
    if let Some(cost) = cost {
        let quantile = |rounding| cost.quantile(args.level, rounding);
        text += &format!(
            "mean                 {:.4}\nquantile {:<11} at most {:.4}, interpolated {:.4}\n",
            cost.mean(),
            args.level,
            quantile(Rounding::Bound),
            quantile(Rounding::Interpolated)
        );
    }
    text += &format!(
        "learned from         {} ({} rows); at most {} agree with the evidence\n",
        validity.source, validity.rows, answer.support
    );
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What makes an answer doubtful.
fn doubts(
    answer: &Posterior,
    network: &Network,
    evidence: &[(usize, usize)],
    rows: u64,
) -> anyhow::Result<Vec<String>> {
    if !answer.seen() {
        return Ok(vec![
            "such evidence was never seen: the answer comes from the structure and the prior only".into(),
        ]);
    }
    let mut doubts = Vec::new();
    let expected = rows as f64 * network.probability(evidence)?;
    if expected < 1.0 && !evidence.is_empty() {
        doubts.push(format!(
            "all of this evidence together was hardly ever seen, if at all: the model expects it in {expected:.2} of its {rows} rows"
        ));
    }
    let rows = answer.guessed;
    if rows > 0 {
        doubts.push(format!(
            "{rows} rows of the probability tables that agree with the evidence were never seen and count as uniform"
        ));
    }
    Ok(doubts)
}

/// A column by its name.
fn column(network: &Network, name: &str) -> anyhow::Result<usize> {
    let names: Vec<&str> = network.variables().iter().map(|variable| variable.name.as_str()).collect();
    super::accepted("column", name, &names)?;
    Ok(network.variable_named(name).unwrap_or_default())
}

/// A column and its state from `column=state`.
fn known(network: &Network, said: &str, doubts: &mut Vec<String>) -> anyhow::Result<(usize, usize)> {
    let Some((name, value)) = said.split_once('=') else {
        bail!("--given {said}: COLUMN=STATE is accepted, such as crowd=high");
    };
    let place = column(network, name.trim())?;
    let variable = &network.variables()[place];
    if let Some(state) = variable.state_named(value.trim()) {
        return Ok((place, state));
    }
    let number = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let Some((number, state)) = number.and_then(|number| Some((number, variable.state_of(number)?))) else {
        bail!(unknown_state(variable, value.trim()));
    };
    if let Some([low, .., high]) =
        variable.bounds.as_deref().filter(|bounds| number < bounds[0] || number > bounds[bounds.len() - 1])
    {
        let counts = &variable.states[state];
        doubts.push(format!("{name} was seen from {low} to {high} only: {number} counts as `{counts}`"));
    }
    Ok((place, state))
}

fn unknown_state(variable: &Variable, value: &str) -> String {
    let meant = did_you_mean(value, variable.states.iter().map(String::as_str));
    let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    let numbers = if variable.bounds.is_some() { ", or a number" } else { "" };
    format!(
        "{} has no state `{value}`{meant}\nAccepted: {}{numbers}.",
        variable.name,
        variable.states.join(", ")
    )
}
