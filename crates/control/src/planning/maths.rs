//! Elementary functions in plain `f32` arithmetic: the same bits on every platform, and for
//! a single number or a block of them. Polynomials are the usual single-precision minimax ones; relative errors are below 3e-7.

use super::vector::{Number, clip};
use std::f32::consts::{FRAC_2_PI, LOG2_E};

/// Adding it to a number below 2²² rounds that number to a whole one, which is then in the low bits.
const ROUNDER: f32 = 12_582_912.0;
const HALF_PI_HIGH: f32 = 1.570_312_5;
const HALF_PI_LOW: f32 = 4.838_268e-4;
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Sine and cosine of an angle of at most some thousand turns. [rad]
#[inline(always)]
pub fn sincos<N: Number>(angle: N) -> (N, N) {
    let rounded = angle * FRAC_2_PI + ROUNDER;
    let quarters = rounded - ROUNDER;
    let rest = angle - quarters * HALF_PI_HIGH - quarters * HALF_PI_LOW;
    let square = rest * rest;
    let tail = square * (square * -1.951_529_6e-4 + 8.332_161e-3) - 1.666_665_5e-1;
    let sine = rest + rest * square * tail;
    let tail = square * (square * 2.443_315_7e-5 - 1.388_731_6e-3) + 4.166_664_6e-2;
    let cosine = square.like(1.0) - square * 0.5 + square * square * tail;
    // Odd quarters swap the two; the second bit is the sign.
    let (odd, sign) = (rounded.shifted::<31>(), rounded.shifted::<30>());
    (odd.pick(cosine, sine).signed(sign), odd.pick(sine, cosine).signed(sign).signed(odd))
}

/// e to the power of `x`, which is limited to ±87.
#[inline(always)]
pub fn exp<N: Number>(x: N) -> N {
    let x = clip(x, (-87.0, 87.0));
    let rounded = x * LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let tail = rest * (rest * 1.987_569_2e-4 + 1.398_2e-3) + 8.333_452e-3;
    let tail = rest * (rest * (rest * tail + 4.166_579_6e-2) + 1.666_666_5e-1) + 0.5;
    let power = rest + 1.0 + rest * rest * tail;
    power.plus_bits(rounded.shifted::<23>())
}

/// Natural logarithm of a positive normal number.
#[inline(always)]
pub fn ln<N: Number>(x: N) -> N {
    let (exponent, fraction) = x.split();
    let y = fraction - 1.0;
    let tail = y * (y * (y * 7.037_684e-2 - 1.151_461e-1) + 1.167_7e-1) - 1.242_014_1e-1;
    let tail = y * (y * tail + 1.424_932_3e-1) - 1.666_805_8e-1;
    let tail = y * (y * (y * tail + 2.000_071_5e-1) - 2.499_999_4e-1) + 3.333_333e-1;
    y * y * y * tail + exponent * LN_2_LOW - y * 0.5 * y + y + exponent * LN_2_HIGH
}

/// Arc cosine of a number from 0 to 1 (Abramowitz and Stegun 4.4.45, absolute error below 7e-5). [rad]
#[inline(always)]
pub fn acos<N: Number>(x: N) -> N {
    let tail = x * (x * (x * -0.018_729_3 + 0.074_261) - 0.212_114_4) + 1.570_728_8;
    let rest = x.like(1.0) - x;
    rest.higher(x.like(0.0)).root() * tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_libm() {
        for n in 0..40_000 {
            let x = n as f32 * 0.01 - 200.0;
            let (sine, cosine) = sincos(x);
            assert!((f64::from(sine) - libm::sin(f64::from(x))).abs() < 3e-7, "sin {x}");
            assert!((f64::from(cosine) - libm::cos(f64::from(x))).abs() < 3e-7, "cos {x}");
            if x.abs() < 80.0 {
                let error = f64::from(exp(x)) / libm::exp(f64::from(x)) - 1.0;
                assert!(error.abs() < 3e-7, "exp {x}: {error}");
            }
            let x = (n + 1) as f32 / 20_000.0;
            assert!((f64::from(ln(x)) - libm::log(f64::from(x))).abs() < 1e-6, "ln {x}");
            assert!(
                (f64::from(acos((x / 2.0).min(1.0))) - libm::acos(f64::from((x / 2.0).min(1.0)))).abs()
                    < 7e-5
            );
        }
    }

    #[test]
    fn the_exponential_is_limited() {
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30] {
            assert!(exp(x).is_finite(), "{x}");
        }
    }
}
