//! Chance.

/// A random number from 0 to below 1.
#[inline]
pub(crate) fn unit(random: u32) -> f64 {
    f64::from(random) * (1.0 / 4_294_967_296.0)
}
