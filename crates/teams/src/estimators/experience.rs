//! What a robot has learned about its costs: how much longer than planned its work took, and how often it failed, by the properties
//! that make a difference.

use super::evidence::{COLUMNS, Evidence};
use super::{Prospect, Reckoning, SHARES};
use crewlab_learn::{CostDistribution, Rounding};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of rows kept; the oldest are forgotten, so that a robot notices when the world changes.
pub const MOST_ROWS: usize = 200;
/// Number of rows that the plan counts as: with none of its own, a robot believes its plan.
const BELIEF: f64 = 2.0;
/// Overruns up to these limits are one state each, when properties are compared.
const OVERRUNS: [f64; 4] = [0.75, 1.1, 1.5, 2.5];

/// One attempt: what was known before, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What the robot observed, in the order of the columns.
    pub evidence: Evidence,
    /// The time it took as a share of the planned time; until it failed, if it did.
    pub overrun: f64,
    /// True if it failed.
    pub failed: bool,
}

impl Row {
    /// The state that properties are judged by.
    fn state(&self) -> usize {
        let over = OVERRUNS.iter().filter(|limit| self.overrun > **limit).count();
        if self.failed { OVERRUNS.len() + 1 } else { over }
    }
}

/// A robot's memory of its attempts, for its next run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The properties in the evidence.
    pub columns: Vec<String>,
    /// The attempts, the oldest first.
    pub rows: Vec<Row>,
}

impl Memory {
    /// What is wrong with it, if anything is.
    pub fn mistake(&self) -> Option<String> {
        if self.columns != COLUMNS {
            let (found, accepted) = (self.columns.join(", "), COLUMNS.join(", "));
            return Some(format!("the columns must be {accepted}, found {found}"));
        }
        let odd = self.rows.iter().find(|row| !(row.overrun.is_finite() && row.overrun >= 0.0))?;
        Some(format!("an overrun must be a number of at least 0, found {}", odd.overrun))
    }
}

/// The experience of one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    rows: Vec<Row>,
    /// The properties that drive its costs, by their places in [`COLUMNS`], the most telling first.
    causes: Vec<usize>,
}

impl Experience {
    /// The experience of earlier runs.
    pub fn new(memory: Option<&Memory>) -> Experience {
        let rows = memory.filter(|memory| memory.mistake().is_none()).map(|memory| memory.rows.clone());
        let mut rows = rows.unwrap_or_default();
        rows.drain(..rows.len().saturating_sub(MOST_ROWS));
        let causes = causes(&rows);
        Experience { rows, causes }
    }

    /// The memory for the next run.
    pub fn memory(&self) -> Memory {
        Memory { columns: COLUMNS.map(String::from).to_vec(), rows: self.rows.clone() }
    }

    /// The properties that drive its costs, the most telling first.
    pub fn causes(&self) -> impl Iterator<Item = &'static str> {
        self.causes.iter().map(|column| COLUMNS[*column])
    }

    /// Learns from an attempt.
    pub fn learn(&mut self, row: Row) {
        if !(row.overrun.is_finite() && row.overrun >= 0.0) {
            return;
        }
        if self.rows.len() >= MOST_ROWS {
            self.rows.remove(0);
        }
        self.rows.push(row);
        self.causes = causes(&self.rows);
    }

    /// The attempts like this one: those that agree in all causes, or if there are none, in all but the least telling one, and so on.
    fn similar(&self, evidence: &Evidence) -> Vec<&Row> {
        let agree = |row: &&Row, causes: &[usize]| {
            causes.iter().all(|column| row.evidence.0[*column] == evidence.0[*column])
        };
        let found = (0..=self.causes.len()).rev().map(|count| {
            let causes = &self.causes[..count];
            self.rows.iter().filter(|row| agree(row, causes)).collect::<Vec<_>>()
        });
        found.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default()
    }

    /// What a prospect will cost, by attempts like it and by the plan, at a share ς of outcomes or on average.
    pub fn reckon(&self, prospect: &Prospect, level: Option<f64>) -> Reckoning {
        let (planned, believed) = (prospect.planned(), prospect.with_failures());
        let rows = self.similar(&prospect.evidence);
        let lost = |row: &Row| if row.failed { prospect.utility.max(0.0) } else { 0.0 };
        let costs: Vec<f64> = rows.iter().map(|row| planned * row.overrun + lost(row)).collect();
        let times: Vec<f64> =
            rows.iter().filter(|row| !row.failed).map(|row| planned * row.overrun).collect();
        let (cost, time) = (Mixed::new(&costs, believed), Mixed::new(&times, believed));
        Reckoning {
            cost: cost.at(level),
            time: time.at(level),
            quantiles: SHARES.iter().map(|share| cost.at(Some(*share))).collect(),
            level,
        }
    }
}

/// Samples, and the plan's value that counts as a few more.
struct Mixed {
    mean: f64,
    spread: Option<CostDistribution>,
}

impl Mixed {
    fn new(samples: &[f64], believed: f64) -> Mixed {
        let count = samples.len() as f64;
        let mean = (samples.iter().sum::<f64>() + BELIEF * believed) / (count + BELIEF);
        let spread = || {
            let belief = CostDistribution::constant(believed).ok()?;
            let seen = CostDistribution::empirical(samples).ok()?;
            let share = count / (count + BELIEF);
            CostDistribution::mixture(&[(share, &seen), (1.0 - share, &belief)]).ok()
        };
        Mixed { mean, spread: spread() }
    }

    /// The quantile, or the mean. Without samples, or if they cannot be used, everything is as planned.
    fn at(&self, level: Option<f64>) -> f64 {
        match (level, &self.spread) {
            (Some(level), Some(spread)) => spread.quantile(level, Rounding::Interpolated),
            _ => self.mean,
        }
    }
}

/// The set of at most two properties that tells most about overruns, by BIC: the likelihood that they explain, minus a price for every combination
/// of their states that occurs. The most telling one on its own comes first.
fn causes(rows: &[Row]) -> Vec<usize> {
    let columns = 0..COLUMNS.len();
    let alone: Vec<f64> = columns.clone().map(|column| bic(rows, &[column])).collect();
    let mut best = (bic(rows, &[]), Vec::new());
    let mut consider = |set: Vec<usize>| {
        let score = bic(rows, &set);
        // Sums of logarithms of equal counts may differ in the last digit.
        if score > best.0 + 1e-9 {
            best = (score, set);
        }
    };
    columns.clone().for_each(|column| consider(vec![column]));
    columns.clone().for_each(|one| (one + 1..COLUMNS.len()).for_each(|other| consider(vec![one, other])));
    best.1.sort_by(|a, b| alone[*b].total_cmp(&alone[*a]).then(a.cmp(b)));
    best.1
}

/// BIC of the overruns given some properties: Σ N_jk ln(N_jk / N_j) - ½ ln N · q (r - 1), with the q combinations that occur.
fn bic(rows: &[Row], given: &[usize]) -> f64 {
    let mut groups: Vec<(Vec<&str>, [u32; OVERRUNS.len() + 2])> = Vec::new();
    for row in rows {
        let key: Vec<&str> = given.iter().map(|column| row.evidence.0[*column].as_str()).collect();
        let place = groups.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            groups.push((key, Default::default()));
            groups.len() - 1
        });
        groups[place].1[row.state()] += 1;
    }
    let term = |count: u32| if count == 0 { 0.0 } else { f64::from(count) * libm::log(f64::from(count)) };
    let fit = |counts: &[u32]| {
        counts.iter().map(|count| term(*count)).sum::<f64>() - term(counts.iter().sum::<u32>())
    };
    let states = (OVERRUNS.len() + 2) as f64;
    let price = 0.5 * libm::log(rows.len().max(1) as f64) * groups.len() as f64 * (states - 1.0);
    groups.iter().map(|(_, counts)| fit(counts)).sum::<f64>() - price
}

#[cfg(test)]
mod tests {
    use super::super::PlannedStep;
    use super::*;
    use proptest::prelude::*;

    fn evidence(site: &str) -> Evidence {
        Evidence(["fetch", site, "short", "first", "fast", "free"].map(String::from))
    }

    fn prospect(site: &str) -> Prospect {
        let steps = vec![PlannedStep { time: 40.0, success: 1.0 }];
        Prospect { utility: 600.0, steps, evidence: evidence(site), reliability: 0.75 }
    }

    fn row(site: &str, overrun: f64, failed: bool) -> Row {
        Row { evidence: evidence(site), overrun, failed }
    }

    #[test]
    fn without_experience_the_plan_is_believed() {
        let fresh = Experience::default();
        for level in [None, Some(0.1), Some(0.9)] {
            let reckoning = fresh.reckon(&prospect("0/0"), level);
            assert_eq!((reckoning.cost, reckoning.time), (40.0, 40.0));
        }
    }

    #[test]
    fn a_slow_place_is_learned_and_told_from_the_others() {
        let mut experience = Experience::default();
        for attempt in 0..20 {
            experience.learn(row(
                if attempt % 2 == 0 { "0/0" } else { "1/0" },
                [1.0, 3.0][attempt % 2],
                false,
            ));
        }
        assert_eq!(experience.causes().collect::<Vec<_>>(), ["site"]);
        // Ten attempts of 120 s and two believed ones of 40 s.
        let slow = experience.reckon(&prospect("1/0"), None).cost;
        assert!((slow - 1280.0 / 12.0).abs() < 1e-9, "{slow}");
        assert!((experience.reckon(&prospect("0/0"), None).cost - 40.0).abs() < 1e-9);
        assert_eq!(experience.reckon(&prospect("1/0"), Some(0.75)).cost, 120.0);
        // A place where it has never been is like all places together.
        assert!((experience.reckon(&prospect("9/9"), None).cost - (10.0 * 160.0 + 80.0) / 22.0).abs() < 1e-9);
    }

    #[test]
    fn failures_cost_the_utility_but_no_time_of_success() {
        let mut experience = Experience::default();
        (0..8).for_each(|attempt| experience.learn(row("0/0", 1.0, attempt % 2 == 0)));
        let reckoning = experience.reckon(&prospect("0/0"), None);
        assert!((reckoning.cost - (4.0 * 40.0 + 4.0 * 640.0 + 2.0 * 40.0) / 10.0).abs() < 1e-9);
        assert!((reckoning.time - 40.0).abs() < 1e-9);
        assert_eq!(experience.reckon(&prospect("0/0"), Some(0.9)).cost, 640.0);
    }

    #[test]
    fn constant_columns_and_single_rows_are_no_causes() {
        assert!(causes(&[]).is_empty());
        assert!(causes(&[row("0/0", 2.0, false)]).is_empty());
        assert!(causes(&vec![row("0/0", 2.0, true); 50]).is_empty());
    }

    #[test]
    fn a_memory_of_other_columns_is_refused() {
        let memory = Memory { columns: vec!["weather".into()], rows: Vec::new() };
        assert!(memory.mistake().expect("a mistake").contains("found weather"));
        let odd = Memory { rows: vec![row("0/0", f64::NAN, false)], ..Experience::default().memory() };
        assert!(odd.mistake().expect("a mistake").contains("NaN"));
        assert_eq!(Experience::new(Some(&odd)), Experience::default());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn estimates_are_numbers_and_quantiles_do_not_fall(
            rows in prop::collection::vec((0..4_u8, 0.0..1e6_f64, any::<bool>()), 0..100),
            planned in 0.0..1e6_f64,
        ) {
            let mut experience = Experience::default();
            for (site, overrun, failed) in rows {
                experience.learn(row(&site.to_string(), overrun, failed));
            }
            let mut prospect = prospect("1");
            prospect.steps[0].time = planned;
            let reckoning = experience.reckon(&prospect, Some(0.75));
            prop_assert!(reckoning.cost.is_finite() && reckoning.time.is_finite());
            prop_assert!(reckoning.quantiles.windows(2).all(|pair| pair[0] <= pair[1]));
            let again = Experience::new(Some(&experience.memory()));
            prop_assert_eq!(again, experience);
        }
    }
}
