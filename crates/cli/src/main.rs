//! The `crewlab` command.

mod commands;
mod terminal;

use clap::{Parser, Subcommand};
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

#[derive(Subcommand)]
enum Command {
    /// Run a scenario once and write its results
    Run(commands::run::Args),
    /// Run a scenario or a finished run in the browser: watch, disturb, rewind
    Live(commands::live::Args),
    /// Vary any part of a scenario and run it on many seeds
    Sweep(commands::sweep::Args),
    /// Compare coordinators on one scenario, seed by seed, with significance tests
    Compare(commands::compare::Args),
    /// Rewrite the report of a sweep, a comparison or a run
    Report(commands::report::Args),
    /// Find the smallest schedule of disturbances that makes the mission fail
    Break(commands::break_::Args),
    /// Search for better parameters and check them on held-out seeds
    Tune(commands::tune::Args),
    /// Let teams learn from run to run and compare them with hand-set values
    Learn(commands::learn::Args),
    /// Check a scenario without running it
    Check(commands::check::Args),
    /// Explain what happened in a finished run, e.g. why a robot did not hear another
    Explain(commands::explain::Args),
    /// Print the link budget of two radios, line by line
    Link(commands::link::Args),
    /// Allocate tasks to coalitions of robots and bound the distance from the optimum
    Allocate(commands::allocate::Args),
    /// Print the JSON Schema of scenario or experiment files, for editors
    Schema(commands::schema::Args),
    /// List the names that scenarios can use: missions, coordinators, robot types, sensors, ...
    List(commands::list::Args),
    /// Write a commented scenario file to start from
    New(commands::new::Args),
    /// Measure speed, and how close learning teams get to the optimum
    Bench(commands::bench::Args),
    /// Do a batch of runs of a sweep; `sweep --on hq` starts this on other machines
    #[command(hide = true)]
    SweepWorker(commands::sweep_worker::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => commands::run::run(args),
        Command::Live(args) => commands::live::run(args),
        Command::Sweep(args) => commands::sweep::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Report(args) => commands::report::run(&args),
        Command::Break(args) => commands::break_::run(args),
        Command::Tune(args) => commands::tune::run(args),
        Command::Learn(args) => commands::learn::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Link(args) => commands::link::run(args),
        Command::Allocate(args) => commands::allocate::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::List(args) => commands::list::run(args),
        Command::New(args) => commands::new::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::SweepWorker(args) => commands::sweep_worker::run(args),
    };
    outcome.unwrap_or_else(|error| {
        terminal::complain(&error);
        ExitCode::FAILURE
    })
}
