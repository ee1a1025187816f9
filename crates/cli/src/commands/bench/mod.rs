//! `crewlab bench`.

mod allocation;
mod disturbances;
mod graph;
mod learn;
mod learning;
mod live;
mod navigation;
mod planner;
mod radio;
mod swarm;
mod sweep;
mod teamwork;
mod traffic;
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
    /// The world step: ticks per second and memory of wandering robots
    World(world::Args),
    /// The cost of a hundred disturbances
    Disturbances(disturbances::Args),
    /// The radio: processor time, delivery and latency of moving nodes that broadcast
    Radio(radio::Args),
    /// Navigation: time per route on maps that change and on known ones
    Navigation(navigation::Args),
    /// Planning: time per plan and steps per second of C-PBP and MPPI
    Planner(planner::Args),
    /// Swarms: robots that plan and talk, compared with real time
    Swarm(swarm::Args),
    /// Traffic: robots that cross each other's way, as in navground's scenarios
    Traffic(traffic::Args),
    /// Coalitions for one task and for many: all methods, and their targets
    Allocation(allocation::Args),
    /// Bayesian networks: time to learn, to ask and to update, and the targets
    Learn(learn::Args),
    /// The four strategies of L-ALLIANCE compared with the optimum, with known task times
    Learning(learning::Args),
    /// The overhead of a sweep: time, memory, and utilisation of the cores
    Sweep(sweep::Args),
    /// BITE's engine: the time of a tick, by the size of graph and team
    Graph(graph::Args),
    /// BITE's promises: many teams in which everything goes wrong that can
    Teamwork(teamwork::Args),
    /// The live laboratory: what viewers cost, and their frame rates
    Live(live::Args),
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::World(args) => world::run(args),
        What::Disturbances(args) => disturbances::run(&args),
        What::Radio(args) => radio::run(&args),
        What::Navigation(args) => navigation::run(&args),
        What::Planner(args) => planner::run(&args),
        What::Swarm(args) => swarm::run(&args),
        What::Traffic(args) => traffic::run(&args),
        What::Allocation(args) => allocation::run(&args),
        What::Learn(args) => learn::run(&args),
        What::Learning(args) => learning::run(args),
        What::Sweep(args) => sweep::run(&args),
        What::Graph(args) => graph::run(&args),
        What::Teamwork(args) => teamwork::run(&args),
        What::Live(args) => live::run(&args),
    }
}
