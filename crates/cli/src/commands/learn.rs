//! `crewlab learn`.

use super::Which;
use crate::terminal::print;
use crewlab_lab::learning::{Mean, Plan, learn};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    #[arg(long, default_value_t = 20)]
    runs: usize,
    #[arg(long, default_value_t = 0)]
    explore: usize,
    #[arg(long, default_value_t = 20)]
    teams: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = Plan { request: args.which.request(), runs: args.runs, explore: args.explore, teams: args.teams, strategy: None, seed: args.seed, alone: false };
    let e = learn(&plan, 2, &Default::default(), &|_| {})?;
    let mut text = String::new();
    for run in 0..args.runs {
        let l: Vec<f64> = e.teams.iter().map(|t| t.runs[run].learned.time_s).collect();
        let h: Vec<f64> = e.teams.iter().map(|t| t.runs[run].hand_set.unwrap().time_s).collect();
        let (l, h) = (Mean::of(&l).unwrap(), Mean::of(&h).unwrap());
        text += &format!("{:3} {:7.1} ±{:5.1}  {:7.1} ±{:5.1}\n", run + 1, l.mean, l.half_width, h.mean, h.half_width);
    }
    print(&text)?;
    print(&e.teams[0].values.to_text())?;
    Ok(ExitCode::SUCCESS)
}
