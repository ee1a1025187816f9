//! Differences between two levels of a factor, seed by seed.

use super::Runs;
use crate::metrics::{Better, Metric};
use crate::plan::Plan;
use crewlab_statistics::{
    Bootstrap, Interval, bootstrap, cohens_dz, holm, mcnemar, mean, median, rank_biserial, wilcoxon,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// A difference is significant if its p value, corrected for all comparisons, is below this.
pub const SIGNIFICANT: f64 = 0.05;

/// With more levels than this, levels are compared with the first one only.
const MOST_FOR_ALL_PAIRS: usize = 6;

/// Two levels of a factor, compared seed by seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The metric.
    pub metric: &'static str,
    /// The factor.
    pub factor: String,
    /// One level.
    pub one: String,
    /// The other level.
    pub other: String,
    /// Seeds for which both are known.
    pub pairs: usize,
    /// The mean of one minus the other.
    pub difference: f64,
    /// Its 95 % interval, bootstrapped over seeds.
    pub interval: Option<Interval>,
    /// The median of one minus the other.
    pub median_difference: f64,
    /// Seeds for which one is better; for metrics without a better direction, those for which it is smaller.
    pub better: usize,
    /// Seeds for which the other is better.
    pub worse: usize,
    /// Seeds for which they are equal.
    pub equal: usize,
    /// The p value of Wilcoxon's signed-rank test, for shares of McNemar's.
    pub p: Option<f64>,
    /// The p value corrected for all comparisons of the experiment (Holm).
    pub adjusted_p: Option<f64>,
    /// Effect size: the mean difference over its standard deviation.
    pub cohens_dz: Option<f64>,
    /// Effect size from -1 to 1: matched-pairs rank-biserial correlation.
    pub rank_biserial: Option<f64>,
}

impl Comparison {
    /// True if the difference is significant.
    pub fn significant(&self) -> bool {
        self.adjusted_p.is_some_and(|p| p < SIGNIFICANT)
    }

    /// True if there are enough seeds for any difference to be significant, corrected for `family` comparisons: the smallest p value
    /// of a rank or sign test is a power of one half.
    pub fn could_be_significant(&self, family: usize) -> bool {
        let pairs = i32::try_from(self.pairs).unwrap_or(i32::MAX);
        2.0 * 0.5f64.powi(pairs.min(1000)) * (family.max(1) as f64) < SIGNIFICANT
    }
}

/// All comparisons of a plan in its metrics, corrected together.
pub(super) fn all(plan: &Plan, runs: &Runs, looked: &[(usize, &'static Metric)]) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (place, factor) in plan.factors.iter().enumerate() {
        let levels = plan.levels(place);
        // Points of a hypercube differ in all factors.
        if plan.is_lonely(place) {
            continue;
        }
        let bases = if levels.len() <= MOST_FOR_ALL_PAIRS { levels.len() } else { 1 };
        for (metric, described) in looked {
            let tables: Vec<Vec<BTreeMap<u64, f64>>> =
                levels.iter().map(|level| by_group(plan, runs, place, level, *metric)).collect();
            for base in 0..bases {
                for level in base + 1..levels.len() {
                    let pairs = pairs(&tables[level], &tables[base]);
                    let names = [factor.name.as_str(), levels[level], levels[base]];
                    found.extend(compare(described, names, &pairs));
                }
            }
        }
    }
    correct(&mut found);
    found
}

/// A metric by seed, for every combination of the other factors' levels.
fn by_group(plan: &Plan, runs: &Runs, factor: usize, level: &str, metric: usize) -> Vec<BTreeMap<u64, f64>> {
    let rest = |levels: &[String]| [&levels[..factor], &levels[factor + 1..]].concat();
    let mut groups: BTreeMap<Vec<String>, BTreeMap<u64, f64>> = BTreeMap::new();
    for (place, cell) in plan.cells.iter().enumerate() {
        let group = groups.entry(rest(&cell.levels)).or_default();
        if cell.levels[factor] == level {
            let values =
                plan.seeds.iter().filter_map(|seed| Some((*seed, runs.value(place, *seed, metric)?)));
            group.extend(values);
        }
    }
    groups.into_values().collect()
}

/// The two values of every seed. Runs of one seed under different other levels are not independent of each other, so
/// they count as one: their mean.
fn pairs(one: &[BTreeMap<u64, f64>], other: &[BTreeMap<u64, f64>]) -> Vec<(f64, f64)> {
    let mut seeds: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
    for (one, other) in one.iter().zip(other) {
        for (seed, value) in one {
            if let Some(against) = other.get(seed) {
                seeds.entry(*seed).or_default().push((*value, *against));
            }
        }
    }
    let middle = |values: Vec<(f64, f64)>| {
        let count = values.len() as f64;
        let sum = values.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        (sum.0 / count, sum.1 / count)
    };
    seeds.into_values().map(middle).collect()
}

fn compare(metric: &Metric, [factor, one, other]: [&str; 3], pairs: &[(f64, f64)]) -> Option<Comparison> {
    let differences: Vec<f64> = pairs.iter().map(|(one, other)| one - other).collect();
    let good = |difference: &&f64| match metric.better {
        Better::More => **difference > 0.0,
        Better::Less | Better::Neither => **difference < 0.0,
    };
    let equal = differences.iter().filter(|difference| **difference == 0.0).count();
    let better = differences.iter().filter(good).count();
    let worse = differences.len() - equal - better;
    let is_share =
        metric.name == "completed" && pairs.iter().all(|(a, b)| a.fract() == 0.0 && b.fract() == 0.0);
    let test = match is_share {
        true => mcnemar(better as u64, worse as u64),
        false => wilcoxon(&differences),
    };
    // Without any difference p is 1.
    let p = if equal == differences.len() { Some(1.0) } else { test.map(|test| test.p) };
    Some(Comparison {
        metric: metric.name,
        factor: factor.to_string(),
        one: one.to_string(),
        other: other.to_string(),
        pairs: differences.len(),
        difference: mean(&differences)?,
        interval: bootstrap(&differences, |values| mean(values).unwrap_or(f64::NAN), &Bootstrap::default()),
        median_difference: median(&differences)?,
        better,
        worse,
        equal,
        p,
        adjusted_p: None,
        cohens_dz: cohens_dz(&differences),
        rank_biserial: rank_biserial(&differences),
    })
}

/// Corrects all of them together.
fn correct(comparisons: &mut [Comparison]) {
    let p_values: Vec<f64> = comparisons.iter().filter_map(|comparison| comparison.p).collect();
    let adjusted = holm(&p_values).unwrap_or_default();
    let known = comparisons.iter_mut().filter(|comparison| comparison.p.is_some());
    known.zip(adjusted).for_each(|(comparison, p)| comparison.adjusted_p = Some(p));
}
