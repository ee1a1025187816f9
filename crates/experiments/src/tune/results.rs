//! The result files of a tuning.

use super::page;
use super::summary::TuningSummary;
use super::tuned_scenario;
use super::tuner::{Candidate, CandidateFate, Tuned};
use super::tuning::Tuning;
use crate::folder::FolderError;
use crate::table::{Data, Table};
use crewlab_statistics::mean;
use serde_json::json;

/// Writes tables, the tuned scenario, the page and the summary.
pub fn write(tuning: &Tuning, tuned: &Tuned, summary: &TuningSummary) -> Result<(), FolderError> {
    let folder = &tuned.folder;
    folder.write_table("candidates", &candidates(tuning, tuned))?;
    let best = tuned.candidates.get(summary.best - 1).and_then(|best| best.cell.as_ref());
    if let Some(best) = best {
        folder.write("tuned.yaml", tuned_scenario::text(summary, best).as_bytes())?;
    }
    for (name, figure) in page::plots(tuning, tuned, summary) {
        folder.write(&format!("plots/{name}.svg"), figure.svg.as_bytes())?;
    }
    folder.write("report.html", page::text(tuning, tuned, summary).as_bytes())?;
    // Written last: a folder without a summary is not complete.
    let text = format!("{:#}\n", json!(summary));
    folder.write("summary.json", text.as_bytes())
}

/// One row per candidate, in the order of the search.
fn candidates(tuning: &Tuning, tuned: &Tuned) -> Table {
    let all = &tuned.candidates;
    let mut table = Table::default().with_counts("candidate", 1..=all.len());
    for (place, parameter) in tuning.space.parameters.iter().enumerate() {
        table = table.with_text(&parameter.name, all.iter().map(|candidate| candidate.shown[place].clone()));
    }
    let measured = |candidate: &Candidate| mean(&candidate.values);
    let reason = |candidate: &Candidate| match &candidate.fate {
        CandidateFate::Failed(reason) => Some(reason.clone()),
        _ => None,
    };
    table
        .with_text("fate", all.iter().map(|candidate| candidate.fate.name()))
        .with_counts("runs", all.iter().map(|candidate| candidate.values.len()))
        .with_numbers("mean", all.iter().map(measured))
        .with_numbers("estimate", all.iter().map(|candidate| candidate.mean))
        .with("reason", Data::Text(all.iter().map(reason).collect()))
}
