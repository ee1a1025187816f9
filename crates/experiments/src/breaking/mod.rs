//! The search for the smallest schedule of disturbances that prevents a team from completing its mission.
//!
//! The steps of a hunt: [`palette`] lists what can go wrong in a scenario, [`search`] tries it, alone and in combination, [`shrink`]
//! makes the found schedule smaller, and the result is written as a scenario. Schedules are evaluated by running the mission;
//! [`mishap::Schedule::smaller`] defines "smaller".

pub mod flow;
mod judge;
pub mod ladder;
pub mod mishap;
pub mod palette;
pub mod report;
pub mod search;
pub mod shrink;
mod written;

pub use report::{BreakReport, Defeat, Shown};

use crate::plan::Cell;
use crate::pool::Pool;
use crate::runner::{Ended, Runner};
use crate::store::{Store, StoreError};
use crewlab_lab::sim::missions::{Better, SHARE};
use crewlab_scenario::text::did_you_mean;
use crewlab_scenario::{Problems, Request, Scenario, load};
use judge::{End, Judge, Side};
use mishap::Schedule;
use palette::{ALL, Palette, kinds};
use search::ScheduleSearch;
use shrink::{Bounds, Shrinking};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The target and the parameters of a hunt.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The scenario and its modifications.
    pub request: Request,
    /// The coordinator to defeat; `None` for the scenario's own.
    pub coordinator: Option<String>,
    /// Coordinators that must still complete the mission.
    pub spare: Vec<String>,
    /// Number of seeds, counted from the scenario's own, on which the mission must fail.
    pub seeds: u64,
    /// The largest number of disturbances in a schedule.
    pub most: usize,
    /// The kinds of disturbances, of [`palette::kinds`]; all of them if it is [`palette::ALL`], those tried by default if empty.
    pub kinds: Vec<String>,
    /// The largest number of runs.
    pub budget: usize,
    /// Runs at a time. The result does not depend on it.
    pub jobs: usize,
    /// Stops the hunt when it becomes true.
    pub stop: Arc<AtomicBool>,
    /// Where runs are stored during the hunt; runs that are already there are not repeated.
    pub folder: PathBuf,
}

/// Why a hunt has no result.
#[derive(Debug, thiserror::Error)]
pub enum BreakError {
    /// The scenario.
    #[error(transparent)]
    Scenario(#[from] Problems),
    /// The store of runs.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An unknown kind.
    #[error("there is no kind `{0}`{1} --kinds takes a comma-separated list of {kinds}; or all", kinds = names().join(", "))]
    Kind(String, String),
    /// The same coordinator on both sides.
    #[error(
        "`{0}` cannot be defeated and spared at once: leave out --spare {0}, or choose another --coordinator"
    )]
    BothSides(String),
    /// No seeds, or too many.
    #[error("{0} seeds from seed {1} on cannot be used: use fewer seeds, and a first seed below 2^63")]
    Seeds(u64, u64),
    /// The mission cannot be completed by definition.
    #[error(
        "the mission `{mission}` has nothing to complete, so it cannot fail: say what must hold at the time limit, for example --goal '{example}'; its measures are {measures}"
    )]
    Endless {
        /// Its name.
        mission: String,
        /// A goal that it could have.
        example: String,
        /// The names of its measures.
        measures: String,
    },
    /// The mission fails even without disturbances.
    #[error(
        "`{coordinator}` does not complete the mission within {} with seed {seed} even without extra disturbances{found}: there is nothing to search for",
        report::time(*until)
    )]
    FailsAlready {
        /// Under this coordinator.
        coordinator: String,
        /// With this seed.
        seed: u64,
        /// The time limit. [s]
        until: f64,
        /// The measures that the goal names, if there is one.
        found: String,
    },
    /// No disturbance of these kinds is possible in the scenario.
    #[error("no disturbance of the kinds {0} is possible in this scenario: choose other kinds with --kinds")]
    Nothing(String),
    /// A run that cannot be started.
    #[error("the undisturbed run cannot be started: {0}")]
    Run(String),
    /// The user stopped the hunt.
    #[error("interrupted: use --resume to continue")]
    Interrupted,
    /// The budget does not cover the undisturbed runs.
    #[error("the budget does not even cover the undisturbed runs: raise --budget")]
    BudgetUsedUp,
    /// A bug.
    #[error("this is a bug in crewlab: {0}")]
    Odd(String),
}

impl BreakError {
    /// A mission without an end and without a goal.
    fn endless(scenario: &Scenario) -> BreakError {
        let measures = scenario.setup.mission.measures();
        let example = measures.first().map_or(String::new(), |spec| {
            let sign = if spec.better == Better::Less { "<=" } else { ">=" };
            format!("{} {sign} {}", spec.name, if spec.unit == SHARE { "0.5" } else { "1" })
        });
        let names: Vec<&str> = measures.iter().map(|spec| spec.name).collect();
        BreakError::Endless { mission: scenario.mission.clone(), example, measures: names.join(", ") }
    }
}

/// Receives the current activity, and the number of runs requested so far.
pub type Tell<'a> = &'a mut dyn FnMut(&str, usize);

/// Searches for a small schedule that defeats a coordinator.
pub fn hunt(hunt: &Hunt, tell: Tell) -> Result<BreakReport, BreakError> {
    check_kinds(&hunt.kinds)?;
    let scenario = load(&with(&hunt.request, hunt.coordinator.as_deref()))?;
    if scenario.endless {
        return Err(BreakError::endless(&scenario));
    }
    let mut sides = vec![Side::new(&scenario)];
    for spare in &hunt.spare {
        let side = Side::new(&load(&with(&hunt.request, Some(spare)))?);
        if side.coordinator == sides[0].coordinator {
            return Err(BreakError::BothSides(side.coordinator));
        }
        sides.push(side);
    }
    let seeds = seeds(&scenario, hunt.seeds)?;
    let pool = Pool { jobs: hunt.jobs, per_run: None, stop: hunt.stop.clone() };
    let runner = Runner::new(Store::open(&hunt.folder)?, pool);
    let phase = std::cell::Cell::new("undisturbed runs");
    let mut counted = |runs| tell(phase.get(), runs);
    let mut judge = Judge::new(sides, seeds, runner, hunt.budget, &mut counted);
    let undisturbed = undisturbed(&mut judge)?;
    phase.set("search");
    // Disturbances after the end of a run have no effect.
    let palette = Palette::new(&scenario, judge.sides[0].shortest, judge.sides[0].over(), &hunt.kinds);
    if palette.mishaps.is_empty() {
        return Err(BreakError::Nothing(hunt.kinds.join(", ")));
    }
    let mut search = ScheduleSearch::new(&palette, hunt.most.max(1), hunt.budget / 4);
    let first = match search.run(&mut judge) {
        Err(BreakError::BudgetUsedUp) => None,
        other => other?,
    };
    let mut report = BreakReport::new(&scenario, &judge, undisturbed);
    report.tried = search.tried;
    if let Some(first) = first {
        phase.set("shrinking");
        report.found = Some(finish(hunt, first, &palette, &mut judge)?);
    }
    report.runs = judge.runs();
    (report.broken_down, report.first_breakdown) = judge.broken.clone();
    Ok(report)
}

/// Shrinks a schedule and verifies the result.
fn finish(hunt: &Hunt, first: Schedule, palette: &Palette, judge: &mut Judge) -> Result<Defeat, BreakError> {
    use search::{Evaluator, ScheduleEffect};
    let (shortest, over) = (judge.sides[0].shortest, judge.sides[0].over());
    let bounds = Bounds { step: ladder::nice(shortest / 50.0), latest: shortest, over };
    let mut shrinking = Shrinking::new(first.clone(), palette, bounds);
    let ended =
        shrinking.finish(&mut |schedule: &Schedule| Ok(judge.verdict(schedule)? == ScheduleEffect::Defeated));
    let minimal = match ended {
        Err(BreakError::BudgetUsedUp) => false,
        other => other.map(|()| true)?,
    };
    let (schedule, steps) = (shrinking.schedule, shrinking.steps);
    let coordinator = judge.sides[0].coordinator.clone();
    let seed = judge.seeds.first().copied().unwrap_or(1);
    let mut request = with(&hunt.request, Some(&coordinator));
    request.disturbances.extend(schedule.lines());
    let same = load(&Request { seed: Some(seed), ..request })?.resolved;
    let text = written::write(&hunt.request, &coordinator, seed, &schedule, &same);
    let shown = show(hunt, &text, judge)?;
    Ok(Defeat::new(&first, &schedule, steps, minimal, shown, text))
}

/// Runs the scenario that will be written under every coordinator and with every seed, as a user would. Uses no stored
/// runs.
fn show(hunt: &Hunt, text: &str, judge: &Judge) -> Result<Vec<Shown>, BreakError> {
    let folder = hunt.folder.join("shown");
    // The folder may be missing; if it cannot be removed, the store reports it.
    let _ = std::fs::remove_dir_all(&folder);
    let pool = Pool { jobs: hunt.jobs, per_run: None, stop: hunt.stop.clone() };
    let mut runner = Runner::new(Store::open(&folder)?, pool);
    let request = Request { scenario: "broken".into(), text: Some(text.into()), ..Request::default() };
    let (mut trials, mut shown) = (Vec::new(), Vec::new());
    for (side, place) in judge.sides.iter().zip(0..) {
        let scenario = load(&with(&request, Some(&side.coordinator)))?;
        let cell = Cell::new(Vec::new(), &scenario);
        trials.extend(judge.seeds.iter().map(|seed| cell.trial(*seed)));
        shown.extend(judge.seeds.iter().map(|seed| (place, side.coordinator.clone(), *seed)));
    }
    if runner.run(&trials, &mut |_, _| ())? != Ended::Complete {
        return Err(BreakError::Interrupted);
    }
    let mut all = Vec::new();
    for (trial, (place, coordinator, seed)) in trials.iter().zip(shown) {
        let end = runner.store.get(&trial.key).map_or(End::Broken, |outcome| judge.end(outcome));
        let as_found = if place == 0 { end.is_not_completed() } else { end.is_completed() };
        if !as_found {
            let words = format!("`{coordinator}` with seed {seed} does not behave as in the search");
            return Err(BreakError::Odd(format!("{words}\n{text}")));
        }
        all.push(Shown::new(coordinator, seed, &end));
    }
    Ok(all)
}

/// The undisturbed runs, which must complete the mission. [s]
fn undisturbed(judge: &mut Judge) -> Result<Vec<Shown>, BreakError> {
    let (mut all, seeds) = (Vec::new(), judge.seeds.clone());
    for side in 0..judge.sides.len() {
        let ends = judge.within(1.0, side, &Schedule::default(), &seeds)?;
        let Side { coordinator, until, nominal, shortest, usual, .. } = &mut judge.sides[side];
        if let Some(End::Completed(run)) = ends.first() {
            *usual = run.measures.clone();
        }
        *nominal = 0.0;
        for (seed, end) in seeds.iter().zip(&ends) {
            match end {
                End::Completed(run) => {
                    *nominal = nominal.max(run.time);
                    *shortest = shortest.min(run.time);
                }
                End::NotCompleted(run) => {
                    let (coordinator, until) = (coordinator.clone(), *until);
                    let found = report::measured(&run.measures).map(|words| format!(" ({words})"));
                    let found = found.unwrap_or_default();
                    return Err(BreakError::FailsAlready { coordinator, seed: *seed, until, found });
                }
                End::Broken => return Err(BreakError::Run(judge.broken.1.clone().unwrap_or_default())),
            }
            all.push(Shown::new(coordinator.clone(), *seed, end));
        }
    }
    Ok(all)
}

/// The request with another coordinator.
fn with(request: &Request, coordinator: Option<&str>) -> Request {
    let mut request = request.clone();
    request.sets.extend(coordinator.map(|name| format!("team.coordinator={name}")));
    request
}

fn seeds(scenario: &Scenario, count: u64) -> Result<Vec<u64>, BreakError> {
    let first = scenario.resolved["run"]["seed"].as_u64().unwrap_or(1);
    match first.checked_add(count).filter(|end| count > 0 && *end <= i64::MAX as u64) {
        Some(end) => Ok((first..end).collect()),
        None => Err(BreakError::Seeds(count, first)),
    }
}

/// The names of the kinds that can be tried.
fn names() -> Vec<&'static str> {
    kinds().map(|kind| kind.name).collect()
}

fn check_kinds(wanted: &[String]) -> Result<(), BreakError> {
    match wanted.iter().find(|kind| *kind != ALL && !names().contains(&kind.as_str())) {
        None => Ok(()),
        Some(unknown) => {
            let meant = did_you_mean(unknown, names().into_iter().chain([ALL]))
                .map(|kind| format!(", did you mean `{kind}`?"));
            Err(BreakError::Kind(unknown.clone(), meant.unwrap_or_else(|| ":".into())))
        }
    }
}
