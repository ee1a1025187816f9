//! Results as text for a terminal.

use crate::analysis::{Analysis, CellFigures, Comparison, amount, chance, signed};
use crate::metrics::{Better, Metric, find};
use crate::plan::{Plan, Purpose};
use std::fmt::Write;

/// Longer tables are truncated: the whole one is in the folder.
const MOST_LINES: usize = 40;

/// The result in a page of text.
pub fn readable(analysis: &Analysis, plan: &Plan) -> String {
    let mut text = format!("{}\n\n", headline(analysis, plan));
    text += &table(&cells(analysis, plan));
    let sentences: Vec<String> = sentences(analysis);
    if !sentences.is_empty() {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "\nSeed by seed, corrected for {} comparisons (Holm):",
            analysis.comparisons.len()
        );
        for sentence in sentences.iter().take(MOST_LINES) {
            let _ = writeln!(text, "  {sentence}");
        }
        if sentences.len() > MOST_LINES {
            let _ = writeln!(text, "  ... and {} more in comparisons.csv", sentences.len() - MOST_LINES);
        }
    }
    for failed in analysis.failed.iter().take(5) {
        let (cell, seed) = (analysis.cells[failed.cell].title(), failed.seed);
        let _ = writeln!(text, "\nFailed: {cell}, seed {seed}, {}: {}", failed.failure, failed.reason);
    }
    if analysis.failed.len() > 5 {
        let _ = writeln!(text, "... and {} more failed runs in runs.csv", analysis.failed.len() - 5);
    }
    text
}

/// The experiment in one sentence.
pub fn headline(analysis: &Analysis, plan: &Plan) -> String {
    let what = match analysis.purpose {
        Purpose::Comparison => format!("{} {} on {}", plan.cells.len(), rivals(plan), analysis.scenario),
        Purpose::Sweep if plan.cells.len() == 1 => analysis.scenario.clone(),
        Purpose::Sweep | Purpose::Tuning | Purpose::Campaign => {
            format!("{} over {} cells", analysis.scenario, plan.cells.len())
        }
    };
    let seeds = match plan.seeds.len() {
        1 => "1 seed".to_string(),
        n => format!("{n} seeds"),
    };
    let missing = match analysis.asked - analysis.runs {
        0 => String::new(),
        n => format!("; {n} of {} runs are missing", analysis.asked),
    };
    format!("{what}, {seeds} each{missing}.")
}

/// What a comparison compares, in the plural.
pub fn rivals(plan: &Plan) -> String {
    plan.factors.first().map_or("cells".into(), |factor| format!("{}s", factor.name))
}

/// Rows of a table, the head first: one per cell, the best first if they are ranked.
pub fn cells(analysis: &Analysis, plan: &Plan) -> Vec<Vec<String>> {
    let metrics: Vec<(usize, &Metric)> = analysis.metrics.iter().filter_map(|name| find(name)).collect();
    let ranked = !analysis.ranking.is_empty();
    let mut head: Vec<String> = if ranked { vec!["".into()] } else { Vec::new() };
    head.extend(plan.factors.iter().map(|factor| factor.name.clone()));
    let completes = plan.completes();
    if completes {
        head.push("completed".into());
    }
    for (_, metric) in metrics.iter().filter(|(_, metric)| metric.name != "completed") {
        head.push(format!("mean {}", metric.title));
        head.push("95 % interval".into());
    }
    let order: Vec<usize> =
        if ranked { analysis.ranking.clone() } else { (0..analysis.cells.len()).collect() };
    let row = |(place, cell): (usize, &usize)| {
        let cell = &analysis.cells[*cell];
        let mut row: Vec<String> = if ranked { vec![format!("{}.", place + 1)] } else { Vec::new() };
        row.extend(cell.levels.iter().cloned());
        if completes {
            row.push(completed(cell));
        }
        for (index, metric) in metrics.iter().filter(|(_, metric)| metric.name != "completed") {
            let spread = cell.figures[*index].as_ref();
            row.push(spread.map_or("-".into(), |spread| amount(spread.mean, metric)));
            let interval = spread.and_then(|spread| spread.interval);
            row.push(interval.map_or("-".into(), |interval| {
                format!("{} to {}", amount(interval.low, metric), amount(interval.high, metric))
            }));
        }
        row
    };
    std::iter::once(head).chain(order.iter().enumerate().map(row)).collect()
}

/// Completed runs with their interval.
pub fn completed(cell: &CellFigures) -> String {
    let share = cell.completion.map_or(String::new(), |interval| {
        format!(" ({:.0} to {:.0} %)", interval.low * 100.0, interval.high * 100.0)
    });
    format!("{}/{}{share}", cell.completed, cell.runs)
}

/// Sentences about the comparisons: every comparison in the most important metric; for time and completion also the significant
/// ones, and a note on the rest.
pub fn sentences(analysis: &Analysis) -> Vec<String> {
    let (main, family) = (analysis.metrics[0], analysis.comparisons.len());
    // Names of coordinators and controllers need no explanation; a level needs the name of its factor.
    let say = |comparison: &Comparison| match analysis.purpose {
        Purpose::Comparison => sentence(comparison, family),
        _ => sentence(comparison, family).map(|words| format!("{}: {words}", comparison.factor)),
    };
    let mut sentences: Vec<String> = analysis.comparisons_in(main).filter_map(say).collect();
    for name in
        ["time_s", "completed"].into_iter().filter(|name| *name != main && analysis.metrics.contains(name))
    {
        let (yes, no): (Vec<&Comparison>, Vec<&Comparison>) =
            analysis.comparisons_in(name).partition(|comparison| comparison.significant());
        let significant = yes.len();
        let title = find(name).map_or(name, |(_, metric)| metric.title);
        sentences.extend(yes.into_iter().filter_map(say));
        match (significant, no.len()) {
            (_, 0) => {}
            (0, _) => sentences.push(format!("no significant differences in {title}")),
            (_, n) => {
                sentences.push(format!("no significant difference in {title} in the other {n} comparisons"))
            }
        }
    }
    sentences
}

/// One comparison as a sentence; `family` is the number of comparisons corrected together.
pub fn sentence(comparison: &Comparison, family: usize) -> Option<String> {
    let (_, metric) = find(comparison.metric)?;
    let Comparison { one, other, difference, .. } = comparison;
    let interval = comparison.interval.map_or(String::new(), |interval| {
        format!(" ({} to {})", signed(interval.low, metric), signed(interval.high, metric))
    });
    let chance = comparison.adjusted_p.map_or("p unknown".into(), chance);
    // A single run can move a mean; the number of seeds with a difference shows what the test is based on.
    let seeds = match (comparison.better, comparison.worse, metric.better) {
        (0, 0, _) => String::new(),
        (less, more, Better::Neither) => {
            format!(", less on {less} and more on {more} of {} seeds", comparison.pairs)
        }
        (better, worse, _) => {
            format!(", better on {better} and worse on {worse} of {} seeds", comparison.pairs)
        }
    };
    let by = format!("{}{interval}{seeds}, {chance}", signed(*difference, metric));
    let title = metric.title;
    if !comparison.significant() {
        return Some(match comparison.could_be_significant(family) {
            true => format!("{one} and {other}: no significant difference in {title}: {by}"),
            false => format!("{one} and {other}: too few seeds to tell in {title}: {by}"),
        });
    }
    // A few runs at the time limit may pull the mean one way while most seeds go the other way.
    let agree = comparison.rank_biserial.is_none_or(|ranks| ranks * difference > 0.0);
    let good = match metric.better {
        Better::Less => *difference < 0.0,
        Better::More => *difference > 0.0,
        Better::Neither => return Some(format!("{one} differs from {other} in {title}: {by}")),
    };
    Some(match (agree, good) {
        (false, _) => format!(
            "{one} differs from {other} in {title}, but means and most seeds disagree on who is better: {by}"
        ),
        (true, true) => format!("{one} is better than {other} in {title}: {by}"),
        (true, false) => format!("{one} is worse than {other} in {title}: {by}"),
    })
}

/// Rows with aligned columns.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows.iter().take(MOST_LINES) {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text += &format!("  {}\n", cells.join("  ").trim_end());
    }
    if rows.len() > MOST_LINES {
        text += &format!("  ... and {} more in cells.csv\n", rows.len() - MOST_LINES);
    }
    text
}
