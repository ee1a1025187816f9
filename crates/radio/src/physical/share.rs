//! Shared airtime, computed once per tick: no collisions, but no more than the channel's capacity.

use super::air::{Decoded, Hop, Strength};
use super::channel::Signal;
use super::settle::Failure;
use super::station::Waiting;
use super::{EventKind, Physical, Purpose, part_of};
use crate::NodeId;
use crate::chance::unit;
use crate::fate::Loss;
use crate::physics::airtime;

impl Physical {
    /// Sends as much as fits up to a moment.
    pub(super) fn share_out(&mut self, until: u64) {
        self.prepare();
        let since = self.now;
        while let Some(event) = self.agenda.next(until) {
            self.now = event.at;
            match event.what {
                EventKind::Arrive { message, hops } => {
                    self.queue_up(event.station, message, hops);
                }
                EventKind::Hello => self.hello(event.station),
                EventKind::JammersSwitch(plan) => self.switch_jammers(plan),
                _ => {}
            }
        }
        self.now = until;
        let demand = self.demand();
        let load = self.load(&demand);
        for station in NodeId::first(self.stations.len()) {
            if self.is_mute(station) {
                self.drop_all(station);
            } else if demand[station] > 0 && self.drowned_by(station).is_none() {
                let share = demand[station] as f64 / load[station].max(1) as f64;
                let room = ((until - since) as f64 * share.min(1.0)) as u64;
                let others = load[station] - demand[station];
                self.use_share(station, since, until, room.min(demand[station]), others);
            }
        }
        self.now = until;
        self.drop_expired();
    }

    /// Airtime of a message with a modulation. [ns]
    fn length(&self, message: u32, mode: usize) -> u64 {
        match (&self.channel, self.messages.get(message)) {
            (Some(channel), Some(message)) => {
                airtime(&channel.effective, &channel.modes.list[mode], message.payload.len() as u32)
            }
            _ => 0,
        }
    }

    /// Airtime that every station wants. [ns]
    fn demand(&self) -> Vec<u64> {
        let wanted = |station: &super::Station| {
            station.queue.iter().map(|waiting| self.length(waiting.message, 0)).sum()
        };
        self.stations.iter().map(wanted).collect()
    }

    /// Airtime wanted by all stations that a station hears, itself included. [ns]
    fn load(&mut self, demand: &[u64]) -> Vec<u64> {
        let mut load = demand.to_vec();
        let Some(channel) = &mut self.channel else { return load };
        for (station, &wanted) in NodeId::enumerate(demand).filter(|(_, wanted)| **wanted > 0) {
            let sensed = channel.carrier_sense;
            for &(node, power) in &channel.reach(&self.scenery, station).near {
                if power >= sensed {
                    load[node] += wanted;
                }
            }
        }
        load
    }

    /// Sends as many of a station's messages as its share allows.
    fn use_share(&mut self, station: NodeId, since: u64, until: u64, room: u64, others: u64) {
        let mut left = self.credit[station] + room;
        let mut free_at = since;
        while let Some(first) = self.stations[station].queue.front().copied() {
            let Some(message) = self.messages.get(first.message) else { break };
            let (to, bytes) = (message.to, message.payload.len() as u32);
            let next = to.map(|to| self.next_hop(station, to));
            let mode = next.map_or(0, |next| self.mode_towards(station, next, bytes));
            let length = self.length(first.message, mode);
            if length > left {
                break;
            }
            self.stations[station].queue.pop_front();
            self.stations[station].next_hop = next;
            let draws = self.stations[station].draws;
            self.stations[station].draws += 1;
            let luck = self.draw(Purpose::Waiting, station, 0, draws)[0];
            let wait = part_of(others.min(until - since), luck);
            let start = first.queued.max(free_at) + wait;
            let tries = self.pass_on(station, first, Sending { next, mode, bytes, start, length });
            left = left.saturating_sub(tries * length);
            free_at = (start + tries * length).min(until);
        }
        self.credit[station] = if self.stations[station].queue.is_empty() { 0 } else { left };
    }

    /// Sends a message without interference. Returns the number of transmissions.
    fn pass_on(&mut self, station: NodeId, first: Waiting, sending: Sending) -> u64 {
        let Sending { next, mode, bytes, start, length } = sending;
        let Some(channel) = &mut self.channel else { return 1 };
        let reach = channel.reach(&self.scenery, station).clone();
        let most = if next.is_some() { u64::from(self.params.retries) + 1 } else { 1 };
        let mut tries = 0;
        let mut through = false;
        while tries < most && !through {
            tries += 1;
            let count = self.said[station];
            self.said[station] += 1;
            self.now = start + tries * length;
            self.tally.transmissions += 1;
            self.tally.airtime += length;
            self.spend_on_sending(station, length, bytes + self.params.overhead);
            through = next.is_none();
            let meant = |(node, _): &&Signal| next.is_none_or(|next| next == *node);
            for &(node, power) in reach.near.iter().filter(meant) {
                let hop = Hop { from: station, to: node };
                let decoded = self.decode_alone(hop, power, (mode, bytes), count);
                self.spend_on_receiving(node, length);
                if let Ok(signal) = decoded {
                    self.note_link(node, station, signal);
                    self.note_link(station, node, signal);
                    through = true;
                }
                self.settle_copy(hop, first.message, first.hops, decoded);
            }
        }
        match next {
            None => self.miss_unreached(first.message, &reach.hopeless, &reach.named),
            Some(next) if !through => {
                if !reach.near.iter().any(|(node, _)| *node == next) {
                    let why = self.hopeless(station, next);
                    self.miss(first.message, why);
                }
                self.lose_link(station);
            }
            Some(_) => {}
        }
        self.done(first.message);
        tries
    }

    fn decode_alone(&mut self, hop: Hop, power: f64, (mode, bytes): (usize, u32), count: u64) -> Decoded {
        let Some(channel) = &self.channel else { return Err(Loss::Range) };
        let fade = self.draw(Purpose::Fading, hop.from, hop.to.0, count);
        let power = power * self.params.fading.gain(self.params.k_factor, fade);
        let noise = self.ears[hop.to].all_noise();
        let locked = power >= channel.weakest && power >= channel.preamble * noise;
        let failure = if locked {
            channel.modes.list[mode].failure(power / noise) * f64::from(bytes) / 200.0
        } else {
            f64::INFINITY
        };
        let draw = self.draw(Purpose::Decoding, hop.from, hop.to.0, count);
        if unit(draw[0]) >= libm::exp(-failure) {
            let (start, mode) = (self.now, mode as u32);
            let failed = Failure { hop, power, failure, interfered: false, start, mode, bytes };
            return Err(self.why(&failed));
        }
        if unit(draw[1]) >= self.kept(hop) {
            return Err(Loss::Chance);
        }
        Ok(Strength { power, disturbance: noise })
    }
}

/// How a message is sent.
struct Sending {
    /// The receiver; `None` for all.
    next: Option<NodeId>,
    mode: usize,
    bytes: u32,
    start: u64,
    length: u64,
}
