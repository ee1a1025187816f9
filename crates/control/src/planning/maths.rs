//! Elementary functions in plain `f32` arithmetic: the same bits on every platform, and simple enough for the compiler to compute
//! several values at once. Polynomials are the usual single-precision minimax ones; relative errors are below 3e-7.

use std::f32::consts::{FRAC_2_PI, LOG2_E};

/// Adding it to a number below 2²² rounds that number to a whole one, which is then in the low bits.
const ROUNDER: f32 = 12_582_912.0;
const HALF_PI_HIGH: f32 = 1.570_312_5;
const HALF_PI_LOW: f32 = 4.838_268e-4;
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Sine and cosine of an angle of at most some thousand turns. [rad]
#[inline(always)]
pub fn sincos(angle: f32) -> (f32, f32) {
    let rounded = angle * FRAC_2_PI + ROUNDER;
    let quarters = rounded - ROUNDER;
    let rest = angle - quarters * HALF_PI_HIGH - quarters * HALF_PI_LOW;
    let square = rest * rest;
    let sine = rest + rest * square * (-1.666_665_5e-1 + square * (8.332_161e-3 + square * -1.951_529_6e-4));
    let cosine = 1.0 - 0.5 * square
        + square * square * (4.166_664_6e-2 + square * (-1.388_731_6e-3 + square * 2.443_315_7e-5));
    // Odd quarters swap the two; the second bit is the sign.
    let quarter = rounded.to_bits();
    let swap = 0_u32.wrapping_sub(quarter & 1);
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    let sine = ((s & !swap) | (c & swap)) ^ ((quarter & 2) << 30);
    let cosine = ((c & !swap) | (s & swap)) ^ ((quarter.wrapping_add(1) & 2) << 30);
    (f32::from_bits(sine), f32::from_bits(cosine))
}

/// e to the power of `x`, which is limited to ±87.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = if x > -87.0 { x } else { -87.0 };
    let x = if x < 87.0 { x } else { 87.0 };
    let rounded = x * LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let tail = 8.333_452e-3 + rest * (1.398_2e-3 + rest * 1.987_569_2e-4);
    let tail = 0.5 + rest * (1.666_666_5e-1 + rest * (4.166_579_6e-2 + rest * tail));
    let power = 1.0 + rest + rest * rest * tail;
    f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// Natural logarithm of a positive normal number.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let shifted = x.to_bits().wrapping_sub(ROOT_HALF);
    let exponent = ((shifted as i32) >> 23) as f32;
    let y = f32::from_bits((shifted & 0x007f_ffff).wrapping_add(ROOT_HALF)) - 1.0;
    let tail = -1.242_014_1e-1 + y * (1.167_7e-1 + y * (-1.151_461e-1 + y * 7.037_684e-2));
    let tail = -1.666_805_8e-1 + y * (1.424_932_3e-1 + y * tail);
    let tail = 3.333_333e-1 + y * (-2.499_999_4e-1 + y * (2.000_071_5e-1 + y * tail));
    y * y * y * tail + exponent * LN_2_LOW - 0.5 * y * y + y + exponent * LN_2_HIGH
}

/// Arc cosine of a number from 0 to 1 (Abramowitz and Stegun 4.4.45, absolute error below 7e-5). [rad]
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let tail = 1.570_728_8 + x * (-0.212_114_4 + x * (0.074_261 + x * -0.018_729_3));
    let rest = 1.0 - x;
    (if rest > 0.0 { rest } else { 0.0 }).sqrt() * tail
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
