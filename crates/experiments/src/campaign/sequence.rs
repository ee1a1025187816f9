//! Points that fill a cube evenly, however many are taken.

use rand_philox::Philox;

/// A low-discrepancy sequence in the unit cube: multiples of irrational numbers (the powers of the inverse of the generalised golden
/// ratio), shifted by a random vector. The first points do not depend on how many follow.
pub(super) struct Sequence {
    steps: Vec<f64>,
    shifts: Vec<f64>,
}

impl Sequence {
    /// The sequence with so many axes that belongs to a seed.
    pub(super) fn new(axes: usize, seed: u64) -> Sequence {
        // The positive root of x^(axes + 1) = x + 1, by fixed-point iteration.
        let mut ratio = 2.0_f64;
        for _ in 0..64 {
            ratio = libm::pow(1.0 + ratio, 1.0 / (axes as f64 + 1.0));
        }
        let mut random = Philox::new([seed as u32, (seed >> 32) as u32], 0x4361_6d70);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        Sequence {
            steps: (1..=axes).map(|axis| libm::pow(ratio, -(axis as f64))).collect(),
            shifts: (0..axes).map(|_| unit()).collect(),
        }
    }

    /// The point with this number.
    pub(super) fn point(&self, number: usize) -> Vec<f64> {
        let along = |(step, shift): (&f64, &f64)| (shift + number as f64 * step).fract();
        self.steps.iter().zip(&self.shifts).map(along).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fill_every_pair_of_axes_evenly() {
        let sequence = Sequence::new(7, 3);
        let points: Vec<Vec<f64>> = (0..1600).map(|number| sequence.point(number)).collect();
        for one in 0..7 {
            for other in 0..one {
                let mut counts = [0usize; 16];
                for point in &points {
                    counts[(point[one] * 4.0) as usize * 4 + (point[other] * 4.0) as usize] += 1;
                }
                // A hundred are expected in each of the 16 squares; by chance there would be 75 to 125.
                assert!(counts.iter().all(|count| (80..=120).contains(count)), "{one}, {other}: {counts:?}");
            }
        }
        assert_ne!(sequence.point(5), Sequence::new(7, 4).point(5), "the seed matters");
    }
}
