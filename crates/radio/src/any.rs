//! All radio models behind one type.

use crate::physics::NoiseGrid;
use crate::{
    Fate, Heard, Ideal, IdealParams, NodeId, Physical, PhysicalParams, Radio, Reception, Surroundings, Tally,
    Usage,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Any radio model. There is one per run, so its size does not matter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)]
pub enum AnyRadio {
    /// Every node hears every other.
    Ideal(Ideal),
    /// Signals, noise, and a shared medium.
    Physical(Box<Physical>),
}

impl AnyRadio {
    /// The ideal radio.
    pub fn ideal(params: IdealParams, seed: u64) -> AnyRadio {
        AnyRadio::Ideal(Ideal::new(params, seed))
    }

    /// A physical radio with an optional noise floor.
    pub fn physical(params: PhysicalParams, floor: Option<Arc<NoiseGrid>>, seed: u64) -> AnyRadio {
        AnyRadio::Physical(Box::new(Physical::new(params, floor, seed)))
    }

    /// The physical radio, if it is one.
    pub fn as_physical(&self) -> Option<&Physical> {
        match self {
            AnyRadio::Ideal(_) => None,
            AnyRadio::Physical(radio) => Some(radio),
        }
    }

    /// The probability that a message sent now from one node reaches another; `None` if that is impossible.
    pub fn quality(&self, from: NodeId, to: NodeId) -> Option<f64> {
        match self {
            AnyRadio::Ideal(radio) => radio.quality(from, to),
            AnyRadio::Physical(radio) => radio.link(from, to).map(|link| link.success),
        }
    }

    /// Fastest rate of the link that is good enough; `None` if there is no link, or if this radio has no rates. [bit/s]
    pub fn rate(&self, from: NodeId, to: NodeId) -> Option<f64> {
        match self {
            AnyRadio::Ideal(_) => None,
            AnyRadio::Physical(radio) => {
                radio.link(from, to).map(|link| link.rate).filter(|rate| *rate > 0.0)
            }
        }
    }

    fn model(&self) -> &dyn Radio {
        match self {
            AnyRadio::Ideal(radio) => radio,
            AnyRadio::Physical(radio) => radio.as_ref(),
        }
    }

    fn model_mut(&mut self) -> &mut dyn Radio {
        match self {
            AnyRadio::Ideal(radio) => radio,
            AnyRadio::Physical(radio) => radio.as_mut(),
        }
    }
}

impl Radio for AnyRadio {
    fn update(&mut self, now: u64, around: &Surroundings) {
        self.model_mut().update(now, around);
    }

    fn hear<'a>(&'a self, now: u64, receiver: NodeId, visit: &mut dyn FnMut(Heard<'a>)) -> Reception {
        self.model().hear(now, receiver, visit)
    }

    fn settle(&mut self, now: u64, receiver: NodeId, reception: Reception) {
        self.model_mut().settle(now, receiver, reception);
    }

    fn transmit(&mut self, now: u64, sender: NodeId, to: Option<NodeId>, payload: Vec<u8>) {
        self.model_mut().transmit(now, sender, to, payload);
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.model_mut().announce(now, from, payload);
    }

    fn tally(&self) -> Tally {
        self.model().tally()
    }

    fn watch(&mut self, on: bool) {
        self.model_mut().watch(on);
    }

    fn fates(&mut self) -> Vec<Fate> {
        self.model_mut().fates()
    }

    fn usage(&self, node: NodeId) -> Usage {
        self.model().usage(node)
    }
}
