//! Random numbers.

/// A random number in [0, 1).
#[inline]
pub(crate) fn unit(random: u32) -> f64 {
    f64::from(random) * (1.0 / 4_294_967_296.0)
}
