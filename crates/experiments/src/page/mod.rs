//! The report of an experiment: one self-contained page.

mod figures;

pub use figures::{Drawn, draw};

use crate::analysis::{Analysis, NamedRun, amount, chance, signed};
use crate::metrics::find;
use crate::plan::{Cell, Plan, Purpose};
use crate::text;
use crewlab_figures::page::{Badge, Figure, Page, PageTable, Section, render};
use figures::Part;
use std::path::Path;

/// Default address under which the live laboratory opens runs; a key follows.
pub const REPLAY: &str = "http://127.0.0.1:8420/replay/";

/// Number of rows in the table of worst runs.
const MOST_WORST: usize = 30;

/// The page. `folder` is the results folder, for the commands shown.
pub fn page(plan: &Plan, analysis: &Analysis, figures: &[Drawn], folder: &Path) -> String {
    let drawn = |part: Part| {
        let of_part = figures.iter().filter(|figure| figure.part == part);
        of_part.map(|figure| Figure { caption: figure.caption.clone(), svg: figure.svg.clone() }).collect()
    };
    let mut sections = vec![Section {
        heading: "Results".into(),
        text: outcome(plan, analysis),
        table: Some(cells(plan, analysis)),
        figures: drawn(Part::RunOutcome),
        ..Section::default()
    }];
    if !analysis.comparisons.is_empty() {
        sections.push(Section {
            heading: "Significance of differences".into(),
            text: text::sentences(analysis).join(".\n\n") + ".",
            table: Some(comparisons(analysis)),
            figures: drawn(Part::Differences),
            ..Section::default()
        });
    }
    sections.extend(plan.endless().is_empty().then(|| Section {
        heading: "When the mission is completed".into(),
        text: "The share of runs that have completed the mission by a time, with its 95 % band (Kaplan-Meier). Runs that were not completed are censored at their end.".into(),
        figures: drawn(Part::Completion),
        ..Section::default()
    }));
    if figures.iter().any(|figure| figure.part == Part::Levels) {
        sections.push(Section {
            heading: "Effect of the levels".into(),
            figures: drawn(Part::Levels),
            ..Section::default()
        });
    }
    sections.push(Section {
        heading: "The team's work".into(),
        text: "Means over all runs in which the metric is defined; `crewlab list metrics` describes the metrics.".into(),
        table: Some(metrics(plan, analysis)),
        ..Section::default()
    });
    sections.push(Section {
        heading: "The worst runs".into(),
        text: "Every run can be repeated, alone or live. The links open a run in the browser while this command is running:".into(),
        code: format!("crewlab live {}", folder.display()),
        table: Some(worst(plan, analysis)),
        ..Section::default()
    });
    if !analysis.failed.is_empty() {
        sections.push(failed(plan, analysis));
    }
    sections.push(Section {
        heading: "The experiment".into(),
        text: asked(plan),
        code: plan.asked.clone(),
        ..Section::default()
    });
    sections.push(Section { heading: "Methods".into(), text: METHODS.into(), ..Section::default() });
    render(&Page {
        title: title(plan),
        lead: lead(plan, analysis),
        verdict: if analysis.runs == analysis.asked && analysis.failed.is_empty() {
            Badge::Completed
        } else {
            Badge::Stopped
        },
        facts: facts(plan, analysis),
        sections,
        tables: Vec::new(),
        footer: format!(
            "Run by crewlab {}. Tables beside this page: runs.csv (one row per run), cells.csv, comparisons.csv; plots in plots/.",
            analysis.crewlab
        ),
    })
}

const METHODS: &str = "Seeds are common to all cells: a seed stands for the same world, the same robots and the same disturbances, so cells are compared seed by seed. Where several other factors are varied, a seed counts once, with its mean over them.\n\n\
A run that does not complete its mission ends at the scenario's time limit, and its mission time counts as that limit (restricted mean). No run is left out of means for being slow, unless it exceeded the time allowed per run: such runs are listed as failed.\n\n\
Intervals of means and of differences are bootstrapped (BCa, 4,000 resamples of seeds); intervals of shares are Wilson's; bands of completion curves are log-log with Greenwood's variance. All are 95 %.\n\n\
Differences are tested with Wilcoxon's signed-rank test, completion with McNemar's exact test, and corrected for all comparisons of this experiment with Holm's method; below 0.05 they are called significant. Effect sizes are Cohen's d of the differences and the matched-pairs rank-biserial correlation.";

fn title(plan: &Plan) -> String {
    match plan.purpose {
        Purpose::Comparison => format!("{}: {} compared", plan.name, text::rivals(plan)),
        Purpose::Sweep | Purpose::Tuning | Purpose::Campaign => format!("{}: an experiment", plan.name),
    }
}

/// The most important result.
fn lead(plan: &Plan, analysis: &Analysis) -> String {
    let (place, metric) = analysis.main();
    let headline = text::headline(analysis, plan);
    let Some(first) = analysis.ranking.first() else { return headline };
    let best = &analysis.cells[*first];
    let mean = best.figures[place].as_ref().map_or("-".into(), |spread| amount(spread.mean, metric));
    format!("{headline} First by {}: {} with {mean}.", metric.title, best.title())
}

fn facts(plan: &Plan, analysis: &Analysis) -> Vec<(String, String)> {
    let completed: usize = analysis.cells.iter().map(|cell| cell.completed).sum();
    let fact = |name: &str, value: String| (name.to_string(), value);
    let completed = plan.completes().then(|| fact("Completed", completed.to_string()));
    let mut facts = vec![
        fact("Scenario", plan.scenario.clone()),
        fact("Cells", plan.cells.len().to_string()),
        fact("Seeds", plan.seeds.len().to_string()),
        fact("Runs", format!("{} of {}", analysis.runs, analysis.asked)),
    ];
    facts.extend(completed);
    facts.push(fact("Failed", analysis.failed.len().to_string()));
    facts
}

fn outcome(plan: &Plan, analysis: &Analysis) -> String {
    let (_, metric) = analysis.main();
    let ranked = match analysis.ranking.is_empty() {
        true => String::new(),
        false => format!("Ranked by the mean {}, the best first. ", metric.title),
    };
    let omnibus = analysis.any_difference.map_or(String::new(), |test| {
        let word = if test.p < crate::analysis::SIGNIFICANT {
            "They differ"
        } else {
            "They do not differ significantly"
        };
        format!("{word} (Friedman's test over all of them: {}). ", chance(test.p))
    });
    let failed = match analysis.failed.len() {
        0 => String::new(),
        n => format!(
            " {n} runs failed and are left out: cells may then be means over different seeds; the comparisons below are over seeds that both have."
        ),
    };
    let completion = match (plan.endless().is_empty(), plan.goal()) {
        (true, _) => "; runs that were not completed count with the time limit".to_string(),
        (false, Some(goal)) => {
            format!("; runs are completed if the goal `{}` holds at the time limit", goal.text())
        }
        (false, None) => String::new(),
    };
    format!("{ranked}{omnibus}Intervals are 95 %{completion}.{failed}")
}

/// A table whose first row is the head.
fn with_head(rows: Vec<Vec<String>>) -> PageTable {
    let mut rows = rows.into_iter();
    let columns = rows.next().unwrap_or_default();
    let rows: Vec<_> = rows.collect();
    PageTable { columns, filter: rows.len() > 20, rows, ..PageTable::default() }
}

fn cells(plan: &Plan, analysis: &Analysis) -> PageTable {
    // Values that need a single line are not wrapped.
    let whole = |cell: String| match cell.contains(" to ") {
        true => cell.replace(' ', "\u{a0}"),
        false => cell,
    };
    let rows = text::cells(analysis, plan).into_iter();
    with_head(rows.map(|row| row.into_iter().map(whole).collect()).collect())
}

fn comparisons(analysis: &Analysis) -> PageTable {
    let head = [
        "metric",
        "one",
        "other",
        "seeds",
        "difference",
        "95 % interval",
        "better : worse",
        "corrected p",
        "significant",
        "d",
        "r",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for comparison in &analysis.comparisons {
        let Some((_, metric)) = find(comparison.metric) else { continue };
        let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
        rows.push(vec![
            metric.title.into(),
            comparison.one.clone(),
            comparison.other.clone(),
            comparison.pairs.to_string(),
            signed(comparison.difference, metric),
            comparison.interval.map_or("-".into(), |interval| {
                format!("{} to {}", signed(interval.low, metric), signed(interval.high, metric))
            }),
            format!("{} : {}", comparison.better, comparison.worse),
            comparison.adjusted_p.map_or("-".into(), chance),
            if comparison.significant() { "yes".into() } else { "no".into() },
            number(comparison.cohens_dz),
            number(comparison.rank_biserial),
        ]);
    }
    with_head(rows)
}

/// A row per metric, a column per cell.
fn metrics(plan: &Plan, analysis: &Analysis) -> PageTable {
    /// The most columns that are readable.
    const MOST_CELLS: usize = 8;
    let order: Vec<usize> = match analysis.ranking.is_empty() {
        true => (0..plan.cells.len()).take(MOST_CELLS).collect(),
        false => analysis.ranking.iter().copied().take(MOST_CELLS).collect(),
    };
    let mut rows = vec![
        std::iter::once("mean of".to_string())
            .chain(order.iter().map(|cell| analysis.cells[*cell].title()))
            .collect::<Vec<String>>(),
    ];
    for (place, metric) in analysis.measured() {
        let mean = |cell: &usize| {
            let spread = analysis.cells[*cell].figures[place].as_ref();
            spread.map_or("-".into(), |spread| amount(spread.mean, metric))
        };
        rows.push(std::iter::once(metric.title.to_string()).chain(order.iter().map(mean)).collect());
    }
    let note = match plan.cells.len() > MOST_CELLS {
        true => format!("The first {MOST_CELLS} of {} cells; all are in cells.csv.", plan.cells.len()),
        false => String::new(),
    };
    PageTable { note, filter: false, ..with_head(rows) }
}

/// The key of a run in the live laboratory: the beginning of its cell's fingerprint, and the seed. So a report that is older than
/// the plan leads to the right run, or to none.
pub fn replay_key(cell: &Cell, seed: u64) -> String {
    format!("{}-{seed}", short(cell))
}

fn short(cell: &Cell) -> String {
    format!("{:032x}", cell.fingerprint)[..12].to_string()
}

/// The cell and the seed of a key.
pub fn replayed<'a>(plan: &'a Plan, key: &str) -> Option<(&'a Cell, u64)> {
    let (cell, seed) = key.split_once('-')?;
    Some((plan.cells.iter().find(|known| short(known) == cell)?, seed.parse().ok()?))
}

fn worst(plan: &Plan, analysis: &Analysis) -> PageTable {
    let (_, metric) = analysis.main();
    let mut rows = Vec::new();
    let mut links = Vec::new();
    let ranks = analysis.cells.iter().map(|cell| cell.worst.len()).max().unwrap_or(0);
    // The worst of every cell first, then the second worst of every cell.
    let all = (0..ranks).flat_map(|rank| {
        let run = move |(cell, figures): (usize, &crate::analysis::CellFigures)| {
            Some((cell, *figures.worst.get(rank)?))
        };
        analysis.cells.iter().enumerate().filter_map(run)
    });
    for (cell, NamedRun { seed, completed, value }) in all.take(MOST_WORST) {
        rows.push(vec![
            plan.cells[cell].title(),
            seed.to_string(),
            if completed { "yes".into() } else { "no".into() },
            amount(value, metric),
            "replay live".into(),
        ]);
        links.push(format!("{REPLAY}{}", replay_key(&plan.cells[cell], seed)));
    }
    let columns = ["cell", "seed", "completed", metric.title, ""].map(String::from).to_vec();
    PageTable { columns, rows, links, ..PageTable::default() }
}

fn failed(plan: &Plan, analysis: &Analysis) -> Section {
    let mut rows = vec![["cell", "seed", "how", "why"].map(String::from).to_vec()];
    for run in &analysis.failed {
        let title = plan.cells[run.cell].title();
        rows.push(vec![title, run.seed.to_string(), run.failure.to_string(), run.reason.clone()]);
    }
    Section {
        heading: "Runs that failed".into(),
        text: "These runs have no figures and are left out of everything above. `--resume --retry` tries them again.".into(),
        table: Some(with_head(rows)),
        ..Section::default()
    }
}

fn asked(plan: &Plan) -> String {
    let left_out = match plan.left_out {
        0 => String::new(),
        n => format!(" {n} seeds exceeded the budget and were left out."),
    };
    let factors = match plan.factors.is_empty() {
        true => "Only the seed was varied.".to_string(),
        false => {
            let names: Vec<&str> = plan.factors.iter().map(|factor| factor.name.as_str()).collect();
            format!("Varied: {}.", names.join(", "))
        }
    };
    format!("{factors}{left_out} The complete scenario of every cell is in plan.json.")
}
