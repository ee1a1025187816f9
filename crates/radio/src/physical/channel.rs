//! Which node can hear which in the current surroundings. Derived data, rebuilt when they change.

use super::ACK_BYTES;
use crate::cells::{Cells, Spot};
use crate::fate::{Loss, Losses};
use crate::physics::{
    Fading, Modes, NoiseGrid, Propagation, Shadowing, Walls, airtime, dbm, milliwatts, ratio, thermal,
};
use crate::surroundings::{Cuts, Jammer, Node, Wall};
use crate::{NodeId, PhysicalParams};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Signals this much below the thermal noise do not count as interference. [dB]
const NEGLIGIBLE: f64 = 7.0;

/// A signal at a receiver: the node and the power. [mW]
pub(super) type Signal = (NodeId, f64);

/// The receivers that a sender reaches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Reach {
    /// Number of the scenery that it holds for; 0 after a snapshot was restored.
    #[serde(skip)]
    epoch: u64,
    /// Receivers that may decode its frames.
    pub(super) near: Vec<Signal>,
    /// Receivers for which its frames are only interference.
    pub(super) far: Vec<Signal>,
    /// Number of receivers that cannot decode it in any case, by reason.
    pub(super) hopeless: Losses,
    /// Which receivers those are, if fates are watched.
    #[serde(skip)]
    pub(super) named: Vec<(NodeId, Loss)>,
}

/// How one node receives another.
enum Hearing {
    /// It may be decoded: the power. [mW]
    Near(f64),
    /// It is only interference: the power [mW], and why it cannot be decoded.
    Far(f64, Loss),
    /// It is negligible, and why.
    Hopeless(Loss),
}

/// From this number of walls on, each line of sight looks for the walls that it crosses.
const MANY_WALLS: usize = 64;

/// The surroundings as last described by the caller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Scenery {
    /// The nodes, followed by the station outside the team.
    pub(super) nodes: Vec<Node>,
    pub(super) walls: Vec<Wall>,
    pub(super) jammers: Vec<Jammer>,
    pub(super) cuts: Cuts,
    pub(super) noise_rise: f64,
    pub(super) bandwidth_share: f64,
}

/// Data derived from parameters and scenery.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) modes: Modes,
    /// The parameters with the usable bandwidth.
    pub(super) effective: PhysicalParams,
    /// Length of an acknowledgement. [ns]
    pub(super) ack: u64,
    /// Power of frames above which the medium counts as busy. [mW]
    pub(super) carrier_sense: f64,
    /// Power of any kind above which the medium counts as busy. [mW]
    pub(super) energy_detection: f64,
    /// Ratio to everything else above which a frame replaces the one that is being decoded.
    pub(super) capture: f64,
    /// The receivers' own noise. [mW]
    pub(super) thermal: f64,
    /// Weakest signal that a receiver locks on to. [mW]
    pub(super) weakest: f64,
    /// Signal-to-interference-plus-noise ratio that it needs for that.
    pub(super) preamble: f64,
    propagation: Propagation,
    walls: Walls,
    shadowing: Option<Shadowing>,
    /// Shadowing at every node. [dB]
    shadows: Vec<f64>,
    /// Transmission power with antenna gains. [mW]
    power: f64,
    /// Weakest signal that counts as interference. [mW]
    least: f64,
    /// Weakest signal that may be decoded. [mW]
    near: f64,
    /// Distance beyond which no signal counts. [m]
    radius: f64,
    cells: Cells,
    epoch: u64,
    reaches: Vec<Reach>,
    walls_near: Vec<u32>,
    name_them: bool,
}

impl Channel {
    pub(super) fn new(params: &PhysicalParams, share: f64, seed: u64, name_them: bool) -> Channel {
        let bandwidth = params.bandwidth * share;
        let effective = PhysicalParams { bandwidth, ..params.clone() };
        let bare = PhysicalParams { overhead: 0, ..effective.clone() };
        let modes = Modes::new(params.profile, bandwidth, params.streams, params.implementation_loss);
        let noise = thermal(params.noise_figure, bandwidth);
        let (a, b) = (modes.base().a, modes.base().b);
        // Not even the shortest messages get through below this.
        let hopeless = a - 5.0 * b;
        let preamble = ratio(params.preamble_sinr.unwrap_or(hopeless));
        let luck = match params.fading {
            Fading::None => 0.0,
            Fading::Rician if params.k_factor > 3.0 => 5.0,
            Fading::Rician | Fading::Rayleigh => 10.0,
        };
        // Without noise of their own, receivers hear everything.
        let noise = if params.thermal_noise { noise } else { 0.0 };
        let weakest = params.sensitivity.map_or(0.0, milliwatts);
        let near = (noise * ratio(hopeless)).max(weakest).max(noise * preamble) / ratio(luck);
        let propagation = Propagation::new(params);
        let budget = params.power + 2.0 * params.antenna_gain;
        let least = near.min(noise / ratio(NEGLIGIBLE));
        // Shadowing may raise a signal; four standard deviations are a safe margin.
        let lift = params.shadowing.map_or(0.0, |s| 4.0 * s.deviation);
        Channel {
            ack: airtime(&bare, modes.base(), ACK_BYTES),
            effective,
            carrier_sense: milliwatts(params.carrier_sense),
            energy_detection: milliwatts(params.energy_detection),
            capture: params.capture.map_or(f64::INFINITY, ratio),
            thermal: noise,
            weakest,
            preamble,
            walls: Walls::default(),
            shadowing: params.shadowing.map(|s| Shadowing::new(s, seed)),
            shadows: Vec::new(),
            power: milliwatts(budget),
            least,
            near,
            radius: propagation.reach(budget + lift - dbm(least)),
            propagation,
            modes,
            cells: Cells::default(),
            epoch: 0,
            reaches: Vec::new(),
            walls_near: Vec::new(),
            name_them,
        }
    }

    /// Numbers its sceneries from `epoch`, so that nothing from an earlier channel is mistaken for its own.
    pub(super) fn count_from(&mut self, epoch: u64) {
        self.epoch = epoch;
    }

    /// Takes over changed walls.
    pub(super) fn build_walls(&mut self, scenery: &Scenery) {
        self.walls.rebuild(&scenery.walls);
    }

    /// Takes over changed scenery.
    pub(super) fn look(&mut self, scenery: &Scenery) {
        self.epoch += 1;
        self.shadows.clear();
        if let Some(shadowing) = &self.shadowing {
            self.shadows.extend(scenery.nodes.iter().map(|node| shadowing.at(node.position)));
        }
        self.reaches.resize_with(scenery.nodes.len(), Reach::default);
        if self.radius.is_finite() {
            // The last one is the station outside, which hears nobody.
            let hearing = NodeId::first(scenery.nodes.len().saturating_sub(1));
            let spot = |node: NodeId| Spot { at: scenery.nodes[node].position, node, place: node.0 };
            self.cells.rebuild(self.radius, hearing.map(spot));
        }
    }

    /// Shadowing between two nodes. [dB]
    pub(super) fn shadow(&self, a: NodeId, b: NodeId) -> f64 {
        match (self.shadows.get(a.index()), self.shadows.get(b.index())) {
            (Some(a), Some(b)) => a + b,
            _ => 0.0,
        }
    }

    /// Noise at a place, without jammers. [mW]
    pub(super) fn noise_at(&self, position: [f64; 2], floor: Option<&Arc<NoiseGrid>>, rise: f64) -> f64 {
        let floor = floor.and_then(|floor| floor.at(position)).map_or(0.0, milliwatts);
        (self.thermal + floor) * ratio(rise)
    }

    /// The noise that a jammer adds at a place while it is on. [mW]
    pub(super) fn jamming_at(&self, position: [f64; 2], jammer: &Jammer) -> f64 {
        let distance = squared_distance(position, jammer.position);
        let power = milliwatts(jammer.power + self.effective.antenna_gain)
            * jammer.share(self.effective.frequency, self.effective.bandwidth);
        power * self.propagation.gain(distance) / ratio(self.walls.damping(position, jammer.position))
    }

    /// Damping of the walls between two places. [dB]
    pub(super) fn damping(&self, a: [f64; 2], b: [f64; 2]) -> f64 {
        self.walls.damping(a, b)
    }

    /// Received power between two nodes, and the power without walls. [mW]
    pub(super) fn powers(&self, nodes: &[Node], a: NodeId, b: NodeId) -> (f64, f64) {
        let (from, to) = (nodes[a].position, nodes[b].position);
        let free = self.power * self.propagation.gain(squared_distance(from, to)) * ratio(-self.shadow(a, b));
        (free / ratio(self.walls.damping(from, to)), free)
    }

    /// The receivers in reach of a sender, computed once per scenery.
    pub(super) fn reach(&mut self, scenery: &Scenery, sender: NodeId) -> &Reach {
        if self.reaches[sender].epoch != self.epoch {
            let mut reach = std::mem::take(&mut self.reaches[sender]);
            self.reckon(scenery, sender, &mut reach);
            self.reaches[sender] = reach;
        }
        &self.reaches[sender]
    }

    /// How one node receives another, with these walls around the sender.
    #[inline]
    fn hearing(&self, scenery: &Scenery, sender: NodeId, receiver: NodeId, walls: &[u32]) -> Hearing {
        let (from, to) = (&scenery.nodes[sender], &scenery.nodes[receiver]);
        // The last station is the one outside.
        let known = if sender.index() + 1 == scenery.nodes.len() { NodeId::OUTSIDE } else { sender };
        if scenery.cuts.part(known, receiver) {
            return Hearing::Hopeless(Loss::Cut);
        }
        if !(to.alive && to.hears) {
            return Hearing::Hopeless(Loss::ReceiverDead);
        }
        let free = self.power
            * self.propagation.gain(squared_distance(from.position, to.position))
            * if self.shadows.is_empty() { 1.0 } else { ratio(-self.shadow(sender, receiver)) };
        if free < self.least {
            return Hearing::Hopeless(Loss::Range);
        }
        let damping = if self.walls.count() > MANY_WALLS {
            self.walls.damping(from.position, to.position)
        } else if walls.is_empty() {
            0.0
        } else {
            self.walls.damping_of(walls, from.position, to.position)
        };
        let power = if damping > 0.0 { free / ratio(damping) } else { free };
        let why = if free >= self.near { Loss::Wall } else { Loss::Range };
        if power >= self.near {
            Hearing::Near(power)
        } else if power >= self.least {
            Hearing::Far(power, why)
        } else {
            Hearing::Hopeless(why)
        }
    }

    /// The walls around a sender, unless there are so many that each line of sight finds its own.
    fn walls_around(&self, sender: [f64; 2], found: &mut Vec<u32>) {
        if (1..=MANY_WALLS).contains(&self.walls.count()) {
            self.walls.near(sender, self.radius, found);
        }
    }

    /// Why no frame of one node can be decoded by another; `None` if it can.
    pub(super) fn obstacle(&self, scenery: &Scenery, sender: NodeId, receiver: NodeId) -> Option<Loss> {
        let mut walls = Vec::new();
        self.walls_around(scenery.nodes[sender].position, &mut walls);
        match self.hearing(scenery, sender, receiver, &walls) {
            Hearing::Near(_) => None,
            Hearing::Far(_, why) | Hearing::Hopeless(why) => Some(why),
        }
    }

    /// Lends a sender's reach to a frame, which must give it back.
    pub(super) fn lend(&mut self, scenery: &Scenery, sender: NodeId) -> Reach {
        self.reach(scenery, sender);
        std::mem::take(&mut self.reaches[sender])
    }

    /// Takes back what was lent. If the scenery has changed since then, only its memory is reused.
    pub(super) fn take_back(&mut self, sender: NodeId, reach: Reach) {
        if let Some(place) = self.reaches.get_mut(sender.index()).filter(|place| place.epoch != self.epoch) {
            *place = reach;
        }
    }

    fn reckon(&mut self, scenery: &Scenery, sender: NodeId, reach: &mut Reach) {
        let nodes = &scenery.nodes;
        let here = nodes[sender].position;
        let mut walls_near = std::mem::take(&mut self.walls_near);
        walls_near.clear();
        self.walls_around(here, &mut walls_near);
        reach.epoch = self.epoch;
        reach.near.clear();
        reach.far.clear();
        reach.named.clear();
        reach.hopeless = Losses::default();
        let hearing = nodes.len() - 1;
        let others = if sender.index() < hearing { hearing - 1 } else { hearing };
        let mut seen = 0;
        let mut met = vec![false; if self.name_them { hearing } else { 0 }];
        let mut sort = |receiver: NodeId| {
            if receiver == sender {
                return;
            }
            seen += 1;
            if self.name_them {
                met[receiver] = true;
            }
            let why = match self.hearing(scenery, sender, receiver, &walls_near) {
                Hearing::Near(power) => {
                    reach.near.push((receiver, power));
                    return;
                }
                Hearing::Far(power, why) => {
                    reach.far.push((receiver, power));
                    why
                }
                Hearing::Hopeless(why) => why,
            };
            reach.hopeless.add(why, 1);
            if self.name_them {
                reach.named.push((receiver, why));
            }
        };
        if self.radius.is_finite() {
            self.cells.near(here, self.radius, |spot| sort(spot.node));
        } else {
            NodeId::first(hearing).for_each(&mut sort);
        }
        reach.hopeless.add(Loss::Range, (others - seen) as u64);
        let unmet = NodeId::enumerate(&met).filter(|(receiver, met)| !**met && *receiver != sender);
        reach.named.extend(unmet.map(|(receiver, _)| (receiver, Loss::Range)));
        self.walls_near = walls_near;
    }
}

/// Squared distance between two places. [m^2]
pub(super) fn squared_distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    dx * dx + dy * dy
}
