//! The duration of messages.

use super::decibel::LIGHT;
use super::modes::{Mode, Profile};
use crate::PhysicalParams;

/// Airtime of a message of `bytes` bytes: preamble, headers and content. `mode` must be one for the bandwidth
/// of `params`. [ns]
pub fn airtime(params: &PhysicalParams, mode: &Mode, bytes: u32) -> u64 {
    let bits = 8.0 * (f64::from(bytes) + f64::from(params.overhead));
    let content = match params.profile {
        Profile::Wifi20 => {
            // 16 bits of service before and 6 of tail after, in whole symbols of 4 µs at 20 MHz.
            let symbol = 4e-6 * (20e6 / params.bandwidth);
            let symbols = ((bits + 22.0) / (mode.rate * symbol) - 1e-9).ceil();
            symbols * symbol
        }
        Profile::Lte10 | Profile::OfdmIdeal => bits / mode.rate,
    };
    nanoseconds(params.preamble).saturating_add(nanoseconds(content))
}

/// Propagation delay over a distance [m]. [ns]
pub fn flight(distance: f64) -> u64 {
    nanoseconds(distance / LIGHT)
}

/// A time [s] in whole nanoseconds.
pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9 + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::Modes;

    fn time(params: &PhysicalParams, mode: usize, bytes: u32) -> u64 {
        let modes = Modes::new(params.profile, params.bandwidth, params.streams, 0.0);
        airtime(params, &modes.list[mode], bytes)
    }

    #[test]
    fn wifi_frames_are_whole_symbols() {
        let params = PhysicalParams::default();
        // 22 + 8 · 236 = 1910 bits in 80 symbols of 24 bits.
        assert_eq!(time(&params, 0, 200), 346_000);
        assert_eq!(time(&params, 7, 200), 26_000 + 7 * 4_000);
        // 2 bits more than 2 symbols; exactly 2 symbols.
        let bare = PhysicalParams { overhead: 0, ..PhysicalParams::default() };
        assert_eq!(time(&bare, 0, 4), 26_000 + 3 * 4_000);
        assert_eq!(time(&bare, 0, 3), 26_000 + 2 * 4_000);
        let half = PhysicalParams { bandwidth: 10e6, ..PhysicalParams::default() };
        assert_eq!(time(&half, 0, 200), 26_000 + 80 * 8_000);
    }

    #[test]
    fn other_profiles_divide_bits_by_rate() {
        let params = PhysicalParams {
            profile: Profile::OfdmIdeal,
            bandwidth: 10e6,
            overhead: 0,
            preamble: 0.0,
            ..PhysicalParams::default()
        };
        assert_eq!(time(&params, 3, 9000), 1_000_000);
    }

    #[test]
    fn propagation_takes_time() {
        assert_eq!(flight(300.0), 1001);
        assert_eq!(flight(0.0), 0);
        assert_eq!(flight(f64::NAN), 0);
    }
}
