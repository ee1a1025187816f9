//! The result of a campaign.

use super::setting::{FACTORS, command};
use super::{PlannedCampaign, RefusedSetting};
use crate::metrics;
use crate::plan::number;
use crate::store::{Failure, RunOutcome, Store};
use crewlab_lab::VERSION;
use crewlab_lab::run::Incomplete;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// The result of a campaign. Every run is counted once: completed, in one of the groups, or missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CampaignReport {
    /// The command.
    pub asked: String,
    /// The version of the program.
    pub crewlab: String,
    /// Number of settings.
    pub settings: usize,
    /// Number of seeds per setting.
    pub seeds: usize,
    /// Number of runs.
    pub runs: usize,
    /// Runs that completed their mission.
    pub completed: usize,
    /// Runs that did not, for a reason that no team could have done anything about.
    pub explained: usize,
    /// Runs that did not, for another reason.
    pub unexplained: usize,
    /// Runs that are not done yet.
    pub missing: usize,
    /// The causes: unexplained ones first, then by the number of runs.
    pub groups: Vec<CauseGroup>,
    /// For every factor its levels, with the number of runs and of those that were not completed and are unexplained.
    pub factors: Vec<(String, Vec<LevelCount>)>,
}

/// The runs at a level of a factor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LevelCount {
    /// The level.
    pub level: String,
    /// Runs that are done.
    pub runs: usize,
    /// Those that completed their mission.
    pub completed: usize,
    /// Those that did not and are unexplained.
    pub unexplained: usize,
}

/// Runs that were not completed for the same reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CauseGroup {
    /// The mission.
    pub mission: String,
    /// What the runs have in common.
    pub label: String,
    /// The cause's name.
    pub cause: String,
    /// True if physics or the design of the run explains it.
    pub explained: bool,
    /// The runs.
    pub runs: Vec<IncompleteRun>,
}

/// A run that was not completed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IncompleteRun {
    /// The level of each factor.
    pub levels: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The share of the mission that was done.
    pub progress: f64,
    /// The cause in a sentence.
    pub words: String,
    /// The command that shows it.
    pub command: String,
}

impl PlannedCampaign {
    /// The result so far.
    pub fn report(&self, store: &Store) -> CampaignReport {
        let plan = &self.plan;
        let mut builder = Builder::default();
        for (cell, request) in plan.cells.iter().zip(&self.requests) {
            for seed in &plan.seeds {
                match store.get(&cell.trial(*seed).key) {
                    None => builder.missing += 1,
                    Some(outcome) => {
                        let end = end(outcome);
                        builder.add(&cell.levels, *seed, end, || command(request, *seed));
                    }
                }
            }
        }
        for RefusedSetting { levels, request, reason } in &self.refused {
            for seed in &plan.seeds {
                builder.add(levels, *seed, Err((refused(reason), 0.0)), || command(request, *seed));
            }
        }
        let settings = plan.cells.len() + self.refused.len();
        let Builder { completed, missing, groups, mut factors } = builder;
        for counts in &mut factors {
            counts.sort_by(|one, other| in_order(&one.level, &other.level));
        }
        let mut groups: Vec<CauseGroup> = groups.into_values().collect();
        groups.sort_by_key(|group| (group.explained, Reverse(group.runs.len())));
        let count = |explained: bool| {
            groups.iter().filter(|group| group.explained == explained).map(|group| group.runs.len()).sum()
        };
        CampaignReport {
            asked: plan.asked.clone(),
            crewlab: VERSION.into(),
            settings,
            seeds: plan.seeds.len(),
            runs: settings * plan.seeds.len(),
            completed,
            explained: count(true),
            unexplained: count(false),
            missing,
            groups,
            factors: FACTORS.iter().map(|name| name.to_string()).zip(factors).collect(),
        }
    }
}

/// Numbers by their size, and before words.
fn in_order(one: &str, other: &str) -> Ordering {
    match (number(one), number(other)) {
        (Some((one, _)), Some((other, _))) => one.total_cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

/// How a run ended: completed, or the cause and the progress.
fn end(outcome: &RunOutcome) -> Result<(), (Incomplete, f64)> {
    let value = |name: &str| metrics::find(name).and_then(|(place, _)| outcome.value(place));
    match outcome {
        RunOutcome::Done { incomplete: Some(why), .. } => {
            Err((why.clone(), value("progress").unwrap_or_default()))
        }
        RunOutcome::Done { incomplete: None, .. } => Ok(()),
        RunOutcome::Failed { failure: Failure::Refused, reason } => Err((refused(reason), 0.0)),
        RunOutcome::Failed { failure, reason } => {
            let words = format!("the program failed ({failure}): {reason}");
            Err((
                Incomplete { cause: failure.to_string(), explained: false, label: words.clone(), words },
                0.0,
            ))
        }
    }
}

/// The cause of a run that was refused: it says before the run why it cannot work.
fn refused(reason: &str) -> Incomplete {
    let first = reason.split([';', '\n']).next().and_then(|text| text.split(". ").next()).unwrap_or_default();
    // Numbers differ from run to run.
    let mut label = String::new();
    for letter in first.chars() {
        match letter.is_ascii_digit() {
            true if label.ends_with('#') => {}
            true => label.push('#'),
            false => label.push(letter),
        }
    }
    Incomplete {
        cause: Failure::Refused.to_string(),
        explained: true,
        label: format!("refused before the run: {label}"),
        words: reason.to_string(),
    }
}

#[derive(Default)]
struct Builder {
    completed: usize,
    missing: usize,
    groups: BTreeMap<(bool, String, String), CauseGroup>,
    factors: [Vec<LevelCount>; FACTORS.len()],
}

impl Builder {
    fn add(
        &mut self,
        levels: &[String],
        seed: u64,
        end: Result<(), (Incomplete, f64)>,
        command: impl FnOnce() -> String,
    ) {
        let unexplained = matches!(&end, Err((why, _)) if !why.explained);
        for (counts, level) in self.factors.iter_mut().zip(levels) {
            let place = counts.iter().position(|count| count.level == *level).unwrap_or_else(|| {
                counts.push(LevelCount { level: level.clone(), ..LevelCount::default() });
                counts.len() - 1
            });
            counts[place].runs += 1;
            counts[place].completed += usize::from(end.is_ok());
            counts[place].unexplained += usize::from(unexplained);
        }
        match end {
            Ok(()) => self.completed += 1,
            Err((why, progress)) => {
                let mission = levels.first().cloned().unwrap_or_default();
                let Incomplete { cause, explained, label, words } = why;
                let key = (explained, mission.clone(), label.clone());
                let group = || CauseGroup { mission, label, cause, explained, runs: Vec::new() };
                let run =
                    IncompleteRun { levels: levels.to_vec(), seed, progress, words, command: command() };
                self.groups.entry(key).or_insert_with(group).runs.push(run);
            }
        }
    }
}

impl CauseGroup {
    /// The levels of a factor in this group with their numbers of runs, the most frequent first.
    pub fn spread(&self, factor: usize) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for level in self.runs.iter().filter_map(|run| run.levels.get(factor)) {
            *counts.entry(level).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        counts
    }
}
