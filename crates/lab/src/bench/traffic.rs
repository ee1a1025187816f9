//! `crewlab bench traffic`: robots that cross each other's way, as in navground's scenarios, through the whole path of percepts, messages and
//! decisions; no recording.

use super::cpu;
use crewlab_scenario::{Request, load};
use crewlab_sim::onboard::geometry::{Pose, Vec2, vec2};
use crewlab_sim::onboard::{EventKind, Stream, StreamKind};
use crewlab_sim::{MemberSpec, Setup, SetupError, Simulation};
use serde::{Deserialize, Serialize};

/// Robots for which the scenes are made; larger teams have more room, so that the density is the same.
const TEAM: f64 = 20.0;
/// Robots start at least this far apart, besides their radii. [m]
const APART: f64 = 0.1;
/// Attempts to find a place for a robot.
const TRIES: usize = 10_000;

/// A scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// Between four points (navground's Cross).
    Cross,
    /// In four directions everywhere (navground's CrossTorus).
    Crossing,
    /// Both ways through a corridor (navground's Corridor).
    Corridor,
}

impl Scene {
    /// All scenes.
    pub const ALL: [Scene; 3] = [Scene::Cross, Scene::Crossing, Scene::Corridor];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scene::Cross => "cross",
            Scene::Crossing => "crossing",
            Scene::Corridor => "corridor",
        }
    }

    /// Size of the world, and distance from a goal at which a robot turns round. [m]
    fn room(self, robots: usize) -> (Vec2, f64) {
        let scale = (robots as f64 / TEAM).max(0.2);
        let side = 4.0 * scale.sqrt();
        match self {
            Scene::Cross => (vec2(side, side), 0.5 * scale.sqrt()),
            Scene::Crossing => (vec2(side, side), 0.3),
            Scene::Corridor => (vec2(8.0 * scale, 0.6), 0.3),
        }
    }

    /// Which way a robot looks at first.
    fn heading(self, number: usize) -> f64 {
        let quarter = if self == Scene::Corridor { 2 * number } else { number } % 4;
        quarter as f64 * std::f64::consts::FRAC_PI_2
    }
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The scene.
    pub scene: Scene,
    /// Robots.
    pub robots: usize,
    /// The controller of all of them.
    pub controller: String,
    /// Ticks of 0.1 s.
    pub ticks: u64,
    /// The seed of the starting places and of the run.
    pub seed: u64,
    /// How far robots hear each other. [m]
    pub range: f64,
    /// How often they tell where they are; `None` for the controller's default. [s]
    pub tell_every: Option<f64>,
}

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrafficRow {
    /// The scene.
    pub scene: Scene,
    /// Robots.
    pub robots: usize,
    /// The controller.
    pub controller: String,
    /// How far robots hear each other. [m]
    pub range_m: f64,
    /// How often a robot has touched something.
    pub collisions: u64,
    /// Mean speed towards the goal as a share of the top speed.
    pub efficacy: f64,
    /// How often a robot has backed out of a deadlock.
    pub deadlocks: u64,
    /// Robots times ticks per second of processor time.
    pub agent_steps_per_s: f64,
}

fn setup(work: &Workload) -> Result<Setup, String> {
    let (size, near) = work.scene.room(work.robots);
    let mut sets = vec![
        format!("world={{size: [{} m, {} m]}}", size.x, size.y),
        "team.robots=[{name: r, type: thymio}]".to_string(),
        format!("team.controller={}", work.controller),
        format!("parameters={{pattern: {}, near: {near} m}}", work.scene.name()),
        format!("radio={{model: ideal, range: {} m}}", work.range),
        format!("run.seed={}", work.seed),
        "run.until=10 h".to_string(),
    ];
    if let Some(every) = work.tell_every {
        sets.push(format!("team.controllers.{}.tell-every={every} s", work.controller));
    }
    let request = Request { scenario: "traffic".into(), sets, ..Request::default() };
    let mut setup = load(&request).map_err(|problems| problems.to_string())?.setup;
    let first = setup.team.first().cloned().ok_or("there is no robot")?;
    let radius = first.hardware.shape.radius();
    let places = places(work, size, radius)?;
    let member = |(n, position): (usize, Vec2)| {
        let pose = Some(Pose { position, heading: work.scene.heading(n) });
        MemberSpec { name: format!("r-{}", n + 1), pose, ..first.clone() }
    };
    setup.team = places.into_iter().enumerate().map(member).collect();
    Ok(setup)
}

/// Random places that do not overlap.
fn places(work: &Workload, size: Vec2, radius: f64) -> Result<Vec<Vec2>, String> {
    let mut random = Stream::new(work.seed, StreamKind::World, 1, 0);
    let mut places: Vec<Vec2> = Vec::with_capacity(work.robots);
    // Near the ends of a corridor robots would turn at once.
    let edge = radius + 0.02;
    while places.len() < work.robots {
        let mut somewhere = || vec2(random.between(edge, size.x - edge), random.between(edge, size.y - edge));
        // Where it is dense, any place that is free will do after a while.
        let free = (0..TRIES).find_map(|n| {
            let gap = if n < TRIES / 2 { APART } else { 0.01 };
            let place = somewhere();
            places.iter().all(|other| other.distance(place) > 2.0 * radius + gap).then_some(place)
        });
        places.push(free.ok_or_else(|| format!("there is no room for {} robots", work.robots))?);
    }
    Ok(places)
}

/// Measures a scene on one thread.
pub fn measure(work: &Workload) -> Result<TrafficRow, String> {
    let first = |errors: Vec<SetupError>| {
        errors.first().map_or_else(|| "cannot be started".to_string(), |error| error.message.clone())
    };
    let (model, state) = setup(work)?.build().map_err(first)?;
    let mut simulation = Simulation::new(model, state, false);
    let (mut log, mut deadlocks) = (Vec::new(), 0);
    let start = cpu::seconds();
    for _ in 0..work.ticks {
        log.clear();
        simulation.tick(&mut log);
        deadlocks += log.iter().filter(|logged| logged.event.kind == EventKind::Deadlock).count() as u64;
    }
    let elapsed = cpu::seconds() - start;
    let world = &simulation.state.world;
    Ok(TrafficRow {
        scene: work.scene,
        robots: work.robots,
        controller: work.controller.clone(),
        range_m: work.range,
        collisions: world.collisions(),
        efficacy: world.traffic.as_ref().and_then(|traffic| traffic.efficacy()).unwrap_or_default(),
        deadlocks,
        agent_steps_per_s: work.robots as f64 * work.ticks as f64 / elapsed.max(1e-9),
    })
}
