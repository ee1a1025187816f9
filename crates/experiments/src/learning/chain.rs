//! Chains of runs: a team keeps what it has learned from one run to the next.

use crewlab_lab::run::{RunError, memories};
use crewlab_lab::sim::teams::{self, Lesson, Memories, Params};
use crewlab_lab::sim::{Setup, Simulation};
use crewlab_scenario::{Problems, Request, Scenario, load};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The parameters of a learning experiment.
#[derive(Clone, Debug)]
pub struct ChainPlan {
    /// The scenario and its modifications.
    pub request: Request,
    /// Runs per team, one after the other.
    pub runs: usize,
    /// Number of runs at the start of each chain in the active learning phase.
    pub explore: usize,
    /// Number of independent teams, which start without experience.
    pub teams: usize,
    /// Overrides the scenario's strategy with another one of its coordinator.
    pub strategy: Option<String>,
    /// The first seed; every run of every team has its own.
    pub seed: u64,
    /// Skips the reference runs with hand-set values.
    pub alone: bool,
}

impl ChainPlan {
    /// The seed of one run of one team.
    fn seed(&self, team: usize, run: usize) -> u64 {
        self.seed.wrapping_add((team * self.runs + run) as u64) & i64::MAX as u64
    }
}

/// Why a learning experiment fails.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Something is wrong with the scenario.
    #[error(transparent)]
    Scenario(#[from] Problems),
    /// The scenario's team does not learn.
    #[error("{}", does_not_learn(.0))]
    Coordinator(String),
    /// The coordinator does not know the strategy.
    #[error("`{coordinator}` has no learning strategy `{strategy}`: there are {}", known(.coordinator))]
    Strategy {
        /// The coordinator.
        coordinator: String,
        /// What was asked for.
        strategy: String,
    },
    /// Missions without an end have no mission time.
    #[error("the mission {0} has nothing to complete, so it has no mission time that learning could improve")]
    Endless(String),
    /// There are no hand-set values to compare with.
    #[error(
        "the runs with hand-set values cannot be started: {0}; add what is missing, or leave them out with --alone"
    )]
    HandSet(String),
    /// A run cannot be started.
    #[error("seed {0} cannot be started: {1}")]
    Start(u64, String),
    /// Running or writing failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The end of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MissionEnd {
    /// Mission time; the time limit if the mission was not completed. [s]
    pub time_s: f64,
    /// True if the mission was completed.
    pub completed: bool,
}

/// One run of a team, and the reference run with hand-set values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The seed of both.
    pub seed: u64,
    /// The run with the values learned so far.
    pub learned: MissionEnd,
    /// The run with the hand-set values.
    pub hand_set: Option<MissionEnd>,
}

/// One team's chain of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Career {
    /// Its runs, in order.
    pub runs: Vec<Pair>,
    /// What it remembers at the end.
    pub memories: Memories,
}

/// The chains of all teams.
#[derive(Clone, Debug)]
pub struct LearningChains {
    /// The scenario's name.
    pub scenario: String,
    /// The mission.
    pub mission: String,
    /// The strategy.
    pub strategy: &'static str,
    /// Runs at the beginning of each chain in the active learning phase.
    pub explore: usize,
    /// The teams.
    pub teams: Vec<Career>,
}

/// Runs all chains on the given number of threads, on which the results do not depend. `tell` receives the share of
/// runs that are done.
pub fn learn(
    plan: &ChainPlan,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(f64) + Sync),
) -> Result<LearningChains, LearnError> {
    let first = load_one(plan, plan.seed(0, 0))?;
    let taught = taught(&first, plan, &Lesson::default());
    let strategy = kind(&first).and_then(|kind| (kind.strategy)(&taught)).unwrap_or_default();
    if !plan.alone {
        let setup = Setup { parameters: hand_set(&first), ..first.setup.clone() };
        setup.build().map_err(|errors| LearnError::HandSet(said(&errors)))?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads(threads, error.to_string()))?;
    let done = AtomicUsize::new(0);
    let step = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        tell(done as f64 / (plan.runs * plan.teams).max(1) as f64);
    };
    let teams: Result<Vec<Career>, LearnError> = pool
        .install(|| (0..plan.teams).into_par_iter().map(|team| career(plan, team, stop, &step)).collect());
    Ok(LearningChains {
        scenario: first.name,
        mission: first.mission,
        strategy,
        explore: plan.explore.min(plan.runs),
        teams: teams?,
    })
}

/// One team's chain.
fn career(
    plan: &ChainPlan,
    team: usize,
    stop: &AtomicBool,
    step: &(dyn Fn() + Sync),
) -> Result<Career, LearnError> {
    let mut career = Career { runs: Vec::with_capacity(plan.runs), memories: Memories::default() };
    for run in 0..plan.runs {
        let seed = plan.seed(team, run);
        let scenario = load_one(plan, seed)?;
        let lesson = Lesson {
            explore: run < plan.explore,
            memories: (run > 0).then_some(&career.memories),
            ..Lesson::default()
        };
        let (learned, memories) = finish(&scenario, taught(&scenario, plan, &lesson), stop)?;
        if let Some(memories) = memories {
            career.memories = memories;
        }
        let hand_set = match plan.alone {
            true => None,
            false => Some(finish(&scenario, hand_set(&scenario), stop)?.0),
        };
        career.runs.push(Pair { seed, learned, hand_set });
        step();
    }
    Ok(career)
}

fn load_one(plan: &ChainPlan, seed: u64) -> Result<Scenario, LearnError> {
    let scenario = load(&Request { seed: Some(seed), ..plan.request.clone() })?;
    let strategies = kind(&scenario).map_or(&[][..], |kind| kind.strategies);
    if strategies.is_empty() {
        return Err(LearnError::Coordinator(scenario.setup.coordinator));
    }
    if let Some(strategy) = &plan.strategy
        && !strategies.iter().any(|known| known.name == strategy)
    {
        let coordinator = scenario.setup.coordinator;
        return Err(LearnError::Strategy { coordinator, strategy: strategy.clone() });
    }
    if scenario.setup.mission.endless() {
        return Err(LearnError::Endless(scenario.mission));
    }
    Ok(scenario)
}

fn kind(scenario: &Scenario) -> Option<&'static teams::CoordinatorKind> {
    teams::kind(&scenario.setup.coordinator)
}

/// Names of the coordinators that learn.
fn learners() -> impl Iterator<Item = &'static str> {
    teams::KINDS.iter().filter(|kind| !kind.strategies.is_empty()).map(|kind| kind.name)
}

fn does_not_learn(coordinator: &str) -> String {
    let names: Vec<String> = learners().map(|name| format!("`{name}`")).collect();
    let (names, first) = (names.join(" or "), learners().next().unwrap_or_default());
    format!(
        "only {names} learns, and the scenario's coordinator is `{coordinator}`: add --set team.coordinator={first}"
    )
}

/// The strategies of a coordinator.
fn known(coordinator: &str) -> String {
    let names = teams::kind(coordinator).map_or(&[][..], |kind| kind.strategies).iter();
    names.map(|strategy| strategy.name).collect::<Vec<_>>().join(", ")
}

/// The parameters of a team that learns, as in the scenario unless the plan says otherwise.
fn taught(scenario: &Scenario, plan: &ChainPlan, lesson: &Lesson) -> Params {
    let mut parameters = scenario.setup.parameters.clone();
    if let Some(kind) = kind(scenario) {
        (kind.teach)(&mut parameters, &Lesson { strategy: plan.strategy.as_deref(), ..*lesson });
    }
    parameters
}

/// The same parameters without learning.
fn hand_set(scenario: &Scenario) -> Params {
    let mut parameters = scenario.setup.parameters.clone();
    if let Some(kind) = kind(scenario) {
        (kind.unteach)(&mut parameters);
    }
    parameters
}

/// Runs a scenario to its end with these parameters.
fn finish(
    scenario: &Scenario,
    parameters: Params,
    stop: &AtomicBool,
) -> Result<(MissionEnd, Option<Memories>), LearnError> {
    let setup = Setup { parameters, ..scenario.setup.clone() };
    let (model, state) =
        setup.build().map_err(|errors| LearnError::Start(scenario.setup.seed, said(&errors)))?;
    let mut simulation = Simulation::new(model, state, false);
    let mut log = Vec::new();
    while !simulation.finished() {
        log.clear();
        simulation.tick(&mut log);
        if stop.load(Ordering::Relaxed) {
            return Err(RunError::Interrupted.into());
        }
    }
    let completed = simulation.state.verdict.completed;
    let end = if completed { simulation.now() } else { simulation.model.until };
    let memories = memories(&simulation, &scenario.mission);
    Ok((MissionEnd { time_s: end.seconds(), completed }, memories))
}

fn said(errors: &[crewlab_lab::sim::SetupError]) -> String {
    errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; ")
}
