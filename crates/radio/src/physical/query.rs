//! What can be asked about links: budgets, qualities, routes.

use super::Physical;
use super::channel::squared_distance;
use crate::Node;
use crate::physics::{Budget, Conditions, dbm};
use serde::{Deserialize, Serialize};

/// The state of a link, as physics has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Distance. [m]
    pub distance: f64,
    /// Damping of walls in the line of sight. [dB]
    pub walls: f64,
    /// Received power. [dBm]
    pub rx: f64,
    /// Signal against noise and jammers. [dB]
    pub sinr: f64,
    /// Probability that a broadcast of 200 bytes gets through if nobody else sends.
    pub success: f64,
    /// Fastest rate that promises to get through; 0 if none does. [bit/s]
    pub rate: f64,
}

/// A way through the network, as a station knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The first station on the way.
    pub next: u32,
    /// How many hops.
    pub hops: u32,
    /// Product of the qualities of its links.
    pub quality: f64,
}

impl Physical {
    /// The link from one node to another; nothing if they are the same, not there, cut off, or dead.
    pub fn link(&self, from: usize, to: usize) -> Option<Link> {
        let channel = self.channel.as_ref()?;
        let nodes = &self.scenery.nodes[..self.team()];
        let (a, b) = (nodes.get(from)?, nodes.get(to)?);
        let usable = a.alive && a.speaks && b.alive && b.hears && from != to;
        if !usable || self.scenery.cuts.part(from as u32, to as u32) {
            return None;
        }
        let (power, _) = channel.powers(&self.scenery.nodes, from, to);
        let sinr = dbm(power) - dbm(self.ears[to].all_noise());
        let heard = power >= channel.weakest && power >= channel.preamble * self.ears[to].all_noise();
        let kept = (1.0 - self.params.loss) * (1.0 - a.loss) * (1.0 - b.loss);
        let best = channel.modes.best(sinr, 200, 0.9).filter(|_| heard);
        Some(Link {
            distance: squared_distance(a.position, b.position).sqrt(),
            walls: channel.damping(a.position, b.position),
            rx: dbm(power),
            sinr,
            success: if heard { channel.modes.base().success(sinr, 200) * kept } else { 0.0 },
            rate: best.map_or(0.0, |mode| channel.modes.list[mode].rate),
        })
    }

    /// The budget of a link, line by line.
    pub fn budget(&self, from: usize, to: usize, bytes: u32) -> Option<Budget> {
        let channel = self.channel.as_ref()?;
        let nodes = &self.scenery.nodes[..self.team()];
        let (a, b) = (nodes.get(from)?, nodes.get(to)?);
        let crossed = self.scenery.walls.iter().filter_map(|wall| {
            let mut alone = crate::physics::Walls::default();
            alone.rebuild(std::slice::from_ref(wall));
            Some(alone.damping(a.position, b.position)).filter(|damping| *damping > 0.0)
        });
        let jammers = self.scenery.jammers.iter().enumerate().filter(|(_, jammer)| jammer.is_on(self.now));
        Some(Budget::new(
            &self.params,
            &Conditions {
                distance: squared_distance(a.position, b.position).sqrt(),
                walls: crossed.map(|damping| (1, damping)).collect(),
                shadowing: channel.shadow(from, to),
                floor: self.floor.as_ref().and_then(|floor| floor.at(b.position)),
                noise_rise: self.scenery.noise_rise,
                jammers: jammers
                    .map(|(index, jammer)| {
                        (format!("jammer {}", index + 1), dbm(channel.jamming_at(b.position, jammer)))
                    })
                    .collect(),
                bandwidth_share: self.scenery.bandwidth_share,
                bytes,
            },
        ))
    }

    /// Noise at a node, as its own radio measures it, jammers included. [mW]
    pub fn noise(&self, node: usize) -> f64 {
        self.ears.get(node).map_or(0.0, |ear| ear.all_noise())
    }

    /// Noise at a place, as physics has it, jammers included. [dBm]
    pub fn noise_at(&self, position: [f64; 2]) -> Option<f64> {
        let channel = self.channel.as_ref()?;
        let still = channel.noise_at(position, self.floor.as_ref(), self.scenery.noise_rise);
        let jammers = self.scenery.jammers.iter().filter(|jammer| jammer.is_on(self.now));
        Some(dbm(still + jammers.map(|jammer| channel.jamming_at(position, jammer)).sum::<f64>()))
    }

    /// Noise at a place while all jammers are on, whatever their duty cycle. [dBm]
    pub fn loudest_noise_at(&self, position: [f64; 2]) -> Option<f64> {
        let channel = self.channel.as_ref()?;
        let still = channel.noise_at(position, self.floor.as_ref(), self.scenery.noise_rise);
        let jamming = self.scenery.jammers.iter().map(|jammer| channel.jamming_at(position, jammer));
        Some(dbm(still + jamming.sum::<f64>()))
    }

    /// A node as the radio was last told about it.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.scenery.nodes[..self.team()].get(node)
    }

    /// True if nothing passes between two nodes because the link is cut or the team is split.
    pub fn is_cut(&self, a: usize, b: usize) -> bool {
        self.scenery.cuts.part(a as u32, b as u32)
    }

    /// Rate of the fastest modulation. [bit/s]
    pub fn fastest_rate(&self) -> Option<f64> {
        self.channel.as_ref()?.modes.list.last().map(|mode| mode.rate)
    }

    /// The best way from one node to another that the first one knows, if messages are routed.
    pub fn route(&self, from: usize, to: usize) -> Option<Route> {
        self.route_from(from as u32, to as u32)
    }
}
