//! Effect sizes: how large a difference is, independent of units.

use crate::paired::SignedRanks;
use crate::{finite, mean, standard_deviation, usable};

/// Cohen's d of paired differences: their mean over their standard deviation. `None` if they are all equal.
pub fn cohens_dz(differences: &[f64]) -> Option<f64> {
    finite(mean(differences)? / standard_deviation(differences)?)
}

/// The rank-biserial correlation of matched pairs (Kerby, 2014): the share of the sum of signed ranks from differences above
/// zero minus the share from those below. From -1 to 1; 0 if all differences are zero.
pub fn rank_biserial(differences: &[f64]) -> Option<f64> {
    if !usable(differences) {
        return None;
    }
    let signed = SignedRanks::of(differences);
    let total = signed.above + signed.below;
    Some(if total > 0.0 { (signed.above - signed.below) / total } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scales() {
        assert_eq!(rank_biserial(&[1.0, 2.0, 0.0]), Some(1.0));
        assert_eq!(rank_biserial(&[0.0, 0.0]), Some(0.0));
    }

    #[test]
    fn invalid_differences_give_none() {
        assert_eq!(cohens_dz(&[2.0, 2.0]), None);
        assert_eq!(cohens_dz(&[2.0]), None);
        assert_eq!(rank_biserial(&[]), None);
        assert_eq!(rank_biserial(&[f64::NAN]), None);
    }
}
