//! How large a difference is, in numbers that do not depend on units.

use crate::paired::SignedRanks;
use crate::{finite, mean, standard_deviation, usable};

/// Cohen's d of paired differences: their mean over their standard deviation. `None` if they are all equal.
pub fn cohens_dz(differences: &[f64]) -> Option<f64> {
    finite(mean(differences)? / standard_deviation(differences)?)
}

/// The rank-biserial correlation of matched pairs (Kerby, 2014): the share of the sum of signed ranks that speaks for differences
/// above zero, less the share that speaks against. From -1 to 1; 0 if all differences are zero.
pub fn rank_biserial(differences: &[f64]) -> Option<f64> {
    if !usable(differences) {
        return None;
    }
    let signed = SignedRanks::of(differences);
    let total = signed.above + signed.below;
    Some(if total > 0.0 { (signed.above - signed.below) / total } else { 0.0 })
}

/// Cliff's delta: how much more often a value of `a` is above one of `b` than below. From -1 to 1.
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> Option<f64> {
    let (above, below, pairs) = wins(a, b)?;
    Some((above - below) / pairs)
}

/// Vargha and Delaney's A: how often a value of `a` is above one of `b`, with half of the ties. From 0 to 1; 0.5 means no difference.
pub fn a12(a: &[f64], b: &[f64]) -> Option<f64> {
    let (above, below, pairs) = wins(a, b)?;
    Some((above + (pairs - above - below) / 2.0) / pairs)
}

/// Over all pairs: how many of `a` are above and below, and how many pairs there are.
fn wins(a: &[f64], b: &[f64]) -> Option<(f64, f64, f64)> {
    if !usable(a) || !usable(b) {
        return None;
    }
    let mut sorted = b.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (mut above, mut below) = (0.0, 0.0);
    for value in a {
        above += sorted.partition_point(|other| other < value) as f64;
        below += (sorted.len() - sorted.partition_point(|other| other <= value)) as f64;
    }
    Some((above, below, a.len() as f64 * b.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scales() {
        assert_eq!(cliffs_delta(&[3.0, 4.0], &[1.0, 2.0]), Some(1.0));
        assert_eq!(a12(&[1.0, 2.0], &[3.0, 4.0]), Some(0.0));
        assert_eq!(a12(&[1.0], &[1.0]), Some(0.5));
        assert_eq!(rank_biserial(&[1.0, 2.0, 0.0]), Some(1.0));
        assert_eq!(rank_biserial(&[0.0, 0.0]), Some(0.0));
    }

    #[test]
    fn nonsense_has_no_size() {
        assert_eq!(cohens_dz(&[2.0, 2.0]), None);
        assert_eq!(cohens_dz(&[2.0]), None);
        assert_eq!(cliffs_delta(&[], &[1.0]), None);
        assert_eq!(a12(&[f64::NAN], &[1.0]), None);
    }
}
