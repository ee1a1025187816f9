//! Friedman's test: do several treatments of the same blocks differ?

use crate::rank::ranks;
use crate::{Test, distribution, finite, usable};

/// Friedman's test, with the correction for ties. Each block (a seed) has one value per treatment (a coordinator); the
/// statistic is compared with chi-squared. Needs two treatments (scipy asks for three; with two it is the sign test's
/// approximation) that are not equal in all blocks, and blocks of the same length.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Test> {
    let treatments = blocks.first()?.len();
    if treatments < 2 || blocks.iter().any(|block| block.len() != treatments || !usable(block)) {
        return None;
    }
    let (n, k) = (blocks.len() as f64, treatments as f64);
    let mut sums = vec![0.0; treatments];
    let mut tied = 0.0;
    for block in blocks {
        let (ranks, ties) = ranks(block);
        sums.iter_mut().zip(&ranks).for_each(|(sum, rank)| *sum += rank);
        tied += ties;
    }
    // Distances from the expected sum lose no digits where the sums are nearly equal.
    let expected = n * (k + 1.0) / 2.0;
    let spread: f64 = sums.iter().map(|sum| (sum - expected) * (sum - expected)).sum();
    let free_of_ties = 1.0 - tied / (n * k * (k * k - 1.0));
    if free_of_ties <= 0.0 {
        return None;
    }
    let statistic = finite(12.0 * spread / (n * k * (k + 1.0)) / free_of_ties)?;
    Some(Test { statistic, p: distribution::chi_squared_above(statistic, k - 1.0)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_order_in_every_block_is_the_largest_statistic() {
        let blocks = vec![vec![1.0, 2.0, 3.0]; 6];
        // n (k - 1) = 12.
        assert!((friedman(&blocks).unwrap().statistic - 12.0).abs() < 1e-12);
    }

    #[test]
    fn blocks_must_fit() {
        assert_eq!(friedman(&[]), None);
        assert_eq!(friedman(&[vec![1.0]]), None);
        assert_eq!(friedman(&[vec![1.0, 2.0], vec![1.0]]), None);
        assert_eq!(friedman(&[vec![1.0, 1.0], vec![2.0, 2.0]]), None);
        assert_eq!(friedman(&[vec![1.0, f64::NAN]]), None);
    }
}
