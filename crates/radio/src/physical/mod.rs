//! The physical radio: path loss, walls, noise, jammers, and a shared medium.
//!
//! Time advances from event to event in nanoseconds, whatever the tick. Between two ticks nothing moves.

mod access;
mod air;
mod channel;
mod ear;
mod event;
mod message;
mod query;
mod routing;
mod settle;
mod share;
mod station;

pub use query::{Link, Route};

use crate::params::{Access, Forwarding};
use crate::physics::{NoiseGrid, nanoseconds};
use crate::{Fate, Heard, Loss, Node, NodeId, PhysicalParams, Radio, Reception, Surroundings, Tally, Usage};
use air::Strength;
use channel::{Channel, Scenery};
use ear::Ear;
use event::{Agenda, EventKind};
use message::{Copies, Message, Places};
use rand_philox::{philox4x32_10, splitmix64};
use routing::{Memory, Router};
use serde::{Deserialize, Serialize};
use station::{Station, Turns};
use std::sync::Arc;

/// Time from the start of a frame until others detect it. [ns]
const NOTICE: u64 = 4_000;

/// Bytes of an acknowledgement, headers included.
const ACK_BYTES: u32 = 14;

/// The physical radio.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Physical {
    params: PhysicalParams,
    floor: Option<Arc<NoiseGrid>>,
    seed: u64,
    key: [u32; 2],
    /// Current time. [ns]
    now: u64,
    scenery: Scenery,
    stations: Vec<Station>,
    ears: Vec<Ear>,
    frames: Places<air::Frame>,
    messages: Places<Message>,
    agenda: Agenda,
    /// When a jammer switches next. [ns]
    next_switch: Option<u64>,
    /// Tells the valid jammer event from replaced ones.
    jammer_plan: u32,
    inboxes: Vec<Vec<Delivery>>,
    routers: Vec<Router>,
    /// What stations remember of links to others; empty until the first unicast.
    memories: Vec<Memory>,
    /// Airtime credit of each station with shared airtime. [ns]
    credit: Vec<u64>,
    /// Frames that each station has sent, for random draws.
    said: Vec<u64>,
    /// Number of messages handed to each station.
    handed: Vec<u64>,
    tally: Tally,
    usage: Vec<Usage>,
    /// Derived data, rebuilt when missing.
    #[serde(skip)]
    channel: Option<Box<Channel>>,
    /// How often it was built.
    #[serde(skip)]
    channels: u64,
    #[serde(skip)]
    turns: Turns,
    /// Fates of copies, if they are watched.
    #[serde(skip)]
    fates: Option<Vec<Fate>>,
}

/// A message that has arrived but was not heard yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Delivery {
    /// When software gets it. [ns]
    at: u64,
    sender: NodeId,
    /// The node whose signal it was.
    by: NodeId,
    payload: Arc<[u8]>,
    signal: Strength,
}

/// The purpose of a random number: draws for different purposes must be independent.
#[derive(Clone, Copy)]
enum Purpose {
    Fading = 1,
    Decoding = 2,
    Waiting = 3,
    Stagger = 4,
    Jitter = 5,
}

/// A random part of a span of time.
fn part_of(span: u64, random: u32) -> u64 {
    ((u128::from(span) * u128::from(random)) >> 32) as u64
}

impl Physical {
    /// A radio whose random draws derive from `seed`, with a noise floor besides the receivers' own noise.
    pub fn new(params: PhysicalParams, floor: Option<Arc<NoiseGrid>>, seed: u64) -> Physical {
        let key = splitmix64(seed ^ 0x5241_4449_4f5f_5f32);
        Physical {
            // The grid replaces it.
            params: PhysicalParams { noise_floor: None, ..params },
            floor,
            seed,
            key: [key as u32, (key >> 32) as u32],
            now: 0,
            scenery: Scenery { bandwidth_share: 1.0, ..Scenery::default() },
            stations: Vec::new(),
            ears: Vec::new(),
            frames: Places::default(),
            messages: Places::default(),
            agenda: Agenda::default(),
            next_switch: None,
            jammer_plan: 0,
            inboxes: Vec::new(),
            routers: Vec::new(),
            memories: Vec::new(),
            credit: Vec::new(),
            said: Vec::new(),
            handed: Vec::new(),
            tally: Tally::default(),
            usage: Vec::new(),
            channel: None,
            channels: 0,
            turns: Turns::default(),
            fates: None,
        }
    }

    /// The parameters.
    pub fn params(&self) -> &PhysicalParams {
        &self.params
    }

    /// Number of nodes, without the station outside.
    fn team(&self) -> usize {
        self.scenery.nodes.len().saturating_sub(1)
    }

    /// The station outside the team: within this module, the one after the last node.
    fn outside(&self) -> NodeId {
        NodeId::from_index(self.team())
    }

    /// A station's public address.
    fn public(&self, station: NodeId) -> NodeId {
        if station == self.outside() { NodeId::OUTSIDE } else { station }
    }

    /// A random draw for a station. Draws of the station outside do not depend on the number of nodes.
    fn draw(&self, purpose: Purpose, station: NodeId, b: u32, count: u64) -> [u32; 4] {
        let a = self.public(station).0;
        philox4x32_10([a, b, count as u32, ((count >> 32) as u32) ^ ((purpose as u32) << 24)], self.key)
    }

    /// Builds the derived data if it is missing.
    fn prepare(&mut self) {
        if self.channel.is_some() {
            return;
        }
        self.channels += 1;
        let mut channel =
            Channel::new(&self.params, self.scenery.bandwidth_share, self.seed, self.fates.is_some());
        channel.count_from(self.channels << 32);
        channel.build_walls(&self.scenery);
        channel.look(&self.scenery);
        self.turns = Turns {
            slot: nanoseconds(self.params.slot).max(1),
            difs: nanoseconds(self.params.difs),
            eifs: nanoseconds(self.params.eifs),
            processing: nanoseconds(self.params.processing),
            window: self.params.contention_window,
            largest_window: self.params.largest_window,
        };
        self.channel = Some(Box::new(channel));
    }

    /// Processes all events due up to a moment.
    fn advance(&mut self, until: u64) {
        self.prepare();
        while let Some(event) = self.agenda.next(until) {
            self.now = event.at;
            let station = event.station;
            match event.what {
                EventKind::End => self.end(station),
                EventKind::JammersSwitch(plan) => self.switch_jammers(plan),
                EventKind::Notice => self.notice(station),
                EventKind::Acknowledge(to) => self.acknowledge(station, to),
                EventKind::GiveUpWaiting(attempt) => self.give_up_waiting(station, attempt),
                EventKind::Arrive { message, hops } => self.arrive(station, message, hops),
                EventKind::Hello => self.hello(station),
                EventKind::Access(plan) => self.access(station, plan),
            }
        }
        self.now = until;
        self.drop_expired();
    }

    /// Takes over the surroundings.
    fn look(&mut self, around: &Surroundings) {
        let first = self.scenery.nodes.is_empty();
        let scenery = &mut self.scenery;
        let outside = scenery.nodes.last().copied().unwrap_or(Node::at([0.0, 0.0]));
        let mut changed = first
            || scenery.nodes[..scenery.nodes.len() - 1] != *around.nodes
            || !scenery.cuts.same(around.cuts);
        if changed {
            scenery.nodes.clear();
            scenery.nodes.extend_from_slice(around.nodes);
            scenery.nodes.push(Node { hears: false, ..outside });
            scenery.cuts.copy_from(around.cuts);
        }
        // A radio that was put back to an earlier state may not have the walls of the last description.
        let same = around.same_walls && scenery.walls.len() == around.walls.len();
        let rebuilt = !same && scenery.walls != around.walls;
        if rebuilt {
            scenery.walls = around.walls.to_vec();
            changed = true;
        }
        let share = around.bandwidth_share.unwrap_or(1.0);
        if scenery.bandwidth_share != share {
            scenery.bandwidth_share = share;
            self.channel = None;
            changed = true;
        }
        let noisier = scenery.noise_rise != around.noise_rise;
        scenery.noise_rise = around.noise_rise;
        let jammers_changed = scenery.jammers != around.jammers;
        if jammers_changed {
            scenery.jammers.clear();
            scenery.jammers.extend_from_slice(around.jammers);
        }
        if first {
            self.join_in();
        }
        if changed && let Some(channel) = &mut self.channel {
            if rebuilt {
                channel.build_walls(&self.scenery);
            }
            channel.look(&self.scenery);
        }
        self.prepare();
        if changed || noisier || jammers_changed {
            self.measure_noise();
        }
    }

    /// Creates a station for every node.
    fn join_in(&mut self) {
        let count = self.scenery.nodes.len();
        self.stations.resize_with(count, Station::default);
        self.ears.resize_with(count, Ear::default);
        self.inboxes.resize_with(count, Vec::new);
        self.said.resize(count, 0);
        self.handed.resize(count, 0);
        self.usage.resize(count, Usage::default());
        self.credit.resize(count, 0);
        if self.params.forwarding == Forwarding::LinkState {
            self.routers.resize_with(count, Router::default);
            let every = nanoseconds(self.params.hello_every);
            for station in NodeId::first(count - 1) {
                let phase = self.draw(Purpose::Stagger, station, 1, 0)[0];
                self.agenda.add(self.now + part_of(every, phase), station, EventKind::Hello);
            }
        }
    }

    /// Recomputes the noise at every node.
    fn measure_noise(&mut self) {
        self.catch_up_all();
        let Some(channel) = &self.channel else { return };
        for (ear, node) in self.ears.iter_mut().zip(&self.scenery.nodes) {
            ear.noise = channel.noise_at(node.position, self.floor.as_ref(), self.scenery.noise_rise);
        }
        self.jam();
    }

    /// Switches jammers, unless the event was replaced.
    fn switch_jammers(&mut self, plan: u32) {
        if plan == self.jammer_plan {
            self.next_switch = None;
            self.catch_up_all();
            self.jam();
        }
    }

    /// Computes the noise of the jammers now, and plans when one of them switches next. Ears must have caught up.
    fn jam(&mut self) {
        let Some(channel) = &self.channel else { return };
        let now = self.now;
        for (ear, node) in self.ears.iter_mut().zip(&self.scenery.nodes) {
            let on = self.scenery.jammers.iter().filter(|jammer| jammer.is_on(now));
            ear.hear_jammers(now, on.map(|jammer| channel.jamming_at(node.position, jammer)).sum());
        }
        let next = self.scenery.jammers.iter().filter_map(|jammer| jammer.next_switch(now)).min();
        if let Some(next) = next.filter(|next| self.next_switch != Some(*next)) {
            self.next_switch = Some(next);
            self.jammer_plan = self.jammer_plan.wrapping_add(1);
            self.agenda.add(next, NodeId(0), EventKind::JammersSwitch(self.jammer_plan));
        }
        for station in NodeId::first(self.team()) {
            self.refresh(station);
        }
    }

    /// The number of copies of a message from a station.
    fn copies(&self, station: NodeId, to: Option<NodeId>) -> u64 {
        match to {
            Some(_) => 1,
            None if station == self.outside() => self.team() as u64,
            None => self.team().saturating_sub(1) as u64,
        }
    }

    /// Accepts a message from a station.
    fn accept(&mut self, at: u64, station: NodeId, to: Option<NodeId>, payload: Vec<u8>) {
        let copies = self.copies(station, to);
        self.tally.sent(to, payload.len(), copies);
        let number = self.handed[station];
        self.handed[station] += 1;
        let forwarded = to.is_none() && self.params.forwarding != Forwarding::None;
        let too_large = payload.len() > self.params.largest_message as usize;
        let message = self.messages.put(Message {
            to,
            copies: forwarded.then(|| Box::new(Copies::new(self.team(), station))),
            ..Message::new(number, station, at, payload.into())
        });
        if to.is_some() {
            self.memories.resize_with(self.scenery.nodes.len(), Memory::default);
        }
        let nobody = to.is_some_and(|to| to == station || to.index() >= self.team());
        if self.is_mute(station) {
            self.miss_all(message, Loss::SenderDead);
        } else if nobody {
            self.miss_all(message, Loss::ReceiverDead);
        } else if too_large {
            self.miss_all(message, Loss::TooLarge);
        } else {
            let phase = self.draw(Purpose::Stagger, station, 0, 0)[0];
            let stagger = part_of(nanoseconds(self.params.stagger), phase);
            let hops = if forwarded || to.is_some() { self.params.hops.min(255) as u8 } else { 1 };
            self.agenda.add(at + stagger, station, EventKind::Arrive { message, hops });
        }
    }
}

impl Radio for Physical {
    fn update(&mut self, now: u64, around: &Surroundings) {
        let passed = now.saturating_sub(self.now) as f64 * 1e-9;
        if !self.stations.is_empty() {
            match self.params.access {
                Access::Csma => self.advance(now),
                Access::AirtimeShare => self.share_out(now),
            }
            for (usage, node) in self.usage.iter_mut().zip(&self.scenery.nodes) {
                usage.energy += if node.alive { self.params.energy.idle * passed } else { 0.0 };
            }
        }
        self.now = now;
        self.look(around);
    }

    fn hear<'a>(&'a self, now: u64, receiver: NodeId, visit: &mut dyn FnMut(Heard<'a>)) -> Reception {
        let inbox = self.inboxes.get(receiver.index()).map_or(&[][..], Vec::as_slice);
        for delivery in inbox.iter().filter(|delivery| delivery.at <= now) {
            visit(Heard {
                sender: delivery.sender,
                by: delivery.by,
                payload: &delivery.payload,
                signal: Some(delivery.signal.measured()),
            });
        }
        Reception::default()
    }

    fn settle(&mut self, now: u64, receiver: NodeId, _reception: Reception) {
        if let Some(inbox) = self.inboxes.get_mut(receiver.index()) {
            inbox.retain(|delivery| delivery.at > now);
        }
    }

    fn transmit(&mut self, now: u64, sender: NodeId, to: Option<NodeId>, payload: Vec<u8>) {
        self.accept(now, sender, to, payload);
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.prepare();
        let outside = self.outside();
        let station = &mut self.scenery.nodes[outside];
        if station.position != from {
            station.position = from;
            if let Some(channel) = &mut self.channel {
                channel.look(&self.scenery);
            }
            self.measure_noise();
        }
        self.accept(now, outside, None, payload);
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn watch(&mut self, on: bool) {
        if on != self.fates.is_some() {
            self.fates = on.then(Vec::new);
            // Receivers out of reach are now listed by name, or no longer.
            self.channel = None;
        }
    }

    fn fates(&mut self) -> Vec<Fate> {
        self.fates.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn usage(&self, node: NodeId) -> Usage {
        self.usage.get(node.index()).copied().unwrap_or_default()
    }
}
