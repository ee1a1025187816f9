//! Tests of differences between pairs: the same seed with one coordinator and with another.

use crate::location::{plain_mean, squares};
use crate::rank::ranks;
use crate::{Test, distribution, finite, usable};

/// Wilcoxon's test is exact up to this many differences if none of them are tied or zero.
const EXACT: usize = 50;

/// Wilcoxon's test is exact up to this many differences even if some are tied or zero.
const EXACT_WITH_TIES: usize = 13;

/// Student's t-test of the mean difference; needs two differences that are not all equal. The statistic is t.
pub fn t_test(differences: &[f64]) -> Option<Test> {
    if differences.len() < 2 || !usable(differences) {
        return None;
    }
    let freedom = (differences.len() - 1) as f64;
    let error = (squares(differences) / freedom / differences.len() as f64).sqrt();
    let statistic = finite(plain_mean(differences) / error)?;
    Some(Test { statistic, p: distribution::student_beyond(statistic, freedom)? })
}

/// Wilcoxon's signed-rank test; the statistic is the smaller of the two sums of ranks.
///
/// Differences of zero are dropped; if all are zero, p is 1. As in scipy 1.17, the null distribution is exact for up to 50
/// differences without ties or zeros, and for up to 13 (zeros included) otherwise; beyond that it is the normal approximation
/// with the correction for ties and without continuity correction.
pub fn wilcoxon(differences: &[f64]) -> Option<Test> {
    if !usable(differences) {
        return None;
    }
    let signed = SignedRanks::of(differences);
    let statistic = signed.above.min(signed.below);
    let plain = signed.ties == 0.0 && signed.ranks.len() == differences.len();
    let most = if plain { EXACT } else { EXACT_WITH_TIES };
    let p = if differences.len() <= most { exact(&signed.ranks, statistic) } else { signed.approximate() };
    Some(Test { statistic, p })
}

/// McNemar's exact test of two shares over the same seeds: the number of seeds that only the first completed and the number that
/// only the second did. The statistic is the smaller number.
pub fn mcnemar(only_first: u64, only_second: u64) -> Option<Test> {
    let p = distribution::coin_beyond(only_first, only_first.checked_add(only_second)?)?;
    Some(Test { statistic: only_first.min(only_second) as f64, p })
}

/// The ranks of the non-zero differences by size, and the rank sums by sign.
pub(crate) struct SignedRanks {
    pub(crate) ranks: Vec<f64>,
    pub(crate) ties: f64,
    pub(crate) above: f64,
    pub(crate) below: f64,
}

impl SignedRanks {
    pub(crate) fn of(differences: &[f64]) -> SignedRanks {
        let kept: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
        let sizes: Vec<f64> = kept.iter().map(|difference| difference.abs()).collect();
        let (ranks, ties) = ranks(&sizes);
        let sum = |sign: f64| kept.iter().zip(&ranks).filter(|(d, _)| *d * sign > 0.0).map(|(_, r)| r).sum();
        SignedRanks { above: sum(1.0), below: sum(-1.0), ranks, ties }
    }

    /// The two-sided p of the normal approximation.
    fn approximate(&self) -> f64 {
        let count = self.ranks.len() as f64;
        let middle = count * (count + 1.0) / 4.0;
        let variance = (count * (count + 1.0) * (2.0 * count + 1.0) - self.ties / 2.0) / 24.0;
        // Without any difference there is no variance either.
        if variance > 0.0 {
            distribution::normal_beyond((self.above - middle) / variance.sqrt())
        } else {
            1.0
        }
    }
}

/// The exact two-sided p of a rank sum: every rank has a random sign.
fn exact(ranks: &[f64], smaller: f64) -> f64 {
    // Twice a rank is an integer, tied or not. ways[s] is the share of all sign patterns whose doubled sum is s.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank).round() as usize).collect();
    let mut ways = vec![0.0; doubled.iter().sum::<usize>() + 1];
    ways[0] = 1.0;
    let mut reached = 0;
    for rank in doubled {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { ways[sum - rank] } else { 0.0 };
            ways[sum] = (ways[sum] + with) / 2.0;
        }
    }
    let up_to = ((2.0 * smaller).round() as usize).min(reached);
    // The distribution is symmetric, so the other tail is as probable.
    (2.0 * ways[..=up_to].iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_differences_of_one_sign_are_not_quite_enough() {
        // The textbook example: 2 of the 32 sign patterns are as extreme.
        let test = wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!((test.statistic, test.p), (0.0, 2.0 / 32.0));
        assert_eq!(mcnemar(5, 0).unwrap().p, 2.0 / 32.0);
    }

    #[test]
    fn equal_pairs_give_p_one() {
        for count in [1, 20, 60] {
            let zeros = vec![0.0; count];
            assert_eq!(wilcoxon(&zeros), Some(Test { statistic: 0.0, p: 1.0 }));
            assert_eq!(t_test(&zeros), None);
        }
        assert_eq!(mcnemar(0, 0), Some(Test { statistic: 0.0, p: 1.0 }));
        assert_eq!(mcnemar(u64::MAX, 1), None);
    }

    #[test]
    fn empty_and_invalid_lists_give_none() {
        for values in [&[][..], &[1.0, f64::NAN], &[f64::INFINITY]] {
            assert_eq!(t_test(values), None);
            assert_eq!(wilcoxon(values), None);
        }
    }
}
