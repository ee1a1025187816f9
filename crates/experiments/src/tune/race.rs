//! When a candidate is given up before all its runs are done.

use crewlab_statistics::{mean, t_test};

/// Runs before the first look; then it is looked again whenever there are twice as many.
const FIRST_LOOK: usize = 5;
/// How sure one must be, at each look, that a candidate is worse.
const LEVEL: f64 = 0.05;

/// After how many seeds candidates are looked at; the last is all of them.
pub(super) fn looks(seeds: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(FIRST_LOOK), |look| look.checked_mul(2));
    doubled.take_while(|look| *look < seeds).chain([seeds]).collect()
}

/// Whether a candidate is clearly worse than the best, by what each lost on the same seeds.
pub(super) fn clearly_worse(candidate: &[f64], best: &[f64]) -> bool {
    let differences = differences(candidate, best);
    let worse = mean(&differences).is_some_and(|mean| mean > 0.0);
    match t_test(&differences) {
        Some(test) => worse && test.p < LEVEL,
        // Without any spread there is no test and no doubt.
        None => worse && differences.len() >= FIRST_LOOK,
    }
}

/// What a candidate would lose on all seeds, as far as one can tell from the first: what the best loses there, and the mean
/// difference between the two.
pub(super) fn estimate(candidate: &[f64], best: &[f64]) -> Option<f64> {
    Some(mean(best)? + mean(&differences(candidate, best))?)
}

fn differences(candidate: &[f64], best: &[f64]) -> Vec<f64> {
    candidate.iter().zip(best).map(|(candidate, best)| candidate - best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_when_there_is_twice_as_much_to_see() {
        assert_eq!(looks(20), [5, 10, 20]);
        assert_eq!(looks(100), [5, 10, 20, 40, 80, 100]);
        assert_eq!(looks(5), [5]);
        assert_eq!(looks(1), [1]);
    }

    #[test]
    fn only_who_is_clearly_worse_is_given_up() {
        let best = [10.0, 20.0, 15.0, 12.0, 18.0];
        let plus = |more: [f64; 5]| std::array::from_fn::<f64, 5, _>(|place| best[place] + more[place]);
        assert!(clearly_worse(&plus([4.0, 5.0, 6.0, 5.0, 4.0]), &best));
        assert!(clearly_worse(&plus([1.0; 5]), &best), "the same difference each time leaves no doubt");
        assert!(!clearly_worse(&plus([4.0, -5.0, 6.0, -5.0, 4.0]), &best));
        assert!(!clearly_worse(&plus([-4.0, -5.0, -6.0, -5.0, -4.0]), &best));
        assert!(!clearly_worse(&best, &best));
        assert!(!clearly_worse(&[], &[]));
    }

    #[test]
    fn what_was_not_run_is_estimated_from_the_best() {
        assert_eq!(estimate(&[12.0, 23.0], &[10.0, 20.0, 30.0]), Some(22.5));
    }
}
