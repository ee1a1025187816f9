//! Shadowing: how a signal varies from place to place.

use super::fading::normal_pair;
use crate::ShadowingParams;
use rand_philox::{philox4x32_10, splitmix64};

/// A random field over the plane: the loss that the surroundings of a place cause for every signal from or to it.
///
/// The loss of a pair is the sum of both ends' values, so it is the same in both directions. The field is a sum of
/// bumps with random heights on a lattice; it needs no memory and does not depend on the order of queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Shadowing {
    /// Standard deviation of one end's share. [dB]
    deviation: f64,
    /// Distance of the lattice's points, which is also the standard deviation of a bump. [m]
    spacing: f64,
    key: [u32; 2],
}

/// Bumps in each direction that count. Those left out are 4 or more standard deviations away: when the window moves
/// on, the field jumps by less than a thousandth of its deviation.
const WINDOW: i64 = 8;

impl Shadowing {
    /// The field that follows from a seed.
    pub fn new(params: ShadowingParams, seed: u64) -> Shadowing {
        let key = splitmix64(seed ^ 0x5348_4144_4f57_5f31);
        Shadowing {
            deviation: params.deviation * 0.5f64.sqrt(),
            // Bumps of standard deviation s give a correlation of exp(-d²/4s²): 1/e at d = 2s.
            spacing: params.correlation / 2.0,
            key: [key as u32, (key >> 32) as u32],
        }
    }

    /// The share of an end at this place [m] in the loss of its links. [dB]
    pub fn at(&self, position: [f64; 2]) -> f64 {
        let [x, y] = position.map(|coordinate| coordinate / self.spacing);
        // Beyond 2^40 lattice points places cannot be told apart.
        if self.deviation == 0.0 || !(x.abs() < 1.1e12 && y.abs() < 1.1e12) {
            return 0.0;
        }
        let (columns, first_column) = weights(x);
        let (rows, first_row) = weights(y);
        let (mut sum, mut squares) = (0.0, 0.0);
        // One draw gives the heights of two by two points.
        for block_row in first_row.div_euclid(2)..=(first_row + WINDOW - 1).div_euclid(2) {
            for block_column in first_column.div_euclid(2)..=(first_column + WINDOW - 1).div_euclid(2) {
                for (corner, height) in self.heights(block_column, block_row).into_iter().enumerate() {
                    let column = 2 * block_column + (corner as i64 & 1) - first_column;
                    let row = 2 * block_row + (corner as i64 >> 1) - first_row;
                    if (0..WINDOW).contains(&column) && (0..WINDOW).contains(&row) {
                        let weight = columns[column as usize] * rows[row as usize];
                        sum += weight * height;
                        squares += weight * weight;
                    }
                }
            }
        }
        self.deviation * sum / squares.sqrt()
    }

    /// Standard normal numbers for the four lattice points of a block.
    fn heights(&self, column: i64, row: i64) -> [f64; 4] {
        let counter = [column as u32, row as u32, (column >> 32) as u32, (row >> 32) as u32];
        let [a, b, c, d] =
            philox4x32_10(counter, self.key).map(|bits| (f64::from(bits) + 0.5) / 4_294_967_296.0);
        let ([p, q], [r, s]) = (normal_pair(a, b), normal_pair(c, d));
        [p, q, r, s]
    }
}

/// The weights of the lattice's points around a coordinate, and the first of these points.
fn weights(coordinate: f64) -> ([f64; WINDOW as usize], i64) {
    let first = coordinate.floor() - 3.0;
    let weights = std::array::from_fn(|i| {
        let offset = first + i as f64 - coordinate;
        libm::exp(-0.5 * offset * offset)
    });
    (weights, first as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean over many independent fields of the product of two places' values.
    fn covariance(params: ShadowingParams, a: [f64; 2], b: [f64; 2]) -> f64 {
        let count = 6000;
        let product = |seed| {
            let field = Shadowing::new(params, seed);
            field.at(a) * field.at(b)
        };
        (0..count).map(product).sum::<f64>() / count as f64
    }

    #[test]
    fn mean_deviation_and_correlation_are_as_requested() {
        let params = ShadowingParams { deviation: 4.0, correlation: 10.0 };
        let here = [3.7, -21.3];
        let mean = (0..6000).map(|seed| Shadowing::new(params, seed).at(here)).sum::<f64>() / 6000.0;
        // Each value has deviation 2.83 dB, so the mean's standard error is 0.037 dB.
        assert!(mean.abs() < 0.15, "{mean}");
        // Of products: 8 · sqrt 2 / sqrt 6000 = 0.15 at most.
        for (distance, expected) in
            [(0.0, 8.0), (10.0, 8.0 * libm::exp(-1.0)), (5.0, 8.0 * libm::exp(-0.25)), (60.0, 0.0)]
        {
            let along = covariance(params, here, [here[0] + distance, here[1]]);
            let aslant = covariance(params, here, [here[0] + 0.6 * distance, here[1] - 0.8 * distance]);
            assert!((along - expected).abs() < 0.6, "{distance} m: {along}, not {expected}");
            assert!((aslant - expected).abs() < 0.6, "{distance} m: {aslant}, not {expected}");
        }
    }

    #[test]
    fn one_field_varies_by_its_deviation_over_a_large_place_and_not_over_a_small_one() {
        let field = Shadowing::new(ShadowingParams { deviation: 6.0, correlation: 2.0 }, 11);
        let values: Vec<f64> = (0..80)
            .flat_map(|i| (0..80).map(move |j| [4.0 * i as f64, 4.0 * j as f64]))
            .map(|p| field.at(p))
            .collect();
        let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
        // 6,400 values 4 m apart are nearly independent: the standard error of the variance is 18 · sqrt(2 / 6400) = 0.32.
        assert!((variance - 18.0).abs() < 1.6, "{variance}");
        for i in 0..2000 {
            let x = f64::from(i) * 0.01;
            // The slope's deviation is 4.24 / sqrt 2 m = 3 dB/m: 1 cm makes less than 0.2 dB.
            assert!((field.at([x, 1.0]) - field.at([x + 0.01, 1.0])).abs() < 0.2);
        }
    }

    #[test]
    fn invalid_places_have_no_shadowing() {
        let field = Shadowing::new(ShadowingParams::default(), 1);
        assert_eq!(field.at([f64::NAN, 0.0]), 0.0);
        assert_eq!(field.at([0.0, f64::INFINITY]), 0.0);
        assert_eq!(
            Shadowing::new(ShadowingParams { deviation: 0.0, correlation: 5.0 }, 1).at([1.0, 2.0]),
            0.0
        );
        assert_ne!(field.at([1.0, 2.0]), Shadowing::new(ShadowingParams::default(), 2).at([1.0, 2.0]));
    }
}
