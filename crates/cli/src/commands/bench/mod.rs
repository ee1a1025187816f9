//! `crewlab bench`.

mod allocation;
mod disturbances;
mod learning;
mod live;
mod radio;
mod sweep;
mod world;

use std::process::ExitCode;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  crewlab bench world")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Robots that wander and avoid each other: ticks per second and memory
    World(world::Args),
    /// What a hundred disturbances cost
    Disturbances(disturbances::Args),
    /// Nodes that walk about and broadcast: processor time, delivery and latency of the radio
    Radio(radio::Args),
    /// Coalitions for one task and for many: every method, and the targets set for them
    Allocation(allocation::Args),
    /// Teams that know their task times: how near to the optimum the four strategies of L-ALLIANCE get
    Learning(learning::Args),
    /// What a sweep costs beside its runs: time, memory, and how busy it keeps the cores
    Sweep(sweep::Args),
    /// What viewers of the live laboratory cost the run, and what they get
    Live(live::Args),
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::World(args) => world::run(args),
        What::Disturbances(args) => disturbances::run(&args),
        What::Radio(args) => radio::run(&args),
        What::Allocation(args) => allocation::run(&args),
        What::Learning(args) => learning::run(args),
        What::Sweep(args) => sweep::run(&args),
        What::Live(args) => live::run(&args),
    }
}
