//! `crewlab bench swarm`: robots that explore, plan every 0.3 s and tell each other by a physical radio, at the density of the scenario
//! `exploration`; no recording.

use super::world::peak_memory;
use crewlab_scenario::{Request, load};
use crewlab_sim::onboard::geometry::{Pose, vec2};
use crewlab_sim::onboard::{Stream, StreamKind};
use crewlab_sim::{MemberSpec, Setup, SetupError, Simulation};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::time::Instant;

/// Area per robot, as in SWARM's reference scenario: eight robots on 600 m x 275 m. [m²]
const AREA: f64 = 600.0 * 275.0 / 8.0;
/// Robots start at least this far from the border. [m]
const BORDER: f64 = 10.0;
/// Simulated time before the measurement, in which robots get to know each other. [s]
const WARM_UP: f64 = 10.0;

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SwarmRow {
    /// Robots.
    pub robots: usize,
    /// Threads.
    pub threads: usize,
    /// Simulated seconds per second.
    pub real_time_factor: f64,
    /// Processor time per robot and simulated second. [µs]
    pub us_per_robot_s: f64,
    /// Highest memory use of the process, per robot. [kB]
    pub kb_per_robot: f64,
    /// Share of the field that was seen lately, to see that they work.
    pub seen_share: f64,
}

/// The scenario that is measured.
fn setup(robots: usize) -> Result<Setup, String> {
    let side = (AREA * robots as f64).sqrt();
    let sets = [
        "team.robots=[{name: r, type: rover}]".to_string(),
        format!("world={{size: [{side}, {side}]}}"),
        "run.until=1 h".to_string(),
    ];
    let request = Request { scenario: "exploration".into(), sets: sets.into(), ..Request::default() };
    let mut setup = load(&request).map_err(|problems| problems.to_string())?.setup;
    let mut random = Stream::new(1, StreamKind::World, 0, 0);
    let first = setup.team.first().cloned().ok_or("there is no robot")?;
    let member = |n: usize| {
        let position = vec2(random.between(BORDER, side - BORDER), random.between(BORDER, side - BORDER));
        let pose = Some(Pose { position, heading: random.between(-PI, PI) });
        MemberSpec { name: format!("r-{}", n + 1), pose, ..first.clone() }
    };
    setup.team = (0..robots).map(member).collect();
    Ok(setup)
}

/// Measures a swarm for this much simulated time. [s]
pub fn measure(robots: usize, threads: usize, seconds: f64) -> Result<SwarmRow, String> {
    let first = |errors: Vec<SetupError>| {
        errors.first().map_or_else(|| "cannot be started".to_string(), |error| error.message.clone())
    };
    let (model, state) = setup(robots)?.build().map_err(first)?;
    let mut simulation = Simulation::new(model, state, threads > 1);
    let mut row = || sample(&mut simulation, threads, seconds);
    if threads <= 1 {
        return Ok(row());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(|pool| pool.install(row)).map_err(|error| error.to_string())
}

fn sample(simulation: &mut Simulation, threads: usize, seconds: f64) -> SwarmRow {
    let mut log = Vec::new();
    let dt = simulation.model.dt();
    let mut run = |seconds: f64| {
        for _ in 0..(seconds / dt).ceil() as u64 {
            log.clear();
            simulation.tick(&mut log);
        }
    };
    run(WARM_UP);
    let start = Instant::now();
    run(seconds);
    let elapsed = start.elapsed().as_secs_f64();
    let robots = simulation.model.team.len();
    SwarmRow {
        robots,
        threads,
        real_time_factor: seconds / elapsed,
        us_per_robot_s: 1e6 * elapsed * threads as f64 / (seconds * robots as f64),
        kb_per_robot: 1024.0 * peak_memory() / robots as f64,
        seen_share: simulation.state.world.watch.as_ref().map_or(0.0, |watch| watch.seen(watch.updated())[0]),
    }
}
