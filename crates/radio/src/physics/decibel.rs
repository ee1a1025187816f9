//! Decibels.

/// Speed of light. [m/s]
pub const LIGHT: f64 = 299_792_458.0;

/// The power of a level. [mW]
pub fn milliwatts(dbm: f64) -> f64 {
    ratio(dbm)
}

/// The level of a power; minus infinity for none. [dBm]
pub fn dbm(milliwatts: f64) -> f64 {
    db(milliwatts)
}

/// The ratio of a number of decibels.
pub fn ratio(db: f64) -> f64 {
    libm::pow(10.0, db / 10.0)
}

/// A ratio in decibels; minus infinity for 0. [dB]
pub fn db(ratio: f64) -> f64 {
    10.0 * libm::log10(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_powers_are_inverse() {
        assert_eq!(milliwatts(20.0), 100.0);
        assert_eq!(dbm(1.0), 0.0);
        assert_eq!(dbm(0.0), f64::NEG_INFINITY);
        assert_eq!(milliwatts(f64::NEG_INFINITY), 0.0);
        assert_eq!(ratio(10.0), 10.0);
        assert!((db(2.0) - 3.0103).abs() < 1e-5);
    }
}
