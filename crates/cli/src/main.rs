//! The `crewlab` command.

mod commands;
mod terminal;

use clap::Parser;
use commands::Command;
use std::process::ExitCode;

/// A laboratory for robot teams: one scenario file, any coordinator, any disturbance; same seed, same result.
#[derive(Parser)]
#[command(
    name = "crewlab",
    version = crewlab_lab::VERSION,
    after_help = "Example:\n  crewlab run waste-cleanup --seed 7\n  crewlab list\n\nExit codes: 0 success, 1 failed run or invalid input, 2 wrong usage, 3 mission not completed in time (run), failed or missing runs (sweep, compare) or nothing found (break), 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    Cli::parse().command.run().unwrap_or_else(|error| {
        terminal::complain(&error);
        ExitCode::FAILURE
    })
}
