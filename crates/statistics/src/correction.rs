//! Correction for multiple tests: of twenty tests, one is significant at 5 % by chance.

/// Holm's adjusted p values, in the order given. The probability of even one false rejection at 0.05 is at most 5 %. `None` if a
/// value is not a probability.
pub fn holm(p_values: &[f64]) -> Option<Vec<f64>> {
    let order = by_size(p_values)?;
    let count = order.len();
    let mut adjusted = vec![0.0; count];
    let mut largest = 0.0f64;
    for (place, index) in order.into_iter().enumerate() {
        largest = largest.max(p_values[index] * (count - place) as f64).min(1.0);
        adjusted[index] = largest;
    }
    Some(adjusted)
}

/// The indices of the values in ascending order.
fn by_size(p_values: &[f64]) -> Option<Vec<usize>> {
    if !p_values.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &two| p_values[one].total_cmp(&p_values[two]));
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept() {
        assert_eq!(holm(&[0.5, 0.25, 0.125]), Some(vec![0.5, 0.5, 0.375]));
        assert_eq!(holm(&[]), Some(vec![]));
    }

    #[test]
    fn only_probabilities_can_be_adjusted() {
        for odd in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert_eq!(holm(&[0.5, odd]), None);
        }
    }
}
