//! Link-state routing: link qualities, neighbours, and routes as stations know them.

use super::air::Strength;
use super::message::Message;
use super::{EventKind, Physical, Purpose, part_of};
use crate::NodeId;
use crate::physics::{GOOD_ENOUGH, nanoseconds};
use serde::{Deserialize, Serialize};

/// Margin by which a link must exceed the requirement before a faster rate is taken. [dB]
const HYSTERESIS: f64 = 1.5;

/// Number of hellos that determine the quality of a link.
const WINDOW: u32 = 16;

/// A station's memory of its links, by the other's number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Memory(Vec<Remembered>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Remembered {
    other: NodeId,
    /// Last measured signal-to-noise ratio. [dB]
    sinr: f64,
    /// Index of the modulation used last.
    mode: u32,
}

/// A station's knowledge of the network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Router {
    said: u32,
    neighbours: Vec<Neighbour>,
    /// The neighbours that others have reported, by their numbers.
    known: Vec<Known>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Neighbour {
    id: NodeId,
    /// Whether its hellos were heard: one bit per interval, the latest lowest.
    heard: u16,
    /// Number of intervals that count.
    intervals: u32,
    /// True if it was heard in the current interval.
    now: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    from: NodeId,
    number: u32,
    /// Neighbours with the share of their hellos that was heard, in 255ths.
    neighbours: Vec<(NodeId, u8)>,
}

impl Neighbour {
    fn quality(&self) -> u8 {
        ((u32::from(self.heard).count_ones() * 255) / self.intervals.max(1)).min(255) as u8
    }
}

impl Router {
    /// The next hello as bytes: sender, number, and the neighbours with their quality.
    fn speak(&mut self, me: NodeId) -> Vec<u8> {
        for neighbour in &mut self.neighbours {
            neighbour.heard = (neighbour.heard << 1) | u16::from(std::mem::take(&mut neighbour.now));
            neighbour.intervals = (neighbour.intervals + 1).min(WINDOW);
        }
        self.neighbours.retain(|neighbour| neighbour.heard != 0);
        self.said = self.said.wrapping_add(1);
        let mut bytes = Vec::with_capacity(8 + 5 * self.neighbours.len());
        bytes.extend(me.0.to_le_bytes());
        bytes.extend(self.said.to_le_bytes());
        for neighbour in &self.neighbours {
            bytes.extend(neighbour.id.0.to_le_bytes());
            bytes.push(neighbour.quality());
        }
        bytes
    }

    /// Processes a hello received from a neighbour. True if it is news.
    pub(super) fn learn(&mut self, me: NodeId, by: NodeId, bytes: &[u8]) -> bool {
        let word = |bytes: &[u8]| bytes.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
        let node = |bytes: &[u8]| word(bytes).map(NodeId);
        let (Some(from), Some(number)) = (node(bytes), bytes.get(4..).and_then(word)) else { return false };
        if from == me {
            return false;
        }
        if by == from {
            match self.neighbours.binary_search_by_key(&from, |neighbour| neighbour.id) {
                Ok(place) => self.neighbours[place].now = true,
                Err(place) => {
                    self.neighbours.insert(place, Neighbour { id: from, heard: 0, intervals: 0, now: true })
                }
            }
        }
        let entry = |entry: &[u8]| Some((node(entry)?, *entry.get(4)?));
        let neighbours = bytes[8..].chunks_exact(5).filter_map(entry).collect();
        let known = Known { from, number, neighbours };
        match self.known.binary_search_by_key(&from, |known| known.from) {
            Ok(place) if self.known[place].number >= number => return false,
            Ok(place) => self.known[place] = known,
            Err(place) => self.known.insert(place, known),
        }
        true
    }

    /// Forgets a neighbour that does not acknowledge.
    fn forget(&mut self, id: NodeId) {
        self.neighbours.retain(|neighbour| neighbour.id != id);
    }

    /// The best route from `me` to another station: next hop, hops and the product of the qualities of its links.
    pub(super) fn route(&self, me: NodeId, to: NodeId) -> Option<super::Route> {
        // Dijkstra's algorithm over the known links: the cost of a link is minus the logarithm of its quality, and a
        // little for each hop. There are few stations, so a list does as well as a heap.
        struct Way {
            cost: f64,
            hops: u32,
            quality: f64,
            first: NodeId,
            done: bool,
        }
        let mut ways: std::collections::BTreeMap<NodeId, Way> = std::collections::BTreeMap::new();
        let own: Vec<(NodeId, u8)> =
            self.neighbours.iter().map(|neighbour| (neighbour.id, neighbour.quality())).collect();
        let mut at = (me, 0.0, 0, 1.0, None);
        loop {
            let (station, cost, hops, quality, first) = at;
            let links = if station == me {
                own.as_slice()
            } else {
                let known = self.known.binary_search_by_key(&station, |known| known.from);
                known.map_or(&[][..], |place| self.known[place].neighbours.as_slice())
            };
            for &(next, share) in links.iter().filter(|(next, share)| *next != me && *share > 0) {
                let link = f64::from(share) / 255.0;
                let cost = cost - libm::log(link) + 0.05;
                let way = Way {
                    cost,
                    hops: hops + 1,
                    quality: quality * link,
                    first: first.unwrap_or(next),
                    done: false,
                };
                match ways.get_mut(&next) {
                    Some(old) if old.done || old.cost <= cost => {}
                    Some(old) => *old = way,
                    None => {
                        ways.insert(next, way);
                    }
                }
            }
            let open = ways.iter_mut().filter(|(_, way)| !way.done);
            let (&station, way) = open.min_by(|a, b| a.1.cost.total_cmp(&b.1.cost))?;
            way.done = true;
            if station == to {
                return Some(super::Route { next: way.first, hops: way.hops, quality: way.quality });
            }
            at = (station, way.cost, way.hops, way.quality, Some(way.first));
        }
    }
}

impl Memory {
    fn find(&self, other: NodeId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&other, |remembered| remembered.other)
    }
}

impl Physical {
    /// A station sends a hello to its neighbours, and through them to all.
    pub(super) fn hello(&mut self, station: NodeId) {
        let every = nanoseconds(self.params.hello_every).max(1);
        self.agenda.add(self.now + every, station, EventKind::Hello);
        if self.is_mute(station) {
            return;
        }
        let payload = self.routers[station].speak(station).into();
        let number = self.handed[station];
        self.handed[station] += 1;
        let message = Message { hello: true, ..Message::new(number, station, self.now, payload) };
        let message = self.messages.put(message);
        let hops = self.params.hops.min(255) as u8;
        self.arrive(station, message, hops);
    }

    /// Records how well a node heard another one.
    pub(super) fn note_link(&mut self, node: NodeId, other: NodeId, signal: Strength) {
        let Some(memory) = self.memories.get_mut(node.index()) else { return };
        let sinr = signal.measured().sinr;
        match memory.find(other) {
            Ok(place) => memory.0[place].sinr = sinr,
            Err(place) => memory.0.insert(place, Remembered { other, sinr, mode: 0 }),
        }
    }

    /// The modulation for a frame to one other station: the fastest that is good enough. Unknown links get the slowest.
    pub(super) fn mode_towards(&mut self, station: NodeId, other: NodeId, bytes: u32) -> usize {
        let (Some(memory), Some(channel)) = (self.memories.get_mut(station.index()), &self.channel) else {
            return 0;
        };
        let Ok(place) = memory.find(other) else { return 0 };
        let remembered = &mut memory.0[place];
        let best = |sinr: f64| channel.modes.best(sinr, bytes, GOOD_ENOUGH).unwrap_or(0);
        let used = (remembered.mode as usize).min(channel.modes.list.len() - 1);
        let mode = best(remembered.sinr).min(used.max(best(remembered.sinr - HYSTERESIS)));
        remembered.mode = mode as u32;
        mode
    }

    /// The next hop of a message to another station.
    pub(super) fn next_hop(&self, station: NodeId, to: NodeId) -> NodeId {
        self.route(station, to).map_or(to, |route| route.next)
    }

    /// Forwards a message that a station received for another one, once.
    pub(super) fn relay(&mut self, station: NodeId, place: u32, hops: u8) {
        let Some(message) = self.messages.get_mut(place) else { return };
        if hops <= 1 || message.relays.contains(&station) {
            return;
        }
        message.relays.push(station);
        message.pending += 1;
        let random = self.draw(Purpose::Jitter, station, 0, self.said[station])[0];
        let jitter = part_of(nanoseconds(self.params.jitter), random);
        self.agenda.add(self.now + jitter, station, EventKind::Arrive { message: place, hops: hops - 1 });
    }

    /// The first message in the queue did not get through: forgets the link.
    pub(super) fn lose_link(&mut self, station: NodeId) {
        let Some(next) = self.stations[station].next_hop else { return };
        if let Some(router) = self.routers.get_mut(station.index()) {
            router.forget(next);
        }
        if let Some(memory) = self.memories.get_mut(station.index())
            && let Ok(place) = memory.find(next)
        {
            memory.0.remove(place);
        }
    }
}
