//! The link budget, line by line: the output of `crewlab link`.

use super::airtime::{airtime, flight, nanoseconds};
use super::decibel::{dbm, milliwatts, ratio};
use super::fading::Fading;
use super::modes::{GOOD_ENOUGH, Mode, Modes};
use super::noise::thermal;
use super::path_loss::Propagation;
use crate::{Access, PhysicalParams};

/// One line of a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetLine {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// Its explanation.
    pub note: String,
}

/// The performance of a link with one modulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// The modulation's name.
    pub mode: String,
    /// Its rate. [bit/s]
    pub rate: f64,
    /// Probability that the message arrives at the first attempt.
    pub success: f64,
    /// Time from when the medium is free until software has the message. [s]
    pub delay: f64,
}

/// A link budget, from power to delay.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The terms, in the order of the computation.
    pub lines: Vec<BudgetLine>,
    /// Distance. [m]
    pub distance: f64,
    /// Received power. [dBm]
    pub rx: f64,
    /// All noise and interference. [dBm]
    pub noise: f64,
    /// Signal-to-interference-plus-noise ratio. [dB]
    pub sinr: f64,
    /// Modulation of a unicast message.
    pub mode: String,
    /// Its rate. [bit/s]
    pub rate: f64,
    /// Probability that it arrives at the first attempt.
    pub success: f64,
    /// Time from when the medium is free until software has it. [s]
    pub delay: f64,
    /// The same for a broadcast, which uses the slowest modulation.
    pub broadcast: Service,
}

/// The conditions of a link besides the radio's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Distance. [m]
    pub distance: f64,
    /// Walls in between: number and damping of each. [dB]
    pub walls: Vec<(usize, f64)>,
    /// Loss due to the surroundings of both ends. [dB]
    pub shadowing: f64,
    /// Noise floor at the receiver besides its own noise. [dBm]
    pub floor: Option<f64>,
    /// Increase of the noise level. [dB]
    pub noise_rise: f64,
    /// Jammers with their received power in the channel. [dBm]
    pub jammers: Vec<(String, f64)>,
    /// Share of the channel's bandwidth that can be used.
    pub bandwidth_share: f64,
    /// Size of the message.
    pub bytes: u32,
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            distance: 100.0,
            walls: Vec::new(),
            shadowing: 0.0,
            floor: None,
            noise_rise: 0.0,
            jammers: Vec::new(),
            bandwidth_share: 1.0,
            bytes: 200,
        }
    }
}

impl Budget {
    /// The budget of a link of radios with these parameters.
    pub fn new(params: &PhysicalParams, conditions: &Conditions) -> Budget {
        // A narrower channel is slower and catches less thermal noise; the sender's power stays.
        let params =
            PhysicalParams { bandwidth: params.bandwidth * conditions.bandwidth_share, ..params.clone() };
        let mut sheet = Sheet { params: &params, conditions, lines: Vec::new() };
        let rx = sheet.signal();
        let noise = sheet.noise();
        let sinr = if noise == f64::NEG_INFINITY { f64::INFINITY } else { rx - noise };
        sheet.add("signal against noise", sinr, "dB", "received power minus noise");
        let heard = sheet.heard(rx, sinr);

        let modes = Modes::new(params.profile, params.bandwidth, params.streams, params.implementation_loss);
        let best = modes.best(sinr, conditions.bytes, GOOD_ENOUGH);
        let mode = best.map_or(modes.base(), |best| &modes.list[best]);
        let unicast = sheet.service(mode, sinr, heard);
        let broadcast = sheet.service(modes.base(), sinr, heard);
        sheet.choice(mode, best, &modes);
        sheet.outcome(&unicast, mode);
        sheet.add(
            "broadcast success",
            broadcast.success,
            "1",
            &format!("{}, the slowest modulation", broadcast.mode),
        );
        sheet.add("broadcast delay", broadcast.delay, "s", "the same for a message to all");

        let Service { mode, rate, success, delay } = unicast;
        Budget {
            lines: sheet.lines,
            distance: conditions.distance,
            rx,
            noise,
            sinr,
            mode,
            rate,
            success,
            delay,
            broadcast,
        }
    }
}

/// A budget under construction.
struct Sheet<'a> {
    params: &'a PhysicalParams,
    conditions: &'a Conditions,
    lines: Vec<BudgetLine>,
}

impl Sheet<'_> {
    fn add(&mut self, name: &str, value: f64, unit: &'static str, note: &str) {
        self.lines.push(BudgetLine { name: name.into(), value, unit, note: note.into() });
    }

    /// Received power. [dBm]
    fn signal(&mut self) -> f64 {
        let (params, conditions) = (self.params, self.conditions);
        let loss = Propagation::new(params).loss(conditions.distance);
        let mut rx = params.power + 2.0 * params.antenna_gain - loss;
        self.add("power", params.power, "dBm", "emitted by the sender");
        self.add("antenna gains", 2.0 * params.antenna_gain, "dB", "sender and receiver");
        let note = format!(
            "{} over {} m at {} GHz",
            params.path_loss.name(),
            conditions.distance,
            params.frequency / 1e9
        );
        self.add("path loss", -loss, "dB", &note);
        for &(count, each) in conditions.walls.iter().filter(|(count, _)| *count > 0) {
            let damping = count as f64 * each;
            rx -= damping;
            let note = match count {
                1 => "one in the line of sight".to_string(),
                _ => format!("{count} of {each} dB each in the line of sight"),
            };
            self.add("walls", -damping, "dB", &note);
        }
        if params.shadowing.is_some() || conditions.shadowing != 0.0 {
            rx -= conditions.shadowing;
            self.add("shadowing", -conditions.shadowing, "dB", "surroundings of both ends");
        }
        if params.fading != Fading::None {
            self.add("fading", 0.0, "dB", "varies from packet to packet; all below holds for its average");
        }
        self.add("received power", rx, "dBm", "sum of the above");
        rx
    }

    /// All noise and interference. [dBm]
    fn noise(&mut self) -> f64 {
        let (params, conditions) = (self.params, self.conditions);
        let mut noise = 0.0;
        if params.thermal_noise {
            noise += thermal(params.noise_figure, params.bandwidth);
            let note = format!(
                "-174 dBm/Hz in {} MHz, and a noise figure of {} dB",
                params.bandwidth / 1e6,
                params.noise_figure
            );
            self.add("thermal noise", dbm(noise), "dBm", &note);
        }
        if let Some(floor) = conditions.floor {
            noise += milliwatts(floor);
            self.add("noise floor", floor, "dBm", "at the receiver's place");
        }
        if conditions.noise_rise != 0.0 {
            noise *= ratio(conditions.noise_rise);
            self.add("noise rise", conditions.noise_rise, "dB", "on all noise but jammers");
        }
        for (name, level) in &conditions.jammers {
            noise += milliwatts(*level);
            self.add("jammer", *level, "dBm", &format!("{name}, as it arrives in the channel"));
        }
        let noise = dbm(noise);
        self.add("noise", noise, "dBm", "sum of the above in milliwatts");
        noise
    }

    /// False if the receiver does not lock on to the frame at all.
    fn heard(&mut self, rx: f64, sinr: f64) -> bool {
        let weak = self.params.sensitivity.filter(|sensitivity| rx < *sensitivity);
        let noisy = self.params.preamble_sinr.filter(|needed| sinr < *needed);
        if let Some(sensitivity) = weak {
            self.add(
                "sensitivity",
                sensitivity,
                "dBm",
                "the received power is below it: nothing is received",
            );
        }
        if let Some(needed) = noisy {
            self.add(
                "preamble",
                needed,
                "dB",
                "the signal-to-noise ratio is below this requirement: nothing is received",
            );
        }
        weak.is_none() && noisy.is_none()
    }

    fn service(&self, mode: &Mode, sinr: f64, heard: bool) -> Service {
        let (params, bytes) = (self.params, self.conditions.bytes);
        let success = if heard { mode.success(sinr, bytes) * (1.0 - params.loss) } else { 0.0 };
        let delay = airtime(params, mode, bytes)
            .saturating_add(pause(params))
            .saturating_add(flight(self.conditions.distance))
            .saturating_add(nanoseconds(params.processing));
        Service { mode: mode.name.clone(), rate: mode.rate, success, delay: delay as f64 * 1e-9 }
    }

    fn choice(&mut self, mode: &Mode, best: Option<usize>, modes: &Modes) {
        let bytes = self.conditions.bytes;
        let why = match best {
            None => format!("the slowest: none delivers {bytes} bytes with probability {GOOD_ENOUGH}"),
            Some(best) => match modes.list.get(best + 1) {
                None => "the fastest available".into(),
                Some(next) => format!(
                    "the fastest with a success of {GOOD_ENOUGH}; {} needs {:.1} dB",
                    next.name,
                    next.need()
                ),
            },
        };
        self.add("rate", mode.rate / 1e6, "Mbit/s", &format!("{}, {why}", mode.name));
    }

    fn outcome(&mut self, service: &Service, mode: &Mode) {
        let (params, conditions) = (self.params, self.conditions);
        if params.loss > 0.0 {
            self.add("loss", params.loss, "1", "share of the frames that are lost at random");
        }
        self.add(
            "success",
            service.success,
            "1",
            &format!("{} bytes at the first attempt", conditions.bytes),
        );
        self.add(
            "access",
            pause(params) as f64 * 1e-9,
            "s",
            "pause before a frame; others may make it longer",
        );
        let note =
            format!("preamble, {} bytes of headers and {} of content", params.overhead, conditions.bytes);
        self.add("airtime", airtime(params, mode, conditions.bytes) as f64 * 1e-9, "s", &note);
        self.add("flight", flight(conditions.distance) as f64 * 1e-9, "s", "at the speed of light");
        self.add("processing", params.processing, "s", "until software has it");
        self.add("delay", service.delay, "s", "sum of these while nobody else sends");
    }
}

/// Shortest time for which a sender must find the medium free. [ns]
fn pause(params: &PhysicalParams) -> u64 {
    match params.access {
        Access::Csma => nanoseconds(params.difs),
        Access::AirtimeShare => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::{PathLoss, Profile};
    use proptest::prelude::*;

    fn friis() -> PhysicalParams {
        PhysicalParams { path_loss: PathLoss::Friis, ..PhysicalParams::default() }
    }

    fn line<'a>(budget: &'a Budget, name: &str) -> Option<&'a BudgetLine> {
        budget.lines.iter().find(|line| line.name == name)
    }

    #[test]
    fn a_link_adds_up() {
        let conditions = Conditions {
            walls: vec![(2, 5.0), (1, 12.0), (0, 3.0)],
            shadowing: 1.5,
            floor: Some(-93.0),
            noise_rise: 3.0,
            ..Conditions::default()
        };
        let params = PhysicalParams { antenna_gain: 2.0, processing: 1e-3, ..friis() };
        let budget = Budget::new(&params, &conditions);
        assert!((budget.rx - (-60.052 + 4.0 - 22.0 - 1.5)).abs() < 1e-3, "{}", budget.rx);
        let noise = 3.0 + 10.0 * libm::log10(ratio_sum(&[-93.9897, -93.0]));
        assert!((budget.noise - noise).abs() < 1e-3, "{}", budget.noise);
        assert!((budget.sinr - (budget.rx - budget.noise)).abs() < 1e-12);
        // Some 7.9 dB: enough for QPSK 3/4, which needs 5.8, and not for 16QAM 1/2, which needs 8.9.
        assert_eq!((budget.mode.as_str(), budget.rate), ("QPSK 3/4", 18e6));
        assert!(budget.success > 0.9);
        assert_eq!(budget.broadcast.mode, "BPSK 1/2");
        assert!(
            (budget.broadcast.delay - (50e-6 + 346e-6 + 334e-9 + 1e-3)).abs() < 1e-12,
            "{}",
            budget.broadcast.delay
        );
        assert_eq!(budget.lines.iter().filter(|line| line.name == "walls").count(), 2);
        // Lines up to the received power add up to it.
        let above = budget.lines.iter().take_while(|line| line.name != "received power");
        assert!((above.map(|line| line.value).sum::<f64>() - budget.rx).abs() < 1e-9);
    }

    fn ratio_sum(levels: &[f64]) -> f64 {
        levels.iter().map(|level| milliwatts(*level)).sum()
    }

    #[test]
    fn a_jammer_of_equal_power_is_as_bad_as_it_is_near() {
        let params = PhysicalParams { thermal_noise: false, ..friis() };
        for (sender, jammer) in [(10.0, 20.0), (50.0, 37.0), (100.0, 1000.0), (80.0, 80.0)] {
            let arrives = params.power - Propagation::new(&params).loss(jammer);
            let conditions = Conditions {
                distance: sender,
                jammers: vec![("jammer".into(), arrives)],
                ..Conditions::default()
            };
            let expected = 20.0 * libm::log10(jammer / sender);
            assert!((Budget::new(&params, &conditions).sinr - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn without_any_noise_everything_arrives() {
        let params = PhysicalParams { thermal_noise: false, ..friis() };
        let budget =
            Budget::new(&params, &Conditions { distance: 1e6, noise_rise: 5.0, ..Conditions::default() });
        assert_eq!((budget.noise, budget.sinr, budget.success), (f64::NEG_INFINITY, f64::INFINITY, 1.0));
        assert_eq!(budget.mode, "256QAM 3/4");
    }

    #[test]
    fn receivers_may_not_lock_on() {
        let deaf =
            Budget::new(&PhysicalParams { sensitivity: Some(-50.0), ..friis() }, &Conditions::default());
        assert_eq!((deaf.success, deaf.broadcast.success), (0.0, 0.0));
        assert!(line(&deaf, "sensitivity").is_some());
        let picky = PhysicalParams { preamble_sinr: Some(35.0), ..friis() };
        let noisy = Budget::new(&picky, &Conditions::default());
        assert_eq!(noisy.success, 0.0);
        assert!(line(&noisy, "preamble").is_some());
        let near = Budget::new(&picky, &Conditions { distance: 50.0, ..Conditions::default() });
        assert!(near.success > 0.999 && line(&near, "preamble").is_none());
    }

    #[test]
    fn too_far_means_the_slowest_mode_without_success() {
        let budget = Budget::new(
            &PhysicalParams::default(),
            &Conditions { distance: 5000.0, ..Conditions::default() },
        );
        assert_eq!(budget.mode, "BPSK 1/2");
        assert!(budget.success < 1e-9);
        let lossy = Budget::new(&PhysicalParams { loss: 0.25, ..friis() }, &Conditions::default());
        assert!((lossy.success - 0.75).abs() < 1e-9);
    }

    #[test]
    fn a_share_of_the_channel_is_slower_and_less_noisy() {
        let half = Conditions { bandwidth_share: 0.5, ..Conditions::default() };
        let (half, whole) = (Budget::new(&friis(), &half), Budget::new(&friis(), &Conditions::default()));
        assert_eq!(half.rate, whole.rate / 2.0);
        assert!((whole.noise - half.noise - 3.0103).abs() < 1e-4);
        let ofdm = PhysicalParams { profile: Profile::OfdmIdeal, bandwidth: 10e6, ..friis() };
        assert_eq!(Budget::new(&ofdm, &Conditions::default()).rate, 72e6);
    }

    /// Radios of every path loss, profile and kind of receiver.
    fn any_radio() -> impl Strategy<Value = PhysicalParams> {
        let path_loss =
            prop_oneof![Just(PathLoss::Friis), Just(PathLoss::LogDistance), Just(PathLoss::TwoRay)];
        let profile = prop_oneof![Just(Profile::Wifi20), Just(Profile::Lte10), Just(Profile::OfdmIdeal)];
        let sensitivity = prop::option::of(-100.0..-60.0f64);
        (path_loss, profile, 1..4u32, -20.0..30.0f64, 1.5..5.0f64, sensitivity).prop_map(
            |(path_loss, profile, streams, power, exponent, sensitivity)| PhysicalParams {
                path_loss,
                profile,
                streams,
                power,
                exponent,
                sensitivity,
                ..PhysicalParams::default()
            },
        )
    }

    proptest! {
        #[test]
        fn worse_conditions_never_improve_a_link(
            params in any_radio(), distance in 1.0..2000.0f64, farther in 0.0..500.0f64, walls in 0..5usize,
            level in -120.0..-60.0f64, bytes in 1..2304u32,
        ) {
            let budget = |conditions| Budget::new(&params, &conditions);
            let walled = vec![(walls, 5.0)];
            let conditions =
                Conditions { distance, walls: walled, floor: Some(level), bytes, ..Conditions::default() };
            let now = budget(conditions.clone());
            for worse in [
                budget(Conditions { distance: distance + farther, ..conditions.clone() }),
                budget(Conditions { walls: vec![(walls + 1, 5.0)], ..conditions.clone() }),
                budget(Conditions { floor: Some(level + 1.0), ..conditions.clone() }),
                budget(Conditions { jammers: vec![("one".into(), level)], ..conditions.clone() }),
            ] {
                prop_assert!(worse.sinr <= now.sinr + 1e-9);
                prop_assert!(worse.broadcast.success <= now.broadcast.success + 1e-9);
                prop_assert!(worse.rate <= now.rate);
            }
        }
    }
}
