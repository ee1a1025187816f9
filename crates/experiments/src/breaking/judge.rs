//! Evaluates schedules by running the mission.

use super::BreakError;
use super::mishap::Schedule;
use super::search::{Evaluator, NOT_COMPLETED, ScheduleEffect};
use crate::metrics;
use crate::plan::Trial;
use crate::runner::{Ended, Runner};
use crate::store::{Key, RunOutcome};
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
        }
    }

    /// The time by which temporary disturbances end, so that the whole mission fits in twice afterwards. [s]
    pub(super) fn over(&self) -> f64 {
        self.until - 2.0 * self.nominal
    }

    /// The time after which a run is treated as not ending. [s]
    fn soon(&self) -> f64 {
        (self.nominal * PATIENCE).min(self.until)
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
    /// The mission was completed, after this time. [s]
    Completed(f64),
    /// It was not completed; this share was done.
    NotCompleted(f64),
    /// The program failed, which says nothing about the team.
    Broken,
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
    asked: HashSet<Key>,
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
        Judge { sides, seeds, runner, budget, asked: HashSet::new(), broken: (0, None), tell }
    }

    /// Number of distinct runs requested, whether done now or earlier.
    pub(super) fn runs(&self) -> usize {
        self.asked.len()
    }

    /// Does all these runs.
    fn ends(&mut self, trials: &[Trial]) -> Result<Vec<End>, BreakError> {
        let mut new: Vec<Key> =
            trials.iter().map(|t| t.key).filter(|key| !self.asked.contains(key)).collect();
        new.sort_unstable();
        new.dedup();
        if new.len() > self.left() {
            return Err(BreakError::BudgetUsedUp);
        }
        let before = self.asked.len();
        self.asked.extend(new);
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
                Some(outcome @ RunOutcome::Done { .. }) => end(outcome),
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
        self.budget.saturating_sub(self.asked.len())
    }

    /// If not completed soon: [`NOT_COMPLETED`] plus more the less was done. Otherwise the relative delay.
    fn damage(&mut self, schedules: &[Schedule]) -> Result<Vec<f64>, BreakError> {
        let (Some(side), Some(seed)) = (self.sides.first(), self.seeds.first()) else {
            return Ok(Vec::new());
        };
        let (nominal, soon) = (side.nominal, side.soon());
        let trials: Result<Vec<Trial>, BreakError> =
            schedules.iter().map(|schedule| side.trial(schedule, *seed, soon)).collect();
        let ends = self.ends(&trials?)?;
        let damage = |end: &End| match end {
            End::Completed(time) => (time / nominal.max(1e-9)).min(NOT_COMPLETED - 1.0),
            End::NotCompleted(progress) => NOT_COMPLETED + 1.0 - progress,
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

/// How a run ended, from its results.
pub(super) fn end(outcome: &RunOutcome) -> End {
    let value =
        |name: &str| metrics::find(name).and_then(|(place, _)| outcome.value(place)).unwrap_or_default();
    if value("completed") > 0.5 {
        End::Completed(value("time_s"))
    } else {
        End::NotCompleted(value("progress"))
    }
}
