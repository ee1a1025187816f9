//! Means with their confidence.

use serde::Serialize;

/// Student's t for a two-sided confidence of 95 %, for 1, 2, ... degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; 0 for a single value, of which nothing more is known.
    pub half_width: f64,
    /// How many values it is the mean of.
    pub count: usize,
}

impl Mean {
    /// The mean of these values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let half_width = match count {
            1 => 0.0,
            _ => student(count - 1) * (squares / (count - 1) as f64 / count as f64).sqrt(),
        };
        Some(Mean { mean, half_width, count })
    }

    /// The lower end of the interval.
    pub fn low(&self) -> f64 {
        self.mean - self.half_width
    }

    /// The upper end of the interval.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width
    }
}

/// Student's t; beyond the table a series in 1/n that is right to three decimals.
fn student(freedom: usize) -> f64 {
    match freedom {
        0 => f64::INFINITY,
        1..=30 => T[freedom - 1],
        _ => 1.95996 + 2.37227 / freedom as f64 + 2.82202 / (freedom * freedom) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_knows_how_sure_it_is() {
        // Mean 4, standard deviation 2, three values: 4.303 · 2 / √3.
        let mean = Mean::of(&[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((mean.mean, mean.count), (4.0, 3));
        assert!((mean.half_width - 4.303 * 2.0 / 3f64.sqrt()).abs() < 1e-12);
        assert!((mean.low() + mean.high() - 8.0).abs() < 1e-12);
    }

    #[test]
    fn few_values_are_no_trouble() {
        assert_eq!(Mean::of(&[]), None);
        assert_eq!(Mean::of(&[7.0]), Some(Mean { mean: 7.0, half_width: 0.0, count: 1 }));
    }

    #[test]
    fn the_table_goes_over_into_the_series() {
        // Tables give 2.040 for 31, 2.000 for 60 and 1.980 for 120 degrees of freedom.
        for (freedom, t) in [(31, 2.040), (60, 2.000), (120, 1.980), (1_000_000, 1.960)] {
            assert!((student(freedom) - t).abs() < 1e-3, "{freedom}");
        }
        assert!((1..200).all(|n| student(n) > student(n + 1)));
    }
}
