//! `crewlab bench world`: robots that wander and avoid each other, through the same tick as every mission.

use super::arena::Arena;
use crewlab_scenario::{Problems, Request, load};
use crewlab_sim::radio::{AnyRadio, Ideal, IdealParams};
use crewlab_sim::skills::AnySkills;
use crewlab_sim::{MemberSpec, Setup, Simulation};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How far a broadcast is heard in the variant with radio. [m]
const BROADCAST_RANGE: f64 = 3.0;

/// One measurement to be made.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Threads.
    pub threads: usize,
    /// Every robot broadcasts in every tick, heard within 3 m.
    pub broadcast: bool,
    /// Time per sample; the best of three samples counts.
    pub sample: Duration,
}

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorldRow {
    /// Number of robots.
    pub robots: usize,
    /// Threads.
    pub threads: usize,
    /// True if every robot broadcast in every tick.
    pub broadcast: bool,
    /// Ticks per second.
    pub ticks_per_s: f64,
    /// Ticks per second times robots.
    pub robot_ticks_per_s: f64,
    /// Simulated time per real time.
    pub real_time_factor: f64,
    /// Highest memory use of the process. [MB]
    pub rss_mb: f64,
    /// Share of robot-ticks with a non-zero reading; 0.02 to 0.10 is sane.
    pub seeing: f64,
}

/// The scenario that is measured.
pub fn setup(arena: &Arena, broadcast: bool) -> Result<Setup, Problems> {
    let mut sets = vec!["team.robots=[{name: robot, type: wanderer}]".to_string()];
    sets.push(format!("parameters.broadcast={broadcast}"));
    let scenario =
        load(&Request { scenario: "diffusion".into(), sets, seed: Some(1), ..Request::default() })?;
    let mut setup = scenario.setup;
    setup.world = arena.world();
    if let Some(first) = setup.team.first().cloned() {
        let robot =
            |(i, pose)| MemberSpec { name: format!("robot-{}", i + 1), pose: Some(pose), ..first.clone() };
        setup.team = arena.poses().enumerate().map(robot).collect();
    }
    let range = Some(if broadcast { BROADCAST_RANGE } else { 0.0 });
    setup.radio = AnyRadio::Ideal(Ideal::new(IdealParams { range, ..IdealParams::default() }, 1));
    Ok(setup)
}

/// Measures one workload on an arena.
pub fn measure(arena: &Arena, workload: &Workload) -> Result<WorldRow, String> {
    if let Some(fault) = arena.fault() {
        return Err(format!("this arena cannot be used: {fault}"));
    }
    let setup = setup(arena, workload.broadcast).map_err(|problems| problems.to_string())?;
    let build = |errors: Vec<crewlab_sim::SetupError>| {
        errors.first().map_or_else(|| "cannot be started".to_string(), |error| error.message.clone())
    };
    let (model, state) = setup.build().map_err(build)?;
    let mut simulation = Simulation::new(model, state, workload.threads > 1);
    if workload.threads <= 1 {
        return Ok(sample(&mut simulation, workload));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workload.threads).build();
    pool.map(|pool| pool.install(|| sample(&mut simulation, workload))).map_err(|error| error.to_string())
}

fn sample(simulation: &mut Simulation, workload: &Workload) -> WorldRow {
    let mut log = Vec::new();
    let mut ticks_for = |time: Duration| {
        let (start, mut ticks) = (Instant::now(), 0u64);
        while start.elapsed() < time {
            // Several ticks per clock reading, so that small teams do not measure the clock.
            for _ in 0..10 {
                log.clear();
                simulation.tick(&mut log);
            }
            ticks += 10;
        }
        ticks as f64 / start.elapsed().as_secs_f64()
    };
    ticks_for(workload.sample / 4);
    let rates = [ticks_for(workload.sample), ticks_for(workload.sample), ticks_for(workload.sample)];
    let ticks_per_s = rates.into_iter().fold(0.0, f64::max);
    let robots = simulation.model.team.len();
    WorldRow {
        robots,
        threads: workload.threads,
        broadcast: workload.broadcast,
        ticks_per_s,
        robot_ticks_per_s: ticks_per_s * robots as f64,
        real_time_factor: ticks_per_s * simulation.model.dt(),
        rss_mb: peak_memory(),
        seeing: seeing(simulation),
    }
}

fn seeing(simulation: &Simulation) -> f64 {
    let seen = simulation.state.robots.iter().map(|robot| match &robot.software.performer {
        AnySkills::Diffusion(diffuser) => diffuser.seen,
        _ => 0,
    });
    seen.sum::<u64>() as f64 / (simulation.state.tick * simulation.model.team.len() as u64).max(1) as f64
}

/// Peak memory of this process as counted by the kernel; 0 if it does not report it. [MB]
pub(super) fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
