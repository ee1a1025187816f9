//! A campaign's result as text for a terminal.

use super::report::{CampaignReport, CauseGroup};
use super::setting::FACTORS;
use crate::plan::number;
use std::fmt::Write;

/// Number of runs of a group that are shown.
const MOST_RUNS: usize = 3;
/// Number of levels of a factor that are shown.
const MOST_LEVELS: usize = 6;

/// The result in words.
pub fn headline(report: &CampaignReport) -> String {
    let CampaignReport { settings, seeds, completed, explained, unexplained, missing, .. } = report;
    let missing = if *missing > 0 { format!(", {missing} not done yet") } else { String::new() };
    format!(
        "{} ({settings} settings, seeds per setting: {seeds}): {completed} completed, {explained} not completed and explained, {unexplained} not completed and unexplained{missing}.",
        runs(report.runs)
    )
}

/// The result in a page of text.
pub fn readable(report: &CampaignReport) -> String {
    let mut text = format!("{}\n", headline(report));
    for group in &report.groups {
        // Writing into a string cannot fail.
        let word = if group.explained { "explained" } else { "UNEXPLAINED" };
        let _ = writeln!(text, "\n{word}: {}: {} ({})", group.mission, group.label, runs(group.runs.len()));
        if !group.explained {
            for (factor, name) in FACTORS.iter().enumerate().skip(1) {
                let _ = writeln!(text, "  {name:<12} {}", spread(group, factor));
            }
        }
        for run in group.runs.iter().take(if group.explained { 1 } else { MOST_RUNS }) {
            let _ =
                writeln!(text, "  {:.0} % done: {}\n    {}", run.progress * 100.0, run.words, run.command);
        }
    }
    text
}

/// A number of runs, in words.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".into() } else { format!("{count} runs") }
}

/// The levels of a factor in a group: a range of numbers, or the most frequent levels with their numbers of runs.
pub(super) fn spread(group: &CauseGroup, factor: usize) -> String {
    let levels = group.spread(factor);
    let numbers: Option<Vec<f64>> = levels
        .iter()
        .map(|(level, _)| number(level).filter(|(_, unit)| unit.is_empty()).map(|(n, _)| n))
        .collect();
    if let Some(numbers) = numbers.filter(|numbers| numbers.len() > MOST_LEVELS) {
        let (low, high) = numbers
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(*n), high.max(*n)));
        return format!("{low} to {high}");
    }
    let mut words: Vec<String> =
        levels.iter().take(MOST_LEVELS).map(|(level, count)| format!("{level} ({count})")).collect();
    if levels.len() > MOST_LEVELS {
        words.push(format!("{} more", levels.len() - MOST_LEVELS));
    }
    words.join(", ")
}
