//! The distributions behind intervals and tests.
//!
//! They come from statrs where it agrees with scipy to ten digits (measured with statrs 0.19.1 and scipy 1.17.1, over the ranges in
//! `tests/reference.json`). Three do not and are implemented here:
//!
//! - Student's t: statrs 0.19 loses up to seven digits near t = 0 (2·10⁻⁹ at 199 degrees of freedom, 8·10⁻⁷ from 999 on).
//! - Quantiles of Student's t: 10⁻⁸ at 4,999 degrees of freedom and 3·10⁻⁴ at a million; at 10⁹ statrs does not terminate.
//! - The normal distribution function: about 10⁻¹⁰; `libm`'s `erfc` is accurate to the last digits.

use std::f64::consts::{PI, SQRT_2};

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::{beta, gamma};

/// The share of a standard normal distribution below `x`.
pub fn normal_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The share of a standard normal distribution farther from 0 than `x`, on both sides.
pub fn normal_beyond(x: f64) -> f64 {
    libm::erfc(x.abs() / SQRT_2)
}

/// The quantile of the standard normal distribution; `None` unless `p` is above 0 and below 1.
pub fn normal_quantile(p: f64) -> Option<f64> {
    (p > 0.0 && p < 1.0).then(|| Normal::standard().inverse_cdf(p))
}

/// The two-sided critical value of the standard normal distribution.
pub fn normal_critical(confidence: f64) -> Option<f64> {
    // From the lower tail: 1 - confidence is exact where it is small, (1 + confidence) / 2 is not.
    crate::is_confidence(confidence).then(|| normal_quantile((1.0 - confidence) / 2.0).map(|x| -x))?
}

/// The two-sided tail probability of Student's t beyond `t` with `freedom` degrees of freedom; `None` if there is no such
/// distribution.
pub fn student_beyond(t: f64, freedom: f64) -> Option<f64> {
    if t.is_nan() || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    let square = t * t;
    if !square.is_finite() {
        return Some(0.0);
    }
    // An incomplete beta function of `far` with parameters `a` and 1/2. `near` is 1 - far, without the rounding of a difference.
    let a = freedom / 2.0;
    let (far, near) = (freedom / (freedom + square), square / (freedom + square));
    let front = libm::exp(-a * libm::log1p(square / freedom)) * (near / PI).sqrt() * half_step(a);
    let p = if far < (a + 1.0) / (a + 2.5) {
        front / continued_fraction(a, 0.5, far, near)
    } else {
        1.0 - front / continued_fraction(0.5, a, near, far)
    };
    Some(p.clamp(0.0, 1.0))
}

/// The two-sided critical value of Student's t.
pub fn student_critical(confidence: f64, freedom: f64) -> Option<f64> {
    if !crate::is_confidence(confidence) || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    let tail = 1.0 - confidence;
    let mut t = normal_critical(confidence)?;
    // Newton's method on logarithms: tails are nearly straight there, so a poor first guess does no harm.
    for _ in 0..64 {
        let beyond = student_beyond(t, freedom)?;
        let slope = 2.0 * t * student_density(t, freedom) / beyond;
        let step = (libm::log(beyond) - libm::log(tail)) / slope;
        let next = if step.is_finite() { t * libm::exp(step.clamp(-2.0, 2.0)) } else { t };
        if (next - t).abs() <= 1e-15 * t {
            return Some(next);
        }
        t = next;
    }
    Some(t)
}

/// The share of a chi-squared distribution with `freedom` degrees of freedom above `x`.
pub fn chi_squared_above(x: f64, freedom: f64) -> Option<f64> {
    if x.is_nan() || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    match x {
        f64::INFINITY => Some(0.0),
        x if x <= 0.0 => Some(1.0),
        x => gamma::checked_gamma_ur(freedom / 2.0, x / 2.0).ok().map(|p| p.clamp(0.0, 1.0)),
    }
}

/// The two-sided probability that `count` tosses of a fair coin are at least as uneven as `heads` on one side.
pub fn coin_beyond(heads: u64, count: u64) -> Option<f64> {
    let rarer = heads.min(count.checked_sub(heads)?);
    if 2 * u128::from(rarer) >= u128::from(count) {
        return Some(1.0);
    }
    let below = if count <= 1000 {
        // Term by term, starting with the one in which all fall on the other side.
        let mut term = libm::pow(0.5, count as f64);
        let mut sum = term;
        for step in 0..rarer {
            term *= (count - step) as f64 / (step + 1) as f64;
            sum += term;
        }
        sum
    } else {
        beta::checked_beta_reg((count - rarer) as f64, rarer as f64 + 1.0, 0.5).ok()?
    };
    Some((2.0 * below).clamp(0.0, 1.0))
}

/// The density of Student's t.
fn student_density(t: f64, freedom: f64) -> f64 {
    let a = freedom / 2.0;
    half_step(a) / (freedom * PI).sqrt() * libm::exp(-(a + 0.5) * libm::log1p(t * t / freedom))
}

/// Γ(a + 1/2) / Γ(a).
fn half_step(a: f64) -> f64 {
    if a < 40.0 {
        return libm::tgamma(a + 0.5) / libm::tgamma(a);
    }
    // The asymptotic series (Tricomi and Erdélyi, 1951); from 40 on its next term is below the last digit.
    const SERIES: [f64; 8] = [
        1.0,
        -1.0 / 8.0,
        1.0 / 128.0,
        5.0 / 1024.0,
        -21.0 / 32_768.0,
        -399.0 / 262_144.0,
        869.0 / 4_194_304.0,
        39_325.0 / 33_554_432.0,
    ];
    a.sqrt() * SERIES.iter().rev().fold(0.0, |sum, term| sum / a + term)
}

/// The continued fraction of the incomplete beta function at x = 1 - y (Didonato and Morris, 1992, formula 9, as in Boost), by Lentz's
/// method. It is fast for x < (a + 1) / (a + b + 2), and no term of it is a difference of nearly equal numbers.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let below = |n: f64| {
        n + n * (b - n) * x / (a + 2.0 * n - 1.0)
            + (a + n) * (a * y - b * x + 1.0 + n * (1.0 + y)) / (a + 2.0 * n + 1.0)
    };
    let mut fraction = away_from_zero(a * (a * y - b * x + 1.0) / (a + 1.0));
    let (mut c, mut d) = (fraction, 0.0);
    for step in 1..20_000 {
        let n = f64::from(step);
        let root = x / (a + 2.0 * n - 1.0);
        let above = (a + n - 1.0) * (a + b + n - 1.0) * n * (b - n) * root * root;
        d = 1.0 / away_from_zero(below(n) + above * d);
        c = away_from_zero(below(n) + above / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_are_met() {
        // With one degree of freedom t is Cauchy's, with two there is a formula as well.
        for t in [1e-9, 1e-3, 0.5, 1.0, 3.0, 40.0, 1e6] {
            let one = 1.0 - 2.0 / PI * libm::atan(t);
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            assert!((student_beyond(t, 1.0).unwrap() - one).abs() < 1e-15 + 1e-9 * one, "{t}");
            assert!((student_beyond(t, 2.0).unwrap() - two).abs() < 1e-14, "{t}");
        }
        assert!((chi_squared_above(3.0, 2.0).unwrap() - libm::exp(-1.5)).abs() < 1e-15);
        assert!((coin_beyond(1, 5).unwrap() - 12.0 / 32.0).abs() < 1e-15);
        assert_eq!(coin_beyond(0, 0), Some(1.0));
        assert_eq!(coin_beyond(3, 2), None);
    }

    #[test]
    fn critical_values_invert_tail_probabilities() {
        for freedom in [0.5, 1.0, 2.0, 7.0, 79.0, 81.0, 1e3, 1e6, 1e9] {
            for confidence in [0.001, 0.5, 0.9, 0.95, 0.999, 1.0 - 1e-9] {
                let t = student_critical(confidence, freedom).unwrap();
                let back = student_beyond(t, freedom).unwrap();
                assert!((back / (1.0 - confidence) - 1.0).abs() < 1e-11, "{freedom} {confidence} {t} {back}");
            }
        }
        assert!((1..200).all(|n| {
            student_critical(0.95, f64::from(n)).unwrap() > student_critical(0.95, f64::from(n + 1)).unwrap()
        }));
    }

    #[test]
    fn invalid_arguments_give_none() {
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert_eq!(student_beyond(1.0, odd), None);
            assert_eq!(student_critical(0.95, odd), None);
            assert_eq!(chi_squared_above(1.0, odd), None);
        }
        for odd in [f64::NAN, 0.0, 1.0, 2.0] {
            assert_eq!(student_critical(odd, 5.0), None);
            assert_eq!(normal_critical(odd), None);
        }
        assert_eq!(student_beyond(f64::INFINITY, 3.0), Some(0.0));
        assert_eq!(student_beyond(f64::NAN, 3.0), None);
    }
}
