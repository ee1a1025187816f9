//! Racing: stops clearly worse candidates before all their runs are done.

use crewlab_statistics::{mean, t_test};

/// Number of runs before the first test; further tests follow whenever the number has doubled.
const FIRST_LOOK: usize = 5;
/// Significance level of each test.
const LEVEL: f64 = 0.05;

/// The numbers of seeds after which candidates are tested; the last is all of them.
pub(super) fn looks(seeds: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(FIRST_LOOK), |look| look.checked_mul(2));
    doubled.take_while(|look| *look < seeds).chain([seeds]).collect()
}

/// True if a candidate is clearly worse than the best, by their losses on the same seeds.
pub(super) fn clearly_worse(candidate: &[f64], best: &[f64]) -> bool {
    let differences = differences(candidate, best);
    let worse = mean(&differences).is_some_and(|mean| mean > 0.0);
    match t_test(&differences) {
        Some(test) => worse && test.p < LEVEL,
        // Without any spread there is no test and no doubt.
        None => worse && differences.len() >= FIRST_LOOK,
    }
}

/// The estimated loss of a candidate on all seeds: the loss of the best there, plus the mean difference between the two so
/// far.
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
    fn tests_come_when_the_number_of_runs_doubles() {
        assert_eq!(looks(20), [5, 10, 20]);
        assert_eq!(looks(100), [5, 10, 20, 40, 80, 100]);
        assert_eq!(looks(5), [5]);
        assert_eq!(looks(1), [1]);
    }

    #[test]
    fn only_clearly_worse_candidates_are_given_up() {
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
    fn missing_runs_are_estimated_from_the_best() {
        assert_eq!(estimate(&[12.0, 23.0], &[10.0, 20.0, 30.0]), Some(22.5));
    }
}
