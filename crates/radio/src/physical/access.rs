//! Medium access: CSMA/CA with acknowledgements for unicast messages.

use super::air::{Content, Frame};
use super::station::Waiting;
use super::{EventKind, Physical, Purpose, part_of};
use crate::NodeId;
use crate::fate::Loss;
use crate::params::Forwarding;
use crate::physics::{Fading, nanoseconds};

/// Time that a station waits for an acknowledgement beyond its expected arrival. [ns]
const ACK_SLACK: u64 = 20_000;

impl Physical {
    /// Draws a new backoff.
    pub(super) fn wait(&mut self, station: NodeId) {
        let draws = self.stations[station].draws;
        self.stations[station].draws += 1;
        let random = self.draw(Purpose::Waiting, station, 0, draws)[0];
        self.stations[station].wait(random, &self.turns);
    }

    /// Plans the next access, if there is something to send and the medium is free.
    pub(super) fn plan(&mut self, station: NodeId) {
        if let Some((at, plan)) = self.stations[station].plan(self.now, &self.turns) {
            self.agenda.add(at, station, EventKind::Access(plan));
        }
    }

    /// A message arrives at a station's queue.
    pub(super) fn arrive(&mut self, station: NodeId, message: u32, hops: u8) {
        let must_wait = self.stations[station].must_wait();
        if self.queue_up(station, message, hops) {
            if must_wait {
                self.wait(station);
            }
            self.plan(station);
        }
    }

    /// Appends a message to a station's queue; false if the queue is full or the station cannot send.
    pub(super) fn queue_up(&mut self, station: NodeId, message: u32, hops: u8) -> bool {
        let why = if self.is_mute(station) {
            Loss::SenderDead
        } else if self.stations[station].queue.len() >= self.params.queue as usize {
            Loss::QueueFull
        } else {
            let (queued, expires) = (self.now, self.now + nanoseconds(self.params.time_to_live));
            self.stations[station].queue.push_back(Waiting { message, hops, queued, expires });
            return true;
        };
        self.miss_all(message, why);
        false
    }

    /// The noise source that keeps a station from ever finding the medium free, if there is one.
    pub(super) fn drowned_by(&self, station: NodeId) -> Option<Loss> {
        let (channel, ear) = (self.channel.as_ref()?, &self.ears[station]);
        let loudest = if ear.jamming > ear.noise { Loss::Jammed } else { Loss::Noise };
        (ear.all_noise() >= channel.energy_detection).then_some(loudest)
    }

    /// True if a station cannot send.
    pub(super) fn is_mute(&self, station: NodeId) -> bool {
        let node = &self.scenery.nodes[station];
        !(node.speaks && node.alive)
    }

    /// Drops all messages queued at a station that can no longer send.
    pub(super) fn drop_all(&mut self, station: NodeId) {
        while let Some(first) = self.stations[station].queue.pop_front() {
            self.miss_all(first.message, Loss::SenderDead);
        }
        self.stations[station].narrow();
        self.credit[station] = 0;
    }

    /// Drops messages that have waited too long.
    pub(super) fn drop_expired(&mut self) {
        for station in NodeId::first(self.stations.len()) {
            self.drop_expired_at(station);
        }
    }

    fn drop_expired_at(&mut self, station: NodeId) {
        let idle = |s: &super::Station| s.sending.is_none() && !s.awaiting;
        while idle(&self.stations[station])
            && let Some(first) = self.stations[station].queue.front().copied()
            && first.expires <= self.now
        {
            self.stations[station].queue.pop_front();
            self.stations[station].narrow();
            let why = self.drowned_by(station).unwrap_or(Loss::Expired);
            self.miss_all(first.message, why);
        }
    }

    /// A station's backoff has ended.
    pub(super) fn access(&mut self, station: NodeId, plan: u32) {
        if !self.stations[station].takes(plan) {
            return;
        }
        self.drop_expired_at(station);
        if self.is_mute(station) {
            return self.drop_all(station);
        }
        let Some(first) = self.stations[station].queue.front().copied() else { return };
        let Some(message) = self.messages.get(first.message) else { return };
        let (to, bytes) = (message.to, message.payload.len() as u32);
        let content = Content::Message { message: first.message, hops: first.hops };
        match to {
            None => {
                self.stations[station].queue.pop_front();
                self.start(station, None, 0, content, bytes);
            }
            Some(to) => {
                let next = self.next_hop(station, to);
                let mode = self.mode_towards(station, next, bytes);
                self.stations[station].attempts += 1;
                self.stations[station].next_hop = Some(next);
                self.start(station, Some(next), mode, content, bytes);
            }
        }
    }

    /// A station has finished sending a frame.
    pub(super) fn sent(&mut self, station: NodeId, frame: Frame) {
        match (frame.content, frame.to) {
            (Content::Acknowledgement, _) => {}
            (Content::Message { message, .. }, None) => {
                self.miss_unreached(message, &frame.reach.hopeless, &frame.reach.named);
                self.wait(station);
                self.done(message);
            }
            (Content::Message { message, .. }, Some(to)) => {
                if !frame.reach.near.iter().any(|(node, _)| *node == to) {
                    let why = self.hopeless(station, to);
                    self.miss(message, why);
                }
                let ack = self.channel.as_ref().map_or(0, |channel| channel.ack);
                let patience = nanoseconds(self.params.sifs) + ack + self.turns.slot + ACK_SLACK;
                self.stations[station].awaiting = true;
                let attempt = self.stations[station].attempts;
                self.agenda.add(self.now + patience, station, EventKind::GiveUpWaiting(attempt));
            }
        }
        if self.params.fading == Fading::None
            && let Some(channel) = &mut self.channel
        {
            channel.take_back(station, frame.reach);
        }
        self.refresh(station);
        self.plan(station);
    }

    /// A station acknowledges a frame that it has decoded.
    pub(super) fn acknowledge(&mut self, station: NodeId, to: NodeId) {
        if self.stations[station].sending.is_none() && !self.is_mute(station) {
            self.start(station, Some(to), 0, Content::Acknowledgement, 0);
        }
    }

    /// The acknowledgement has arrived: the message is through.
    pub(super) fn acknowledged(&mut self, station: NodeId) {
        if !self.stations[station].awaiting {
            return;
        }
        self.conclude(station);
    }

    /// The acknowledgement has not arrived in time: retries, or drops the message.
    pub(super) fn give_up_waiting(&mut self, station: NodeId, attempt: u32) {
        let waiting = &mut self.stations[station];
        if !waiting.awaiting || waiting.attempts != attempt {
            return;
        }
        if waiting.attempts > self.params.retries {
            self.lose_link(station);
            return self.conclude(station);
        }
        waiting.awaiting = false;
        waiting.widen(&self.turns);
        self.wait(station);
        self.refresh(station);
        self.plan(station);
    }

    /// Removes the first message from the queue.
    fn conclude(&mut self, station: NodeId) {
        let waiting = &mut self.stations[station];
        waiting.awaiting = false;
        waiting.narrow();
        let first = waiting.queue.pop_front();
        self.wait(station);
        if let Some(first) = first {
            self.done(first.message);
        }
        self.refresh(station);
        self.plan(station);
    }

    /// Forwards a message from another station after a random pause.
    pub(super) fn forward(&mut self, station: NodeId, message: u32, hops: u8) {
        if hops <= 1 || self.params.forwarding == Forwarding::None {
            return;
        }
        let Some(forwarded) = self.messages.get_mut(message) else { return };
        forwarded.pending += 1;
        let (number, sender) = (forwarded.number, forwarded.sender);
        let random = self.draw(Purpose::Jitter, station, self.public(sender).0, number)[0];
        let jitter = part_of(nanoseconds(self.params.jitter), random);
        self.agenda.add(self.now + jitter, station, EventKind::Arrive { message, hops: hops - 1 });
    }
}
