//! Settling messages: decoded or not, delivered or lost, and why.

use super::air::{Content, Decoded, Hop, Strength};
use super::ear::Lock;
use super::{Delivery, EventKind, Physical, Purpose};
use crate::NodeId;
use crate::chance::unit;
use crate::fate::{Fate, Loss, Losses};
use crate::physics::{flight, nanoseconds, ratio};
use std::sync::Arc;

/// A frame that could not be decoded.
pub(super) struct Failure {
    pub(super) hop: Hop,
    /// Received power. [mW]
    pub(super) power: f64,
    /// Minus the logarithm of the probability that it would have been decoded.
    pub(super) failure: f64,
    /// True if something else was on the air.
    pub(super) interfered: bool,
    /// When it began. [ns]
    pub(super) start: u64,
    /// Index of its modulation in the table.
    pub(super) mode: u32,
    pub(super) bytes: u32,
}

impl Physical {
    /// Decides whether a node in reach decodes a frame.
    pub(super) fn decode(
        &mut self,
        hop: Hop,
        place: u32,
        power: f64,
        lock: Option<Lock>,
        disturbed: bool,
    ) -> Decoded {
        let Some(frame) = self.frames.get(place) else { return Err(Loss::Collision) };
        let duration = frame.end - frame.start;
        let (count, bytes) = (frame.number, frame.bytes);
        let failure = lock.map_or(f64::INFINITY, |lock| lock.failure);
        let (start, mode) = (frame.start, frame.mode);
        if lock.is_some() {
            self.spend_on_receiving(hop.to, duration);
        }
        let receiver = &self.scenery.nodes[hop.to];
        if !(receiver.alive && receiver.hears) {
            return Err(Loss::ReceiverDead);
        }
        let draw = || self.draw(Purpose::Decoding, hop.from, hop.to.0, count);
        let decoded = match lock {
            Some(_) if failure < 1e-9 => true,
            Some(_) => unit(draw()[0]) < libm::exp(-failure),
            None => false,
        };
        let Some(lock) = lock.filter(|_| decoded) else {
            let interfered = lock.map_or(disturbed, |lock| lock.interfered);
            return Err(self.why(&Failure { hop, power, failure, interfered, start, mode, bytes }));
        };
        let kept = self.kept(hop);
        if kept < 1.0 && unit(draw()[1]) >= kept {
            return Err(Loss::Chance);
        }
        Ok(Strength { power: lock.power, disturbance: lock.disturbed / duration.max(1) as f64 })
    }

    /// Share of the decoded frames between two nodes that survive random loss.
    pub(super) fn kept(&self, hop: Hop) -> f64 {
        let nodes = &self.scenery.nodes;
        (1.0 - self.params.loss) * (1.0 - nodes[hop.from].loss) * (1.0 - nodes[hop.to].loss)
    }

    /// The cause without which a failure would have been at most half as likely.
    pub(super) fn why(&self, failure: &Failure) -> Loss {
        let Some(channel) = &self.channel else { return Loss::Range };
        let mode = &channel.modes.list[failure.mode as usize];
        // Probability of failure with a power and a noise alone.
        let risk = |power: f64, noise: f64| {
            if power < channel.weakest || power < channel.preamble * noise {
                1.0
            } else {
                1.0 - libm::exp(-mode.failure(power / noise) * f64::from(failure.bytes) / 200.0)
            }
        };
        let (power, ear) = (failure.power, &self.ears[failure.hop.to]);
        let failed = 1.0 - libm::exp(-failure.failure);
        let jamming = ear.jamming_since(failure.start);
        let with_jammers = risk(power, ear.noise + jamming);
        if failure.interfered && with_jammers <= 0.5 * failed {
            return Loss::Collision;
        }
        let with_noise = risk(power, ear.noise);
        if jamming > 0.0 && with_noise <= 0.5 * with_jammers {
            return Loss::Jammed;
        }
        let alone = risk(power, channel.thermal);
        if ear.noise > channel.thermal && alone <= 0.5 * with_noise {
            return Loss::Noise;
        }
        let nodes = &self.scenery.nodes;
        let damping = channel.damping(nodes[failure.hop.from].position, nodes[failure.hop.to].position);
        if damping > 0.0 && risk(power * ratio(damping), channel.thermal) <= 0.5 * alone {
            return Loss::Wall;
        }
        // Bad luck near the limit, or out of range.
        if alone < 0.5 { Loss::Noise } else { Loss::Range }
    }

    /// Processes the end of a frame at a node that decoded it, or did not.
    pub(super) fn received(&mut self, hop: Hop, place: u32, decoded: Decoded) {
        let Hop { from: sender, to: node } = hop;
        let Some(frame) = self.frames.get(place) else { return };
        let (content, to) = (frame.content, frame.to);
        let node_is_meant = to.is_none_or(|to| to == node);
        if let Ok(signal) = decoded {
            self.note_link(node, sender, signal);
        }
        match content {
            Content::Acknowledgement => {
                if node_is_meant && decoded.is_ok() {
                    self.acknowledged(node);
                }
            }
            Content::Message { message, hops } if node_is_meant => {
                if to.is_some() && decoded.is_ok() {
                    let at = self.now + nanoseconds(self.params.sifs);
                    self.agenda.add(at, node, EventKind::Acknowledge(sender));
                }
                self.settle_copy(hop, message, hops, decoded);
            }
            Content::Message { .. } => {}
        }
    }

    /// Settles one copy after a transmission that arrived, or did not.
    pub(super) fn settle_copy(&mut self, hop: Hop, place: u32, hops: u8, decoded: Decoded) {
        let Hop { from: sender, to: node } = hop;
        let team = self.team();
        let Some(message) = self.messages.get_mut(place) else { return };
        if node.index() >= team {
            return;
        }
        if message.hello {
            let payload = message.payload.clone();
            if decoded.is_ok() && self.routers[node].learn(node, sender, &payload) {
                self.forward(node, place, hops);
            }
            return;
        }
        match (message.to, decoded) {
            (Some(to), Ok(signal)) if to == node => {
                if !std::mem::replace(&mut message.arrived, true) {
                    self.deliver(hop, place, signal);
                }
            }
            (Some(_), Ok(_)) => self.relay(node, place, hops),
            (Some(_), Err(why)) => message.missed = Some(why),
            (None, decoded) => match (&mut message.copies, decoded) {
                (Some(copies), Ok(signal)) => {
                    if copies.arrive(node) {
                        self.deliver(hop, place, signal);
                        self.forward(node, place, hops);
                    }
                }
                (Some(copies), Err(why)) => copies.miss(node, why),
                (None, Ok(signal)) => self.deliver(hop, place, signal),
                (None, Err(why)) => self.lose(place, node, why),
            },
        }
    }

    /// Records that a unicast message did not get through this time.
    pub(super) fn miss(&mut self, place: u32, why: Loss) {
        if let Some(message) = self.messages.get_mut(place) {
            message.missed = Some(why);
        }
    }

    fn deliver(&mut self, hop: Hop, place: u32, signal: Strength) {
        let Hop { from: sender, to: node } = hop;
        let Some(message) = self.messages.get(place) else { return };
        let nodes = &self.scenery.nodes;
        let squared = super::channel::squared_distance(nodes[sender].position, nodes[node].position);
        let at = self.now + flight(squared.sqrt()) + self.turns.processing;
        let (origin, by) = (self.public(message.sender), self.public(sender));
        self.tally.delivered += 1;
        self.tally.latency += at - message.sent;
        self.inboxes[node].push(Delivery {
            at,
            sender: origin,
            by,
            payload: message.payload.clone(),
            signal,
        });
        if let Some(fates) = &mut self.fates {
            fates.push(Fate {
                sender: origin,
                receiver: node,
                payload: message.payload.clone(),
                sent: message.sent,
                settled: at,
                lost: None,
                signal: Some(signal.measured()),
            });
        }
    }

    fn lose(&mut self, place: u32, receiver: NodeId, why: Loss) {
        self.tally.lost.add(why, 1);
        if self.fates.is_some()
            && let Some(message) = self.messages.get(place)
        {
            let (sender, payload, sent) = (message.sender, message.payload.clone(), message.sent);
            self.tell_loss(sender, receiver, payload, sent, why);
        }
    }

    fn tell_loss(&mut self, sender: NodeId, receiver: NodeId, payload: Arc<[u8]>, sent: u64, why: Loss) {
        let (sender, settled) = (self.public(sender), self.now.max(sent));
        if let Some(fates) = &mut self.fates {
            fates.push(Fate { sender, receiver, payload, sent, settled, lost: Some(why), signal: None });
        }
    }

    /// Records the loss of a frame at all nodes out of reach.
    pub(super) fn miss_unreached(&mut self, place: u32, hopeless: &Losses, named: &[(NodeId, Loss)]) {
        let Some(message) = self.messages.get(place) else { return };
        if message.hello || message.copies.is_some() {
            return;
        }
        for (why, count) in hopeless.iter() {
            self.tally.lost.add(why, count);
        }
        let (sender, payload, sent) = (message.sender, message.payload.clone(), message.sent);
        for &(receiver, why) in named {
            self.tell_loss(sender, receiver, payload.clone(), sent, why);
        }
    }

    /// Records that a copy of a message will not be sent. If it was the last one, nobody else gets it.
    pub(super) fn miss_all(&mut self, place: u32, why: Loss) {
        let Some(message) = self.messages.get_mut(place) else { return };
        let forwarded = message.copies.is_some() || message.hello;
        let sender = message.sender;
        if message.to.is_some() {
            message.missed = Some(why);
        } else if !forwarded {
            for receiver in NodeId::first(self.team()).filter(|receiver| *receiver != sender) {
                self.lose(place, receiver, why);
            }
        } else if let Some(copies) = &mut message.copies {
            copies.give_up(why);
        }
        self.done(place);
    }

    /// Ends one transmission of a message; with the last one its copies are settled.
    pub(super) fn done(&mut self, place: u32) {
        let Some(message) = self.messages.get_mut(place) else { return };
        message.pending = message.pending.saturating_sub(1);
        if message.pending > 0 {
            return;
        }
        match (message.to, message.arrived, message.missed) {
            (Some(to), false, why) => self.lose(place, to, why.unwrap_or(Loss::Range)),
            (Some(_), true, _) => {}
            (None, ..) => {
                let missing: Vec<(NodeId, Option<Loss>)> =
                    message.copies.iter().flat_map(|copies| copies.missing()).collect();
                for (receiver, why) in missing {
                    let why = why.unwrap_or_else(|| self.out_of_reach(place, receiver));
                    self.lose(place, receiver, why);
                }
            }
        }
        self.messages.take(place);
    }

    /// Why a forwarded message never reached a node.
    fn out_of_reach(&self, place: u32, receiver: NodeId) -> Loss {
        let sender = self.messages.get(place).map_or(NodeId(0), |message| message.sender);
        self.hopeless(sender, receiver)
    }

    /// Why one station can decode nothing that another sends.
    pub(super) fn hopeless(&self, sender: NodeId, receiver: NodeId) -> Loss {
        let obstacle = |channel: &super::Channel| channel.obstacle(&self.scenery, sender, receiver);
        self.channel.as_deref().and_then(obstacle).unwrap_or(Loss::Range)
    }
}
