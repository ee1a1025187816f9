//! What came out, cell by cell.

use super::Record;
use super::table::estimators;
use crate::plan::Plan;
use crewlab_lab::estimates::Accuracy;
use serde::Serialize;

/// Which maps count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// Those whose crowd the robot does not know.
    Limited,
    /// Those whose crowd it knows.
    Overview,
    /// All.
    Both,
}

impl Condition {
    /// All of them.
    pub const ALL: [Condition; 3] = [Condition::Limited, Condition::Overview, Condition::Both];

    /// True if a trial counts.
    pub fn counts(self, record: &Record) -> bool {
        match self {
            Condition::Limited => record.number("overview") == 0.0,
            Condition::Overview => record.number("overview") == 1.0,
            Condition::Both => true,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Limited => "limited",
            Condition::Overview => "overview",
            Condition::Both => "both",
        }
    }
}

/// One cell in one condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// The level of each factor.
    pub levels: Vec<String>,
    /// Which maps count.
    pub condition: Condition,
    /// Number of maps.
    pub maps: usize,
    /// Number of trials.
    pub trials: usize,
    /// Mean reward per map, as a share of 100.
    pub performance: f64,
    /// The same if maps were left before a trial of which the robot expects less than nothing, by its first estimator.
    pub performance_with_stops: Option<f64>,
    /// Collisions per map.
    pub errors_per_map: f64,
    /// Share of maps on which the short way was taken first.
    pub short_first: f64,
    /// What was changed from the first trial to the second.
    pub switches: Switches,
    /// How good each estimator was.
    pub estimators: Vec<EstimatorReport>,
}

/// Changes of the way from the first trial of a map to the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Switches {
    /// Second trials.
    pub second_trials: usize,
    /// Second trials on the other way.
    pub switched: usize,
    /// Second trials where the short way is more crowded.
    pub crowded_second_trials: usize,
    /// Those of them on the other way.
    pub crowded_switched: usize,
    /// Changes to the way with fewer objects.
    pub to_emptier: usize,
}

/// How good an estimator was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimatorReport {
    /// Its name.
    pub estimator: String,
    /// Estimates with a known outcome.
    pub decisions: u64,
    /// Share of estimates that were not above the reward.
    pub reliability: Option<f64>,
    /// Mean squared error relative to the variance of the rewards.
    pub relative_error: Option<f64>,
}

/// The rewards of the maps, and of the same maps if they had been left when nothing was expected.
pub(super) fn rewards<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<(f64, Option<f64>)> {
    let (mut rewards, mut left) = (Vec::new(), false);
    for record in records {
        let expected = record.expected.first().map(|expectation| expectation.reward);
        let Some(reward) = record.reward else { continue };
        if record.is_first() {
            left = false;
            rewards.push((reward, expected.map(|_| reward)));
        }
        if let (false, Some(last), Some(expected)) = (left, rewards.last_mut(), expected)
            && expected < 0.0
        {
            // What was paid before this trial remains.
            (last.1, left) = (last.1.map(|whole| whole - reward), true);
        }
    }
    rewards
}

pub(super) fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / (values.count().max(1)) as f64
}

impl CellSummary {
    /// All cells of a plan in all conditions that occur.
    pub fn all(plan: &Plan, records: &[Record]) -> Vec<CellSummary> {
        let mut all = Vec::new();
        for (cell, known) in plan.cells.iter().enumerate() {
            for condition in Condition::ALL {
                let counts = |record: &&Record| record.cell == cell && condition.counts(record);
                let own: Vec<&Record> = records.iter().filter(counts).collect();
                if !own.is_empty() {
                    all.push(CellSummary::of(known.levels.clone(), condition, &own, &estimators(records)));
                }
            }
        }
        all
    }

    fn of(levels: Vec<String>, condition: Condition, own: &[&Record], estimators: &[&str]) -> CellSummary {
        let rewards = rewards(own.iter().copied());
        let stopped: Option<Vec<f64>> = rewards.iter().map(|(_, stopped)| *stopped).collect();
        let maps = own.iter().filter(|record| record.is_first()).count();
        let first = own.iter().filter(|record| record.is_first() && record.way == "short").count();
        let touched: f64 = own.iter().map(|record| record.number("touched")).sum();
        let report = |name: &&str| {
            let mut accuracy = Accuracy::default();
            for record in own {
                let estimate = record.expected.iter().find(|expectation| expectation.estimator == **name);
                if let Some((estimate, reward)) = estimate.zip(record.reward) {
                    accuracy.add(estimate.reward, reward);
                }
            }
            EstimatorReport {
                estimator: name.to_string(),
                decisions: accuracy.decisions(),
                reliability: accuracy.reliability(),
                relative_error: accuracy.relative_error(),
            }
        };
        let estimators = estimators.iter().map(report).filter(|report| report.decisions > 0);
        CellSummary {
            levels,
            condition,
            maps,
            trials: own.len(),
            performance: mean(rewards.iter().map(|(reward, _)| reward / 100.0)),
            performance_with_stops: stopped.map(|all| mean(all.iter().map(|reward| reward / 100.0))),
            errors_per_map: touched / maps.max(1) as f64,
            short_first: first as f64 / maps.max(1) as f64,
            switches: Switches::of(own),
            estimators: estimators.collect(),
        }
    }
}

impl Switches {
    fn of(own: &[&Record]) -> Switches {
        let mut switches = Switches::default();
        for pair in own.windows(2).filter(|pair| pair[1].number("trial") == 2.0) {
            let (switched, crowded) = (pair[0].way != pair[1].way, pair[1].crowding() > 0.0);
            let fewer = if pair[1].way == "short" { pair[1].crowding() < 0.0 } else { crowded };
            switches.second_trials += 1;
            switches.switched += usize::from(switched);
            switches.crowded_second_trials += usize::from(crowded);
            switches.crowded_switched += usize::from(crowded && switched);
            switches.to_emptier += usize::from(switched && fewer);
        }
        switches
    }
}
