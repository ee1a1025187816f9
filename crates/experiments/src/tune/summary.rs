//! The summary of a tuning.

use super::spec::Goal;
use super::tuner::{Candidate, CandidateFate, Tuned};
use super::tuning::Tuning;
use super::verdict::{PairedComparison, RunResult, TuningVerdict};
use super::words::{probability, with_interval};
use crate::analysis::amount;
use crate::metrics::{self, Metric};
use crate::plan::Cell;
use crate::store::Store;
use serde::Serialize;
use std::fmt::Write;

/// The summary of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TuningSummary {
    /// Its name.
    pub name: String,
    /// The base scenario, as requested.
    pub scenario: String,
    /// The metric.
    #[serde(skip)]
    pub measure: &'static Metric,
    /// Its name.
    pub metric: &'static str,
    /// The metric's name in a sentence.
    pub title: &'static str,
    /// The metric's unit; may be empty.
    pub unit: &'static str,
    /// Which direction is better.
    pub goal: Goal,
    /// The parameters.
    pub parameters: Vec<Chosen>,
    /// The extent of the search.
    pub effort: SearchEffort,
    /// Number of the best candidate, from 1; the first is the default.
    pub best: usize,
    /// Default and best on the seeds of the search.
    pub search: PairedComparison,
    /// Default and best on the held-out seeds.
    pub held_out: PairedComparison,
    /// How much more gain the search seeds show than the held-out seeds; below 0 if less.
    pub optimism: Option<f64>,
    /// The verdict on the best candidate.
    pub verdict: TuningVerdict,
    /// The verdict as a sentence.
    pub sentence: String,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A parameter and its chosen value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// The scenario's key.
    pub key: String,
    /// The scenario's value.
    pub default: String,
    /// The best candidate's value.
    pub best: String,
    /// The bound that this value is at: `lowest` or `highest`.
    pub bound: Option<&'static str>,
}

/// The extent of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchEffort {
    /// Candidates, including the default.
    pub candidates: usize,
    /// Candidates that were given up because they were clearly worse than the best.
    pub given_up: usize,
    /// Unusable candidates.
    pub failed: usize,
    /// Runs of the search.
    pub runs: usize,
    /// Runs saved by giving candidates up.
    pub saved_runs: usize,
    /// Seeds of the search that count.
    pub seeds: usize,
    /// Held-out seeds.
    pub held_out: usize,
    /// True if every combination was tried.
    pub exhausted: bool,
}

/// The ends of a scenario's runs with respect to a metric.
pub(super) fn endings(cell: Option<&Cell>, seeds: &[u64], store: &Store, column: usize) -> Vec<RunResult> {
    let completed = metrics::find("completed").map_or(0, |(place, _)| place);
    let ending = |seed: &u64| {
        let outcome = cell.and_then(|cell| store.get(&cell.trial(*seed).key));
        let of = |column: usize| outcome.and_then(|outcome| outcome.value(column));
        RunResult { value: of(column), completed: of(completed) == Some(1.0) }
    };
    seeds.iter().map(ending).collect()
}

/// The summary of a complete tuning; `None` if it is not complete.
pub fn summary(tuning: &Tuning, tuned: &Tuned) -> Option<TuningSummary> {
    let which = tuned.best?;
    let (default, best) = (tuned.candidates.first()?, tuned.candidates.get(which)?);
    let compare = |seeds: &[u64]| {
        let of = |candidate: &Candidate| endings(candidate.cell.as_ref(), seeds, &tuned.store, tuning.column);
        PairedComparison::of(&of(default), &of(best))
    };
    let (search, held_out) = (compare(&tuned.seeds), compare(&tuning.held_out));
    let gains = (search.gain(tuning.goal), held_out.gain(tuning.goal));
    let verdict = if which == 0 { TuningVerdict::NothingBetter } else { held_out.verdict(tuning.goal) };
    let mut summary = TuningSummary {
        name: tuning.name.clone(),
        scenario: tuning.scenario.clone(),
        measure: tuning.metric,
        metric: tuning.metric.name,
        title: tuning.metric.title,
        unit: tuning.metric.unit,
        goal: tuning.goal,
        parameters: chosen(tuning, default, best, which),
        effort: effort(tuning, tuned),
        best: which + 1,
        search,
        held_out,
        optimism: gains.0.zip(gains.1).filter(|_| which > 0).map(|(promised, kept)| promised - kept),
        verdict,
        sentence: String::new(),
        warnings: Vec::new(),
    };
    summary.sentence = summary.in_words();
    summary.warnings = summary.to_mind(tuning, default);
    Some(summary)
}

fn chosen(tuning: &Tuning, default: &Candidate, best: &Candidate, which: usize) -> Vec<Chosen> {
    let of = |(place, parameter): (usize, &super::space::Parameter)| Chosen {
        name: parameter.name.clone(),
        key: parameter.key.clone(),
        default: default.shown.get(place).cloned().unwrap_or_default(),
        best: best.shown.get(place).cloned().unwrap_or_default(),
        bound: best.settings[place]
            .as_ref()
            .filter(|_| which > 0)
            .and_then(|setting| parameter.domain.bound(setting)),
    };
    tuning.space.parameters.iter().enumerate().map(of).collect()
}

fn effort(tuning: &Tuning, tuned: &Tuned) -> SearchEffort {
    let count = |fate: fn(&CandidateFate) -> bool| tuned.candidates.iter().filter(|c| fate(&c.fate)).count();
    let given_up = tuned.candidates.iter().filter(|candidate| candidate.fate == CandidateFate::GivenUp);
    SearchEffort {
        candidates: tuned.candidates.len(),
        given_up: count(|fate| *fate == CandidateFate::GivenUp),
        failed: count(|fate| matches!(fate, CandidateFate::Failed(_))),
        runs: tuned.runs,
        saved_runs: given_up.map(|candidate| tuned.seeds.len() - candidate.values.len()).sum(),
        seeds: tuned.seeds.len(),
        held_out: tuning.held_out.len(),
        exhausted: tuned.exhausted,
    }
}

impl TuningSummary {
    fn in_words(&self) -> String {
        let (title, held_out) = (self.title, &self.held_out);
        let difference = with_interval(held_out.difference, held_out.interval, self.measure);
        let evidence = format!("{difference}, {}", probability(held_out.p));
        match self.verdict {
            TuningVerdict::NothingBetter => format!(
                "Nothing better than the scenario as it is was found: {title} {} on the held-out seeds.",
                with_interval(held_out.default.mean, held_out.default.interval, self.measure)
            ),
            TuningVerdict::Holds => format!(
                "The improvement holds on seeds that the search has not seen: {title} changes by {evidence}. {}",
                self.optimism_in_words()
            ),
            TuningVerdict::Unclear => format!(
                "It is unclear whether this is an improvement: on seeds that the search has not seen, {title} changes by {evidence}, which may be chance. {}",
                self.optimism_in_words()
            ),
            TuningVerdict::Worse => format!(
                "This is not an improvement: on seeds that the search has not seen, {title} becomes worse by {evidence}. {}",
                self.optimism_in_words()
            ),
            TuningVerdict::Fails => format!(
                "This is not an improvement: on seeds that the search has not seen, {} of {} runs failed or have no value.",
                held_out.best.without_value, held_out.best.runs
            ),
        }
    }

    fn optimism_in_words(&self) -> String {
        let (Some(promised), Some(optimism)) = (self.search.gain(self.goal), self.optimism) else {
            return String::new();
        };
        let gain = format!("Of the gain of {} on the search seeds,", amount(promised, self.measure));
        match optimism {
            optimism if optimism <= 0.0 => format!("{gain} none was due to selection on these seeds."),
            optimism if optimism >= promised => format!("{gain} all was due to selection on these seeds."),
            optimism => format!(
                "{gain} {} ({:.0} %) was due to selection on these seeds.",
                amount(optimism, self.measure),
                100.0 * optimism / promised
            ),
        }
    }

    fn to_mind(&self, tuning: &Tuning, default: &Candidate) -> Vec<String> {
        let mut warnings = Vec::new();
        for parameter in &self.parameters {
            if let Some(bound) = parameter.bound {
                warnings.push(format!(
                    "the best `{}` ({}) is at the {bound} value allowed: there may be a better value beyond it",
                    parameter.name, parameter.best
                ));
            }
        }
        if let CandidateFate::Failed(reason) = &default.fate {
            warnings.push(format!("the scenario as it is failed: {reason}"));
        }
        let left_out = tuning.seeds.len() - self.effort.seeds;
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} of {} search seeds were left out: {} has no value there",
                tuning.seeds.len(),
                self.metric
            ));
        }
        let (before, after) = (&self.held_out.default, &self.held_out.best);
        if after.completed < before.completed {
            warnings.push(format!(
                "fewer missions are completed on the held-out seeds: {} instead of {} of {}",
                after.completed, before.completed, after.runs
            ));
        }
        if self.effort.held_out < 10 {
            warnings.push(format!(
                "{} held-out seeds are too few for a clear result: use 20 or more",
                self.effort.held_out
            ));
        }
        warnings
    }

    /// As a short text for a terminal.
    pub fn readable(&self) -> String {
        let mut text = String::new();
        let SearchEffort { candidates, given_up, failed, runs, saved_runs, seeds, held_out, exhausted } =
            self.effort;
        // Writing into a string cannot fail.
        let all = if exhausted { ", all possible ones" } else { "" };
        let _ = writeln!(
            text,
            "{}: {} {} of {}, {candidates} candidates{all} on {seeds} seeds",
            self.name,
            self.goal.name(),
            self.title,
            self.scenario
        );
        let _ = writeln!(
            text,
            "{runs} runs; {saved_runs} saved by giving up {given_up} candidates that were clearly worse{}",
            if failed > 0 { format!("; {failed} candidates cannot be used") } else { String::new() }
        );
        let _ = writeln!(text);
        let width = |of: fn(&Chosen) -> &str, least: usize| {
            self.parameters.iter().map(|chosen| of(chosen).chars().count()).fold(least, usize::max)
        };
        let (names, defaults) = (width(|chosen| &chosen.name, 9), width(|chosen| &chosen.default, 7));
        let _ = writeln!(text, "  {:<names$}  {:<defaults$}  best", "parameter", "default");
        for chosen in &self.parameters {
            let Chosen { name, default, best, .. } = chosen;
            let _ = writeln!(text, "  {name:<names$}  {default:<defaults$}  {best}");
        }
        let _ = writeln!(text);
        let row = |name: &str, comparison: &PairedComparison| {
            let PairedComparison { default, best, difference, interval, .. } = comparison;
            [
                name.to_string(),
                with_interval(default.mean, default.interval, self.measure),
                with_interval(best.mean, best.interval, self.measure),
                with_interval(*difference, *interval, self.measure),
                format!("{} -> {} of {}", default.completed, best.completed, best.runs),
            ]
        };
        let head = [self.title, "default", "best", "difference", "completed"].map(String::from);
        let rows = [
            head,
            row(&format!("{seeds} search seeds"), &self.search),
            row(&format!("{held_out} held-out seeds"), &self.held_out),
        ];
        let widths: [usize; 5] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for row in &rows {
            let cells: Vec<String> =
                row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
        }
        let _ = writeln!(text, "\n{}", self.sentence);
        text
    }

    /// The relative improvement of the best on the held-out seeds.
    pub fn share(&self) -> Option<String> {
        let (difference, default) = (self.held_out.difference?, self.held_out.default.mean?);
        (default != 0.0).then(|| format!("{:+} %", (1000.0 * difference / default.abs()).round() / 10.0))
    }
}
