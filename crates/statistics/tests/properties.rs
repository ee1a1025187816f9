//! Properties that hold for all inputs.

use crewlab_statistics::*;
use proptest::prelude::*;

/// Plausible measurements.
fn measured(most: usize) -> impl Strategy<Value = Vec<f64>> {
    // Half of them from few values, so that ties and zeros are frequent.
    prop::collection::vec(prop_oneof![-1e3..1e3f64, (-3..4i32).prop_map(f64::from)], 0..most)
}

/// Any numbers, including NaN, infinities, huge and tiny ones.
fn anything() -> impl Strategy<Value = Vec<f64>> {
    let odd = prop::sample::select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        -0.0,
        5e-324,
    ]);
    prop::collection::vec(prop_oneof![prop::num::f64::ANY, odd, -5.0..5.0f64], 0..12)
}

fn lifetimes(times: &[f64]) -> Vec<Lifetime> {
    times.iter().enumerate().map(|(index, time)| Lifetime { time: *time, observed: index % 3 != 0 }).collect()
}

fn plain_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn quick() -> Bootstrap {
    Bootstrap { resamples: 400, ..Bootstrap::default() }
}

/// Equal up to rounding.
fn close(one: Option<f64>, two: Option<f64>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => (one - two).abs() <= 1e-9 * one.abs().max(two.abs()).max(1.0),
        (one, two) => one == two,
    }
}

/// Every p is a probability, and every number is finite.
fn sound(test: Option<Test>) -> bool {
    test.is_none_or(|test| (0.0..=1.0).contains(&test.p) && test.statistic.is_finite())
}

fn ordered(interval: Option<Interval>) -> bool {
    interval.is_none_or(|interval| interval.low <= interval.high && interval.width().is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_contain_the_estimate(values in measured(40), confidence in 0.5..0.999f64) {
        if let (Some(mean), Some(interval)) = (mean(&values), student_interval(&values, confidence)) {
            prop_assert!(interval.contains(mean));
        }
        if let (Some(mean), Some(interval)) = (mean(&values), bootstrap(&values, plain_mean, &quick())) {
            prop_assert!(interval.low <= mean + 1e-9 && mean - 1e-9 <= interval.high, "{mean} {interval:?}");
        }
        if let (Some(low), Some(high)) = (quantile(&values, 0.0), quantile(&values, 1.0)) {
            let range = Interval { low, high };
            prop_assert!(range.contains(median(&values).unwrap()));
        }
    }

    #[test]
    fn shares_stay_between_zero_and_one(successes in 0..500u64, more in 0..500u64, confidence in 0.01..0.9999f64) {
        if let Some(interval) = wilson(successes, successes + more, confidence) {
            prop_assert!(interval.low >= 0.0 && interval.high <= 1.0);
            prop_assert!(interval.contains(successes as f64 / (successes + more) as f64));
        }
        let test = mcnemar(successes, more).unwrap();
        prop_assert!((0.0..=1.0).contains(&test.p));
        prop_assert_eq!(mcnemar(more, successes), Some(test));
    }

    #[test]
    fn corrections_only_raise_and_keep_the_order(p in prop::collection::vec(0.0..=1.0f64, 0..30)) {
        let holm = holm(&p).unwrap();
        for one in 0..p.len() {
            prop_assert!(holm[one] >= p[one] - 1e-12 && holm[one] <= 1.0);
            for two in 0..p.len() {
                if p[one] < p[two] {
                    prop_assert!(holm[one] <= holm[two]);
                }
            }
        }
    }

    #[test]
    fn survival_never_rises(times in prop::collection::vec(0.0..20.0f64, 0..60), step in 0.01..2.0f64) {
        let times: Vec<f64> = times.iter().map(|time| (time / step).round() * step).collect();
        if let Some(curve) = KaplanMeier::of(&lifetimes(&times)) {
            prop_assert!(curve.steps().is_sorted_by(|one, two| one.time < two.time && one.survival >= two.survival));
            for step in curve.steps() {
                prop_assert!(step.events <= step.at_risk && (0.0..=1.0).contains(&step.survival));
                if let Some(interval) = step.interval {
                    prop_assert!(interval.contains(step.survival) && interval.low >= 0.0 && interval.high <= 1.0);
                }
            }
        }
    }

    #[test]
    fn the_order_of_values_does_not_matter(values in measured(30)) {
        let turned: Vec<f64> = values.iter().rev().copied().collect();
        for statistic in [mean, median, standard_deviation, cohens_dz, rank_biserial, jain] {
            prop_assert!(close(statistic(&values), statistic(&turned)));
        }
        for test in [t_test, wilcoxon] {
            prop_assert!(close(test(&values).map(|test| test.p), test(&turned).map(|test| test.p)));
        }
        let one = lifetimes(&values.iter().map(|value| value.abs()).collect::<Vec<_>>());
        let back: Vec<Lifetime> = one.iter().rev().copied().collect();
        prop_assert_eq!(KaplanMeier::of(&one), KaplanMeier::of(&back));
    }

    #[test]
    fn negated_differences_mirror_the_result(values in measured(60)) {
        let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
        for test in [t_test, wilcoxon] {
            prop_assert!(close(test(&values).map(|test| test.p), test(&mirrored).map(|test| test.p)));
        }
        for effect in [cohens_dz, rank_biserial] {
            prop_assert!(close(effect(&values), effect(&mirrored).map(|value| -value)));
        }
    }

    #[test]
    fn nothing_panics(values in anything(), others in anything(), confidence in prop::num::f64::ANY, p in prop::num::f64::ANY) {
        let answers = [mean(&values), median(&values), standard_deviation(&values), quantile(&values, p), cohens_dz(&values),
            rank_biserial(&values), jain(&values)];
        prop_assert!(answers.iter().flatten().all(|value| value.is_finite()));
        prop_assert!([t_test(&values), wilcoxon(&values)].into_iter().all(sound));
        prop_assert!(sound(friedman(&[values.clone(), others.clone(), values.clone()])));
        if let Some(curve) = KaplanMeier::of(&lifetimes(&values)) {
            prop_assert!((0.0..=1.0).contains(&curve.at(p)) && curve.at_risk(p) <= curve.count());
        }
        prop_assert!(ordered(student_interval(&values, confidence)) && ordered(student_interval(&values, 0.95)));
        prop_assert!(ordered(bootstrap(&values, plain_mean, &quick())));
        prop_assert!(ordered(wilson(3, 7, confidence)));
        prop_assert!(Mean::of(&values).is_none_or(|mean| mean.mean.is_finite() && mean.half_width >= 0.0));
        if let Some(adjusted) = holm(&values) {
            prop_assert!(adjusted.iter().all(|p| (0.0..=1.0).contains(p)));
        }
        if values.iter().any(|value| !value.is_finite()) {
            prop_assert!(answers.iter().enumerate().all(|(index, answer)| index == 3 || answer.is_none()));
            prop_assert_eq!((Mean::of(&values), t_test(&values), wilcoxon(&values)), (None, None, None));
        }
        for answer in [distribution::student_critical(confidence, p.abs()), distribution::student_beyond(p, 3.0),
            distribution::chi_squared_above(p, 2.0), distribution::normal_quantile(p)] {
            prop_assert!(answer.is_none_or(|value| !value.is_nan()));
        }
    }
}
