//! Radio: bytes in, bytes out. Stands alone: it knows positions, walls, noise and bytes, not robots or missions.
//!
//! Callers tell it once per tick what is around ([`Radio::update`]), let every node hear what has arrived
//! ([`Radio::hear`], read-only, in any order and in parallel), settle that ([`Radio::settle`]) and hand it what was
//! said ([`Radio::transmit`]). Random draws are keyed by (seed, sender, receiver, frame), so neither the order of
//! calls nor the number of threads can change them.

mod any;
mod cells;
mod chance;
mod estimator;
mod fate;
mod ideal;
mod params;
mod physical;
pub mod physics;
mod presets;
mod surroundings;
pub mod workload;

pub use any::AnyRadio;
pub use estimator::{Estimator, Prediction};
pub use fate::{Fate, Loss, Losses, Signal, Tally};
pub use ideal::{Ideal, IdealParams};
pub use params::{Access, EnergyParams, Forwarding, PhysicalParams, ShadowingParams};
pub use physical::{Link, Physical, Route};
pub use presets::{PRESETS, Preset, preset};
pub use surroundings::{Jammer, Node, Surroundings, Wall, WallShape};

use serde::{Deserialize, Serialize};

/// The sender of frames that come from outside the team.
pub const OUTSIDE: u32 = u32::MAX;

/// A message as a node hears it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard<'a> {
    /// The node that said it, or [`OUTSIDE`].
    pub sender: u32,
    /// The node whose signal it was: another one if the message was forwarded.
    pub by: u32,
    /// Its content.
    pub payload: &'a [u8],
    /// What the receiver measured; nothing under the ideal radio.
    pub signal: Option<Signal>,
}

/// What a node heard and missed in one tick, for models that find out while it listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reception {
    /// Messages heard.
    pub delivered: u64,
    /// Missed because they came from too far away.
    pub too_far: u64,
    /// Missed because the link was cut.
    pub cut: u64,
    /// Missed by chance.
    pub by_chance: u64,
    /// Missed because the node's radio does not receive.
    pub deaf: u64,
}

/// What a node's radio has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Time spent sending. [ns]
    pub sending: u64,
    /// Time spent receiving. [ns]
    pub receiving: u64,
    /// Energy used. [J]
    pub energy: f64,
}

/// A model of the air.
pub trait Radio {
    /// Takes note of what is around now, after what happened up to now. Called once per tick, before anyone hears.
    fn update(&mut self, now: u64, around: &Surroundings);

    /// Calls `visit` with every message that `receiver` hears now, always in the same order.
    fn hear<'a>(&'a self, now: u64, receiver: usize, visit: &mut dyn FnMut(Heard<'a>)) -> Reception;

    /// Books what `receiver` heard; it will not hear it again.
    fn settle(&mut self, now: u64, receiver: usize, reception: Reception);

    /// Sends a message to one node, or to all. A node whose radio is dead says nothing: the message is counted as lost.
    fn transmit(&mut self, now: u64, sender: usize, to: Option<u32>, payload: Vec<u8>);

    /// Broadcasts a message from a place outside the team; every node may hear it.
    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>);

    /// The counts so far.
    fn tally(&self) -> Tally;

    /// Keeps from now on what becomes of every copy, for [`Radio::fates`], or no longer.
    fn watch(&mut self, on: bool);

    /// What became of copies since the last call, if they are watched.
    fn fates(&mut self) -> Vec<Fate>;

    /// What a node's radio has done so far.
    fn usage(&self, node: usize) -> Usage;
}

/// A radio as `crewlab list` shows it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// All radios that have a name: the ideal one and the presets of the physical one.
pub const KINDS: &[Kind] = &kinds();

const IDEAL: Kind = Kind { name: "ideal", summary: ideal::SUMMARY };

const fn kinds() -> [Kind; PRESETS.len() + 1] {
    let mut kinds = [IDEAL; PRESETS.len() + 1];
    let mut index = 0;
    while index < PRESETS.len() {
        kinds[index + 1] = Kind { name: PRESETS[index].name, summary: PRESETS[index].summary };
        index += 1;
    }
    kinds
}
