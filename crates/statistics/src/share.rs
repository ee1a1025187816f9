//! Confidence intervals of proportions.

use crate::{Interval, distribution};

/// Wilson's interval of a proportion (1927), which stays within 0 to 1 and has no zero width at either end; `None` without
/// trials, or with more successes than trials.
pub fn wilson(successes: u64, count: u64, confidence: f64) -> Option<Interval> {
    if count == 0 || successes > count {
        return None;
    }
    let z = distribution::normal_critical(confidence)?;
    let n = count as f64;
    let share = successes as f64 / n;
    let weight = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / weight;
    let half_width = z / weight * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // Exactly 0 or 1, without rounding error.
    let low = if successes == 0 { 0.0 } else { (centre - half_width).clamp(0.0, share) };
    let high = if successes == count { 1.0 } else { (centre + half_width).clamp(share, 1.0) };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_none_gives_a_one_sided_interval() {
        let none = wilson(0, 20, 0.95).unwrap();
        let all = wilson(20, 20, 0.95).unwrap();
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!((none.high - 0.161_125).abs() < 1e-6 && (all.low - 0.838_875).abs() < 1e-6);
    }

    #[test]
    fn invalid_counts_give_none() {
        assert_eq!(wilson(0, 0, 0.95), None);
        assert_eq!(wilson(3, 2, 0.95), None);
        assert_eq!(wilson(1, 2, 1.0), None);
    }
}
