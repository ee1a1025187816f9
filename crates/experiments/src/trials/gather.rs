//! Does the runs of a plan and keeps their trials.

use super::{Expectation, Record};
use crate::plan::Plan;
use crewlab_lab::sim::onboard::{EventKind, Reason, RobotId};
use crewlab_lab::sim::{Logged, Model, Simulation};
use crewlab_scenario::Problems;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why there are no trials.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// A scenario cannot be run.
    #[error("the cell `{0}` cannot be run:\n{1}")]
    Cell(String, Problems),
    /// The user stopped it.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// No run has told of a trial.
    #[error(
        "no run has told of a trial: the scenario's mission has none; missions with a referee that acts have"
    )]
    NoTrials,
}

/// Does all runs of a plan on so many threads. Trials are in the order of the plan, whatever the threads. Calls `tell` after every
/// run.
pub fn gather(
    plan: &Plan,
    jobs: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn() + Sync),
) -> Result<Vec<Record>, GatherError> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let runs: Vec<Mutex<Vec<Record>>> = (0..plan.len()).map(|_| Mutex::default()).collect();
    let lock = |error| PoisonError::into_inner(error);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, plan.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= plan.len() || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    match one(plan, index, stop) {
                        Ok(records) => *runs[index].lock().unwrap_or_else(PoisonError::into_inner) = records,
                        Err(error) => {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            next.store(plan.len(), Ordering::Relaxed);
                        }
                    }
                    tell();
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if stop.load(Ordering::Relaxed) {
        return Err(GatherError::Interrupted);
    }
    let all: Vec<Record> = runs.into_iter().flat_map(|run| run.into_inner().unwrap_or_else(lock)).collect();
    if all.is_empty() { Err(GatherError::NoTrials) } else { Ok(all) }
}

fn one(plan: &Plan, index: usize, stop: &AtomicBool) -> Result<Vec<Record>, GatherError> {
    let (cell, trial) = (index % plan.cells.len(), plan.trial(index));
    let scenario = trial.load().map_err(|problems| GatherError::Cell(plan.cells[cell].title(), problems))?;
    let (model, state) = scenario.start;
    let mut simulation = Simulation::new(model, state, false);
    let mut notes = Notes { cell, seed: trial.key.seed, ..Notes::default() };
    let mut log = Vec::new();
    while !simulation.finished() && !stop.load(Ordering::Relaxed) {
        log.clear();
        simulation.tick(&mut log);
        log.iter().for_each(|logged| notes.take(logged, &simulation.model));
    }
    Ok(notes.records)
}

/// What is known of a run so far.
#[derive(Default)]
struct Notes {
    cell: usize,
    seed: u64,
    records: Vec<Record>,
    /// Each robot's last decision, and what was expected of what it took.
    last: BTreeMap<RobotId, (u32, Vec<Expectation>)>,
    /// The record of each decision that is not settled yet.
    open: BTreeMap<(RobotId, u32), usize>,
    /// Settlements of decisions whose trial is told of later in the same tick.
    early: BTreeMap<(RobotId, u32), (f64, f64)>,
}

impl Notes {
    fn take(&mut self, logged: &Logged, model: &Model) {
        let Some(robot) = logged.robot else { return };
        match &logged.event.reason {
            Some(Reason::Estimated(appraisal)) => {
                let taken = appraisal.estimates.iter().filter(|estimate| estimate.chosen);
                let expected = taken.filter_map(|estimate| {
                    Some(Expectation { estimator: estimate.estimator.to_string(), reward: estimate.reward? })
                });
                self.last.insert(robot, (appraisal.decision, expected.collect()));
            }
            Some(Reason::Settled(settlement)) => {
                let outcome = (settlement.cost, settlement.reward);
                match self.open.remove(&(robot, settlement.decision)) {
                    Some(place) => self.settle(place, outcome),
                    None => _ = self.early.insert((robot, settlement.decision), outcome),
                }
            }
            _ if logged.event.kind == EventKind::Trial => self.enter(robot, logged, model),
            _ => {}
        }
    }

    fn settle(&mut self, place: usize, (cost, reward): (f64, f64)) {
        (self.records[place].cost, self.records[place].reward) = (Some(cost), Some(reward));
    }

    fn enter(&mut self, robot: RobotId, logged: &Logged, model: &Model) {
        let (decision, expected) = self.last.get(&robot).cloned().unwrap_or_default();
        let behaviour = logged.event.behaviour;
        let spec = behaviour.and_then(|id| model.team[robot].identity.behaviours.get(usize::from(id.0)));
        let (cell, seed, event) = (self.cell, self.seed, logged.event.clone());
        let way = spec.map_or(String::new(), |spec| spec.name.clone());
        self.records.push(Record { cell, seed, event, way, expected, cost: None, reward: None });
        let place = self.records.len() - 1;
        match self.early.remove(&(robot, decision)) {
            Some(outcome) => self.settle(place, outcome),
            None => _ = self.open.insert((robot, decision), place),
        }
    }
}
