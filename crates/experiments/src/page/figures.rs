//! Figures of an experiment.

use crate::analysis::{Analysis, Runs, SIGNIFICANT, looked_at};
use crate::metrics::{Better, Metric};
use crate::plan::{Plan, number};
use crate::store::Store;
use crewlab_figures::degradation::{
    self, DegradationFigure, DegradationGroup, DegradationPanel, DegradationPoint,
};
use crewlab_figures::forest::{self, ForestFigure, ForestRow};
use crewlab_figures::spread::{self, SpreadFigure, SpreadGroup};
use crewlab_figures::survival::{self, SurvivalFigure, SurvivalGroup};
use crewlab_statistics::Interval;
use std::collections::BTreeMap;

/// The section that a figure belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    RunOutcome,
    Differences,
    Completion,
    Levels,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub(super) part: Part,
    /// Its file name, without extension.
    pub file: String,
    /// Its caption.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}

/// The most groups that can be told apart in one figure.
const MOST_ROWS: usize = 30;
const MOST_CURVES: usize = 8;

/// All figures.
pub fn draw(plan: &Plan, store: &Store, analysis: &Analysis) -> Vec<Drawn> {
    let runs = Runs::new(plan, store);
    let order: Vec<usize> = match analysis.ranking.is_empty() {
        true => (0..plan.cells.len()).collect(),
        false => analysis.ranking.clone(),
    };
    let mut figures = vec![spreads(plan, &runs, analysis, &order)];
    // Missions without an end all take until the time limit.
    figures.extend(plan.endless().is_empty().then(|| completion(plan, &runs, &order)));
    figures.extend(differences(plan, analysis));
    figures.extend((0..plan.factors.len()).filter_map(|factor| levels(plan, analysis, factor)));
    figures
}

/// Values for display: shares in per cent.
fn shown(metric: &Metric) -> (f64, String) {
    if metric.is_share() { (100.0, "%".into()) } else { (1.0, metric.unit.into()) }
}

fn scaled(interval: Option<Interval>, factor: f64) -> Option<Interval> {
    interval.map(|interval| Interval { low: interval.low * factor, high: interval.high * factor })
}

fn spreads(plan: &Plan, runs: &Runs, analysis: &Analysis, order: &[usize]) -> Drawn {
    let (place, metric) = analysis.main();
    let (factor, unit) = shown(metric);
    // The time of a run that was not completed is unknown, so it is drawn separately.
    let censored = metric.name == "time_s";
    let mut limit: Option<f64> = None;
    let group = |cell: &usize| {
        let lifetimes = runs.lifetimes(*cell);
        let unfinished = lifetimes.iter().filter(|lifetime| censored && !lifetime.observed);
        let ends = unfinished.clone().map(|lifetime| lifetime.time).reduce(f64::max);
        limit = limit.into_iter().chain(ends).reduce(f64::max);
        let values = match censored {
            true => {
                lifetimes.iter().filter(|lifetime| lifetime.observed).map(|lifetime| lifetime.time).collect()
            }
            false => runs.values(*cell, place).iter().map(|value| value * factor).collect::<Vec<f64>>(),
        };
        let figures = analysis.cells[*cell].figures[place];
        SpreadGroup {
            name: plan.cells[*cell].title(),
            values,
            unfinished: unfinished.count(),
            mean: figures.map(|spread| spread.mean * factor),
            interval: scaled(analysis.cells[*cell].interval(place), factor),
        }
    };
    let groups: Vec<SpreadGroup> = order.iter().take(MOST_ROWS).map(group).collect();
    let cut = match order.len() > MOST_ROWS {
        true => format!(" The first {MOST_ROWS} of {} cells.", order.len()),
        false => String::new(),
    };
    let svg = spread::draw(&SpreadFigure {
        title: format!("{}: {}", plan.name, metric.title),
        subtitle: format!("{} seeds, the same for all", plan.seeds.len()),
        what: metric.title.into(),
        unit,
        censored,
        limit,
        groups,
    });
    Drawn {
        part: Part::RunOutcome,
        file: "spread".into(),
        caption: match censored {
            true => format!(
                "A dot per run; a box for the middle half, with the median; the mean with its 95 % interval. Runs that were not completed are hollow and count in the mean with the time limit.{cut}"
            ),
            false => format!(
                "A dot per run; a box for the middle half, with the median; the mean with its 95 % interval.{cut}"
            ),
        },
        svg,
    }
}

fn completion(plan: &Plan, runs: &Runs, order: &[usize]) -> Drawn {
    let groups: Vec<SurvivalGroup> = order
        .iter()
        .take(MOST_CURVES)
        .map(|cell| SurvivalGroup { name: plan.cells[*cell].title(), lifetimes: runs.lifetimes(*cell) })
        .collect();
    let times = groups.iter().flat_map(|group| &group.lifetimes);
    // If everything is completed early, the rest of the time is not shown.
    let until_s = times.map(|lifetime| lifetime.time).fold(1.0, f64::max);
    let cut = match order.len() > MOST_CURVES {
        true => format!(" The first {MOST_CURVES} of {} cells.", order.len()),
        false => String::new(),
    };
    Drawn {
        part: Part::Completion,
        file: "completion".into(),
        caption: format!(
            "Share of runs that have completed the mission by a given time, with 95 % bands.{cut}"
        ),
        svg: survival::draw(&SurvivalFigure {
            title: format!("{}: missions completed", plan.name),
            subtitle: "share of runs by simulated time".into(),
            until_s,
            groups,
        }),
    }
}

fn differences(plan: &Plan, analysis: &Analysis) -> Option<Drawn> {
    let (_, metric) = analysis.main();
    let (factor, unit) = shown(metric);
    let several = plan.factors.len() > 1;
    let rows: Vec<ForestRow> = analysis
        .comparisons_in(metric.name)
        .take(MOST_ROWS)
        .map(|comparison| ForestRow {
            name: match several {
                true => format!("{}: {} - {}", comparison.factor, comparison.one, comparison.other),
                false => format!("{} - {}", comparison.one, comparison.other),
            },
            estimate: Some(comparison.difference * factor),
            interval: scaled(comparison.interval, factor),
            p: comparison.adjusted_p,
            significant: comparison.significant(),
            pairs: comparison.pairs,
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let (below, above) = match (metric.name, metric.better) {
        ("time_s", _) => ("the first is faster", "the first is slower"),
        (_, Better::Less) => ("the first is better", "the first is worse"),
        (_, Better::More) => ("the first is worse", "the first is better"),
        (_, Better::Neither) => ("the first has less", "the first has more"),
    };
    Some(Drawn {
        part: Part::Differences,
        file: "differences".into(),
        caption: format!(
            "Mean differences in {}, seed by seed, with 95 % intervals; filled where the corrected p is below {SIGNIFICANT}.",
            metric.title
        ),
        svg: forest::draw(&ForestFigure {
            title: format!("{}: differences in {}", plan.name, metric.title),
            subtitle: "the first minus the second, on the same seeds".into(),
            what: format!("difference in {}", metric.title),
            unit,
            below: below.into(),
            above: above.into(),
            p_label: "p (Holm)".into(),
            rows,
        }),
    })
}

/// Metrics against the levels of a numeric factor; one line per combination of the other factors' levels.
fn levels(plan: &Plan, analysis: &Analysis, factor: usize) -> Option<Drawn> {
    let described = &plan.factors[factor];
    let unit = described.unit.clone()?;
    if plan.levels(factor).len() < 2 {
        return None;
    }
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let mut order: Vec<Vec<String>> = Vec::new();
    for (place, cell) in plan.cells.iter().enumerate() {
        let rest = [&cell.levels[..factor], &cell.levels[factor + 1..]].concat();
        if !order.contains(&rest) {
            order.push(rest.clone());
        }
        groups.entry(rest).or_default().push(place);
    }
    // The points of a hypercube differ in all other factors.
    if plan.is_lonely(factor) {
        groups = BTreeMap::from([(Vec::new(), (0..plan.cells.len()).collect())]);
        order = vec![Vec::new()];
    }
    let panels = looked_at(plan).into_iter().take(4).map(|(place, metric)| {
        let groups = order.iter().take(MOST_CURVES).map(|rest| {
            let cells = groups.get(rest).into_iter().flatten();
            let point = |cell: &usize| point(plan, analysis, *cell, factor, place, metric);
            let name = if rest.is_empty() { metric.title.to_string() } else { rest.join(", ") };
            DegradationGroup { name, points: cells.filter_map(point).collect() }
        });
        DegradationPanel {
            what: if metric.name == "completed" {
                "completed runs".into()
            } else {
                format!("mean {}", metric.title)
            },
            unit: shown(metric).1,
            share: metric.is_share(),
            groups: groups.collect(),
        }
    });
    Some(Drawn {
        part: Part::Levels,
        file: format!("levels-{}", file_name(&described.name)),
        caption: format!("Means with 95 % intervals against {}.", described.name),
        svg: degradation::draw(&DegradationFigure {
            title: format!("{}: against {}", plan.name, described.name),
            subtitle: format!("{} seeds per level", plan.seeds.len()),
            level: described.name.clone(),
            level_unit: unit,
            panels: panels.collect(),
            note: "Runs that were not completed count with the time limit.".into(),
        }),
    })
}

fn point(
    plan: &Plan,
    analysis: &Analysis,
    cell: usize,
    factor: usize,
    place: usize,
    metric: &Metric,
) -> Option<DegradationPoint> {
    let (level, _) = number(&plan.cells[cell].levels[factor])?;
    let figures = &analysis.cells[cell];
    let value = figures.figures[place]?.mean;
    let partial = metric.name == "time_s" && figures.completed < figures.runs;
    Some(DegradationPoint { level, value, interval: figures.interval(place), partial })
}

/// Replaces characters that some file systems do not allow.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
