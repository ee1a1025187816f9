//! Whether the best candidate is better on seeds that the search has not seen.

use super::spec::Goal;
use crate::analysis::SIGNIFICANT;
use crewlab_statistics::{Bootstrap, Interval, bootstrap, mean, rank_biserial, wilcoxon};
use serde::Serialize;

/// The results of one scenario on some seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Runs.
    pub runs: usize,
    /// Runs in which the mission was completed.
    pub completed: usize,
    /// Runs that failed or in which the metric is undefined.
    pub without_value: usize,
    /// The mean of the others.
    pub mean: Option<f64>,
    /// Its 95 % interval, by bootstrap.
    pub interval: Option<Interval>,
}

/// The result of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunResult {
    /// The metric, if it is defined.
    pub value: Option<f64>,
    /// Whether the mission was completed.
    pub completed: bool,
}

/// Two scenarios on the same seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The default.
    pub default: Side,
    /// The best candidate.
    pub best: Side,
    /// Seeds on which both have a value.
    pub pairs: usize,
    /// The mean of best minus default, seed by seed.
    pub difference: Option<f64>,
    /// Its 95 % interval, by bootstrap.
    pub interval: Option<Interval>,
    /// The two-sided p value of Wilcoxon's signed-rank test.
    pub p: Option<f64>,
    /// Effect size from -1 to 1: matched-pairs rank-biserial correlation.
    pub ranks: Option<f64>,
}

/// The verdict on the best candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningVerdict {
    /// No candidate was better than the default on the search seeds.
    NothingBetter,
    /// The best is significantly better on the held-out seeds.
    Holds,
    /// The difference on the held-out seeds is not significant.
    Unclear,
    /// It is worse on the held-out seeds.
    Worse,
    /// It has runs without a value on the held-out seeds where the default has one.
    Fails,
}

impl Side {
    fn of(endings: &[RunResult]) -> Side {
        let values: Vec<f64> = endings.iter().filter_map(|ending| ending.value).collect();
        Side {
            runs: endings.len(),
            completed: endings.iter().filter(|ending| ending.completed).count(),
            without_value: endings.len() - values.len(),
            mean: mean(&values),
            interval: interval(&values),
        }
    }
}

fn interval(values: &[f64]) -> Option<Interval> {
    let centre = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    bootstrap(values, centre, &Bootstrap::default())
}

impl PairedComparison {
    /// Compares runs on the same seeds, in the same order.
    pub fn of(default: &[RunResult], best: &[RunResult]) -> PairedComparison {
        let pairs = default.iter().zip(best);
        let differences: Vec<f64> =
            pairs.filter_map(|(default, best)| Some(best.value? - default.value?)).collect();
        PairedComparison {
            default: Side::of(default),
            best: Side::of(best),
            pairs: differences.len(),
            difference: mean(&differences),
            interval: interval(&differences),
            p: wilcoxon(&differences).map(|test| test.p),
            ranks: rank_biserial(&differences),
        }
    }

    /// The improvement by the best; below 0 if it is worse.
    pub fn gain(&self, goal: Goal) -> Option<f64> {
        self.difference.map(|difference| -goal.loss(difference))
    }

    /// True if the difference is significant by both the test and the interval.
    pub fn is_significant(&self) -> bool {
        let beyond = self.interval.is_some_and(|interval| !interval.contains(0.0));
        // A few runs at the time limit may pull the mean one way while most seeds go the other way.
        let agree =
            self.difference.zip(self.ranks).is_none_or(|(difference, ranks)| ranks * difference > 0.0);
        beyond && agree && self.p.is_some_and(|p| p < SIGNIFICANT)
    }

    /// The verdict on the best candidate if these are the held-out seeds.
    pub fn verdict(&self, goal: Goal) -> TuningVerdict {
        if self.best.without_value > self.default.without_value {
            return TuningVerdict::Fails;
        }
        match self.gain(goal) {
            Some(gain) if gain > 0.0 && self.is_significant() => TuningVerdict::Holds,
            Some(gain) if gain < 0.0 && self.is_significant() => TuningVerdict::Worse,
            _ => TuningVerdict::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(values: impl IntoIterator<Item = f64>) -> Vec<RunResult> {
        let ending = |value: f64| RunResult { value: Some(value).filter(|v| v.is_finite()), completed: true };
        values.into_iter().map(ending).collect()
    }

    fn default() -> Vec<RunResult> {
        endings((0..20).map(|seed| 100.0 + f64::from(seed * 7 % 11)))
    }

    #[test]
    fn an_improvement_on_all_seeds_holds() {
        let best = endings((0..20).map(|seed| 80.0 + f64::from(seed * 5 % 7)));
        let comparison = PairedComparison::of(&default(), &best);
        assert_eq!(comparison.verdict(Goal::Minimise), TuningVerdict::Holds);
        assert_eq!(comparison.verdict(Goal::Maximise), TuningVerdict::Worse);
        assert!(comparison.gain(Goal::Minimise).unwrap() > 15.0);
        assert_eq!((comparison.pairs, comparison.best.completed), (20, 20));
    }

    #[test]
    fn a_difference_within_the_noise_is_unclear() {
        let best = endings((0..20).map(|seed| 100.0 + f64::from(seed * 5 % 11)));
        assert_eq!(PairedComparison::of(&default(), &best).verdict(Goal::Minimise), TuningVerdict::Unclear);
        assert_eq!(
            PairedComparison::of(&default(), &default()).verdict(Goal::Minimise),
            TuningVerdict::Unclear
        );
        assert_eq!(PairedComparison::of(&[], &[]).verdict(Goal::Minimise), TuningVerdict::Unclear);
    }

    #[test]
    fn runs_without_a_value_are_no_improvement() {
        let best = endings((0..20).map(|seed| if seed == 3 { f64::NAN } else { 1.0 }));
        let comparison = PairedComparison::of(&default(), &best);
        assert_eq!(comparison.verdict(Goal::Minimise), TuningVerdict::Fails);
        assert_eq!((comparison.pairs, comparison.best.without_value), (19, 1));
    }
}
