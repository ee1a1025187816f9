//! Distributions of costs.

use crewlab_learn::{CostDistribution, Rounding, Variable};
use proptest::prelude::*;

fn costs() -> impl Strategy<Value = CostDistribution> {
    let parts = prop::collection::vec((prop_oneof![Just(0.0), 0.0..5.0f64], 0.0..1.0f64), 1..8);
    (parts, -10.0..10.0f64).prop_map(|(parts, first)| {
        let mut bounds = vec![first];
        parts.iter().for_each(|(width, _)| bounds.push(bounds[bounds.len() - 1] + width));
        let sum: f64 = parts.iter().map(|(_, weight)| weight + 0.01).sum();
        let probabilities = parts.iter().map(|(_, weight)| (weight + 0.01) / sum).collect();
        CostDistribution::new(bounds, probabilities).unwrap()
    })
}

#[test]
fn bounds_and_interpolated_quantiles_of_the_worked_case() {
    // The four intervals of the time of a trial, with the last bound at 40 s.
    let time = Variable::intervals("t_r", vec![0.0, 10.0, 20.0, 30.0, 40.0]);
    let cost = CostDistribution::of(&time, &[0.5, 0.2, 0.1, 0.2]).unwrap();
    assert!((cost.mean() - (2.5 + 3.0 + 2.5 + 7.0)).abs() < 1e-12);
    for (level, bound, interpolated) in
        [(0.5, 10.0, 10.0), (0.75, 30.0, 25.0), (0.0, 10.0, 0.0), (1.0, 40.0, 40.0)]
    {
        assert_eq!(cost.quantile(level, Rounding::Bound), bound, "{level}");
        assert!((cost.quantile(level, Rounding::Interpolated) - interpolated).abs() < 1e-9, "{level}");
    }
}

#[test]
fn values_belong_to_the_interval_that_ends_with_them() {
    let time = Variable::intervals("t_r", vec![0.0, 10.0, 20.0, 30.0, 40.0]);
    let states = [-3.0, 0.0, 10.0, 10.1, 30.0, 30.1, 1e9].map(|value| time.state_of(value).unwrap());
    assert_eq!(states, [0, 0, 0, 1, 2, 3, 3]);
    assert_eq!(time.state_of(f64::NAN), None);
}

#[test]
fn a_sum_of_two_equal_intervals_is_a_triangle() {
    let one = CostDistribution::new(vec![0.0, 1.0], vec![1.0]).unwrap();
    let sum = one.convolution(&one, 4).unwrap();
    for (found, expected) in sum.probabilities().iter().zip([0.125, 0.375, 0.375, 0.125]) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn broken_distributions_are_refused() {
    let nan = f64::NAN;
    for (bounds, probabilities) in [
        (vec![0.0], vec![]),
        (vec![0.0, 1.0, 2.0], vec![1.0]),
        (vec![1.0, 0.0], vec![1.0]),
        (vec![0.0, f64::INFINITY], vec![1.0]),
        (vec![0.0, nan], vec![1.0]),
        (vec![0.0, 1.0], vec![nan]),
        (vec![0.0, 1.0, 2.0], vec![1.5, -0.5]),
        (vec![0.0, 1.0], vec![0.5]),
    ] {
        assert!(CostDistribution::new(bounds.clone(), probabilities.clone()).is_err(), "{bounds:?}");
    }
    assert!(CostDistribution::empirical(&[]).is_err());
    assert!(CostDistribution::empirical(&[1.0, nan]).is_err());
    assert!(CostDistribution::from_samples(&[1.0], vec![2.0]).is_err());
    assert!(CostDistribution::of(&Variable::numbered("x", 1), &[1.0]).is_err());
    assert!(CostDistribution::mixture(&[]).is_err());
    assert!(serde_json::from_str::<CostDistribution>(r#"{"bounds": [0, 1], "probabilities": [2]}"#).is_err());
}

proptest! {
    #[test]
    fn quantiles_are_ordered_and_reached(cost in costs(), one in 0.0..1.0f64, two in 0.0..1.0f64) {
        let (low, high) = (one.min(two), one.max(two));
        for rounding in [Rounding::Bound, Rounding::Interpolated] {
            prop_assert!(cost.quantile(low, rounding) <= cost.quantile(high, rounding) + 1e-12);
            prop_assert!(cost.cumulated(cost.quantile(high, rounding)) >= high - 1e-9);
        }
        prop_assert!(cost.quantile(high, Rounding::Interpolated) <= cost.quantile(high, Rounding::Bound));
        prop_assert!(cost.cumulated(f64::MAX) > 1.0 - 1e-12 && cost.cumulated(f64::MIN) == 0.0);
    }

    #[test]
    fn a_mixture_mixes_means_and_cumulated_probabilities(
        one in costs(), two in costs(), weight in 0.0..=1.0f64, at in -10.0..40.0f64,
    ) {
        let mixed = CostDistribution::mixture(&[(weight, &one), (1.0 - weight, &two)]).unwrap();
        let mean = weight * one.mean() + (1.0 - weight) * two.mean();
        prop_assert!((mixed.mean() - mean).abs() < 1e-9, "{} {mean}", mixed.mean());
        let below = weight * one.cumulated(at) + (1.0 - weight) * two.cumulated(at);
        prop_assert!((mixed.cumulated(at) - below).abs() < 1e-9);
    }

    #[test]
    fn a_sum_has_the_sum_of_the_means_up_to_its_intervals(one in costs(), two in costs()) {
        let sum = one.convolution(&two, 200).unwrap();
        let width = sum.bounds()[1] - sum.bounds()[0];
        prop_assert!((sum.mean() - one.mean() - two.mean()).abs() <= width + 1e-9);
        prop_assert!((sum.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn samples_have_their_own_quantiles(samples in prop::collection::vec(-1e3..1e3f64, 2..60), level in 0.0..1.0f64) {
        let cost = CostDistribution::empirical(&samples).unwrap();
        let value = cost.quantile(level, Rounding::Interpolated);
        let below = samples.iter().filter(|sample| **sample <= value).count() as f64 / samples.len() as f64;
        prop_assert!((below - level).abs() <= 1.0 / samples.len() as f64 + 1e-9, "{below} {level}");
    }
}
