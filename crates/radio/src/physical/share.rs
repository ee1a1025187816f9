//! Sharing the time on the air evenly, reckoned once per tick: no collisions, but no more than there is room for.

use super::air::Strength;
use super::settle::unit;
use super::{Physical, Purpose, What, nanoseconds};
use crate::fate::Loss;
use crate::physics::airtime;

impl Physical {
    /// Sends what there is room for up to a moment.
    pub(super) fn share_out(&mut self, until: u64) {
        self.prepare();
        let since = self.now;
        while let Some(event) = self.agenda.next(until) {
            self.now = event.at;
            match event.what {
                What::Arrive { message, hops } => self.queue_up(event.station as usize, message, hops),
                What::Hello => self.hello(event.station as usize),
                What::JammersSwitch(plan) => self.switch_jammers(plan),
                _ => {}
            }
        }
        self.now = until;
        let demand = self.demand();
        let load = self.load(&demand);
        for station in 0..self.stations.len() {
            if self.is_mute(station) {
                self.drop_all(station);
            } else if demand[station] > 0 && !self.drowned(station) {
                let share = demand[station] as f64 / load[station].max(1) as f64;
                let room = ((until - since) as f64 * share.min(1.0)) as u64;
                let others = load[station] - demand[station];
                self.use_share(station, since, until, room.min(demand[station]), others);
            }
        }
        self.now = until;
        self.drop_expired();
    }

    fn queue_up(&mut self, station: usize, message: u32, hops: u8) {
        if self.stations[station].queue.len() >= self.params.queue as usize {
            return self.miss_all(message, Loss::QueueFull);
        }
        let expires = self.now + nanoseconds(self.params.time_to_live);
        self.stations[station].queue.push_back(super::station::Waiting { message, hops, expires });
    }

    /// True if a jammer keeps a station from sending.
    fn drowned(&self, station: usize) -> bool {
        self.channel.as_ref().is_some_and(|channel| self.ears[station].jamming >= channel.energy_detection)
    }

    /// Time on the air of a station's message.
    fn length(&self, message: u32) -> u64 {
        match (&self.channel, self.messages.get(message)) {
            (Some(channel), Some(message)) => {
                airtime(&channel.effective, channel.modes.base(), message.payload.len() as u32)
            }
            _ => 0,
        }
    }

    /// Time on the air that every station would like to have. [ns]
    fn demand(&self) -> Vec<u64> {
        let wanted =
            |station: &super::Station| station.queue.iter().map(|waiting| self.length(waiting.message)).sum();
        self.stations.iter().map(wanted).collect()
    }

    /// Time on the air that all stations want which a station hears, itself included. [ns]
    fn load(&mut self, demand: &[u64]) -> Vec<u64> {
        let mut load = demand.to_vec();
        let Some(channel) = &mut self.channel else { return load };
        for (station, &wanted) in demand.iter().enumerate().filter(|(_, wanted)| **wanted > 0) {
            let sensed = channel.carrier_sense;
            for &(node, power) in &channel.reach(&self.scenery, station).near {
                if power >= sensed {
                    load[node as usize] += wanted;
                }
            }
        }
        load
    }

    /// Sends as many of a station's messages as its share allows.
    fn use_share(&mut self, station: usize, since: u64, until: u64, room: u64, others: u64) {
        let mut left = self.credit[station] + room;
        let mut free_at = since;
        while let Some(first) = self.stations[station].queue.front().copied() {
            let length = self.length(first.message);
            if length > left {
                break;
            }
            left -= length;
            self.stations[station].queue.pop_front();
            let draws = self.stations[station].draws;
            self.stations[station].draws += 1;
            let luck = unit(self.draw(Purpose::Waiting, station as u32, 0, draws)[0]);
            let wait = (luck * others.min(until - since) as f64) as u64;
            let handed = self.messages.get(first.message).map_or(since, |message| message.sent);
            let end = handed.max(free_at) + wait + length;
            free_at = end.min(until);
            self.now = end;
            self.pass_on(station, first.message, first.hops, length);
        }
        self.credit[station] = if self.stations[station].queue.is_empty() { 0 } else { left };
    }

    /// A message is on the air without anybody else.
    fn pass_on(&mut self, station: usize, place: u32, hops: u8, length: u64) {
        let Some(message) = self.messages.get(place) else { return };
        let (to, bytes) = (message.to, message.payload.len() as u32);
        let next = to.map(|to| self.next_hop(station, to));
        let Some(channel) = &mut self.channel else { return };
        let reach = channel.reach(&self.scenery, station).clone();
        let tries = if to.is_some() { self.params.retries + 1 } else { 1 };
        for _ in 0..tries {
            let count = self.said[station];
            self.said[station] += 1;
            self.tally.transmissions += 1;
            self.tally.airtime += length;
            let energy = self.params.energy;
            self.usage[station].sending += length;
            self.usage[station].energy += (energy.transmit - energy.idle) * length as f64 * 1e-9
                + energy.per_bit * 8.0 * f64::from(bytes + self.params.overhead);
            let mut through = next.is_none();
            for &(node, power) in reach.near.iter().filter(|(node, _)| next.is_none_or(|next| next == *node))
            {
                let decoded = self.decode_alone(station, node as usize, power, bytes, count);
                through |= decoded.is_ok();
                self.usage[node as usize].receiving += length;
                self.settle_copy(station, node as usize, place, hops, decoded);
            }
            if through {
                break;
            }
        }
        if next.is_none() {
            self.miss_unreached(place, &reach.hopeless, &reach.named);
        }
        self.done(place);
    }

    fn decode_alone(
        &mut self,
        sender: usize,
        node: usize,
        power: f64,
        bytes: u32,
        count: u64,
    ) -> super::air::Decoded {
        let Some(channel) = &self.channel else { return Err(Loss::Range) };
        let fade = self.draw(Purpose::Fading, sender as u32, node as u32, count);
        let power = power * self.params.fading.gain(self.params.k_factor, fade);
        let noise = self.ears[node].all_noise();
        let locked = power >= channel.weakest && power >= channel.preamble * noise;
        let failure = if locked {
            channel.modes.base().failure(power / noise) * f64::from(bytes) / 200.0
        } else {
            f64::INFINITY
        };
        let draw = self.draw(Purpose::Decoding, sender as u32, node as u32, count);
        if unit(draw[0]) >= libm::exp(-failure) {
            return Err(self.why(sender, node, power, failure, false, (0, bytes)));
        }
        let nodes = &self.scenery.nodes;
        let sound = (1.0 - self.params.loss) * (1.0 - nodes[sender].loss) * (1.0 - nodes[node].loss);
        if unit(draw[1]) >= sound {
            return Err(Loss::Chance);
        }
        Ok(Strength { power, disturbance: noise })
    }
}
