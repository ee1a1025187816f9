//! Results of a learning experiment: tables, files and a figure.

use super::{LearnError, LearningChains, Mean, MissionEnd, Pair};
use crate::table::Table;
use crewlab_figures::learning::{LearningFigure, Trend, TrendPoint, draw};
use crewlab_lab::run::{RunError, RunFolder};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::Path;

/// All teams in one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRow {
    /// The number of the run in the chain, from 1.
    pub run: usize,
    /// Mission time with the values learned so far. [s]
    pub learned_s: Mean,
    /// Missions with learned values that were not completed; they count with the time limit.
    pub learned_incomplete: usize,
    /// Mission time with the hand-set values. [s]
    pub hand_set_s: Option<Mean>,
    /// Missions with hand-set values that were not completed; they count with the time limit.
    pub hand_set_incomplete: usize,
    /// Learned minus hand-set, team by team on the same seed. [s]
    pub difference_s: Option<Mean>,
}

/// An experiment in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearningSummary {
    /// The scenario's name.
    pub scenario: String,
    /// The mission.
    pub mission: String,
    /// The strategy.
    pub strategy: &'static str,
    /// Teams.
    pub teams: usize,
    /// Runs at the beginning of each chain in the active learning phase.
    pub explore: usize,
    /// Fingerprint of all results: equal for equal scenario, plan and first seed.
    pub result_hash: String,
    /// All runs.
    pub runs: Vec<RunRow>,
}

fn times<'a>(
    pairs: impl Iterator<Item = &'a Pair>,
    of: impl Fn(&Pair) -> Option<MissionEnd>,
) -> (Vec<f64>, usize) {
    let endings: Vec<MissionEnd> = pairs.filter_map(of).collect();
    let incomplete = endings.iter().filter(|ending| !ending.completed).count();
    (endings.iter().map(|ending| ending.time_s).collect(), incomplete)
}

impl LearningChains {
    /// One row per run of the chain.
    pub fn rows(&self) -> Vec<RunRow> {
        let runs = self.teams.iter().map(|team| team.runs.len()).min().unwrap_or(0);
        (0..runs).filter_map(|run| self.row(run)).collect()
    }

    fn row(&self, run: usize) -> Option<RunRow> {
        let pairs = || self.teams.iter().map(|team| &team.runs[run]);
        let (learned, learned_incomplete) = times(pairs(), |pair| Some(pair.learned));
        let (hand_set, hand_set_incomplete) = times(pairs(), |pair| pair.hand_set);
        let differences: Vec<f64> =
            pairs().filter_map(|pair| Some(pair.learned.time_s - pair.hand_set?.time_s)).collect();
        Some(RunRow {
            run: run + 1,
            learned_s: Mean::of(&learned)?,
            learned_incomplete,
            hand_set_s: Mean::of(&hand_set),
            hand_set_incomplete,
            difference_s: Mean::of(&differences),
        })
    }

    /// The experiment in a few numbers.
    pub fn summary(&self) -> LearningSummary {
        let digest = Sha256::digest(self.table().to_csv());
        LearningSummary {
            scenario: self.scenario.clone(),
            mission: self.mission.clone(),
            strategy: self.strategy,
            teams: self.teams.len(),
            explore: self.explore,
            result_hash: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            runs: self.rows(),
        }
    }

    /// Every run of every team.
    fn table(&self) -> Table {
        let mut rows = Vec::new();
        for (team, career) in self.teams.iter().enumerate() {
            for (run, pair) in career.runs.iter().enumerate() {
                rows.push((team + 1, run + 1, pair.seed, "learned", pair.learned));
                rows.extend(pair.hand_set.map(|ending| (team + 1, run + 1, pair.seed, "hand-set", ending)));
            }
        }
        Table::default()
            .with_counts("team", rows.iter().map(|row| row.0))
            .with_counts("run", rows.iter().map(|row| row.1))
            .with_text("seed", rows.iter().map(|row| row.2.to_string()))
            .with_text("values", rows.iter().map(|row| row.3))
            .with_text("time_s", rows.iter().map(|row| format!("{:.3}", row.4.time_s)))
            .with_text("completed", rows.iter().map(|row| row.4.completed.to_string()))
    }

    /// The figure.
    pub fn figure(&self) -> String {
        let rows = self.rows();
        let point = |mean: &Mean| TrendPoint { low_s: mean.low(), mean_s: mean.mean, high_s: mean.high() };
        let learned: Vec<TrendPoint> = rows.iter().map(|row| point(&row.learned_s)).collect();
        let hand_set: Vec<TrendPoint> =
            rows.iter().filter_map(|row| row.hand_set_s.as_ref()).map(point).collect();
        let mut trends =
            vec![Trend { label: format!("learned values, strategy {}", self.strategy), points: learned }];
        if !hand_set.is_empty() {
            trends.push(Trend { label: "hand-set values, same seeds".into(), points: hand_set });
        }
        let explore = match self.explore {
            0 => String::new(),
            n => format!("; the first {n} runs are the active learning phase"),
        };
        draw(&LearningFigure {
            title: format!("Learning on the job: {}", self.scenario),
            subtitle: format!(
                "mean of {} teams with its 95 % confidence band; every run has another seed{explore}",
                self.teams.len()
            ),
            trends,
        })
    }

    /// Writes everything into a folder.
    pub fn write(&self, out: &Path, force: bool) -> Result<(), LearnError> {
        let folder = RunFolder::create_with(out, force, "learned")?;
        folder.write("learning.csv", &String::from_utf8_lossy(&self.table().to_csv()))?;
        folder.write("learning.svg", &self.figure())?;
        let digits = self.teams.len().to_string().len();
        for (team, career) in self.teams.iter().enumerate() {
            let number = team + 1;
            folder.write(&format!("learned/team-{number:0digits$}.json"), &career.memories.to_text())?;
        }
        let summary = self.summary();
        folder.write("summary.json", &pretty(&json!(summary)))?;
        // The manifest comes last: a folder without it is not finished.
        let manifest = json!({
            "crewlab": crewlab_lab::VERSION,
            "scenario": summary.scenario,
            "result_hash": summary.result_hash,
        });
        folder.write("manifest.json", &pretty(&manifest))?;
        folder.complete().map_err(LearnError::from)
    }
}

impl LearningSummary {
    /// A summary in words: the last run of the chains.
    pub fn sentence(&self) -> String {
        let Some(last) = self.runs.last() else { return "Nothing was run.".into() };
        let learned = format!(
            "In run {} the {} teams took {:.0} ± {:.0} s",
            last.run, self.teams, last.learned_s.mean, last.learned_s.half_width
        );
        match (&last.hand_set_s, &last.difference_s) {
            (Some(hand_set), Some(difference)) => format!(
                "{learned} with learned values and {:.0} ± {:.0} s with the hand-set ones: {:+.0} ± {:.0} s on the same seeds.",
                hand_set.mean, hand_set.half_width, difference.mean, difference.half_width
            ),
            _ => format!("{learned} with learned values."),
        }
    }

    /// Number of missions not completed: learned, hand-set.
    pub fn incomplete(&self) -> (usize, usize) {
        let sum = |of: fn(&RunRow) -> usize| self.runs.iter().map(of).sum();
        (sum(|row| row.learned_incomplete), sum(|row| row.hand_set_incomplete))
    }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Refuses an unusable folder before any work is done.
pub fn ensure_free(out: &Path, force: bool) -> Result<(), RunError> {
    RunFolder::create_with(out, force, "learned").map(drop)
}
