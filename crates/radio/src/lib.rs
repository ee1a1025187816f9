//! Radio: bytes in, bytes out. Self-contained: it knows positions, walls, noise and bytes, not robots or missions.
//!
//! Once per tick callers describe the surroundings ([`Radio::update`]), let every node hear the messages that have arrived
//! ([`Radio::hear`], read-only, in any order and in parallel), settle them ([`Radio::settle`]) and send new ones
//! ([`Radio::transmit`]). Random draws are keyed by (seed, sender, receiver, frame), so neither the order of calls nor the
//! number of threads can change them.

mod any;
mod cells;
mod chance;
mod estimator;
mod fate;
mod ideal;
mod node_id;
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
pub use node_id::NodeId;
pub use params::{Access, EnergyParams, Forwarding, PhysicalParams, ShadowingParams};
pub use physical::{Link, Physical, Route};
pub use presets::{PRESETS, Preset, preset};
pub use surroundings::{Jammer, Node, Surroundings, Wall, WallShape};

use serde::{Deserialize, Serialize};

/// A message as a node hears it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard<'a> {
    /// The node that sent it first, or [`NodeId::OUTSIDE`].
    pub sender: NodeId,
    /// The node whose signal was received: a relay if the message was forwarded.
    pub by: NodeId,
    /// Its content.
    pub payload: &'a [u8],
    /// The received signal; `None` with the ideal radio.
    pub signal: Option<Signal>,
}

/// What a node heard and missed in one tick, for models that decide while it listens.
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

/// Use of a node's radio so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Time spent sending. [ns]
    pub sending: u64,
    /// Time spent receiving. [ns]
    pub receiving: u64,
    /// Energy used. [J]
    pub energy: f64,
}

/// A radio model.
pub trait Radio {
    /// Advances to `now` and takes over the surroundings. Called once per tick, before anyone hears.
    fn update(&mut self, now: u64, around: &Surroundings);

    /// Calls `visit` with every message that `receiver` hears now, always in the same order.
    fn hear<'a>(&'a self, now: u64, receiver: NodeId, visit: &mut dyn FnMut(Heard<'a>)) -> Reception;

    /// Records what `receiver` heard, so that it does not hear it again.
    fn settle(&mut self, now: u64, receiver: NodeId, reception: Reception);

    /// Sends a message to one node, or to all. If the node's radio cannot send, the message is counted as lost.
    fn transmit(&mut self, now: u64, sender: NodeId, to: Option<NodeId>, payload: Vec<u8>);

    /// Broadcasts a message from a place outside the team; every node may hear it.
    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>);

    /// The counts so far.
    fn tally(&self) -> Tally;

    /// Starts or stops recording the fate of every copy for [`Radio::fates`].
    fn watch(&mut self, on: bool);

    /// The fates of copies since the last call, if they are watched.
    fn fates(&mut self) -> Vec<Fate>;

    /// Use of a node's radio so far.
    fn usage(&self, node: NodeId) -> Usage;
}

/// A named radio, as `crewlab list` shows it.
pub struct RadioKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// All named radios: the ideal one and the presets of the physical one.
pub const KINDS: &[RadioKind] = &kinds();

const IDEAL: RadioKind = RadioKind { name: "ideal", summary: ideal::SUMMARY };

const fn kinds() -> [RadioKind; PRESETS.len() + 1] {
    let mut kinds = [IDEAL; PRESETS.len() + 1];
    let mut index = 0;
    while index < PRESETS.len() {
        kinds[index + 1] = RadioKind { name: PRESETS[index].name, summary: PRESETS[index].summary };
        index += 1;
    }
    kinds
}
