//! Radio: bytes in, bytes out. Stands alone: it knows positions and bytes, not robots or missions.
//!
//! Callers tell it once per tick where the nodes are ([`Radio::update`]), let every node hear what is due
//! ([`Radio::hear`], read-only, in any order and in parallel), settle that ([`Radio::settle`]) and hand it what was
//! said ([`Radio::transmit`]). Random losses are drawn by (seed, sender, receiver, frame), so neither the order of
//! calls nor the number of threads can change them.

mod cells;
mod ideal;

pub use ideal::{Ideal, IdealParams};

use serde::{Deserialize, Serialize};

/// Where a node is and whether its radio works.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Position. [m]
    pub position: [f64; 2],
    /// False if the radio is dead: it neither sends nor receives.
    pub on: bool,
    /// Probability that its radio loses a frame, sent or received; 0 for a sound one.
    pub loss: f64,
}

/// The sender of frames that come from outside the team.
pub const OUTSIDE: u32 = u32::MAX;

/// One frame on the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Its number, in the order of sending.
    pub number: u64,
    /// The node that sent it, or [`OUTSIDE`].
    pub sender: u32,
    /// Probability that the sender's radio spoilt it for a receiver.
    pub loss: f64,
    /// Where it was sent from. [m]
    pub origin: [f64; 2],
    /// When it can be heard. [ns]
    pub due: u64,
    /// Its content.
    pub payload: Vec<u8>,
}

/// What a node heard and missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reception {
    /// Frames heard.
    pub delivered: u64,
    /// Frames that were due but not heard.
    pub lost: u64,
}

/// Counts over a run. A broadcast counts as one frame, and as one copy for every other node: every copy is in the
/// end delivered or lost, so that `copies = delivered + lost + in flight` always holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Frames handed to the radio.
    pub frames: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Copies addressed: a broadcast to nine others counts nine.
    pub copies: u64,
    /// Copies heard.
    pub delivered: u64,
    /// Copies lost.
    pub lost: u64,
}

impl Tally {
    /// Copies neither heard nor lost yet.
    pub fn in_flight(&self) -> u64 {
        self.copies - self.delivered - self.lost
    }
}

/// A model of the air.
pub trait Radio {
    /// Takes note of where the nodes are now. Called once per tick, before anyone hears.
    fn update(&mut self, now: u64, nodes: &[Node]);

    /// Calls `visit` with every frame that `receiver` hears now, always in the same order.
    fn hear<'a>(&'a self, now: u64, receiver: usize, visit: &mut dyn FnMut(&'a Frame)) -> Reception;

    /// Books what `receiver` heard; it will not hear it again.
    fn settle(&mut self, now: u64, receiver: usize, reception: Reception);

    /// Broadcasts a frame. A node whose radio is dead says nothing: the frame is counted as lost.
    fn transmit(&mut self, now: u64, sender: usize, payload: Vec<u8>);

    /// Broadcasts a frame from a place outside the team; every node may hear it.
    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>);

    /// The counts so far.
    fn tally(&self) -> Tally;
}

/// A radio model as `crewlab list` shows it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// All radio models.
pub const KINDS: &[Kind] = &[Kind { name: "ideal", summary: ideal::SUMMARY }];

/// Any radio model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum AnyRadio {
    /// Everyone hears everyone.
    Ideal(Ideal),
}

impl AnyRadio {
    fn model(&self) -> &dyn Radio {
        match self {
            AnyRadio::Ideal(radio) => radio,
        }
    }

    fn model_mut(&mut self) -> &mut dyn Radio {
        match self {
            AnyRadio::Ideal(radio) => radio,
        }
    }
}

impl Radio for AnyRadio {
    fn update(&mut self, now: u64, nodes: &[Node]) {
        self.model_mut().update(now, nodes);
    }

    fn hear<'a>(&'a self, now: u64, receiver: usize, visit: &mut dyn FnMut(&'a Frame)) -> Reception {
        self.model().hear(now, receiver, visit)
    }

    fn settle(&mut self, now: u64, receiver: usize, reception: Reception) {
        self.model_mut().settle(now, receiver, reception);
    }

    fn transmit(&mut self, now: u64, sender: usize, payload: Vec<u8>) {
        self.model_mut().transmit(now, sender, payload);
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.model_mut().announce(now, from, payload);
    }

    fn tally(&self) -> Tally {
        self.model().tally()
    }
}
