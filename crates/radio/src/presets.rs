//! Named physical radios: typical values to start from. Every value can be overridden.

use crate::physics::{Fading, PathLoss, Profile};
use crate::{Access, EnergyParams, PhysicalParams, ShadowingParams};

/// A named physical radio.
pub struct Preset {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Its parameters.
    pub params: fn() -> PhysicalParams,
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "wifi-indoor",
        summary: "wireless LAN in buildings: obstacles everywhere, slow and fast fading, 15 dBm at 2.4 GHz",
        params: wifi_indoor,
    },
    Preset {
        name: "wifi-outdoor",
        summary: "wireless LAN outdoors: free space, then ground reflection, 20 dBm at 2.4 GHz",
        params: wifi_outdoor,
    },
    Preset {
        name: "lte",
        summary: "scheduled LTE from robot to robot: no collisions, 23 dBm at 2.6 GHz on 10 MHz",
        params: lte,
    },
];

/// The preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

fn wifi_indoor() -> PhysicalParams {
    PhysicalParams {
        // Typical of the adapters of small robots; the legal limit is 20 dBm.
        power: 15.0,
        // Furniture and people that no scenario lists account for the difference from free space; 3 lies between an open-plan
        // office (2.6) and one of small rooms (3.3).
        path_loss: PathLoss::LogDistance,
        exponent: 3.0,
        // Deviations from that average: a few decibels, which change over the length of a room.
        shadowing: Some(ShadowingParams { deviation: 4.0, correlation: 10.0 }),
        // Echoes everywhere, and usually a direct path that is stronger than all of them together.
        fading: Fading::Rician,
        k_factor: 8.0,
        ..wifi_outdoor()
    }
}

fn wifi_outdoor() -> PhysicalParams {
    PhysicalParams {
        frequency: 2.4e9,
        bandwidth: 20e6,
        // The legal limit in Europe at 2.4 GHz.
        power: 20.0,
        // Antennas of ground robots are low, and so the echo from the ground cancels the signal from 101 m on.
        path_loss: PathLoss::TwoRay,
        height: 1.0,
        // In the open nothing varies the signal, so links can be computed by hand.
        shadowing: None,
        fading: Fading::None,
        profile: Profile::Wifi20,
        access: Access::Csma,
        // Common receivers switch to a frame that is ten times stronger than the current one.
        capture: Some(10.0),
        ..PhysicalParams::default()
    }
}

fn lte() -> PhysicalParams {
    PhysicalParams {
        // Band 7, with one of its usual widths; 23 dBm is power class 3, which nearly all devices have.
        frequency: 2.6e9,
        bandwidth: 10e6,
        power: 23.0,
        height: 1.5,
        // Measured exponents outdoors among buildings are 2.7 to 3.5 (a street in sight less, around corners more).
        // Buildings that matter are in the scenario as walls, so the lower end is right.
        path_loss: PathLoss::LogDistance,
        exponent: 2.9,
        // Coding over the whole channel and retransmissions within milliseconds average fading out.
        shadowing: None,
        fading: Fading::None,
        profile: Profile::Lte10,
        // The network schedules the airtime, so there are no collisions and no carrier sensing.
        access: Access::AirtimeShare,
        capture: None,
        preamble: 0.0,
        // A transport block takes 1 ms, and the receiver has its bits 3 ms later.
        processing: 4e-3,
        // 28 bytes for IP and UDP, and a dozen for LTE's own headers and checksums.
        overhead: 40,
        // A modem with its amplifier at 23 dBm; it may sleep between paging occasions.
        energy: EnergyParams { transmit: 2.5, receive: 1.2, idle: 0.6, per_bit: 0.0 },
        ..PhysicalParams::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_lead_to_their_preset() {
        for preset in PRESETS {
            assert_eq!(super::preset(preset.name).map(|found| found.summary), Some(preset.summary));
            assert!(!preset.summary.is_empty() && preset.name != "ideal");
        }
        assert!(preset("wifi").is_none());
    }

    #[test]
    fn presets_match_their_descriptions() {
        let (indoor, outdoor, lte) = (wifi_indoor(), wifi_outdoor(), lte());
        assert_eq!((indoor.power, indoor.exponent, indoor.capture), (15.0, 3.0, Some(10.0)));
        assert_eq!((outdoor.power, outdoor.height, outdoor.shadowing), (20.0, 1.0, None));
        assert_eq!((lte.frequency, lte.bandwidth, lte.access), (2.6e9, 10e6, Access::AirtimeShare));
        // 4πh²/λ: the distance that the comment on the height gives.
        let crossover = 4.0 * std::f64::consts::PI * outdoor.frequency / 299_792_458.0;
        assert_eq!(crossover.round(), 101.0);
    }
}
