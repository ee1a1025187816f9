//! `crewlab bench teamwork`.

use crate::terminal::print;
use crewlab_lab::bench::teamwork::promises;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench teamwork --runs 100000\n\nTeams of 2 to 12 robots, with up to 30 % of all messages lost, robots that stop, restarts without memory, a network that is split in two, and clocks that drift and are set back. The exit code is 3 if a promise of docs/bite.md is broken."
)]
pub struct Args {
    /// Number of rehearsals
    #[arg(long, default_value_t = 2000)]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The thesis' protocols that do not communicate, each robot by what it knows itself: splits are counted
    #[arg(long)]
    own_data: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let found = promises(args.seed, args.runs, args.own_data);
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&found)?))?;
    } else {
        let rows = [
            ("rehearsals", found.runs),
            ("entries decided", found.decisions),
            ("came to the end, or went on", found.ended),
            ("too few left to decide", found.stranded),
            ("places about which robots differed", found.disagreements),
            ("went on too long alone", found.overstayed),
            ("splits by protocols without messages", found.splits),
            ("rehearsals that broke a promise", found.broken_runs),
        ];
        let mut text = String::new();
        for (name, value) in rows {
            text += &format!("{name:<38}{value:>12}\n");
        }
        if !found.broken.is_empty() {
            text += &format!("{:<38}{:?}\n", "their first seeds", found.broken);
        }
        text += &format!("{:<38}{:>10.0} s\n", "time", found.seconds);
        print(&text)?;
    }
    Ok(if found.broken_runs == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
