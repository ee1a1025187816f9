//! The ideal radio: everyone hears everyone, with an optional loss probability, delay and range.

use crate::cells::{Cells, Spot};
use crate::chance::unit;
use crate::surroundings::Cuts;
use crate::{Fate, Heard, Loss, Node, NodeId, Radio, Reception, Surroundings, Tally, Usage};
use rand_philox::{philox4x32_10, splitmix64};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

pub(crate) const SUMMARY: &str = "everyone hears everyone; optional loss probability, delay and range";

/// Parameters of the ideal radio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct IdealParams {
    /// Probability that one receiver misses one frame.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub loss: f64,
    /// Time from sending to hearing.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub delay: f64,
    /// Distance beyond which nothing is heard. Default: unlimited.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub range: Option<f64>,
}

impl Default for IdealParams {
    fn default() -> Self {
        IdealParams { loss: 0.0, delay: 0.0, range: None }
    }
}

/// One message on the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Frame {
    /// Its number, in the order of sending.
    number: u64,
    /// The node that sent it, or [`NodeId::OUTSIDE`].
    sender: NodeId,
    /// The node it is for, or everybody.
    to: Option<NodeId>,
    /// Probability that the sender's radio corrupts it for a receiver.
    loss: f64,
    /// Where it was sent from. [m]
    origin: [f64; 2],
    /// When it was sent. [ns]
    sent: u64,
    /// When it can be heard. [ns]
    due: u64,
    payload: Vec<u8>,
}

/// The ideal radio.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ideal {
    params: IdealParams,
    key: [u32; 2],
    nodes: Vec<Node>,
    /// Frames that some node has yet to hear, by number.
    frames: VecDeque<Frame>,
    next_number: u64,
    /// Per node: the number of the first frame it has not heard yet.
    cursors: Vec<u64>,
    tally: Tally,
    cuts: Cuts,
    /// Fates of copies, if they are watched.
    #[serde(skip)]
    fates: Option<Vec<Fate>>,
    /// Frames due in this tick by place, up to (not including) a number.
    #[serde(skip)]
    cells: Cells,
    #[serde(skip)]
    indexed: std::ops::Range<u64>,
    /// How many of the frames due in this tick each node sent itself.
    #[serde(skip)]
    own: Vec<u32>,
}

impl Ideal {
    /// A radio whose losses derive from `seed`.
    pub fn new(params: IdealParams, seed: u64) -> Ideal {
        let key = splitmix64(seed ^ 0x5241_4449_4f5f_5f31);
        Ideal {
            params,
            key: [key as u32, (key >> 32) as u32],
            nodes: Vec::new(),
            frames: VecDeque::new(),
            next_number: 0,
            cursors: Vec::new(),
            tally: Tally::default(),
            cuts: Cuts::default(),
            fates: None,
            cells: Cells::default(),
            indexed: 0..0,
            own: Vec::new(),
        }
    }

    /// The probability that a message sent now from one node reaches another; `None` if that is impossible.
    pub fn quality(&self, from: NodeId, to: NodeId) -> Option<f64> {
        let (a, b) = (self.nodes.get(from.index())?, self.nodes.get(to.index())?);
        let usable = a.alive && a.speaks && b.alive && b.hears && from != to;
        let [dx, dy] = [a.position[0] - b.position[0], a.position[1] - b.position[1]];
        let near = self.params.range.is_none_or(|range| dx * dx + dy * dy <= range * range);
        let open = usable && near && !self.cuts.part(from, to);
        open.then_some((1.0 - self.params.loss) * (1.0 - a.loss) * (1.0 - b.loss))
    }

    fn put_on_air(
        &mut self,
        now: u64,
        sender: NodeId,
        to: Option<NodeId>,
        payload: Vec<u8>,
        from: ([f64; 2], f64),
    ) {
        let due = now.saturating_add((self.params.delay * 1e9) as u64);
        let (origin, loss) = from;
        let number = self.next_number;
        self.frames.push_back(Frame { number, sender, to, loss, origin, sent: now, due, payload });
        self.next_number += 1;
    }

    fn first_number(&self) -> u64 {
        self.next_number - self.frames.len() as u64
    }

    /// The frames from number `from` on that are due at `now`.
    fn due(&self, from: u64, now: u64) -> impl Iterator<Item = &Frame> + Clone {
        let skipped = from.saturating_sub(self.first_number()) as usize;
        self.frames.range(skipped.min(self.frames.len())..).take_while(move |frame| frame.due <= now)
    }

    /// True if a frame is meant for a node.
    fn is_for(frame: &Frame, receiver: NodeId) -> bool {
        frame.sender != receiver && frame.to.is_none_or(|to| to == receiver)
    }

    /// Why a listening node does not hear a frame; `None` if it does.
    fn obstacle(&self, frame: &Frame, receiver: NodeId) -> Option<Loss> {
        let at = self.nodes[receiver].position;
        let near = self.params.range.is_none_or(|range| {
            let (dx, dy) = (frame.origin[0] - at[0], frame.origin[1] - at[1]);
            dx * dx + dy * dy <= range * range
        });
        if near { self.obstacle_nearby(frame, receiver) } else { Some(Loss::Range) }
    }

    /// [`Ideal::obstacle`] for a frame that is known to be within range.
    #[inline]
    fn obstacle_nearby(&self, frame: &Frame, receiver: NodeId) -> Option<Loss> {
        if self.cuts.part(frame.sender, receiver) {
            Some(Loss::Cut)
        } else {
            self.lost_by_chance(frame, receiver).then_some(Loss::Chance)
        }
    }

    #[inline]
    fn lost_by_chance(&self, frame: &Frame, receiver: NodeId) -> bool {
        let loss = if frame.loss + self.nodes[receiver].loss > 0.0 {
            1.0 - (1.0 - self.params.loss) * (1.0 - frame.loss) * (1.0 - self.nodes[receiver].loss)
        } else {
            self.params.loss
        };
        if loss <= 0.0 {
            return false;
        }
        let counter = [frame.sender.0, receiver.0, frame.number as u32, (frame.number >> 32) as u32];
        let draw = philox4x32_10(counter, self.key)[0];
        unit(draw) < loss
    }
}

impl Radio for Ideal {
    fn update(&mut self, now: u64, around: &Surroundings) {
        let nodes = around.nodes;
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
        self.cuts.copy_from(around.cuts);
        // A node that joins hears only frames sent from now on.
        self.cursors.resize(nodes.len(), self.next_number);
        if let Some(&oldest) = self.cursors.iter().min() {
            let heard_by_all = oldest.saturating_sub(self.first_number()) as usize;
            self.frames.drain(..heard_by_all.min(self.frames.len()));
        }
        if let Some(range) = self.params.range {
            let first = self.first_number();
            let mut cells = std::mem::take(&mut self.cells);
            let spot = |(place, frame): (usize, &Frame)| Spot {
                at: frame.origin,
                node: frame.sender,
                place: place as u32,
            };
            cells.rebuild(range, self.due(first, now).enumerate().map(spot));
            self.cells = cells;
            let mut own = std::mem::take(&mut self.own);
            own.clear();
            own.resize(nodes.len(), 0);
            let mut count = 0;
            for frame in self.due(first, now) {
                match frame.to {
                    // Not addressed to most nodes: counted as if they had sent it themselves.
                    Some(to) => {
                        NodeId::enumerate(&mut own)
                            .filter(|(node, _)| *node != to)
                            .for_each(|(_, own)| *own += 1);
                    }
                    None => {
                        if let Some(own) = own.get_mut(frame.sender.index()) {
                            *own += 1;
                        }
                    }
                }
                count += 1;
            }
            (self.own, self.indexed) = (own, first..first + count);
        }
    }

    fn hear<'a>(&'a self, now: u64, receiver: NodeId, visit: &mut dyn FnMut(Heard<'a>)) -> Reception {
        let cursor = self.cursors[receiver];
        let (mut delivered, mut cut, mut by_chance) = (0, 0, 0);
        let mut check = |frame: &'a Frame, obstacle: Option<Loss>| match obstacle {
            None => {
                visit(Heard {
                    sender: frame.sender,
                    by: frame.sender,
                    payload: &frame.payload,
                    signal: None,
                });
                delivered += 1;
            }
            Some(Loss::Range) => {}
            Some(Loss::Cut) => cut += 1,
            Some(_) => by_chance += 1,
        };
        let meant = |frame: &&Frame| Self::is_for(frame, receiver);
        if !self.nodes[receiver].hears {
            let lost = self.due(cursor, now).filter(meant).count() as u64;
            return Reception { deaf: lost, ..Reception::default() };
        }
        let mut from = cursor;
        let mut due = 0;
        if let Some(range) = self.params.range
            && cursor <= self.indexed.start
            && !self.indexed.is_empty()
        {
            self.cells.near(self.nodes[receiver].position, range, |spot| {
                let frame = &self.frames[spot.place as usize];
                if Self::is_for(frame, receiver) {
                    check(frame, self.obstacle_nearby(frame, receiver));
                }
            });
            due += self.indexed.end - self.indexed.start - u64::from(self.own[receiver]);
            from = self.indexed.end;
        }
        for frame in self.due(from, now).filter(meant) {
            check(frame, self.obstacle(frame, receiver));
            due += 1;
        }
        Reception { delivered, too_far: due - delivered - cut - by_chance, cut, by_chance, deaf: 0 }
    }

    fn settle(&mut self, now: u64, receiver: NodeId, reception: Reception) {
        if self.frames.is_empty() {
            self.cursors[receiver] = self.next_number;
            return;
        }
        let Reception { delivered, too_far, cut, by_chance, deaf } = reception;
        self.tally.delivered += delivered;
        for (why, count) in
            [(Loss::Range, too_far), (Loss::Cut, cut), (Loss::Chance, by_chance), (Loss::ReceiverDead, deaf)]
        {
            self.tally.lost.add(why, count);
        }
        let from = self.cursors[receiver].max(self.first_number());
        if self.fates.is_some() {
            self.tell_fates(from, now, receiver);
        }
        // All due frames are at the front, so a binary search finds the first that is not due.
        let due = self.frames.partition_point(|frame| frame.due <= now) as u64;
        self.cursors[receiver] = from.max(self.first_number() + due);
    }

    fn transmit(&mut self, now: u64, sender: NodeId, to: Option<NodeId>, payload: Vec<u8>) {
        let copies = if to.is_some() { 1 } else { self.nodes.len().saturating_sub(1) as u64 };
        self.tally.sent(to, payload.len(), copies);
        let Node { position, loss, speaks, .. } = self.nodes[sender];
        let nobody = to.is_some_and(|to| to == sender || to.index() >= self.nodes.len());
        if speaks && !nobody {
            self.tally.transmissions += 1;
            self.put_on_air(now, sender, to, payload, (position, loss));
            return;
        }
        let why = if speaks { Loss::ReceiverDead } else { Loss::SenderDead };
        self.tally.lost.add(why, copies);
        if let Some(fates) = &mut self.fates {
            let payload: Arc<[u8]> = payload.into();
            let all = NodeId::first(self.nodes.len()).filter(|node| *node != sender && to.is_none());
            fates.extend(all.chain(to).map(|receiver| Fate {
                sender,
                receiver,
                payload: payload.clone(),
                sent: now,
                settled: now,
                lost: Some(why),
                signal: None,
            }));
        }
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.tally.sent(None, payload.len(), self.nodes.len() as u64);
        self.tally.transmissions += 1;
        self.put_on_air(now, NodeId::OUTSIDE, None, payload, (from, 0.0));
    }

    fn tally(&self) -> Tally {
        // All delivered copies have the same latency.
        Tally { latency: self.tally.delivered * (self.params.delay * 1e9) as u64, ..self.tally }
    }

    fn watch(&mut self, on: bool) {
        if on != self.fates.is_some() {
            self.fates = on.then(Vec::new);
        }
    }

    fn fates(&mut self) -> Vec<Fate> {
        self.fates.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn usage(&self, _node: NodeId) -> Usage {
        Usage::default()
    }
}

impl Ideal {
    /// Records the fates of the copies that are due at a receiver now.
    fn tell_fates(&mut self, from: u64, now: u64, receiver: NodeId) {
        let Some(mut fates) = self.fates.take() else { return };
        for frame in self.due(from, now).filter(|frame| Self::is_for(frame, receiver)) {
            let hears = self.nodes[receiver].hears;
            fates.push(Fate {
                sender: frame.sender,
                receiver,
                payload: frame.payload.as_slice().into(),
                sent: frame.sent,
                settled: frame.due,
                lost: if hears { self.obstacle(frame, receiver) } else { Some(Loss::ReceiverDead) },
                signal: None,
            });
        }
        self.fates = Some(fates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(count: usize) -> Vec<Node> {
        (0..count).map(|i| Node::at([i as f64, (i * i % 7) as f64])).collect()
    }

    /// One tick: everyone hears, settles and then sends its number. Returns what each heard.
    fn tick(radio: &mut Ideal, now: u64, nodes: &[Node]) -> Vec<Vec<u8>> {
        radio.update(now, &Surroundings::of(nodes));
        let mut all = Vec::new();
        for receiver in NodeId::first(nodes.len()) {
            let mut heard = Vec::new();
            let reception = radio.hear(now, receiver, &mut |frame| heard.push(frame.payload[0]));
            radio.settle(now, receiver, reception);
            all.push(heard);
        }
        for sender in NodeId::first(nodes.len()) {
            radio.transmit(now, sender, None, vec![sender.0 as u8]);
        }
        all
    }

    #[test]
    fn everyone_hears_everyone_else_once_in_the_next_tick() {
        let mut radio = Ideal::new(IdealParams::default(), 1);
        assert!(tick(&mut radio, 0, &nodes(4)).iter().all(Vec::is_empty));
        for now in 1..5 {
            assert_eq!(tick(&mut radio, now, &nodes(4))[1], [0, 2, 3]);
        }
    }

    #[test]
    fn a_delay_postpones_and_loses_nothing() {
        let mut radio = Ideal::new(IdealParams { delay: 3e-9, ..Default::default() }, 1);
        let heard: Vec<usize> = (0..8).map(|now| tick(&mut radio, now, &nodes(2))[0].len()).collect();
        assert_eq!(heard, [0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn copies_are_delivered_lost_or_in_flight() {
        for (loss, delay, range) in
            [(0.0, 0.0, None), (0.3, 2e-9, None), (0.5, 0.0, Some(3.0)), (1.0, 0.0, None)]
        {
            let mut radio = Ideal::new(IdealParams { loss, delay, range }, 7);
            for now in 0..50 {
                let mut nodes = nodes(9);
                (nodes[3].hears, nodes[3].speaks) = (now % 10 < 5, now % 10 < 5);
                tick(&mut radio, now, &nodes);
                let tally = radio.tally();
                let waiting: usize = radio.frames.iter().filter(|f| f.number >= radio.cursors[0]).count();
                assert_eq!(tally.copies, tally.delivered + tally.lost.total() + tally.in_flight());
                assert_eq!(
                    tally.in_flight(),
                    waiting as u64 * 8,
                    "loss {loss} delay {delay} range {range:?}"
                );
            }
        }
    }

    #[test]
    fn the_range_index_agrees_with_a_full_search() {
        let params = IdealParams { loss: 0.2, delay: 0.0, range: Some(2.5) };
        let mut radio = Ideal::new(params.clone(), 3);
        let nodes = nodes(30);
        for now in 0..5 {
            radio.update(now, &Surroundings::of(&nodes));
            for receiver in NodeId::first(nodes.len()) {
                let mut heard = Vec::new();
                radio.hear(now, receiver, &mut |frame| heard.push(frame.payload.to_vec()));
                let all = radio.due(radio.cursors[receiver], now);
                let mut expected: Vec<Vec<u8>> = all
                    .filter(|f| Ideal::is_for(f, receiver) && radio.obstacle(f, receiver).is_none())
                    .map(|f| f.payload.clone())
                    .collect();
                expected.sort_unstable();
                heard.sort_unstable();
                assert_eq!(heard, expected);
            }
            tick(&mut radio, now, &nodes);
        }
    }

    #[test]
    fn losses_have_the_stated_share_and_depend_on_the_seed() {
        let run = |seed| {
            let mut radio = Ideal::new(IdealParams { loss: 0.3, ..Default::default() }, seed);
            let heard: Vec<_> = (0..400).map(|now| tick(&mut radio, now, &nodes(6))).collect();
            (radio.tally(), heard)
        };
        let (tally, heard) = run(5);
        let share = 1.0 - tally.delivery_ratio().expect("settled copies");
        // 12,000 copies: the standard error is 0.0042.
        assert!((share - 0.3).abs() < 0.02, "{share}");
        assert_eq!(heard, run(5).1);
        assert_ne!(heard, run(6).1);
    }
}
