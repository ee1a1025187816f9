//! Frames on the air: they start, are detected, and end.

use super::channel::{Reach, Signal};
use super::{ACK_BYTES, NOTICE, Physical, Purpose};
use crate::NodeId;
use crate::fate::Loss;
use crate::params::PhysicalParams;
use crate::physics::{Fading, airtime, dbm};
use serde::{Deserialize, Serialize};

/// A frame's way from the station that sends it to one that may receive it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
}

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Content {
    /// A message, with the hops it may still take.
    Message {
        /// Its index among the messages in flight.
        message: u32,
        /// Hops it may still take.
        hops: u8,
    },
    /// The acknowledgement of a message.
    Acknowledgement,
}

/// A frame on the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Frame {
    /// Its number among the sender's frames.
    pub(super) number: u64,
    pub(super) content: Content,
    /// The station that it is for; `None` for all.
    pub(super) to: Option<NodeId>,
    /// Index of its modulation in the table.
    pub(super) mode: u32,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Bytes of the message.
    pub(super) bytes: u32,
    /// The receivers in reach.
    pub(super) reach: Reach,
}

/// A decoded signal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Strength {
    /// Its power. [mW]
    pub(super) power: f64,
    /// Noise and interference, on average. [mW]
    pub(super) disturbance: f64,
}

impl Strength {
    /// The signal in decibels. Logarithms cost time, so they are taken only on demand.
    pub(super) fn measured(self) -> crate::Signal {
        crate::Signal { rssi: dbm(self.power), sinr: dbm(self.power) - dbm(self.disturbance) }
    }
}

/// The result of decoding a frame.
pub(super) type Decoded = Result<Strength, Loss>;

impl Physical {
    /// Accounts for the time since the last change at one receiver.
    fn catch_up(&mut self, node: NodeId) {
        let Some(channel) = &self.channel else { return };
        let (frames, modes) = (&self.frames, &channel.modes.list);
        self.ears[node].catch_up(self.now, |place, ratio| match frames.get(place) {
            Some(frame) => {
                let failure = modes[frame.mode as usize].failure(ratio) * f64::from(frame.bytes) / 200.0;
                (failure, frame.end - frame.start)
            }
            None => (0.0, 1),
        });
    }

    /// The same at all receivers.
    pub(super) fn catch_up_all(&mut self) {
        for node in NodeId::first(self.ears.len()) {
            self.catch_up(node);
        }
    }

    /// A station starts to send.
    pub(super) fn start(
        &mut self,
        sender: NodeId,
        to: Option<NodeId>,
        mode: usize,
        content: Content,
        bytes: u32,
    ) {
        let now = self.now;
        let Some(channel) = &mut self.channel else { return };
        let duration = match content {
            Content::Acknowledgement => channel.ack,
            Content::Message { .. } => airtime(&channel.effective, &channel.modes.list[mode], bytes),
        };
        // No frame ends before others could detect it.
        let end = now + duration.max(NOTICE + 1);
        let fades = self.params.fading != Fading::None;
        let reach = if fades {
            channel.reach(&self.scenery, sender).clone()
        } else {
            channel.lend(&self.scenery, sender)
        };
        let mut frame = Frame {
            number: self.said[sender],
            content,
            to,
            mode: mode as u32,
            start: now,
            end,
            bytes,
            reach,
        };
        self.said[sender] += 1;
        if fades {
            self.fade(sender, &mut frame);
        }
        self.tally.transmissions += 1;
        self.tally.airtime += end - now;
        let all_bytes = match content {
            Content::Acknowledgement => ACK_BYTES,
            Content::Message { .. } => bytes + self.params.overhead,
        };
        self.spend_on_sending(sender, end - now, all_bytes);
        // A station cannot decode anything while it sends.
        self.ears[sender].lock = None;
        if !self.stations[sender].busy {
            self.stations[sender].hold(now, &self.turns);
        }
        let place = self.frames.put(frame);
        self.stations[sender].sending = Some(place);
        let (near, far) = self.take_signals(place);
        for &(node, power) in near.iter().chain(&far) {
            self.catch_up(node);
            self.ears[node].begin(place, power);
        }
        self.give_back(place, near, far);
        self.agenda.add(now + NOTICE, sender, super::EventKind::Notice);
        self.agenda.add(end, sender, super::EventKind::End);
    }

    /// Applies fading, which varies from packet to packet.
    fn fade(&self, sender: NodeId, frame: &mut Frame) {
        let PhysicalParams { fading, k_factor, .. } = self.params;
        for (receiver, power) in frame.reach.near.iter_mut().chain(&mut frame.reach.far) {
            *power *= fading.gain(k_factor, self.draw(Purpose::Fading, sender, receiver.0, frame.number));
        }
    }

    /// Books the energy for sending `bytes` bytes, headers included.
    pub(super) fn spend_on_sending(&mut self, sender: NodeId, duration: u64, bytes: u32) {
        let energy = &self.params.energy;
        let usage = &mut self.usage[sender];
        usage.sending += duration;
        let bits = 8.0 * f64::from(bytes);
        usage.energy += (energy.transmit - energy.idle) * duration as f64 * 1e-9 + energy.per_bit * bits;
    }

    /// Books the energy for receiving.
    pub(super) fn spend_on_receiving(&mut self, node: NodeId, duration: u64) {
        let energy = &self.params.energy;
        self.usage[node].receiving += duration;
        self.usage[node].energy += (energy.receive - energy.idle) * duration as f64 * 1e-9;
    }

    /// Takes a frame's signals out, so that receivers can be changed at the same time.
    fn take_signals(&mut self, place: u32) -> (Vec<Signal>, Vec<Signal>) {
        match self.frames.get_mut(place) {
            Some(frame) => {
                let reach = &mut frame.reach;
                (std::mem::take(&mut reach.near), std::mem::take(&mut reach.far))
            }
            None => Default::default(),
        }
    }

    fn give_back(&mut self, place: u32, near: Vec<Signal>, far: Vec<Signal>) {
        if let Some(frame) = self.frames.get_mut(place) {
            (frame.reach.near, frame.reach.far) = (near, far);
        }
    }

    /// The frame is detected: receivers that can lock on to it do.
    pub(super) fn notice(&mut self, sender: NodeId) {
        let (Some(place), Some(channel)) = (self.stations[sender].sending, &self.channel) else { return };
        let (weakest, preamble, capture) = (channel.weakest, channel.preamble, channel.capture);
        let Some(started) = self.frames.get(place).map(|frame| frame.start) else { return };
        let (near, far) = self.take_signals(place);
        for &(node, power) in &near {
            if self.stations[node].sending.is_some() {
                continue;
            }
            let ear = &mut self.ears[node];
            // A receiver that was decoding something else when the frame began has missed its preamble.
            let needed = if ear.lock.is_some() || ear.free_since > started { capture } else { preamble };
            if power >= weakest && power >= needed * (ear.interference(place) + ear.all_noise()) {
                ear.lock_on(place, power, started);
            }
            self.refresh(node);
        }
        self.give_back(place, near, far);
    }

    /// A frame ends: it was decoded, or not.
    pub(super) fn end(&mut self, sender: NodeId) {
        let Some(place) = self.stations[sender].sending.take() else { return };
        self.ears[sender].free_since = self.now;
        for is_near in [true, false] {
            let (near, far) = self.take_signals(place);
            for &(node, power) in if is_near { &near } else { &far } {
                self.fall_silent(Hop { from: sender, to: node }, place, power, is_near);
            }
            self.give_back(place, near, far);
        }
        let Some(frame) = self.frames.take(place) else { return };
        self.sent(sender, frame);
    }

    /// A frame ends at one receiver.
    fn fall_silent(&mut self, hop: Hop, place: u32, power: f64, is_near: bool) {
        let node = hop.to;
        self.catch_up(node);
        let start = self.frames.get(place).map_or(self.now, |frame| frame.start);
        let ear = &mut self.ears[node];
        let disturbed = ear.disturbed_since(start, place) || self.stations[node].sending.is_some();
        ear.end(self.now, place);
        let lock = ear.lock.filter(|lock| lock.frame == place);
        if lock.is_some() {
            (ear.lock, ear.free_since) = (None, self.now);
        }
        if is_near {
            let decoded = self.decode(hop, place, power, lock, disturbed);
            if lock.is_some() {
                self.stations[node].spoilt = decoded.is_err();
            }
            self.received(hop, place, decoded);
        }
        if self.stations[node].busy {
            self.refresh(node);
        }
    }

    /// Updates a station's view of the medium, and lets it react to a change.
    pub(super) fn refresh(&mut self, node: NodeId) {
        let station = &self.stations[node];
        let ear = &self.ears[node];
        let Some(channel) = &self.channel else { return };
        let busy = station.sending.is_some()
            || ear.signals() >= channel.carrier_sense
            || ear.signals() + ear.all_noise() >= channel.energy_detection;
        match (station.busy, busy) {
            (false, true) => self.stations[node].hold(self.now, &self.turns),
            (true, false) => {
                self.stations[node].release(self.now);
                self.plan(node);
            }
            _ => {}
        }
    }
}
