//! Nodes that move at random and broadcast: the workload of benchmarks and tests.

use crate::chance::unit;
use crate::{Node, NodeId, Physical, PhysicalParams, Radio, Surroundings, Tally, Wall, WallShape};
use rand_philox::{philox4x32_10, splitmix64};

/// Keeps the workload's draws independent of those of the radio with the same seed.
const SALT: u64 = 0x574f_524b;

/// Up to this many nodes send at least [`APART`] from each other. Nodes keep their phase in every period, so two that
/// collide once collide always: with ten nodes in three of ten seeds, and in none of the published runs with ten.
const FEW: usize = 20;

/// Least time between the transmissions of few nodes. [s]
const APART: f64 = 1e-3;

/// Nodes that move at random and broadcast at a fixed period.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Number of nodes.
    pub nodes: usize,
    /// Width and height of the area. [m]
    pub size: [f64; 2],
    /// Walls of 15 dB, 20 m to 100 m long, at random places.
    pub walls: usize,
    /// Bytes per message.
    pub bytes: usize,
    /// Time between two messages of one node. [s]
    pub period: f64,
    /// For how long they send. [s]
    pub duration: f64,
    /// The radio.
    pub params: PhysicalParams,
}

/// Receivers with the default locking behaviour of a packet simulator: they need -82 dBm and 4 dB, and keep the first
/// frame.
pub fn plain_receiver(params: PhysicalParams) -> PhysicalParams {
    PhysicalParams {
        sensitivity: Some(-82.0),
        preamble_sinr: Some(4.0),
        capture: None,
        stagger: 0.0,
        ..params
    }
}

impl Workload {
    /// The ad-hoc broadcast of the specification: 600 m x 275 m, 6 Mbit/s, 20 dBm, free space, 200 bytes ten times a
    /// second for ten seconds.
    pub fn ad_hoc(nodes: usize) -> Workload {
        let params =
            PhysicalParams { path_loss: crate::physics::PathLoss::Friis, ..PhysicalParams::default() };
        Workload {
            nodes,
            size: [600.0, 275.0],
            walls: 0,
            bytes: 200,
            period: 0.1,
            duration: 10.0,
            params: plain_receiver(params),
        }
    }

    /// A large area with walls and a path-loss exponent of 3.
    pub fn large(nodes: usize) -> Workload {
        let params = PhysicalParams {
            path_loss: crate::physics::PathLoss::LogDistance,
            exponent: 3.0,
            ..PhysicalParams::default()
        };
        // The same density for every number of nodes.
        let side = 2000.0 * (nodes as f64 / 1000.0).sqrt();
        Workload {
            size: [side, side],
            walls: nodes / 10,
            params: plain_receiver(params),
            ..Workload::ad_hoc(nodes)
        }
    }

    /// Runs it to the end and returns the counts.
    pub fn run(&self, seed: u64) -> Tally {
        let key = splitmix64(seed ^ SALT);
        let key = [key as u32, (key >> 32) as u32];
        let draw =
            |purpose: u32, node: u32, count: u32| philox4x32_10([purpose, node, count, 0], key).map(unit);
        let [width, height] = self.size;
        let mut nodes: Vec<Node> = (0..self.nodes as u32)
            .map(|node| {
                let [x, y, ..] = draw(0, node, 0);
                Node::at([x * width, y * height])
            })
            .collect();
        let walls: Vec<Wall> = (0..self.walls as u32)
            .map(|wall| {
                let [x, y, length, turn] = draw(1, wall, 0);
                let (x, y, length) = (x * width, y * height, 20.0 + 80.0 * length);
                let (dx, dy) = heading(turn);
                let end = [x + length * dx, y + length * dy];
                Wall { shape: WallShape::Segment([x, y], end), damping: 15.0 }
            })
            .collect();
        let mut radio = Physical::new(self.params.clone(), None, seed);
        let tick = 0.1;
        let mut phases: Vec<u64> = Vec::with_capacity(self.nodes);
        for node in 0..self.nodes as u32 {
            let moment = |count| (draw(2, node, count)[0] * self.period * 1e9) as u64;
            let alone = |moment: &u64| {
                let close = |other: &u64| (moment.abs_diff(*other) as f64) < APART * 1e9;
                self.nodes > FEW || !phases.iter().any(close)
            };
            phases.push((0..100).map(moment).find(alone).unwrap_or(moment(0)));
        }
        let mut sent = vec![0u64; self.nodes];
        let period = (self.period * 1e9).round() as u64;
        let last = (self.duration * 1e9).round() as u64;
        // One second more, so that queues run empty.
        let ticks = ((self.duration + 1.0) / tick).round() as u32;
        for step in 0..ticks {
            let now = u64::from(step) * 100_000_000;
            radio.update(now, &Surroundings { nodes: &nodes, walls: &walls, ..Surroundings::default() });
            for node in 0..self.nodes {
                radio.settle(now, NodeId::from_index(node), Default::default());
                loop {
                    let at = phases[node] + sent[node] * period;
                    if at >= (now + 100_000_000).min(last) {
                        break;
                    }
                    radio.transmit(at, NodeId::from_index(node), None, vec![0; self.bytes]);
                    sent[node] += 1;
                }
            }
            for (index, node) in nodes.iter_mut().enumerate() {
                // A new speed and heading every second; the border reflects them.
                let [speed, turn, ..] = draw(3, index as u32, step / 10);
                let (dx, dy) = heading(turn);
                let walk = (1.0 + 2.0 * speed) * tick;
                let [x, y] = node.position;
                node.position = [fold(x + walk * dx, width), fold(y + walk * dy, height)];
            }
        }
        radio.tally()
    }
}

/// A direction from a number between 0 and 1.
fn heading(turn: f64) -> (f64, f64) {
    let angle = turn * std::f64::consts::TAU;
    (libm::cos(angle), libm::sin(angle))
}

/// Reflects at 0 and at the limit.
fn fold(value: f64, limit: f64) -> f64 {
    if value < 0.0 {
        -value
    } else if value > limit {
        2.0 * limit - value
    } else {
        value
    }
}
