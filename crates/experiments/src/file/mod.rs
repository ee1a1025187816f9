//! Experiment files: from YAML to a plan.

pub mod base;
pub(crate) mod design;
pub(crate) mod factor;
pub mod spec;

use crate::metrics::{self, METRICS, Metric};
use crate::plan::{Cell, Factor, Plan, Purpose, unit};
use crewlab_scenario::text::{Diagnostic, did_you_mean};
use crewlab_scenario::{Document, Problems, load, usable_as_folder};
use factor::{Change, Level, Range};
use serde_json::Value;
use spec::{DesignSpec, ExperimentSpec, SeedsSpec};
use std::path::Path;

/// The most cells that are accepted; more are taken for a mistake. A plan holds all their scenarios.
const MOST_CELLS: usize = 20_000;
/// The most seeds that are accepted; more are taken for a mistake.
const MOST_SEEDS: u64 = 1_000_000;
/// The most runs that are accepted; more do not fit into memory.
const MOST_RUNS: u64 = 10_000_000;
/// Columns of the table of runs that are neither factors nor metrics.
const COLUMNS: [&str; 5] = ["cell", "seed", "status", "reason", "result_hash"];

/// Why an experiment is refused.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file is wrong.
    #[error(transparent)]
    File(#[from] Problems),
    /// A scenario that it refers to is wrong.
    #[error("the cell `{cell}` cannot be run:\n{problems}")]
    Cell {
        /// A level is wrong.
        cell: String,
        /// The reason.
        problems: Problems,
    },
}

/// The schema of experiment files, for editors.
pub fn schema() -> Value {
    Document::<ExperimentSpec>::schema()
}

/// Reads an experiment file.
pub fn read(path: &Path) -> Result<Plan, PlanError> {
    let document = Document::<ExperimentSpec>::read(path, "an experiment file")?;
    plan(&document, path)
}

fn plan(document: &Document<ExperimentSpec>, path: &Path) -> Result<Plan, PlanError> {
    let spec = &document.value;
    let mut findings = Findings::new();
    let ranges: Vec<Range> = spec
        .factors
        .iter()
        .filter_map(|(name, value)| {
            let range = Range::of(document, name, value);
            range.map_err(|found| findings.extend(found)).ok()
        })
        .collect();
    let seeds = seeds(document, "seeds", &spec.seeds).unwrap_or_else(|found| {
        findings.extend(found);
        Vec::new()
    });
    findings.extend(check_metrics(document));
    findings.extend(check_names(document));
    let combinations = if findings.is_empty() { combinations(document, &ranges) } else { Ok(Vec::new()) };
    let combinations = combinations.unwrap_or_else(|found| {
        findings.extend(found);
        Vec::new()
    });
    if !findings.is_empty() {
        return Err(document.problems(findings).into());
    }
    let base = spec.base.request(path);
    let mut cells = Vec::with_capacity(combinations.len());
    for combination in combinations {
        let (levels, changes): (Vec<String>, Vec<Change>) = combination.into_iter().unzip();
        let mut request = base.clone();
        for change in changes {
            request.sets.extend(change.sets);
            request.disturbances.extend(change.disturbances);
        }
        let scenario = load(&request).map_err(|problems| match levels.len() {
            0 => PlanError::File(problems),
            _ => PlanError::Cell { cell: levels.join(", "), problems },
        })?;
        let cell = Cell::new(levels, &scenario);
        match cells.iter().find(|known: &&Cell| known.fingerprint == cell.fingerprint) {
            // Rounding to whole numbers may produce duplicates.
            Some(_) if spec.design == DesignSpec::LatinHypercube => {}
            Some(known) => {
                let message = format!(
                    "the cells `{}` and `{}` are the same scenario: a factor sets a value that another one overrides, or that changes nothing",
                    known.title(),
                    cell.title()
                );
                return Err(document.problems(wrong(document, "factors", message)).into());
            }
            None => cells.push(cell),
        }
    }
    if cells.len() as u64 * seeds.len() as u64 > MOST_RUNS {
        let message = format!(
            "{} cells with {} seeds each are more than {MOST_RUNS} runs: split the experiment",
            cells.len(),
            seeds.len()
        );
        return Err(document.problems(wrong(document, "seeds", message)).into());
    }
    let allowed = spec.budget.runs.map_or(u64::MAX, |runs| runs / cells.len().max(1) as u64);
    let kept = usize::try_from(allowed).unwrap_or(usize::MAX).min(seeds.len());
    if kept == 0 {
        let message = format!(
            "the budget allows fewer runs than there are cells ({}): not even one seed fits",
            cells.len()
        );
        return Err(document.problems(vec![document.error("budget.runs", message)]).into());
    }
    let factors = ranges.iter().enumerate().map(|(place, range)| Factor {
        name: range.name.clone(),
        unit: unit(cells.iter().map(|cell| cell.levels[place].as_str())),
    });
    Ok(Plan {
        name: spec.base.name(path),
        purpose: Purpose::Sweep,
        scenario: spec.base.scenario.clone(),
        asked: document.text().to_string(),
        factors: factors.collect(),
        left_out: seeds.len() - kept,
        seeds: seeds[..kept].to_vec(),
        metrics: spec.metrics.clone(),
        time: spec.budget.time,
        per_run: spec.budget.per_run,
        cells,
    })
}

/// An error in a file.
pub(crate) type Findings = Vec<Diagnostic>;

/// One error at its position.
pub(crate) fn wrong<T>(document: &Document<T>, path: &str, message: impl Into<String>) -> Findings {
    vec![document.error(path, message)]
}

/// The levels of every cell: their labels and their changes.
type Combination = Vec<Level>;

fn combinations(document: &Document<ExperimentSpec>, ranges: &[Range]) -> Result<Vec<Combination>, Findings> {
    let spec = &document.value;
    match (spec.design, spec.points) {
        (DesignSpec::Grid, Some(_)) => Err(wrong(
            document,
            "points",
            "`points` belongs to the Latin hypercube, but the design is a grid",
        )),
        (DesignSpec::Grid, None) => {
            let levels = ranges.iter().map(|range| range.levels(document)).collect::<Result<Vec<_>, _>>()?;
            let count = levels.iter().try_fold(1usize, |count, levels| count.checked_mul(levels.len()));
            match count.filter(|count| *count <= MOST_CELLS) {
                Some(_) => Ok(design::grid(&levels)),
                None => Err(wrong(
                    document,
                    "factors",
                    format!(
                        "there are more than {MOST_CELLS} combinations: leave out levels, or use `design: latin-hypercube`"
                    ),
                )),
            }
        }
        (DesignSpec::LatinHypercube, None) => {
            Err(wrong(document, "design", "a Latin hypercube needs `points`, e.g. `points: 50`"))
        }
        (DesignSpec::LatinHypercube, Some(_)) if ranges.is_empty() => {
            Err(wrong(document, "design", "a Latin hypercube needs `factors`"))
        }
        (DesignSpec::LatinHypercube, Some(points)) if points as usize > MOST_CELLS => {
            Err(wrong(document, "points", format!("at most {MOST_CELLS} points are accepted")))
        }
        (DesignSpec::LatinHypercube, Some(points)) => {
            let places = design::latin_hypercube(ranges.len(), points as usize);
            let cell = |place: Vec<f64>| ranges.iter().zip(place).map(|(range, at)| range.at(at)).collect();
            Ok(places.into_iter().map(cell).collect())
        }
    }
}

/// The seeds given by a key of a file.
pub(crate) fn seeds<T>(document: &Document<T>, key: &str, asked: &SeedsSpec) -> Result<Vec<u64>, Findings> {
    let (first, count) = match asked {
        SeedsSpec::Count(count) => (1, *count),
        SeedsSpec::Range(range) => (range.first, range.count),
        SeedsSpec::List(list) => {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                let message = format!("the seed {} is given twice: it would give the same run", twice[0]);
                return Err(wrong(document, key, message));
            }
            if list.is_empty() {
                return Err(wrong(document, key, "the list of seeds is empty"));
            }
            return match list.iter().find(|seed| **seed > i64::MAX as u64) {
                Some(seed) => Err(wrong(document, key, format!("the seed {seed} is too large"))),
                None => Ok(list.clone()),
            };
        }
    };
    let end = first.checked_add(count).filter(|end| *end <= i64::MAX as u64);
    match end.filter(|_| count > 0 && count <= MOST_SEEDS) {
        Some(end) => Ok((first..end).collect()),
        None => {
            let message = format!("from 1 to {MOST_SEEDS} seeds below 2^63 are accepted");
            Err(wrong(document, key, message))
        }
    }
}

/// Refuses invalid names for the results.
pub(crate) fn check_name<T>(document: &Document<T>, name: Option<&str>) -> Findings {
    let Some(name) = name.filter(|name| !usable_as_folder(name)) else { return Findings::new() };
    let message =
        format!("a name must be usable as a folder (no slashes, no dot in front, not empty), found `{name}`");
    wrong(document, "name", message)
}

/// Reserved names.
fn check_names(document: &Document<ExperimentSpec>) -> Findings {
    let spec = &document.value;
    let mut findings = check_name(document, spec.base.name.as_deref());
    for name in spec.factors.keys() {
        if metrics::find(name).is_some() || COLUMNS.contains(&name.as_str()) {
            let message = format!(
                "`{name}` is a column of the table already: give the factor another name, and add `key: {name}` if you mean that key"
            );
            findings.extend(wrong(document, &format!("factors.{name}"), message));
        }
    }
    for (index, name) in spec.metrics.iter().enumerate() {
        if spec.metrics[..index].contains(name) {
            findings.extend(wrong(document, &format!("metrics.{index}"), format!("`{name}` is given twice")));
        }
    }
    findings
}

fn check_metrics(document: &Document<ExperimentSpec>) -> Vec<Diagnostic> {
    let unknown = |(index, name): (usize, &String)| metric(document, &format!("metrics.{index}"), name).err();
    document.value.metrics.iter().enumerate().filter_map(unknown).flatten().collect()
}

/// The metric named by a key of a file, and its index.
pub(crate) fn metric<T>(
    document: &Document<T>,
    key: &str,
    name: &str,
) -> Result<(usize, &'static Metric), Findings> {
    metrics::find(name).ok_or_else(|| {
        let names = METRICS.iter().map(|metric| metric.name);
        let meant = did_you_mean(name, names.clone()).map(|name| format!("did you mean `{name}`?"));
        let accepted = format!("there are {}", names.collect::<Vec<_>>().join(", "));
        let found = document.error(key, format!("there is no metric `{name}`"));
        vec![found.with_help(meant.into_iter().chain([accepted]))]
    })
}

/// The label of a level.
pub(crate) fn label(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
