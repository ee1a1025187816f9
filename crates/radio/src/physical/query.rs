//! Queries about links: budgets, qualities, routes.

use super::Physical;
use super::air::Hop;
use super::channel::squared_distance;
use crate::params::Forwarding;
use crate::physics::{Budget, Conditions, GOOD_ENOUGH, damping_of_all, dbm};
use crate::{Jammer, Node, NodeId};
use serde::{Deserialize, Serialize};

/// The true state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Distance. [m]
    pub distance: f64,
    /// Damping of walls in the line of sight. [dB]
    pub walls: f64,
    /// Received power. [dBm]
    pub rx: f64,
    /// Signal-to-noise ratio, jammers included; pulsed jammers count with their duty cycle. [dB]
    pub sinr: f64,
    /// Probability that a broadcast of 200 bytes arrives if nobody else sends.
    pub success: f64,
    /// Fastest rate that is good enough; 0 if none is. [bit/s]
    pub rate: f64,
}

/// A route through the network, as a station knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The next hop.
    pub next: NodeId,
    /// Number of hops.
    pub hops: u32,
    /// Product of the qualities of its links.
    pub quality: f64,
}

/// Number of pulsed jammers that are considered separately in link quality.
const MOST_BURSTS: usize = 6;

impl Physical {
    /// The link from one node to another; `None` if they are the same, not there, cut off, or dead.
    pub fn link(&self, from: NodeId, to: NodeId) -> Option<Link> {
        let channel = self.channel.as_ref()?;
        let nodes = &self.scenery.nodes[..self.team()];
        let (a, b) = (nodes.get(from.index())?, nodes.get(to.index())?);
        let usable = a.alive && a.speaks && b.alive && b.hears && from != to;
        if !usable || self.scenery.cuts.part(from, to) {
            return None;
        }
        let (power, _) = channel.powers(&self.scenery.nodes, from, to);
        let heard = |noise: f64| power >= channel.weakest && power >= channel.preamble * noise;
        let success = |noise: f64| {
            let sinr = dbm(power) - dbm(noise);
            if heard(noise) {
                channel.modes.base().success(sinr, 200) * self.kept(Hop { from, to })
            } else {
                0.0
            }
        };
        let noise = self.noise(to);
        let sinr = dbm(power) - dbm(noise);
        let best = channel.modes.best(sinr, 200, GOOD_ENOUGH).filter(|_| heard(noise));
        Some(Link {
            distance: squared_distance(a.position, b.position).sqrt(),
            walls: channel.damping(a.position, b.position),
            rx: dbm(power),
            sinr,
            success: self.over_bursts(b.position, self.ears[to].noise, &success)?,
            rate: best.map_or(0.0, |mode| channel.modes.list[mode].rate),
        })
    }

    /// The link budget, line by line.
    pub fn budget(&self, from: NodeId, to: NodeId, bytes: u32) -> Option<Budget> {
        let channel = self.channel.as_ref()?;
        let nodes = &self.scenery.nodes[..self.team()];
        let (a, b) = (nodes.get(from.index())?, nodes.get(to.index())?);
        let crossed = self.scenery.walls.iter().filter_map(|wall| {
            let damping = damping_of_all(std::slice::from_ref(wall), a.position, b.position);
            (damping > 0.0).then_some(damping)
        });
        let jammers = self.scenery.jammers.iter().enumerate();
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
                        let share = jammer.duty_cycle * 100.0;
                        let name = format!("jammer {}, on for {share:.0} % of the time", index + 1);
                        (name, dbm(channel.jamming_at(b.position, jammer)))
                    })
                    .collect(),
                bandwidth_share: self.scenery.bandwidth_share,
                bytes,
            },
        ))
    }

    /// Noise at a node, as its own radio measures it: jammers count with their duty cycle.
    /// [mW]
    pub fn noise(&self, node: NodeId) -> f64 {
        let (Some(channel), Some(ear)) = (&self.channel, self.ears.get(node.index())) else { return 0.0 };
        let at = self.scenery.nodes[node].position;
        let jamming = |jammer: &Jammer| jammer.duty_cycle * channel.jamming_at(at, jammer);
        ear.noise + self.scenery.jammers.iter().map(jamming).sum::<f64>()
    }

    /// Mean of a function of the noise [mW] over the bursts of jammers at a place.
    fn over_bursts(&self, at: [f64; 2], still: f64, value: &dyn Fn(f64) -> f64) -> Option<f64> {
        let channel = self.channel.as_ref()?;
        // Each jammer is on or off: beyond the limit, the rest counts as always on.
        let mut noises = vec![(1.0, still)];
        for (index, jammer) in self.scenery.jammers.iter().enumerate() {
            let power = channel.jamming_at(at, jammer);
            let duty = if index < MOST_BURSTS { jammer.duty_cycle.clamp(0.0, 1.0) } else { 1.0 };
            let off =
                noises.iter().filter(|_| duty < 1.0).map(|(share, noise)| (share * (1.0 - duty), *noise));
            let on = noises.iter().filter(|_| duty > 0.0).map(|(share, noise)| (share * duty, noise + power));
            noises = on.chain(off).collect();
        }
        Some(noises.iter().map(|(share, noise)| share * value(*noise)).sum())
    }

    /// Noise at a place while all jammers are on, whatever their duty cycle. [dBm]
    pub fn loudest_noise_at(&self, position: [f64; 2]) -> Option<f64> {
        let channel = self.channel.as_ref()?;
        let still = channel.noise_at(position, self.floor.as_ref(), self.scenery.noise_rise);
        let jamming = self.scenery.jammers.iter().map(|jammer| channel.jamming_at(position, jammer));
        Some(dbm(still + jamming.sum::<f64>()))
    }

    /// Number of messages queued at a node.
    pub fn waiting(&self, node: NodeId) -> usize {
        self.stations.get(node.index()).map_or(0, |station| station.queue.len())
    }

    /// A node as last described by the caller.
    pub fn node(&self, node: NodeId) -> Option<&Node> {
        self.scenery.nodes[..self.team()].get(node.index())
    }

    /// True if nothing passes between two nodes because the link is cut or the team is split.
    pub fn is_cut(&self, a: NodeId, b: NodeId) -> bool {
        self.scenery.cuts.part(a, b)
    }

    /// Rate of the fastest modulation. [bit/s]
    pub fn fastest_rate(&self) -> Option<f64> {
        self.channel.as_ref()?.modes.list.last().map(|mode| mode.rate)
    }

    /// The best route from one node to another that the first one knows, with link-state routing.
    pub fn route(&self, from: NodeId, to: NodeId) -> Option<Route> {
        if self.params.forwarding != Forwarding::LinkState {
            return None;
        }
        self.routers.get(from.index())?.route(from, to)
    }
}
