//! The ideal radio: everyone hears everyone, with an optional loss probability, delay and range.

use crate::cells::Cells;
use crate::surroundings::Cuts;
use crate::{Fate, Heard, Loss, Node, OUTSIDE, Radio, Reception, Surroundings, Tally, Usage};
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
    /// Distance beyond which nothing is heard; everything is heard without it.
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
pub(crate) struct Frame {
    /// Its number, in the order of sending.
    pub(crate) number: u64,
    /// The node that sent it, or [`OUTSIDE`].
    pub(crate) sender: u32,
    /// The node it is for, or everybody.
    to: Option<u32>,
    /// Probability that the sender's radio spoilt it for a receiver.
    loss: f64,
    /// Where it was sent from. [m]
    pub(crate) origin: [f64; 2],
    /// When it was sent. [ns]
    sent: u64,
    /// When it can be heard. [ns]
    due: u64,
    payload: Arc<[u8]>,
}

/// The ideal radio.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ideal {
    params: IdealParams,
    key: [u32; 2],
    nodes: Vec<Node>,
    /// Frames that some node has still to hear, by number.
    frames: VecDeque<Frame>,
    next_number: u64,
    /// Per node: the number of the first frame it has not heard yet.
    cursors: Vec<u64>,
    tally: Tally,
    cuts: Cuts,
    /// What became of copies, if they are watched.
    #[serde(skip)]
    fates: Option<Vec<Fate>>,
    /// Frames due in this tick by place, up to (not including) a number.
    #[serde(skip)]
    cells: Cells,
    #[serde(skip)]
    indexed: std::ops::Range<u64>,
    /// How many of them each node sent itself.
    #[serde(skip)]
    own: Vec<u32>,
}

impl Ideal {
    /// A radio whose losses follow from `seed`.
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

    fn put_on_air(&mut self, now: u64, sender: u32, origin: [f64; 2], loss: f64, payload: Vec<u8>) {
        let due = now.saturating_add((self.params.delay * 1e9) as u64);
        self.frames.push_back(Frame { number: self.next_number, sender, loss, origin, due, payload });
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

    fn reaches(&self, frame: &Frame, receiver: usize) -> bool {
        let at = self.nodes[receiver].position;
        let near = self.params.range.is_none_or(|range| {
            let (dx, dy) = (frame.origin[0] - at[0], frame.origin[1] - at[1]);
            dx * dx + dy * dy <= range * range
        });
        near && !self.lost_by_chance(frame, receiver)
    }

    fn lost_by_chance(&self, frame: &Frame, receiver: usize) -> bool {
        let loss = if frame.loss + self.nodes[receiver].loss > 0.0 {
            1.0 - (1.0 - self.params.loss) * (1.0 - frame.loss) * (1.0 - self.nodes[receiver].loss)
        } else {
            self.params.loss
        };
        if loss <= 0.0 {
            return false;
        }
        let counter = [frame.sender, receiver as u32, frame.number as u32, (frame.number >> 32) as u32];
        let draw = philox4x32_10(counter, self.key)[0];
        f64::from(draw) * (1.0 / 4_294_967_296.0) < loss
    }
}

impl Radio for Ideal {
    fn update(&mut self, now: u64, nodes: &[Node]) {
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
        // A node that joins hears what is said from now on.
        self.cursors.resize(nodes.len(), self.next_number);
        if let Some(&oldest) = self.cursors.iter().min() {
            let heard_by_all = oldest.saturating_sub(self.first_number()) as usize;
            self.frames.drain(..heard_by_all.min(self.frames.len()));
        }
        if let Some(range) = self.params.range {
            let first = self.first_number();
            let mut cells = std::mem::take(&mut self.cells);
            cells.rebuild(range, self.due(first, now));
            self.cells = cells;
            let mut own = std::mem::take(&mut self.own);
            own.clear();
            own.resize(nodes.len(), 0);
            let mut count = 0;
            for frame in self.due(first, now) {
                if let Some(own) = own.get_mut(frame.sender as usize) {
                    *own += 1;
                }
                count += 1;
            }
            (self.own, self.indexed) = (own, first..first + count);
        }
    }

    fn hear<'a>(&'a self, now: u64, receiver: usize, visit: &mut dyn FnMut(&'a Frame)) -> Reception {
        let cursor = self.cursors[receiver];
        let mut reception = Reception::default();
        let mut due = 0;
        let mut check = |frame: &'a Frame| {
            if frame.sender as usize != receiver && self.reaches(frame, receiver) {
                visit(frame);
                reception.delivered += 1;
            }
        };
        let foreign = |frame: &&Frame| frame.sender as usize != receiver;
        if !self.nodes[receiver].on {
            return Reception { delivered: 0, lost: self.due(cursor, now).filter(foreign).count() as u64 };
        }
        let mut from = cursor;
        if let Some(range) = self.params.range
            && cursor <= self.indexed.start
            && !self.indexed.is_empty()
        {
            self.cells.near(self.nodes[receiver].position, range, |spot| {
                if spot.sender as usize != receiver {
                    check(&self.frames[spot.place as usize]);
                }
            });
            due += self.indexed.end - self.indexed.start - u64::from(self.own[receiver]);
            from = self.indexed.end;
        }
        for frame in self.due(from, now).filter(foreign) {
            check(frame);
            due += 1;
        }
        reception.lost = due - reception.delivered;
        reception
    }

    fn settle(&mut self, now: u64, receiver: usize, reception: Reception) {
        if self.frames.is_empty() {
            self.cursors[receiver] = self.next_number;
            return;
        }
        self.tally.delivered += reception.delivered;
        self.tally.lost += reception.lost;
        let from = self.cursors[receiver].max(self.first_number());
        // All due frames lie at the front, so a search for the first that is not due finds where to go on.
        let due = self.frames.partition_point(|frame| frame.due <= now) as u64;
        self.cursors[receiver] = from.max(self.first_number() + due);
    }

    fn transmit(&mut self, now: u64, sender: usize, payload: Vec<u8>) {
        let copies = self.nodes.len().saturating_sub(1) as u64;
        self.tally.frames += 1;
        self.tally.bytes += payload.len() as u64;
        self.tally.copies += copies;
        if !self.nodes[sender].on {
            self.tally.lost += copies;
            return;
        }
        let Node { position, loss, .. } = self.nodes[sender];
        self.put_on_air(now, sender as u32, position, loss, payload);
    }

    fn announce(&mut self, now: u64, from: [f64; 2], payload: Vec<u8>) {
        self.tally.frames += 1;
        self.tally.bytes += payload.len() as u64;
        self.tally.copies += self.nodes.len() as u64;
        self.put_on_air(now, OUTSIDE, from, 0.0, payload);
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(count: usize) -> Vec<Node> {
        (0..count).map(|i| Node { position: [i as f64, (i * i % 7) as f64], on: true, loss: 0.0 }).collect()
    }

    /// One tick: everyone hears, settles and then says its number. Gives what each heard.
    fn tick(radio: &mut Ideal, now: u64, nodes: &[Node]) -> Vec<Vec<u8>> {
        radio.update(now, nodes);
        let mut all = Vec::new();
        for receiver in 0..nodes.len() {
            let mut heard = Vec::new();
            let reception = radio.hear(now, receiver, &mut |frame| heard.push(frame.payload[0]));
            radio.settle(now, receiver, reception);
            all.push(heard);
        }
        for sender in 0..nodes.len() {
            radio.transmit(now, sender, vec![sender as u8]);
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
                nodes[3].on = now % 10 < 5;
                tick(&mut radio, now, &nodes);
                let tally = radio.tally();
                let waiting: usize = radio.frames.iter().filter(|f| f.number >= radio.cursors[0]).count();
                assert_eq!(tally.copies, tally.delivered + tally.lost + tally.in_flight());
                assert_eq!(
                    tally.in_flight(),
                    waiting as u64 * 8,
                    "loss {loss} delay {delay} range {range:?}"
                );
            }
        }
    }

    #[test]
    fn the_range_index_hears_what_a_search_of_all_hears() {
        let params = IdealParams { loss: 0.2, delay: 0.0, range: Some(2.5) };
        let mut radio = Ideal::new(params.clone(), 3);
        let nodes = nodes(30);
        for now in 0..5 {
            radio.update(now, &nodes);
            for receiver in 0..nodes.len() {
                let mut heard = Vec::new();
                radio.hear(now, receiver, &mut |frame| heard.push(frame.number));
                let all = radio.due(radio.cursors[receiver], now);
                let expected: Vec<u64> = all
                    .filter(|f| f.sender as usize != receiver && radio.reaches(f, receiver))
                    .map(|f| f.number)
                    .collect();
                heard.sort_unstable();
                assert_eq!(heard, expected);
            }
            tick(&mut radio, now, &nodes);
        }
    }

    #[test]
    fn losses_have_the_stated_share_and_follow_from_the_seed() {
        let run = |seed| {
            let mut radio = Ideal::new(IdealParams { loss: 0.3, ..Default::default() }, seed);
            let heard: Vec<_> = (0..400).map(|now| tick(&mut radio, now, &nodes(6))).collect();
            (radio.tally(), heard)
        };
        let (tally, heard) = run(5);
        let share = tally.lost as f64 / (tally.lost + tally.delivered) as f64;
        // 12,000 copies: the standard error is 0.0042.
        assert!((share - 0.3).abs() < 0.02, "{share}");
        assert_eq!(heard, run(5).1);
        assert_ne!(heard, run(6).1);
    }
}
