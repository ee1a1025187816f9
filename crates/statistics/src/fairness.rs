//! Fairness: how evenly something is shared.

/// Jain's fairness index (1984): 1 if all shares are equal, 1/n if one of n has everything. `None` if all values are 0, or if
/// one is negative.
pub fn jain(values: &[f64]) -> Option<f64> {
    if !crate::usable(values) || values.iter().any(|value| *value < 0.0) {
        return None;
    }
    // Scaled to the largest, so that squares neither underflow nor overflow.
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return None;
    }
    let sum: f64 = values.iter().map(|value| value / largest).sum();
    let squares: f64 = values.iter().map(|value| (value / largest) * (value / largest)).sum();
    Some((sum * sum / (values.len() as f64 * squares)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_if_equal_and_one_nth_if_one_has_all() {
        assert_eq!(jain(&[2.0; 4]), Some(1.0));
        assert_eq!(jain(&[0.0, 0.0, 0.0, 8.0]), Some(0.25));
        assert_eq!(jain(&[1e-200, 1e-200]), Some(1.0));
        assert_eq!(jain(&[0.0, 0.0]), None);
        assert_eq!(jain(&[1.0, -1.0]), None);
        assert_eq!(jain(&[]), None);
    }
}
