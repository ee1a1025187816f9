//! Modulations: their rates, and the signal-to-noise ratio that each needs.

use super::decibel::{db, ratio};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tables of modulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Wi-Fi: 6 to 78 Mbit/s in 20 MHz.
    #[default]
    Wifi20,
    /// LTE: 1.4 to 36.7 Mbit/s in 10 MHz.
    Lte10,
    /// OFDM with ideal coding, at Shannon's limit: 18 to 72 Mbit/s in 10 MHz.
    OfdmIdeal,
}

/// Name, rate at 20 MHz [Mbit/s], a and b [dB].
const WIFI: [(&str, f64, f64, f64); 8] = [
    ("BPSK 1/2", 6.0, -0.60, 0.43),
    ("QPSK 1/2", 12.0, 2.38, 0.41),
    ("QPSK 3/4", 18.0, 4.88, 0.41),
    ("16QAM 1/2", 24.0, 7.82, 0.49),
    ("16QAM 3/4", 36.0, 11.00, 0.47),
    ("64QAM 2/3", 48.0, 15.02, 0.57),
    ("64QAM 3/4", 54.0, 16.34, 0.53),
    ("256QAM 3/4", 78.0, 21.42, 0.61),
];

/// By number of the scheme: bits per millisecond at 10 MHz, and the signal-to-noise ratio [dB] at which a tenth of
/// the blocks are lost.
const LTE: [(f64, f64); 29] = [
    (1384.0, -7.06),
    (1800.0, -6.11),
    (2216.0, -5.64),
    (2856.0, -4.47),
    (3624.0, -3.40),
    (4392.0, -2.42),
    (5160.0, -1.47),
    (6200.0, -0.30),
    (6968.0, 0.71),
    (7992.0, 1.54),
    (7992.0, 3.75),
    (8760.0, 3.81),
    (9912.0, 4.60),
    (11448.0, 5.57),
    (12960.0, 6.47),
    (14112.0, 7.41),
    (15264.0, 8.40),
    (15264.0, 10.05),
    (16416.0, 10.40),
    (18336.0, 11.23),
    (19848.0, 12.26),
    (21384.0, 13.27),
    (22920.0, 14.23),
    (25456.0, 15.19),
    (27376.0, 16.08),
    (28336.0, 17.01),
    (30576.0, 17.80),
    (31704.0, 18.99),
    (36696.0, 19.69),
];

/// Name and bits per symbol and subcarrier.
const OFDM: [(&str, i32); 4] = [("QPSK", 2), ("16QAM", 4), ("64QAM", 6), ("256QAM", 8)];
/// Subcarriers of `ofdm-ideal`. [1/MHz]
const SUBCARRIERS: f64 = 60.0;
/// Symbols per second of `ofdm-ideal`. [Hz]
const SYMBOLS: f64 = 15e3;
/// How steep the curves of `lte10` and `ofdm-ideal` are. [dB]
const STEEPNESS: f64 = 0.3;

/// Size that `a` and `b` hold for. [bytes]
const REFERENCE: f64 = 200.0;
/// Failures below this count as zero.
const NEGLIGIBLE: f64 = 1e-9;
/// A success of 0.9 is this many times `b` above `a`: -ln(-ln 0.9).
const NINE_TENTHS: f64 = 2.250_367_327_312_445;

/// Success probability that a modulation must reach to be chosen for a unicast message.
pub const GOOD_ENOUGH: f64 = 0.9;

/// A modulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// Its rate. [bit/s]
    pub rate: f64,
    /// Signal-to-noise ratio at which 200 bytes arrive with probability 1/e, with implementation loss and the split of power among
    /// streams. [dB]
    pub a: f64,
    /// Width of the curve around `a`. [dB]
    pub b: f64,
    /// 1 / `a` as a ratio.
    scale: f64,
    /// Exponent of the curve in terms of ratios.
    exponent: f64,
    /// Ratio above which nothing fails.
    limit: f64,
}

impl Mode {
    /// A modulation: its name, rate [bit/s], and the place and width of its curve [dB].
    pub fn new(name: impl Into<String>, rate: f64, a: f64, b: f64) -> Mode {
        Mode {
            name: name.into(),
            rate,
            a,
            b,
            scale: ratio(-a),
            exponent: -10.0 / (b * std::f64::consts::LN_10),
            limit: ratio(a - b * libm::log(NEGLIGIBLE)),
        }
    }

    /// Probability that a message of `bytes` bytes arrives at this signal-to-noise ratio [dB].
    pub fn success(&self, sinr: f64, bytes: u32) -> f64 {
        if bytes == 0 {
            return 1.0;
        }
        if sinr.is_nan() {
            return 0.0;
        }
        libm::exp(-libm::exp(-(sinr - self.a) / self.b) * f64::from(bytes) / REFERENCE)
    }

    /// Minus the logarithm of the success of 200 bytes at this signal-to-noise ratio. These add up if the ratio changes while a
    /// frame is on the air. 0 if it is below 1e-9.
    #[inline]
    pub fn failure(&self, sinr_ratio: f64) -> f64 {
        if sinr_ratio > self.limit {
            0.0
        } else if sinr_ratio > 0.0 {
            libm::pow(sinr_ratio * self.scale, self.exponent)
        } else {
            f64::INFINITY
        }
    }

    /// Signal-to-noise ratio at which nine in ten messages of 200 bytes arrive. [dB]
    pub fn need(&self) -> f64 {
        self.a + NINE_TENTHS * self.b
    }
}

/// The modulations of a radio.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// By rising rate and rising need; never empty.
    pub list: Vec<Mode>,
}

impl Modes {
    /// The modulations of a profile in a channel of this width [Hz] with up to `streams` parallel streams, for receivers with this
    /// implementation loss [dB].
    pub fn new(profile: Profile, bandwidth: f64, streams: u32, implementation_loss: f64) -> Modes {
        let single = match profile {
            Profile::Wifi20 => wifi(bandwidth),
            Profile::Lte10 => lte(bandwidth),
            Profile::OfdmIdeal => ofdm(bandwidth),
        };
        let mut all = Vec::new();
        for streams in 1..=streams.max(1) {
            for mode in &single {
                let name = if streams == 1 { mode.name.clone() } else { format!("{} x{streams}", mode.name) };
                // Each stream has its share of the power.
                let a = mode.a + implementation_loss + db(f64::from(streams));
                all.push(Mode::new(name, mode.rate * f64::from(streams), a, mode.b));
            }
        }
        Modes { list: useful(all) }
    }

    /// The slowest, which needs the weakest signal.
    pub fn base(&self) -> &Mode {
        &self.list[0]
    }

    /// Index of the fastest modulation with which a message of `bytes` bytes arrives with at least this probability at this
    /// signal-to-noise ratio [dB].
    pub fn best(&self, sinr: f64, bytes: u32, least: f64) -> Option<usize> {
        self.list.iter().rposition(|mode| mode.success(sinr, bytes) >= least)
    }
}

/// Sorts by rate and drops those that are no faster than one that needs less.
fn useful(mut modes: Vec<Mode>) -> Vec<Mode> {
    modes.sort_by(|a, b| b.rate.total_cmp(&a.rate).then(a.need().total_cmp(&b.need())));
    let mut kept: Vec<Mode> = Vec::new();
    for mode in modes {
        if kept.last().is_none_or(|faster| mode.need() < faster.need()) {
            kept.push(mode);
        }
    }
    kept.reverse();
    kept
}

fn wifi(bandwidth: f64) -> Vec<Mode> {
    WIFI.iter().map(|&(name, rate, a, b)| Mode::new(name, rate * 1e6 * (bandwidth / 20e6), a, b)).collect()
}

fn lte(bandwidth: f64) -> Vec<Mode> {
    let mode = |(number, &(bits, at_nine_tenths)): (usize, &(f64, f64))| {
        let a = at_nine_tenths - NINE_TENTHS * STEEPNESS;
        Mode::new(format!("MCS {number}"), bits * 1e3 * (bandwidth / 10e6), a, STEEPNESS)
    };
    LTE.iter().enumerate().map(mode).collect()
}

fn ofdm(bandwidth: f64) -> Vec<Mode> {
    let mode = |&(name, bits): &(&str, i32)| {
        let rate = SUBCARRIERS * (bandwidth / 1e6) * SYMBOLS * f64::from(bits);
        // Shannon: a spectral efficiency of `bits` needs a ratio of 2^bits - 1.
        Mode::new(name, rate, db(f64::from((1 << bits) - 1)), STEEPNESS)
    };
    OFDM.iter().map(mode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn modes(profile: Profile, bandwidth: f64, streams: u32) -> Modes {
        Modes::new(profile, bandwidth, streams, 0.0)
    }

    /// Signal-to-noise ratio at which 200 bytes arrive with this probability. [dB]
    fn threshold(mode: &Mode, success: f64) -> f64 {
        mode.a - mode.b * libm::log(-libm::log(success))
    }

    #[test]
    fn wifi_curves_follow_the_table_model() {
        // Signal-to-noise ratios for successes of 0.5, 0.9 and 0.99 of 200 bytes, from ns-3's table model.
        let measured = [
            ("BPSK 1/2", -0.38, 0.34, 1.00),
            ("QPSK 1/2", 2.59, 3.36, 4.00),
            ("QPSK 3/4", 5.08, 5.83, 6.50),
            ("16QAM 1/2", 8.03, 8.91, 9.83),
            ("16QAM 3/4", 11.26, 11.99, 12.92),
            ("64QAM 2/3", 15.29, 16.23, 17.22),
            ("64QAM 3/4", 16.57, 17.49, 18.50),
            ("256QAM 3/4", 21.70, 22.76, 23.86),
        ];
        let modes = modes(Profile::Wifi20, 20e6, 1);
        assert_eq!(modes.list.len(), measured.len());
        for (mode, (name, half, nine_tenths, nearly_all)) in modes.list.iter().zip(measured) {
            assert_eq!(mode.name, name);
            // The curve's upper end is a little too flat: at 0.99 it is up to 0.42 dB off.
            for (success, at, off) in [(0.5, half, 0.1), (0.9, nine_tenths, 0.15), (0.99, nearly_all, 0.43)] {
                let found = threshold(mode, success);
                assert!((found - at).abs() < off, "{name} {success}: {found}, not {at}");
                assert!((mode.success(found, 200) - success).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn rates_follow_the_bandwidth() {
        let rates = |modes: Modes| modes.list.iter().map(|mode| mode.rate).collect::<Vec<_>>();
        assert_eq!(rates(modes(Profile::Wifi20, 20e6, 1)), [6e6, 12e6, 18e6, 24e6, 36e6, 48e6, 54e6, 78e6]);
        assert_eq!(rates(modes(Profile::Wifi20, 10e6, 1))[0], 3e6);
        assert_eq!(rates(modes(Profile::OfdmIdeal, 10e6, 1)), [18e6, 36e6, 54e6, 72e6]);
        assert_eq!(rates(modes(Profile::Lte10, 10e6, 1))[26], 36.696e6);
        assert_eq!(rates(modes(Profile::Lte10, 20e6, 1))[0], 2.768e6);
    }

    #[test]
    fn lte_loses_a_tenth_at_the_measured_ratios() {
        let modes = modes(Profile::Lte10, 10e6, 1);
        // Schemes 10 and 17 are no faster than 9 and 16.
        assert_eq!(modes.list.len(), 27);
        assert!(modes.list.iter().all(|mode| mode.name != "MCS 10" && mode.name != "MCS 17"));
        assert_eq!(modes.base().name, "MCS 0");
        assert!((modes.base().success(-7.06, 200) - 0.9).abs() < 1e-9);
        assert!((modes.list[26].success(19.69, 200) - 0.9).abs() < 1e-9);
    }

    #[test]
    fn streams_multiply_the_rate_and_divide_the_power() {
        let modes = modes(Profile::OfdmIdeal, 10e6, 2);
        let fastest = &modes.list[modes.list.len() - 1];
        assert_eq!((fastest.name.as_str(), fastest.rate), ("256QAM x2", 144e6));
        assert!((fastest.a - (10.0 * libm::log10(255.0) + 10.0 * libm::log10(2.0))).abs() < 1e-12);
        assert_eq!(Modes::new(Profile::Wifi20, 20e6, 0, 3.0).base().a, 2.4);
    }

    #[test]
    fn the_best_mode_is_the_fastest_that_is_good_enough() {
        let modes = modes(Profile::Wifi20, 20e6, 1);
        let best = |sinr| modes.best(sinr, 200, 0.9).map(|i| modes.list[i].name.as_str());
        assert_eq!(best(-5.0), None);
        assert_eq!(best(1.0), Some("BPSK 1/2"));
        assert_eq!(best(17.0), Some("64QAM 2/3"));
        assert_eq!(best(f64::INFINITY), Some("256QAM 3/4"));
        assert_eq!(best(f64::NEG_INFINITY), None);
        assert_eq!(best(f64::NAN), None);
        assert_eq!(modes.base().success(f64::NEG_INFINITY, 0), 1.0);
        assert_eq!(modes.base().failure(0.0), f64::INFINITY);
        assert_eq!(modes.base().failure(f64::NAN), f64::INFINITY);
        assert_eq!(modes.base().failure(1e6), 0.0);
    }

    proptest! {
        #[test]
        fn failure_is_success_in_another_form(index in 0..8usize, sinr in -10.0..40.0f64, bytes in 1..2000u32) {
            let mode = &modes(Profile::Wifi20, 20e6, 1).list[index];
            let success = libm::exp(-mode.failure(ratio(sinr)) * f64::from(bytes) / 200.0);
            prop_assert!((success - mode.success(sinr, bytes)).abs() < 2e-8);
        }

        #[test]
        fn success_rises_with_signal_and_falls_with_size(sinr in -10.0..40.0f64, more in 0.0..10.0f64, bytes in 1..2000u32) {
            for mode in &modes(Profile::Lte10, 10e6, 1).list {
                prop_assert!(mode.success(sinr, bytes) <= mode.success(sinr + more, bytes));
                prop_assert!(mode.success(sinr, bytes) >= mode.success(sinr, bytes + 100));
            }
        }

        #[test]
        fn faster_modes_need_more(streams in 1..8u32, bandwidth in 1e6..1e8f64) {
            for profile in [Profile::Wifi20, Profile::Lte10, Profile::OfdmIdeal] {
                let modes = modes(profile, bandwidth, streams);
                prop_assert!(modes.list.windows(2).all(|w| w[0].rate < w[1].rate && w[0].need() < w[1].need()));
            }
        }
    }
}
