//! Parameters of the physical radio: the keys of scenario files. Editors show the comments as descriptions.

use crate::physics::{Fading, NoiseFloorSpec, PathLoss, Profile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of the physical radio. Part of the state, in which no field may be skipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PhysicalParams {
    /// Carrier frequency.
    #[schemars(range(min = 1e6, max = 3e11), extend("x-unit" = "Hz"))]
    pub frequency: f64,
    /// Width of the channel.
    #[schemars(range(min = 1e3, max = 1e10), extend("x-unit" = "Hz"))]
    pub bandwidth: f64,
    /// Transmission power.
    #[schemars(range(min = -60.0, max = 80.0), extend("x-unit" = "dBm"))]
    pub power: f64,
    /// Gain of every antenna, of senders and receivers alike.
    #[schemars(range(min = -30.0, max = 60.0), extend("x-unit" = "dB"))]
    pub antenna_gain: f64,
    /// Height of every antenna above the ground.
    #[schemars(range(min = 0.01, max = 20000.0), extend("x-unit" = "m"))]
    pub height: f64,
    /// How the signal weakens with distance.
    pub path_loss: PathLoss,
    /// Exponent of `log-distance`: 2 in free space, 2.7 to 5 among obstacles.
    #[schemars(range(min = 1.0, max = 8.0))]
    pub exponent: f64,
    /// Slow variation of the signal from place to place.
    pub shadowing: Option<ShadowingParams>,
    /// Variation of the signal from packet to packet.
    pub fading: Fading,
    /// Power of the direct path relative to all others, for `fading: rician`.
    #[schemars(range(min = -20.0, max = 40.0), extend("x-unit" = "dB"))]
    pub k_factor: f64,
    /// Probability that a receiver misses a frame that it could have decoded.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub loss: f64,
    /// False for receivers without thermal noise.
    pub thermal_noise: bool,
    /// Noise that a receiver adds to the thermal noise.
    #[schemars(range(min = 0.0, max = 40.0), extend("x-unit" = "dB"))]
    pub noise_figure: f64,
    /// Additional background noise, by place.
    pub noise_floor: Option<NoiseFloorSpec>,
    /// Table of modulations and their rates.
    pub profile: Profile,
    /// Parallel streams (MIMO), which share the power.
    #[schemars(range(min = 1, max = 8))]
    pub streams: u32,
    /// How much more signal a real receiver needs than in the table.
    #[schemars(range(min = 0.0, max = 30.0), extend("x-unit" = "dB"))]
    pub implementation_loss: f64,
    /// Weakest signal that a receiver locks on to; without it, only the signal-to-noise ratio decides.
    #[schemars(range(min = -150.0, max = 0.0), extend("x-unit" = "dBm"))]
    pub sensitivity: Option<f64>,
    /// SINR that a receiver needs to lock on to a frame; default: what the slowest modulation needs.
    #[schemars(range(min = -20.0, max = 40.0), extend("x-unit" = "dB"))]
    pub preamble_sinr: Option<f64>,
    /// How much stronger a frame must be to replace the one being received; without it, no frame does.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "dB"))]
    pub capture: Option<f64>,
    /// How senders share the medium.
    pub access: Access,
    /// Length of a slot.
    #[schemars(range(min = 1e-7, max = 1e-2), extend("x-unit" = "s"))]
    pub slot: f64,
    /// Shortest pause between two frames.
    #[schemars(range(min = 1e-7, max = 1e-2), extend("x-unit" = "s"))]
    pub sifs: f64,
    /// How long the medium must be idle before a frame.
    #[schemars(range(min = 1e-7, max = 1e-1), extend("x-unit" = "s"))]
    pub difs: f64,
    /// The same after a frame that could not be decoded.
    #[schemars(range(min = 1e-7, max = 1e-1), extend("x-unit" = "s"))]
    pub eifs: f64,
    /// Largest number of backoff slots at first.
    #[schemars(range(min = 1, max = 65535))]
    pub contention_window: u32,
    /// Largest number of backoff slots after retries.
    #[schemars(range(min = 1, max = 65535))]
    pub largest_window: u32,
    /// Retransmissions of a unicast frame without acknowledgement.
    #[schemars(range(min = 0, max = 255))]
    pub retries: u32,
    /// Received frame power above which the medium counts as busy.
    #[schemars(range(min = -150.0, max = 30.0), extend("x-unit" = "dBm"))]
    pub carrier_sense: f64,
    /// Energy of any kind above which the medium counts as busy.
    #[schemars(range(min = -150.0, max = 60.0), extend("x-unit" = "dBm"))]
    pub energy_detection: f64,
    /// Duration of a frame besides its bytes: training and header before them, signal extension after them.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-unit" = "s"))]
    pub preamble: f64,
    /// Bytes that headers add to every message.
    #[schemars(range(min = 0, max = 10000))]
    pub overhead: u32,
    /// Largest message in bytes.
    #[schemars(range(min = 1, max = 1000000))]
    pub largest_message: u32,
    /// Largest number of messages waiting at a robot.
    #[schemars(range(min = 1, max = 1000000))]
    pub queue: u32,
    /// Longest time that a message waits.
    #[schemars(range(min = 1e-6, max = 3600.0), extend("x-unit" = "s"))]
    pub time_to_live: f64,
    /// Time from the end of a frame until the software receives it.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "s"))]
    pub processing: f64,
    /// Robots' computers are not synchronised: each sends at its own moment within this time.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "s"))]
    pub stagger: f64,
    /// How messages reach robots that do not hear the sender.
    pub forwarding: Forwarding,
    /// Largest number of hops of a forwarded message.
    #[schemars(range(min = 1, max = 64))]
    pub hops: u32,
    /// Longest random delay of a forwarded message.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "s"))]
    pub jitter: f64,
    /// Time between two hello messages of `link-state`.
    #[schemars(range(min = 0.01, max = 3600.0), extend("x-unit" = "s"))]
    pub hello_every: f64,
    /// Energy consumption of the radio.
    pub energy: EnergyParams,
    /// True if robots know where walls stood at the start, to predict links.
    pub floor_plan: bool,
}

/// Slow variation of the signal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ShadowingParams {
    /// Standard deviation.
    #[schemars(range(min = 0.0, max = 30.0), extend("x-unit" = "dB"))]
    pub deviation: f64,
    /// Distance over which it changes.
    #[schemars(range(min = 0.1, max = 10000.0), extend("x-unit" = "m"))]
    pub correlation: f64,
}

impl Default for ShadowingParams {
    fn default() -> Self {
        ShadowingParams { deviation: 4.0, correlation: 10.0 }
    }
}

/// What the radio takes from a battery whose `energy` is in joules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct EnergyParams {
    /// Power while sending.
    #[schemars(range(min = 0.0, max = 10000.0), extend("x-unit" = "W"))]
    pub transmit: f64,
    /// Power while receiving.
    #[schemars(range(min = 0.0, max = 10000.0), extend("x-unit" = "W"))]
    pub receive: f64,
    /// Power while listening.
    #[schemars(range(min = 0.0, max = 10000.0), extend("x-unit" = "W"))]
    pub idle: f64,
    /// Additional energy per bit sent.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "J"))]
    pub per_bit: f64,
}

impl Default for EnergyParams {
    fn default() -> Self {
        EnergyParams { transmit: 1.14, receive: 0.94, idle: 0.82, per_bit: 0.0 }
    }
}

/// How senders share the medium.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Senders listen before they send (CSMA/CA), frame by frame.
    #[default]
    Csma,
    /// Senders share the airtime evenly, computed per tick: cheap, for very large swarms and scheduled networks.
    AirtimeShare,
}

/// How messages get to robots that do not hear the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Forwarding {
    /// No forwarding.
    #[default]
    None,
    /// Every robot repeats every message once.
    Flooding,
    /// Messages to one robot take the best route, which robots learn from hellos; messages to all are flooded.
    LinkState,
}

impl Default for PhysicalParams {
    fn default() -> Self {
        PhysicalParams {
            frequency: 2.4e9,
            bandwidth: 20e6,
            power: 20.0,
            antenna_gain: 0.0,
            height: 1.0,
            path_loss: PathLoss::TwoRay,
            exponent: 3.0,
            shadowing: None,
            fading: Fading::None,
            k_factor: 8.0,
            loss: 0.0,
            thermal_noise: true,
            noise_figure: 7.0,
            noise_floor: None,
            profile: Profile::Wifi20,
            streams: 1,
            implementation_loss: 0.0,
            sensitivity: None,
            preamble_sinr: None,
            capture: Some(10.0),
            access: Access::Csma,
            slot: 20e-6,
            sifs: 10e-6,
            difs: 50e-6,
            eifs: 364e-6,
            contention_window: 15,
            largest_window: 1023,
            retries: 7,
            carrier_sense: -82.0,
            energy_detection: -62.0,
            preamble: 26e-6,
            overhead: 36,
            largest_message: 2304,
            queue: 500,
            time_to_live: 0.5,
            processing: 0.0,
            stagger: 0.02,
            forwarding: Forwarding::None,
            hops: 4,
            jitter: 0.01,
            hello_every: 1.0,
            energy: EnergyParams::default(),
            floor_plan: false,
        }
    }
}
