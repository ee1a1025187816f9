//! `crewlab bench traffic`.

use crate::terminal::print;
use crewlab_lab::bench::traffic::{Scene, TrafficRow, Workload, measure};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench traffic --scenes crossing --robots 100 --controllers orca human-like\n\nRobots cross each other's way as in navground's scenarios, on one thread. `make bench-navground` runs the same on navground."
)]
pub struct Args {
    /// Scenes [default: cross crossing corridor]
    #[arg(long, value_name = "SCENE", num_args = 1.., value_parser = scene)]
    scenes: Vec<Scene>,
    /// Numbers of robots [default: 20 100 500]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..=20000))]
    robots: Vec<u32>,
    /// Controllers [default: orca human-like]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    controllers: Vec<String>,
    /// Ticks of 0.1 s per row
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    ticks: u64,
    /// How far robots hear each other [m]
    #[arg(long, default_value_t = 2.0)]
    range: f64,
    /// How often robots tell where they are, for controllers whose robots do [s; default: the controller's]
    #[arg(long)]
    tell_every: Option<f64>,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn scene(name: &str) -> Result<Scene, String> {
    Scene::ALL
        .into_iter()
        .find(|scene| scene.name() == name)
        .ok_or_else(|| format!("accepted are {}", Scene::ALL.map(Scene::name).join(", ")))
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.range >= 0.0 && args.range.is_finite(),
        "--range must be at least 0 m, found {}",
        args.range
    );
    let scenes = if args.scenes.is_empty() { Scene::ALL.to_vec() } else { args.scenes.clone() };
    let robots = if args.robots.is_empty() { vec![20, 100, 500] } else { args.robots.clone() };
    let controllers = match args.controllers.is_empty() {
        true => vec!["orca".to_string(), "human-like".to_string()],
        false => args.controllers.clone(),
    };
    let mut rows = Vec::new();
    for scene in &scenes {
        for controller in &controllers {
            for robots in &robots {
                let work = Workload {
                    scene: *scene,
                    robots: *robots as usize,
                    controller: controller.clone(),
                    ticks: args.ticks,
                    seed: args.seed,
                    range: args.range,
                    tell_every: args.tell_every,
                };
                rows.push(measure(&work).map_err(anyhow::Error::msg)?);
            }
        }
    }
    match args.json {
        true => print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?,
        false => print(&table(&rows))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn table(rows: &[TrafficRow]) -> String {
    let mut text = format!(
        "{:<9} {:<14} {:>6} {:>11} {:>9} {:>10} {:>14}\n",
        "scene", "controller", "robots", "collisions", "efficacy", "deadlocks", "agent-steps/s"
    );
    for row in rows {
        text += &format!(
            "{:<9} {:<14} {:>6} {:>11} {:>9.3} {:>10} {:>14.0}\n",
            row.scene.name(),
            row.controller,
            row.robots,
            row.collisions,
            row.efficacy,
            row.deadlocks,
            row.agent_steps_per_s
        );
    }
    text
}
