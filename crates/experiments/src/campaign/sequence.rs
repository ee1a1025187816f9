//! Points that fill a cube evenly, however many are taken.

use rand_philox::Philox;

/// Bases of the axes.
const PRIMES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// A low-discrepancy sequence in the unit cube: Halton's, shifted by a random vector. The first points do not depend on how many
/// follow.
pub(super) struct Sequence {
    shifts: Vec<f64>,
}

impl Sequence {
    /// The sequence with so many axes, at most twelve, that belongs to a seed.
    pub(super) fn new(axes: usize, seed: u64) -> Sequence {
        let mut random = Philox::new([seed as u32, (seed >> 32) as u32], 0x4361_6d70);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        Sequence { shifts: (0..axes.min(PRIMES.len())).map(|_| unit()).collect() }
    }

    /// The point with this number.
    pub(super) fn point(&self, number: usize) -> Vec<f64> {
        let along = |(shift, base): (&f64, &u64)| (shift + radical_inverse(number as u64 + 1, *base)).fract();
        self.shifts.iter().zip(&PRIMES).map(along).collect()
    }
}

/// The digits of a number behind the point, in reverse order.
fn radical_inverse(mut number: u64, base: u64) -> f64 {
    let (mut inverse, mut digit) = (0.0, 1.0);
    while number > 0 {
        digit /= base as f64;
        inverse += digit * (number % base) as f64;
        number /= base;
    }
    inverse
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
                assert!(counts.iter().all(|count| (88..=112).contains(count)), "{one}, {other}: {counts:?}");
            }
        }
        assert_ne!(sequence.point(5), Sequence::new(7, 4).point(5), "the seed matters");
    }
}
