//! The result files of an experiment: tables, statistics, a page.

use crate::analysis::Analysis;
use crate::folder::{ExperimentFolder, FolderError};
use crate::page;
use crate::plan::Plan;
use crate::store::Store;
use crate::table::{self, Table};

/// Writes all results for the runs that are in the store.
pub fn write(plan: &Plan, store: &Store, folder: &ExperimentFolder) -> Result<Analysis, FolderError> {
    let analysis = Analysis::of(plan, store);
    folder.write_table("runs", &table::runs(plan, store))?;
    folder.write_table("cells", &cells(plan, &analysis))?;
    folder.write_table("comparisons", &comparisons(&analysis))?;
    let figures = page::draw(plan, store, &analysis);
    for figure in &figures {
        folder.write(&format!("plots/{}.svg", figure.file), figure.svg.as_bytes())?;
    }
    let text = page::page(plan, &analysis, &figures, folder.path());
    folder.write("report.html", text.as_bytes())?;
    let text = serde_json::to_string_pretty(&analysis).unwrap_or_default();
    folder.write("summary.json", format!("{text}\n").as_bytes())?;
    Ok(analysis)
}

/// A row per cell.
fn cells(plan: &Plan, analysis: &Analysis) -> Table {
    let cells = &analysis.cells;
    let mut table = Table::default().with_counts("cell", 1..=cells.len());
    for (place, factor) in plan.factors.iter().enumerate() {
        table = table.with_text(&factor.name, cells.iter().map(|cell| cell.levels[place].as_str()));
    }
    table = table
        .with_counts("runs", cells.iter().map(|cell| cell.runs))
        .with_counts("failed", cells.iter().map(|cell| cell.failed))
        .with_counts("completed", cells.iter().map(|cell| cell.completed))
        .with_numbers("completion_low", cells.iter().map(|cell| Some(cell.completion?.low)))
        .with_numbers("completion_high", cells.iter().map(|cell| Some(cell.completion?.high)))
        .with_numbers("median_completion_s", cells.iter().map(|cell| cell.median_completion_s));
    for (place, metric) in analysis.measured().filter(|(_, metric)| metric.name != "completed") {
        let spreads = || cells.iter().map(|cell| cell.figures[place]);
        let name = |part: &str| format!("{}_{part}", metric.name);
        table = table
            .with_counts(&name("count"), spreads().map(|spread| spread.map_or(0, |spread| spread.count)))
            .with_numbers(&name("mean"), spreads().map(|spread| Some(spread?.mean)))
            .with_numbers(&name("low"), spreads().map(|spread| Some(spread?.interval?.low)))
            .with_numbers(&name("high"), spreads().map(|spread| Some(spread?.interval?.high)))
            .with_numbers(&name("sd"), spreads().map(|spread| spread?.deviation))
            .with_numbers(&name("median"), spreads().map(|spread| Some(spread?.median)))
            .with_numbers(&name("min"), spreads().map(|spread| Some(spread?.min)))
            .with_numbers(&name("max"), spreads().map(|spread| Some(spread?.max)));
    }
    table
}

/// A row per comparison.
fn comparisons(analysis: &Analysis) -> Table {
    let all = || analysis.comparisons.iter();
    Table::default()
        .with_text("metric", all().map(|comparison| comparison.metric))
        .with_text("factor", all().map(|comparison| comparison.factor.as_str()))
        .with_text("one", all().map(|comparison| comparison.one.as_str()))
        .with_text("other", all().map(|comparison| comparison.other.as_str()))
        .with_counts("pairs", all().map(|comparison| comparison.pairs))
        .with_numbers("difference", all().map(|comparison| Some(comparison.difference)))
        .with_numbers("low", all().map(|comparison| Some(comparison.interval?.low)))
        .with_numbers("high", all().map(|comparison| Some(comparison.interval?.high)))
        .with_numbers("median_difference", all().map(|comparison| Some(comparison.median_difference)))
        .with_counts("better", all().map(|comparison| comparison.better))
        .with_counts("worse", all().map(|comparison| comparison.worse))
        .with_counts("equal", all().map(|comparison| comparison.equal))
        .with_numbers("p", all().map(|comparison| comparison.p))
        .with_numbers("adjusted_p", all().map(|comparison| comparison.adjusted_p))
        .with_text("significant", all().map(|comparison| if comparison.significant() { "yes" } else { "no" }))
        .with_numbers("cohens_dz", all().map(|comparison| comparison.cohens_dz))
        .with_numbers("rank_biserial", all().map(|comparison| comparison.rank_biserial))
}
