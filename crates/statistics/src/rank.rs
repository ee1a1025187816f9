//! Ranks: 1 for the smallest; tied values share the mean of their ranks.

/// The rank of every value, in the order given, and the sum of t³ - t over groups of t tied values, which reduces the variance of
/// rank statistics.
pub(crate) fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&one, &two| values[one].total_cmp(&values[two]));
    let mut ranks = vec![0.0; values.len()];
    let mut ties = 0.0;
    let mut before = 0;
    for group in order.chunk_by(|&one, &two| values[one] == values[two]) {
        let size = group.len() as f64;
        for &index in group {
            ranks[index] = before as f64 + (size + 1.0) / 2.0;
        }
        ties += size * size * size - size;
        before += group.len();
    }
    (ranks, ties)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 7.0]), (vec![2.5, 1.0, 2.5, 4.0], 6.0));
        // The two zeros are equal, though not bit for bit.
        assert_eq!(ranks(&[0.0, -0.0]), (vec![1.5, 1.5], 6.0));
        assert_eq!(ranks(&[]), (vec![], 0.0));
    }
}
