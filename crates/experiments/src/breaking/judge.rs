//! Evaluates schedules by running the mission.

use super::BreakError;
use super::mishap::Schedule;
use super::search::{Evaluator, NOT_COMPLETED, ScheduleEffect};
use crate::metrics;
use crate::plan::Trial;
use crate::runner::{Ended, Runner};
use crate::store::{Key, RunOutcome};
use crewlab_lab::sim::Goal;
use crewlab_lab::sim::missions::{Better, MeasureSpec};
use crewlab_scenario::{Scenario, read_disturbance};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;

/// A run that takes this many times as long as the undisturbed one is treated as not ending. Whether it does end is checked
/// only where it matters.
const PATIENCE: f64 = 3.0;

/// A team counts as defeated only if this many times the time limit is not enough either. A merely late team is not
/// defeated.
const CLEARLY: f64 = 2.0;
/// No scenario has a later time limit. [s]
const LATEST: f64 = 1e9;

/// A measure's name, and its value where it has one.
pub(super) type Measured = (&'static str, Option<f64>);

/// The mission under one coordinator.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// The coordinator.
    pub coordinator: String,
    /// The resolved scenario, without a schedule.
    pub resolved: Value,
    /// The time limit of the scenario. [s]
    pub until: f64,
    /// The longest undisturbed run. [s]
    pub nominal: f64,
    /// The shortest undisturbed run. [s]
    pub shortest: f64,
    /// The goal, if the mission has no end.
    pub goal: Option<Goal>,
    /// The mission's measures.
    measures: &'static [MeasureSpec],
    /// What the goal names, in the undisturbed run with the first seed.
    pub usual: Vec<Measured>,
}

impl Side {
    /// A side whose undisturbed runs are not known yet.
    pub(super) fn new(scenario: &Scenario) -> Side {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let resolved = scenario.resolved.clone();
        let until = resolved["run"]["until"].as_f64().unwrap_or_default();
        Side {
            coordinator: text(&resolved["team"]["coordinator"]),
            resolved,
            until,
            nominal: until,
            shortest: until,
            goal: scenario.setup.goal.clone(),
            measures: scenario.setup.mission.measures(),
            usual: Vec::new(),
        }
    }

    /// The time by which temporary disturbances end, so that the whole mission fits in twice afterwards. A mission without an end has
    /// half of its time left. [s]
    pub(super) fn over(&self) -> f64 {
        if self.goal.is_some() { self.until / 2.0 } else { self.until - 2.0 * self.nominal }
    }

    /// The time after which a run is treated as not ending. [s]
    fn soon(&self) -> f64 {
        (self.nominal * PATIENCE).min(self.until)
    }

    /// Names of the measures that the goal asks for.
    fn asked(&self) -> Vec<&'static str> {
        let Some(goal) = &self.goal else { return Vec::new() };
        goal.asked().iter().filter_map(|place| Some(self.measures.get(*place)?.name)).collect()
    }

    /// How much worse the measures of the goal are than undisturbed, as a share of what they are then; 0 without a goal.
    fn loss(&self, run: &RunFigures) -> f64 {
        let worse = |(usual, value): (&Measured, &Measured)| {
            let ((name, usual), (_, value)) = (usual, value);
            let spec = self.measures.iter().find(|spec| spec.name == *name)?;
            let Some(value) = value else { return Some(1.0) };
            let change = (value - (*usual)?) / (*usual)?.abs().max(1e-9);
            match spec.better {
                Better::More => Some(-change),
                Better::Less => Some(change),
                Better::Neither => None,
            }
        };
        let losses = self.usual.iter().zip(&run.measures).filter_map(worse);
        losses.map(|loss| loss.clamp(0.0, 1.0)).sum()
    }

    /// A run with a schedule, up to a time.
    fn trial(&self, schedule: &Schedule, seed: u64, until: f64) -> Result<Trial, BreakError> {
        let mut scenario = self.resolved.clone();
        let mut entries = scenario["disturbances"].as_array().cloned().unwrap_or_default();
        for line in schedule.lines() {
            let entry = read_disturbance(&line).map_err(BreakError::Scenario)?;
            entries.push(serde_json::to_value(entry).map_err(|error| BreakError::Odd(error.to_string()))?);
        }
        if let Value::Object(map) = &mut scenario {
            if !entries.is_empty() {
                map.insert("disturbances".into(), Value::Array(entries));
            }
            if let Some(Value::Object(run)) = map.get_mut("run") {
                run.insert("until".into(), json!(until));
                run.insert("seed".into(), json!(seed));
            }
        }
        let key = Key { scenario: Key::fingerprint(&scenario), seed };
        Ok(Trial { key, scenario: Arc::new(scenario) })
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// The mission was completed.
    Completed(RunFigures),
    /// It was not completed.
    NotCompleted(RunFigures),
    /// The program failed, which says nothing about the team.
    Broken,
}

/// The figures of a run at its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunFigures {
    /// When it ended. [s]
    pub time: f64,
    /// The share of the mission that was done.
    pub progress: f64,
    /// The measures that the goal names, if there is one.
    pub measures: Vec<Measured>,
}

impl End {
    pub(super) fn is_completed(&self) -> bool {
        matches!(self, End::Completed(_))
    }

    pub(super) fn is_not_completed(&self) -> bool {
        matches!(self, End::NotCompleted(_))
    }
}

/// Runs the mission and caches the results.
pub(super) struct Judge<'a> {
    /// The coordinator to defeat, then those to spare.
    pub sides: Vec<Side>,
    /// The seeds; the search uses the first.
    pub seeds: Vec<u64>,
    runner: Runner,
    budget: usize,
    requested: HashSet<Key>,
    /// Names of the measures that the goal asks for.
    asked: Vec<&'static str>,
    /// Number of runs in which the program failed (a bug), and the first error message.
    pub broken: (usize, Option<String>),
    tell: &'a mut dyn FnMut(usize),
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        sides: Vec<Side>,
        seeds: Vec<u64>,
        runner: Runner,
        budget: usize,
        tell: &'a mut dyn FnMut(usize),
    ) -> Judge<'a> {
        let asked = sides.first().map(Side::asked).unwrap_or_default();
        Judge { sides, seeds, runner, budget, requested: HashSet::new(), asked, broken: (0, None), tell }
    }

    /// How a run ended, from its results.
    pub(super) fn end(&self, outcome: &RunOutcome) -> End {
        let value = |name: &str| metrics::find(name).and_then(|(place, _)| outcome.value(place));
        let figures = RunFigures {
            time: value("time_s").unwrap_or_default(),
            progress: value("progress").unwrap_or_default(),
            measures: self.asked.iter().map(|name| (*name, value(name))).collect(),
        };
        match value("completed") {
            Some(completed) if completed > 0.5 => End::Completed(figures),
            _ => End::NotCompleted(figures),
        }
    }

    /// Number of distinct runs requested, whether done now or earlier.
    pub(super) fn runs(&self) -> usize {
        self.requested.len()
    }

    /// Does all these runs.
    fn ends(&mut self, trials: &[Trial]) -> Result<Vec<End>, BreakError> {
        let mut new: Vec<Key> =
            trials.iter().map(|t| t.key).filter(|key| !self.requested.contains(key)).collect();
        new.sort_unstable();
        new.dedup();
        if new.len() > self.left() {
            return Err(BreakError::BudgetUsedUp);
        }
        let before = self.requested.len();
        self.requested.extend(new);
        let mut count = before;
        let ended = self.runner.run(trials, &mut |_, _| {
            count += 1;
            (self.tell)(count);
        })?;
        if ended != Ended::Complete {
            return Err(BreakError::Interrupted);
        }
        let mut ends = Vec::with_capacity(trials.len());
        for trial in trials {
            ends.push(match self.runner.store.get(&trial.key) {
                Some(outcome @ RunOutcome::Done { .. }) => self.end(outcome),
                Some(RunOutcome::Failed { reason, .. }) => {
                    self.broken.0 += 1;
                    self.broken.1.get_or_insert_with(|| reason.clone());
                    End::Broken
                }
                None => return Err(BreakError::Odd("a finished run was not stored".into())),
            });
        }
        Ok(ends)
    }

    /// The ends of runs up to this many times the scenario's time limit.
    pub(super) fn within(
        &mut self,
        limits: f64,
        side: usize,
        schedule: &Schedule,
        seeds: &[u64],
    ) -> Result<Vec<End>, BreakError> {
        let Some(side) = self.sides.get(side) else { return Ok(Vec::new()) };
        let until = (side.until * limits).min(LATEST);
        let trials: Result<Vec<Trial>, BreakError> =
            seeds.iter().map(|seed| side.trial(schedule, *seed, until)).collect();
        self.ends(&trials?)
    }

    /// True if the mission is completed with all of these seeds, or clearly with none. Runs that complete early decide early; only the
    /// others need the whole time.
    fn all_are(
        &mut self,
        completed: bool,
        side: usize,
        schedule: &Schedule,
        seeds: &[u64],
    ) -> Result<bool, BreakError> {
        let Some(there) = self.sides.get(side) else { return Ok(true) };
        let soon: Result<Vec<Trial>, BreakError> =
            seeds.iter().map(|seed| there.trial(schedule, *seed, there.soon())).collect();
        let ends = self.ends(&soon?)?;
        if !completed && !ends.iter().all(End::is_not_completed) {
            return Ok(false);
        }
        let open = seeds.iter().zip(&ends).filter(|(_, end)| !end.is_completed());
        let open: Vec<u64> = open.map(|(seed, _)| *seed).collect();
        let limits = if completed { 1.0 } else { CLEARLY };
        let ends = self.within(limits, side, schedule, &open)?;
        Ok(ends.iter().all(|end| if completed { end.is_completed() } else { end.is_not_completed() }))
    }

    fn judge(&mut self, schedule: &Schedule, seeds: &[u64]) -> Result<ScheduleEffect, BreakError> {
        if !self.all_are(false, 0, schedule, seeds)? {
            return Ok(ScheduleEffect::Survived);
        }
        for side in 1..self.sides.len() {
            if !self.all_are(true, side, schedule, seeds)? {
                return Ok(ScheduleEffect::NotSpared);
            }
        }
        Ok(ScheduleEffect::Defeated)
    }
}

impl Evaluator for Judge<'_> {
    type Error = BreakError;

    fn left(&self) -> usize {
        self.budget.saturating_sub(self.requested.len())
    }

    /// If not completed soon: [`NOT_COMPLETED`] plus more the less was done. Otherwise the relative delay. In addition, how much worse
    /// the measures of a goal are.
    fn damage(&mut self, schedules: &[Schedule]) -> Result<Vec<f64>, BreakError> {
        let (Some(side), Some(seed)) = (self.sides.first(), self.seeds.first()) else {
            return Ok(Vec::new());
        };
        let side = side.clone();
        let (nominal, soon) = (side.nominal, side.soon());
        let trials: Result<Vec<Trial>, BreakError> =
            schedules.iter().map(|schedule| side.trial(schedule, *seed, soon)).collect();
        let ends = self.ends(&trials?)?;
        let damage = |end: &End| match end {
            End::Completed(run) => (run.time / nominal.max(1e-9) + side.loss(run)).min(NOT_COMPLETED - 1.0),
            End::NotCompleted(run) => NOT_COMPLETED + 1.0 - run.progress + side.loss(run),
            End::Broken => 0.0,
        };
        Ok(ends.iter().map(damage).collect())
    }

    /// The first seed alone rules out most schedules.
    fn verdict(&mut self, schedule: &Schedule) -> Result<ScheduleEffect, BreakError> {
        let (first, rest) = match self.seeds.split_first() {
            Some((first, rest)) => (*first, rest.to_vec()),
            None => return Ok(ScheduleEffect::Survived),
        };
        match self.judge(schedule, &[first])? {
            ScheduleEffect::Defeated if !rest.is_empty() => self.judge(schedule, &rest),
            verdict => Ok(verdict),
        }
    }
}
