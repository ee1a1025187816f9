//! What a robot expects of the two ways.

use super::course::{Ratio, Way};
use super::model::{Experience, Status, cost};
use super::outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the reward of a way is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// The formulas (4.26) to (4.32): quantiles of times, averaged over status and ratio.
    #[default]
    Thesis,
    /// The same with the exact probability of the ratio after failures, instead of (4.30).
    ThesisExact,
    /// A quantile of the distribution of all that is still to be paid, lost utility included.
    Outcome,
}

impl Estimator {
    /// All estimators.
    pub const ALL: [Estimator; 3] = [Estimator::Thesis, Estimator::ThesisExact, Estimator::Outcome];

    /// Its name.
    pub fn name(self) -> &'static str {
        ESTIMATORS[self as usize].0
    }
}

/// Names and one-line descriptions, in the order of [`Estimator::ALL`].
pub const ESTIMATORS: [(&str, &str); 3] = [
    (
        "thesis",
        "means or quantiles of the times of trials, averaged over success and crowd (MUROCO 4.26 to 4.32)",
    ),
    ("thesis-exact", "the same with the exact probability of the crowd after failures"),
    ("outcome", "a quantile of the distribution of all that is still to be paid, lost utility included"),
];

/// A trial that did not reach the goal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Failure {
    pub way: Way,
    /// Distance driven, l_p. [m]
    pub length: f64,
}

/// A decision between the ways.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub experience: Experience<'a>,
    /// What reaching the goal is worth.
    pub utility: f64,
    /// The share of outcomes that should not be worse; `None` for the mean.
    pub level: Option<f64>,
    /// The numbers of objects, if they are known.
    pub ratio: Option<Ratio>,
    /// What has failed on this map.
    pub failures: &'a [Failure],
    /// How often a map is tried.
    pub trials: usize,
}

impl Question<'_> {
    /// The rewards that are expected of the short and of the long way.
    pub fn rewards(&self, estimator: Estimator) -> [f64; 2] {
        match estimator {
            Estimator::Thesis => self.by_formulas(&self.belief()),
            Estimator::ThesisExact => self.by_formulas(&self.exact_belief()),
            Estimator::Outcome => outcome::rewards(self),
        }
    }

    fn known(&self) -> Option<Vec<f64>> {
        let known = self.ratio?;
        Some(Ratio::ALL.iter().map(|ratio| f64::from(u8::from(*ratio == known))).collect())
    }

    /// P(ratio) by (4.30): the mean over the failures.
    fn belief(&self) -> Vec<f64> {
        if let Some(known) = self.known() {
            return known;
        }
        if self.failures.is_empty() {
            return self.experience.ratios();
        }
        let mut sum = vec![0.0; Ratio::ALL.len()];
        for failure in self.failures {
            let one = self.experience.ratios_after(failure.way, failure.length);
            sum.iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
        normalised(sum)
    }

    /// P(ratio) given all failures: likelihoods multiply. The length is left out, because its distribution in the network is that of
    /// both ways.
    fn exact_belief(&self) -> Vec<f64> {
        let count = |way: Way| self.failures.iter().filter(|failure| failure.way == way).count();
        self.belief_after(count(Way::Short), count(Way::Long))
    }

    /// P(ratio) after so many failures on the short and on the long way.
    pub fn belief_after(&self, short: usize, long: usize) -> Vec<f64> {
        if let Some(known) = self.known() {
            return known;
        }
        let mut belief = self.experience.ratios_of_maps();
        for (ratio, belief) in belief.iter_mut().enumerate() {
            for (way, times) in Way::ALL.into_iter().zip([short, long]) {
                *belief *= libm::pow(1.0 - self.experience.success(ratio, way), times as f64);
            }
        }
        normalised(belief)
    }

    /// (4.26) to (4.29), with the same way again after a failure.
    fn by_formulas(&self, belief: &[f64]) -> [f64; 2] {
        let left = self.trials.saturating_sub(self.failures.len());
        Way::ALL.map(|way| {
            let mean = |of: &dyn Fn(usize) -> f64| -> f64 {
                belief.iter().enumerate().map(|(ratio, share)| share * of(ratio)).sum()
            };
            let time = |status, ratio| {
                let time = self.experience.time(status, ratio, way);
                time.map_or(0.0, |time| cost(&time, self.level))
            };
            let success = mean(&|ratio| self.experience.success(ratio, way));
            let reached = mean(&|ratio| time(Status::Success, ratio));
            let failed = mean(&|ratio| time(Status::Failed, ratio));
            let step = |rest: f64| success * reached + (1.0 - success) * (rest + failed);
            self.utility - (0..left).fold(self.utility, |rest, _| step(rest))
        })
    }
}

fn normalised(mut shares: Vec<f64>) -> Vec<f64> {
    let sum: f64 = shares.iter().sum();
    let even = 1.0 / shares.len().max(1) as f64;
    shares.iter_mut().for_each(|share| *share = if sum > 0.0 { *share / sum } else { even });
    shares
}

#[cfg(test)]
mod tests {
    use super::super::model::{Trial, learn};
    use super::*;
    use crewlab_learn::{CostDistribution, Model, Rounding};

    /// The case of figure 4.18: at 3/1 73 % fail on the short way, within 10 s, and 53 % on the long one, many after 30 s.
    fn figure() -> Model {
        let mut trials = Vec::new();
        for ratio in Ratio::ALL {
            for (way, status, seconds, count) in [
                (Way::Short, Status::Failed, 5.0, 7300),
                (Way::Short, Status::Success, 15.0, 2700),
                (Way::Long, Status::Failed, 5.0, 2000),
                (Way::Long, Status::Failed, 35.0, 3300),
                (Way::Long, Status::Success, 35.0, 4700),
            ] {
                let trial = Trial { ratio, way, first: true, status, seconds, metres: 5.0 };
                trials.extend(std::iter::repeat_n(trial, count));
            }
        }
        learn(&trials, "here", "a test").expect("a model")
    }

    fn question(model: &Model, level: Option<f64>) -> Question<'_> {
        Question {
            experience: Experience(model),
            utility: 100.0,
            level,
            ratio: Some(Ratio(3, 1)),
            failures: &[],
            trials: 3,
        }
    }

    #[test]
    fn the_formulas_give_the_worked_case_of_the_text() {
        let model = figure();
        let [short, long] = question(&model, Some(0.75)).rewards(Estimator::Thesis);
        // 32.4 and 12.7 in the text: the robot takes the short way though it fails more often there.
        assert!((short - 32.4).abs() < 0.06, "{short}");
        assert!((long - 12.7).abs() < 0.06, "{long}");
    }

    /// Figure 4.11: a mixture of two normal distributions whose mean is 4.3, whose median is 2.98 and whose 0.7-quantile is 6.52.
    /// Its parts are lost; these have the same three numbers.
    #[test]
    fn the_mean_of_a_skewed_cost_promises_too_much() {
        let normal = |x: f64| 0.5 * (1.0 + libm::erf(x / std::f64::consts::SQRT_2));
        let below = |x: f64| 0.56593 * normal(x - 1.8317) + 0.43407 * normal((x - 7.51812) / 2.0);
        let bounds: Vec<f64> = (-600..=2000).map(|step| f64::from(step) / 100.0).collect();
        let shares = bounds.windows(2).map(|pair| below(pair[1]) - below(pair[0])).collect();
        let skewed = CostDistribution::new(bounds, shares).expect("a distribution");
        assert!((skewed.mean() - 4.3).abs() < 0.01, "{}", skewed.mean());
        for (level, quantile) in [(0.5, 2.98), (0.7, 6.52)] {
            for rounding in [Rounding::Bound, Rounding::Interpolated] {
                let found = skewed.quantile(level, rounding);
                assert!((found - quantile).abs() < 0.02, "{level}: {found}");
            }
        }
        // The mean says nothing about how often its promise is kept (here 0.585); a quantile is kept as often as it says.
        assert!((skewed.cumulated(skewed.mean()) - 0.585).abs() < 0.01);
        assert!((skewed.cumulated(skewed.quantile(0.7, Rounding::Interpolated)) - 0.7).abs() < 1e-6);
    }

    #[test]
    fn a_lower_level_is_more_optimistic() {
        let model = figure();
        for estimator in Estimator::ALL {
            let at = |level| question(&model, Some(level)).rewards(estimator);
            for way in 0..2 {
                assert!(at(0.5)[way] >= at(0.75)[way], "{estimator:?}");
                assert!(at(0.75)[way] >= at(0.95)[way], "{estimator:?}");
            }
        }
    }

    #[test]
    fn failures_make_the_crowded_way_more_likely() {
        let mut trials = Vec::new();
        for ratio in Ratio::ALL {
            for way in Way::ALL {
                for n in 0..120 {
                    let failed = n % 6 < usize::from(ratio.on(way));
                    let status = if failed { Status::Failed } else { Status::Success };
                    trials.push(Trial { ratio, way, first: true, status, seconds: 12.0, metres: 9.0 });
                }
            }
        }
        let model = learn(&trials, "here", "a test").expect("a model");
        let failures = [Failure { way: Way::Short, length: 9.0 }; 2];
        let question = Question { ratio: None, failures: &failures, ..question(&model, None) };
        let (mean, exact) = (question.belief(), question.exact_belief());
        let crowded = Ratio(5, 1).index();
        assert!(mean[crowded] > 0.3, "{mean:?}");
        // A mean does not become surer with more of the same; multiplied likelihoods do.
        assert!(exact[crowded] > mean[crowded] + 0.1, "{exact:?}");
        for belief in [mean, exact] {
            assert!((belief.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let [short, long] = question.rewards(Estimator::Outcome);
        assert!(long > short, "the robot changes over: {short} {long}");
    }
}
